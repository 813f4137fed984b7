package org.inferometer.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
import org.inferometer.exposition.Event;
import org.inferometer.exposition.ExpositionParser;
import org.inferometer.exposition.Format;
import org.inferometer.exposition.Mode;
import org.inferometer.model.Labels;
import org.inferometer.model.StalenessMarker;
import org.inferometer.remote.NewestSamples;
import org.inferometer.store.MemorySeries;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FederateRoutesTest {
  private static final long T = TestServer.NOW_MS;

  private final MemorySeries store = new MemorySeries();
  private TestServer server;

  @BeforeAll
  void start() {
    store.add(Labels.of("__name__", "requests_total", "job", "a\"\\\nb", "instance", "x"), T, 7);
    store.add(Labels.of("__name__", "requests_total", "instance", "y"), T - 1000, 1e21);
    store.add(Labels.of("__name__", "age_seconds", "cluster", "own"), T - 299_000, Double.NaN);
    store.add(Labels.of("__name__", "old"), T - 301_000, 1);
    store.add(Labels.of("__name__", "ended"), T - 2, 1);
    store.add(Labels.of("__name__", "ended"), T - 1, StalenessMarker.VALUE);
    store.add(Labels.of("__name__", "service.latency", "http.route", "/é"), T, 0.5);
    server =
        new TestServer(
            new FederateRoutes(
                new NewestSamples(store, 300_000),
                new FakeQueryService(),
                SelectorReader.promql(),
                () -> Labels.of("cluster", "c"),
                () -> T));
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @Test
  void newestSamples_areAPageWithTimes() throws Exception {
    HttpResponse<String> page =
        server.send(
            "GET",
            "/federate?match[]=requests_total&match[]=%7B__name__%3D~%22age.*%7Cold%7Cended%7Creq.*%22%7D");
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.headers().firstValue("Content-Type"))
        .contains("text/plain; version=0.0.4; charset=utf-8");
    assertThat(page.body())
        .isEqualTo(
            """
            # TYPE age_seconds gauge
            age_seconds{instance="",cluster="own"} NaN 1699999701123
            # TYPE requests_total untyped
            requests_total{cluster="c",instance="x",job="a\\"\\\\\\nb"} 7 1700000000123
            requests_total{cluster="c",instance="y"} 1e+21 1699999999123
            """);
  }

  @Test
  void oddNames_areQuotedForThoseWhoReadThem() throws Exception {
    String path = "/federate?match[]=%7B%22service.latency%22%7D";
    assertThat(server.get(path))
        .isEqualTo(
            """
            # TYPE service_latency untyped
            service_latency{instance="",cluster="c",http_route="/é"} 0.5 1700000000123
            """);
    HttpResponse<String> page =
        server.send(
            "GET", path, "Accept", "text/plain;version=1.0.0;escaping=allow-utf-8;q=0.6,*/*;q=0.1");
    assertThat(page.headers().firstValue("Content-Type"))
        .contains("text/plain; version=1.0.0; charset=utf-8; escaping=allow-utf-8");
    assertThat(page.body())
        .isEqualTo(
            """
            # TYPE "service.latency" untyped
            {"service.latency",instance="",cluster="c","http.route"="/é"} 0.5 1700000000123
            """);
    ExpositionParser parser = ExpositionParser.of(Format.TEXT, Mode.SPEC);
    byte[] bytes = page.body().getBytes(StandardCharsets.UTF_8);
    parser.reset(bytes, bytes.length);
    assertThat(parser.next()).isEqualTo(Event.TYPE);
    assertThat(parser.next()).isEqualTo(Event.SERIES);
    assertThat(parser.labels().get("http.route")).isEqualTo("/é");
  }

  @Test
  void brokenSelector_isSaidInText() throws Exception {
    HttpResponse<String> response = server.send("GET", "/federate?match[]=up%7B");
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.body()).startsWith("1:4: parse error: ");
  }

  @Test
  void withoutSelectors_thePageIsEmpty() throws Exception {
    HttpResponse<String> response = server.send("GET", "/federate");
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).isEmpty();
    assertThat(server.send("POST", "/federate").statusCode()).isEqualTo(405);
  }

  @Test
  void largePage_isCompressed() throws Exception {
    for (int i = 0; i < 500; i++) {
      store.add(Labels.of("__name__", "many", "i", "" + i), T, i);
    }
    HttpResponse<byte[]> page =
        server.getBytes("/federate?match[]=many", "Accept-Encoding", "gzip");
    assertThat(page.headers().firstValue("Content-Encoding")).contains("gzip");
    assertThat(new GZIPInputStream(new ByteArrayInputStream(page.body())).readAllBytes())
        .asString(StandardCharsets.UTF_8)
        .hasLineCount(501);
  }
}
