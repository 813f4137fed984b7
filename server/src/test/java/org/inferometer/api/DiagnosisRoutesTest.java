package org.inferometer.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import org.inferometer.diagnosis.watch.Looks;
import org.inferometer.diagnosis.world.Period;
import org.inferometer.query.QueryException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DiagnosisRoutesTest {
  private static final long NOW_MS = 1_790_000_000_000L;

  private final FakeDiagnoses source =
      new FakeDiagnoses(Looks.degraded(Looks.verdict("kv-exhaustion", 0.95)));
  private final TestServer server = new TestServer(new DiagnosisRoutes(source, () -> NOW_MS));

  @AfterEach
  void close() {
    server.close();
  }

  private Period askedWindow() {
    return source.asked.getLast().window();
  }

  @Test
  void diagnosis_ofNow_isMadeIfNoLookIsNew() throws Exception {
    source.log.take(NOW_MS - 60_000, Looks.healthy());
    assertThat(server.get("/api/v1/diagnosis"))
        .contains("\"state\":\"degraded\"", "\"services\":[", "\"cause\":\"kv-exhaustion\"");
    assertThat(askedWindow()).isEqualTo(new Period(NOW_MS - 300_000, NOW_MS));
  }

  @Test
  void diagnosis_ofNow_isTheNewestLook() throws Exception {
    source.log.take(NOW_MS - 59_000, Looks.healthy());
    assertThat(server.get("/api/v1/diagnosis")).contains("\"state\":\"healthy\"");
    assertThat(server.get("/api/v1/diagnosis?window=5m")).contains("\"state\":\"healthy\"");
    assertThat(source.asked).isEmpty();
    assertThat(server.get("/api/v1/diagnosis?window=4m")).contains("\"state\":\"degraded\"");
  }

  @Test
  void diagnosis_ofAService_isItsOwn() throws Exception {
    assertThat(server.get("/api/v1/diagnosis?service=vllm/m"))
        .startsWith("{\"status\":\"success\",\"data\":{\"window\":{")
        .contains("\"service\":\"vllm/m\"")
        .doesNotContain("\"services\":[");
    HttpResponse<String> other = server.send("GET", "/api/v1/diagnosis?service=nobody");
    assertThat(other.statusCode()).isEqualTo(404);
    assertThat(other.body()).contains("no inference engine \\\"nobody\\\" was watched then");
  }

  @Test
  void diagnosis_ofThePast_withABaseline() throws Exception {
    server.get("/api/v1/diagnosis?time=1789990000&window=10m&baseline=1d");
    assertThat(askedWindow()).isEqualTo(new Period(1_789_989_400_000L, 1_789_990_000_000L));
    assertThat(source.asked.getLast().baseline())
        .isEqualTo(new Period(1_789_903_000_000L, 1_789_903_600_000L));
    server.get("/api/v1/diagnosis?baseline=1789990000,1789990600");
    assertThat(source.asked.getLast().baseline())
        .isEqualTo(new Period(1_789_990_000_000L, 1_789_990_600_000L));
  }

  @Test
  void wrongParameters_areRefused() throws Exception {
    for (String query :
        new String[] {
          "time=tomorrow",
          "time=1790000300",
          "time=-5",
          "window=1s",
          "window=2d",
          "window=x",
          "baseline=1s",
          "baseline=yesterday",
          "baseline=5,4",
          "baseline=1789990000,",
          "baseline=0,1790000000",
          "service=" + "x".repeat(1_001)
        }) {
      HttpResponse<String> answer = server.send("GET", "/api/v1/diagnosis?" + query);
      assertThat(answer.statusCode()).as(query).isEqualTo(400);
      assertThat(answer.body()).startsWith("{\"status\":\"error\",\"errorType\":\"bad_data\"");
    }
    assertThat(source.asked).isEmpty();
  }

  @Test
  void failure_isTold() throws Exception {
    source.failure = new QueryException(QueryException.Kind.UNAVAILABLE, "too many ask");
    HttpResponse<String> answer = server.send("GET", "/api/v1/diagnosis");
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body()).contains("too many ask");
  }

  @Test
  void findings_areThoseThatHoldAndThoseOfTheLastDay() throws Exception {
    source.log.take(
        NOW_MS - 120_000,
        Looks.degraded(Looks.verdict("slow-replica", 0.95, "a:8000", null, NOW_MS - 150_000)));
    for (int i = 3; i >= 1; i--) {
      source.log.take(NOW_MS - i * 30_000L, Looks.degraded(Looks.verdict("kv-exhaustion", 0.95)));
    }
    assertThat(server.get("/api/v1/findings"))
        .isEqualTo(
            "{\"status\":\"success\",\"data\":{\"enabled\":true,\"interval\":30,\"window\":300,"
                + "\"time\":1789999970,\"services\":[{\"service\":\"vllm/m\","
                + "\"state\":\"degraded\",\"sentence\":\"kv-exhaustion it is.\","
                + "\"since\":1789999850,\"findings\":[{\"cause\":\"kv-exhaustion\","
                + "\"title\":\"Title of kv-exhaustion\",\"follows\":null,\"root\":true,"
                + "\"confidence\":0.95,\"scope\":{\"service\":\"vllm/m\",\"model\":\"m\","
                + "\"instance\":null,\"gpu\":null},\"says\":\"kv-exhaustion it is.\","
                + "\"start\":1789999910,\"seen\":1789999910,\"end\":null}]}],"
                + "\"history\":[{\"cause\":\"kv-exhaustion\",\"title\":\"Title of kv-exhaustion\","
                + "\"follows\":null,\"root\":true,\"confidence\":0.95,"
                + "\"scope\":{\"service\":\"vllm/m\",\"model\":\"m\",\"instance\":null,"
                + "\"gpu\":null},\"says\":\"kv-exhaustion it is.\",\"start\":1789999910,"
                + "\"seen\":1789999910,\"end\":null},{\"cause\":\"slow-replica\","
                + "\"title\":\"Title of slow-replica\",\"follows\":null,\"root\":true,"
                + "\"confidence\":0.95,\"scope\":{\"service\":\"vllm/m\",\"model\":\"m\","
                + "\"instance\":\"a:8000\",\"gpu\":null},\"says\":\"slow-replica it is.\","
                + "\"start\":1789999850,\"seen\":1789999880,\"end\":1789999880}]}}");
    assertThat(server.get("/api/v1/findings?end=1789999800")).contains("\"history\":[]");
  }

  @Test
  void incidents_areOfTheStretchAskedFor() throws Exception {
    source.log.take(NOW_MS - 60_000, Looks.degraded(Looks.verdict("kv-exhaustion", 0.95)));
    assertThat(server.get("/api/v1/incidents"))
        .startsWith(
            "{\"status\":\"success\",\"data\":{\"incidents\":[{\"service\":\"vllm/m\","
                + "\"start\":1789999940,\"end\":null,\"deviations\":[],\"happenings\":[],"
                + "\"findings\":[{\"cause\":\"kv-exhaustion\"");
    assertThat(server.get("/api/v1/incidents?start=1&end=9")).contains("\"incidents\":[]");
  }

  @Test
  void stretch_isBounded() throws Exception {
    for (String query : new String[] {"start=9&end=1", "start=1&end=1789999800", "start=x"}) {
      assertThat(server.send("GET", "/api/v1/incidents?" + query).statusCode()).isEqualTo(400);
      assertThat(server.send("GET", "/api/v1/findings?" + query).statusCode()).isEqualTo(400);
    }
  }

  @Test
  void causes_areAll() throws Exception {
    assertThat(server.get("/api/v1/causes"))
        .contains("\"id\":\"kv-exhaustion\"", "\"looks\":[{\"layer\":", "\"unlike\":[{\"cause\":");
  }
}
