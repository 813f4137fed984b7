package org.inferometer.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import org.inferometer.query.QueryValue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CrossOriginTest {
  private static TestServer server(@Nullable String origins) {
    TestServer server = new TestServer(origins, new AdminRoutes(() -> null, page -> {}));
    server.queries.answer("q", new QueryValue.Scalar(0, 1));
    return server;
  }

  @Test
  void allowedOrigin_mayReadByGetAndPost() throws Exception {
    try (TestServer server = server("https://(a|b)\\.example")) {
      HttpResponse<String> get =
          server.send("GET", "/api/v1/query?query=q", "Origin", "https://b.example");
      assertThat(get.statusCode()).isEqualTo(200);
      assertThat(get.headers().firstValue("Access-Control-Allow-Origin"))
          .contains("https://b.example");
      assertThat(get.headers().firstValue("Access-Control-Allow-Methods"))
          .contains("GET, POST, OPTIONS");
      assertThat(get.headers().allValues("Vary")).contains("Origin");
      assertThat(
              server.post("/api/v1/query", "query=q", "Origin", "https://b.example").statusCode())
          .isEqualTo(200);
      HttpResponse<String> preflight =
          server.send("OPTIONS", "/api/v1/query", "Origin", "https://a.example");
      assertThat(preflight.statusCode()).isEqualTo(204);
      assertThat(preflight.headers().firstValue("Access-Control-Allow-Headers"))
          .contains("Accept, Authorization, Content-Type, Origin");
    }
  }

  @Test
  void otherOrigins_getNoHeadersAndMayNotPost() throws Exception {
    try (TestServer server = server("https://a\\.example")) {
      for (String origin :
          new String[] {"https://axexample", "https://a.example.org", "http://a.example", "null"}) {
        HttpResponse<String> get = server.send("GET", "/api/v1/query?query=q", "Origin", origin);
        assertThat(get.headers().firstValue("Access-Control-Allow-Origin")).isEmpty();
        assertThat(server.post("/api/v1/query", "query=q", "Origin", origin).statusCode())
            .isEqualTo(403);
      }
    }
  }

  @Test
  void allowedOrigin_mayNotChangeAnything() throws Exception {
    try (TestServer server = server(".*")) {
      HttpResponse<String> get =
          server.send("GET", "/api/v1/query?query=q", "Origin", "http://any");
      assertThat(get.headers().firstValue("Access-Control-Allow-Origin")).contains("*");
      assertThat(server.post("/-/reload", "", "Origin", "http://any").statusCode()).isEqualTo(403);
      assertThat(server.post("/api/v1/write", "", "Origin", "http://any").statusCode())
          .isEqualTo(403);
      HttpResponse<String> page = server.send("GET", "/-/healthy", "Origin", "http://any");
      assertThat(page.headers().firstValue("Access-Control-Allow-Origin")).isEmpty();
    }
  }

  @Test
  void withoutTheSetting_nothingIsSaid() throws Exception {
    try (TestServer server = server(null)) {
      HttpResponse<String> get =
          server.send("GET", "/api/v1/query?query=q", "Origin", "http://any");
      assertThat(get.headers().map().keySet()).noneMatch(name -> name.startsWith("access-control"));
    }
  }
}
