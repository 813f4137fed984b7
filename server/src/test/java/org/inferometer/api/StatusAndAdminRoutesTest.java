package org.inferometer.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.inferometer.model.MetricType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StatusAndAdminRoutesTest {
  private static final StatusRoutes.Server STATUS =
      new StatusRoutes.Server() {
        @Override
        public String version() {
          return "1.2.3";
        }

        @Override
        public long startMs() {
          return 0;
        }

        @Override
        public long nowMs() {
          return 2000;
        }

        @Override
        public String config() {
          return "global: {}\n";
        }

        @Override
        public StatusRoutes.Store store() {
          return new StatusRoutes.Store(
              3,
              7,
              4,
              1000,
              2000,
              limit -> {
                List<StatusRoutes.Count> one = List.of(new StatusRoutes.Count("up", limit));
                return new StatusRoutes.Cardinality(one, List.of(), one, List.of());
              });
        }

        @Override
        public StatusRoutes.Health health() {
          return new StatusRoutes.Health(true, 1500, Long.MIN_VALUE, 2, "the disk is full");
        }

        @Override
        public @Nullable String waitsFor() {
          return "reading: 43 %";
        }

        @Override
        public boolean isSimulation() {
          return true;
        }

        @Override
        public Map<String, String> flags() {
          return Map.of("listen", "127.0.0.1:9765");
        }

        @Override
        public long lastConfigMs() {
          return 1500;
        }

        @Override
        public boolean lastConfigGood() {
          return true;
        }

        @Override
        public String retention() {
          return "6h";
        }
      };

  private final AtomicReference<@Nullable String> problem = new AtomicReference<>();
  private TestServer server;

  @BeforeAll
  void start() {
    server =
        new TestServer(
            new StatusRoutes(STATUS),
            new AdminRoutes(
                problem::get,
                page -> page.family("requests", MetricType.COUNTER, "Requests.").sample(3)));
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @Test
  void buildInfo_namesThePrometheusThatIsSpokenAndNoFeatures() throws Exception {
    assertThat(server.get("/api/v1/status/buildinfo"))
        .startsWith(
            "{\"status\":\"success\",\"data\":{\"version\":\"3.5.0\",\"revision\":\"\","
                + "\"branch\":\"\",\"buildUser\":\"\",\"buildDate\":\"\",\"goVersion\":\"\","
                + "\"inferometerVersion\":\"1.2.3\"")
        .doesNotContain("features");
  }

  @Test
  void status_saysHowTheStoreFares() throws Exception {
    assertThat(server.get("/api/v1/status"))
        .isEqualTo(
            "{\"status\":\"success\",\"data\":{\"version\":\"1.2.3\",\"readOnly\":true,"
                + "\"minTime\":1.500,\"maxTime\":null,\"trouble\":\"the disk is full\","
                + "\"waitsFor\":\"reading: 43 %\",\"simulation\":true}}");
  }

  @Test
  void runtimeInfoAndFlags_sayWhatRuns() throws Exception {
    assertThat(server.get("/api/v1/status/runtimeinfo"))
        .startsWith(
            "{\"status\":\"success\",\"data\":{\"startTime\":\"1970-01-01T00:00:00Z\",\"CWD\":\"")
        .contains(
            "\"serverTime\":\"1970-01-01T00:00:02Z\","
                + "\"reloadConfigSuccess\":true,\"lastConfigTime\":\"1970-01-01T00:00:01.500Z\"")
        .contains("\"corruptionCount\":2")
        .endsWith("\"storageRetention\":\"6h\"}}");
    assertThat(server.get("/api/v1/status/flags"))
        .isEqualTo("{\"status\":\"success\",\"data\":{\"listen\":\"127.0.0.1:9765\"}}");
  }

  @Test
  void rulesAndAlerts_areEmpty() throws Exception {
    assertThat(server.get("/api/v1/rules?type=alert"))
        .isEqualTo("{\"status\":\"success\",\"data\":{\"groups\":[]}}");
    assertThat(server.get("/api/v1/alerts"))
        .isEqualTo("{\"status\":\"success\",\"data\":{\"alerts\":[]}}");
  }

  @Test
  void ruleTypes_areThoseOfPrometheus() throws Exception {
    assertThat(server.send("GET", "/api/v1/rules?type=record").statusCode()).isEqualTo(200);
    HttpResponse<String> other = server.send("GET", "/api/v1/rules?type=x");
    assertThat(other.statusCode()).isEqualTo(400);
    assertThat(other.body()).contains("invalid parameter \\\"type\\\": not supported value");
  }

  @Test
  void config_isYamlInJson() throws Exception {
    assertThat(server.get("/api/v1/status/config"))
        .isEqualTo("{\"status\":\"success\",\"data\":{\"yaml\":\"global: {}\\n\"}}");
  }

  @Test
  void storeStats_areAsPrometheusHasThem() throws Exception {
    assertThat(server.get("/api/v1/status/tsdb"))
        .isEqualTo(
            """
            {"status":"success","data":{"headStats":{"numSeries":3,"numLabelPairs":7,\
            "chunkCount":4,"minTime":1000,"maxTime":2000},\
            "seriesCountByMetricName":[{"name":"up","value":10}],"labelValueCountByLabelName":[],\
            "memoryInBytesByLabelName":[{"name":"up","value":10}],\
            "seriesCountByLabelValuePair":[]}}""");
    assertThat(server.get("/api/v1/status/tsdb?limit=3")).contains("\"value\":3");
    for (String limit : List.of("0", "-1", "x", "10001")) {
      assertThat(server.send("GET", "/api/v1/status/tsdb?limit=" + limit).statusCode())
          .isEqualTo(400);
    }
  }

  @Test
  void health_isAnsweredInPlainText() throws Exception {
    assertThat(server.get("/-/healthy")).isEqualTo("Inferometer is healthy.\n");
    assertThat(server.send("HEAD", "/-/ready").statusCode()).isEqualTo(200);
  }

  @Test
  void reload_tellsWhatIsWrong() throws Exception {
    problem.set(null);
    assertThat(server.post("/-/reload", "").statusCode()).isEqualTo(200);
    problem.set("a.yml:3:1: expected a list");
    HttpResponse<String> refused = server.post("/-/reload", "");
    assertThat(refused.statusCode()).isEqualTo(500);
    assertThat(refused.body()).contains("failed to reload config: a.yml:3:1: expected a list");
    assertThat(server.send("GET", "/-/reload").statusCode()).isEqualTo(405);
  }

  @Test
  void metrics_comeInTheFormatAskedFor() throws Exception {
    HttpResponse<String> text = server.send("GET", "/metrics");
    assertThat(text.headers().firstValue("Content-Type"))
        .contains("text/plain; version=0.0.4; charset=utf-8");
    assertThat(text.body())
        .isEqualTo(
            "# HELP requests_total Requests.\n# TYPE requests_total counter\nrequests_total 3\n");
    HttpResponse<String> open =
        server.send("GET", "/metrics", "Accept", "application/openmetrics-text;version=1.0.0");
    assertThat(open.headers().firstValue("Content-Type"))
        .contains("application/openmetrics-text; version=1.0.0; charset=utf-8");
    assertThat(open.body()).endsWith("requests_total 3\n# EOF\n");
  }
}
