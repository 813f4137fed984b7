package org.inferometer.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UiRoutesTest {
  private TestServer server;

  @BeforeAll
  void start() {
    server = new TestServer();
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/", "/query", "/services/vllm%2FQwen%2FQwen3-32B", "/services/node/127.0.0.1:9"})
  void everyPageAddress_givesTheOnePage(String path) throws Exception {
    HttpResponse<String> response = server.send("GET", path);
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("Content-Type")).contains("text/html; charset=utf-8");
    assertThat(response.body().toLowerCase(java.util.Locale.ROOT)).startsWith("<!doctype html>");
  }

  @Test
  void chartLibrary_isServed() throws Exception {
    HttpResponse<String> response = server.send("GET", "/ui/vendor/uplot/uPlot.esm.js");
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("Content-Type"))
        .contains("text/javascript; charset=utf-8");
    assertThat(server.send("GET", "/ui/vendor/uplot/uPlot.min.css").statusCode()).isEqualTo(200);
  }

  @Test
  void file_isCompressedWhenAsked() throws Exception {
    String path = "/ui/vendor/uplot/uPlot.esm.js";
    HttpResponse<byte[]> gzip = server.getBytes(path, "Accept-Encoding", "gzip");
    assertThat(gzip.headers().firstValue("Content-Encoding")).contains("gzip");
    byte[] unzipped = new GZIPInputStream(new ByteArrayInputStream(gzip.body())).readAllBytes();
    assertThat(new String(unzipped, StandardCharsets.UTF_8)).isEqualTo(server.get(path));
    assertThat(server.getBytes(path, "Accept-Encoding", "gzip;q=0").headers().map())
        .doesNotContainKey("content-encoding");
  }

  @Test
  void unchangedFile_isNotSentAgain() throws Exception {
    String path = "/ui/vendor/uplot/uPlot.min.css";
    String etag = server.send("GET", path).headers().firstValue("ETag").orElseThrow();
    HttpResponse<String> again = server.send("GET", path, "If-None-Match", etag);
    assertThat(again.statusCode()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/ui/absent.js",
        "/ui/",
        "/ui/%2e%2e/META-INF/MANIFEST.MF",
        "/ui/vendor/uplot/..%2f..%2fpackage.json",
        "/ui//etc/passwd"
      })
  void whatIsNoFileOfOurs_isNotFound(String path) throws Exception {
    String answer =
        server.raw("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    assertThat(answer).startsWith("HTTP/1.1 404 ");
  }

  /** Dots are resolved before a route is found, so this is a page's address. */
  @Test
  void wayOutOfTheFolder_isAPageAddress() throws Exception {
    String answer =
        server.raw(
            """
            GET /ui/../org/inferometer/api/UiRoutes.class HTTP/1.1\r
            Host: localhost\r
            Connection: close\r
            \r
            """);
    assertThat(answer).contains("Content-Type: text/html");
  }

  @Test
  void head_hasTheLengthOnly() throws Exception {
    HttpResponse<String> head = server.send("HEAD", "/ui/vendor/uplot/uPlot.min.css");
    assertThat(head.body()).isEmpty();
    assertThat(head.headers().firstValueAsLong("Content-Length").orElseThrow()).isPositive();
  }
}
