package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.inferometer.io.ProtoWriter;
import org.inferometer.io.Snappy;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sends, request by request, what Grafana's Prometheus data source sends, and checks that each
 * answer has the shape that it reads. The samples are in the store by remote write, at times that
 * the test chooses. Source: grafana/grafana, {@code pkg/promlib} and {@code
 * packages/grafana-prometheus}.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GrafanaContractTest {
  private static final long NOW_MS = 1_700_000_000_000L;
  private static final long START = NOW_MS / 1000 - 600;
  private static final long END = NOW_MS / 1000;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient client = HttpClient.newHttpClient();
  private LocalServer server;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    server = IdleServer.start(folder, () -> NOW_MS, new WebOptions(null, true, false));
    write();
  }

  @AfterAll
  void stop() {
    server.close();
    client.close();
  }

  /** Ten minutes of a counter and a histogram of two replicas, every 15 seconds. */
  private void write() throws Exception {
    ProtoWriter request = new ProtoWriter();
    for (int replica = 1; replica <= 2; replica++) {
      String instance = "engine-" + replica + ":8000";
      series(request, List.of("__name__", "requests_total", "job", "vllm", "instance", instance));
      for (String le : List.of("0.1", "1", "+Inf")) {
        series(
            request,
            List.of(
                "__name__",
                "latency_seconds_bucket",
                "job",
                "vllm",
                "instance",
                instance,
                "le",
                le));
      }
    }
    series(request, List.of("__name__", "gauge", "service.name", "a/b"));
    nativeHistogram(request);
    byte[] block = Snappy.compress(request.array(), request.size());
    HttpRequest write =
        HttpRequest.newBuilder(uri("/api/v1/write"))
            .header("Content-Type", "application/x-protobuf")
            .header("Content-Encoding", "snappy")
            .POST(BodyPublishers.ofByteArray(block))
            .build();
    assertThat(client.send(write, BodyHandlers.ofString()).statusCode()).isEqualTo(204);
  }

  private static void series(ProtoWriter request, List<String> labels) {
    request.message(
        1,
        series -> {
          for (int i = 0; i < labels.size(); i += 2) {
            String name = labels.get(i);
            String value = labels.get(i + 1);
            series.message(1, label -> label.string(1, name).string(2, value));
          }
          for (long t = START; t <= END; t += 15) {
            long timeMs = t * 1000;
            double value = t - START;
            series.message(2, sample -> sample.float64(1, value).varint(2, timeMs));
          }
          series.message(
              3,
              exemplar ->
                  exemplar
                      .message(1, label -> label.string(1, "traceID").string(2, "abc"))
                      .float64(2, 0.25)
                      .varint(3, (END - 30) * 1000 + 45));
        });
  }

  private static void nativeHistogram(ProtoWriter request) {
    request.message(
        1,
        series -> {
          series.message(1, label -> label.string(1, "__name__").string(2, "native_seconds"));
          for (long t = START; t <= END; t += 15) {
            long timeMs = t * 1000;
            long count = 10 + (t - START);
            series.message(
                4,
                histogram ->
                    histogram
                        .varint(1, count)
                        .float64(3, count * 0.75)
                        .zigzag(4, 0)
                        .message(11, span -> span.zigzag(1, 0).varint(2, 1))
                        .zigzags(12, count)
                        .varint(15, timeMs));
          }
        });
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + server.port() + path);
  }

  private static String encoded(String... namesAndValues) {
    List<String> pairs = new ArrayList<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      pairs.add(
          URLEncoder.encode(namesAndValues[i], StandardCharsets.UTF_8)
              + "="
              + URLEncoder.encode(namesAndValues[i + 1], StandardCharsets.UTF_8));
    }
    return pairs.stream().collect(Collectors.joining("&"));
  }

  private static HttpRequest.Builder asGrafana(HttpRequest.Builder request) {
    return request
        .header("User-Agent", "Grafana/12.0.0")
        .header("X-Grafana-Org-Id", "1")
        .header("X-Dashboard-Uid", "d")
        .header("X-Panel-Id", "2");
  }

  private HttpResponse<String> posted(String path, String... form) throws Exception {
    return client.send(
        asGrafana(HttpRequest.newBuilder(uri(path)))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(encoded(form)))
            .build(),
        BodyHandlers.ofString());
  }

  private HttpResponse<String> got(String path, String... parameters) throws Exception {
    String query = parameters.length == 0 ? "" : "?" + encoded(parameters);
    return client.send(
        asGrafana(HttpRequest.newBuilder(uri(path + query))).build(), BodyHandlers.ofString());
  }

  /** The data of an answer that succeeded. */
  private static JsonNode data(HttpResponse<String> response) throws Exception {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    assertThat(response.headers().firstValue("Content-Type")).contains("application/json");
    JsonNode answer = JSON.readTree(response.body());
    assertThat(answer.path("status").asText()).isEqualTo("success");
    assertThat(answer.has("data")).isTrue();
    return answer.path("data");
  }

  private static List<String> texts(JsonNode list) {
    assertThat(list.isArray()).isTrue();
    List<String> texts = new ArrayList<>();
    list.forEach(item -> texts.add(item.textValue()));
    return texts;
  }

  /** A pair of a time in seconds as a number, and a value as text. */
  private static void assertPoint(JsonNode point, double time, String value) {
    assertThat(point.isArray()).isTrue();
    assertThat(point).hasSize(2);
    assertThat(point.get(0).isNumber()).isTrue();
    assertThat(point.get(0).asDouble()).isEqualTo(time);
    assertThat(point.get(1).isTextual()).isTrue();
    assertThat(point.get(1).textValue()).isEqualTo(value);
  }

  @Test
  void healthCheck_isOnePlusOne() throws Exception {
    JsonNode data = data(posted("/api/v1/query", "query", "1+1", "time", "4"));
    assertThat(data.path("resultType").asText()).isEqualTo("scalar");
    assertPoint(data.path("result"), 4, "2");
  }

  /** A version to compare with, and no features, which are Mimir's. */
  @Test
  void buildInfo_isThatOfAPrometheus() throws Exception {
    JsonNode data = data(got("/api/v1/status/buildinfo"));
    assertThat(data.path("version").asText()).matches("[0-9]+\\.[0-9]+\\.[0-9]+");
    assertThat(data.has("features")).isFalse();
  }

  @Test
  void labelNames_areAskedForByPost() throws Exception {
    assertThat(texts(data(posted("/api/v1/labels", "start", "" + START, "end", "" + END))))
        .containsExactly("__name__", "instance", "job", "le", "service.name");
    assertThat(
            texts(
                data(
                    posted(
                        "/api/v1/labels",
                        "start",
                        "" + START,
                        "end",
                        "" + END,
                        "match[]",
                        "{__name__=\"requests_total\"}",
                        "limit",
                        "40000"))))
        .containsExactly("__name__", "instance", "job");
  }

  /** The metric picker. */
  @Test
  void metricNames_areValuesOfALabel() throws Exception {
    assertThat(
            texts(
                data(
                    got(
                        "/api/v1/label/__name__/values",
                        "start",
                        "" + START,
                        "end",
                        "" + END,
                        "limit",
                        "40000"))))
        .containsExactly("gauge", "latency_seconds_bucket", "native_seconds", "requests_total");
    HttpResponse<String> cut = got("/api/v1/label/__name__/values", "limit", "1");
    assertThat(texts(data(cut))).containsExactly("gauge");
    assertThat(texts(JSON.readTree(cut.body()).path("warnings")))
        .containsExactly("results truncated due to limit");
  }

  /** {@code label_values(requests_total, instance)}. */
  @Test
  void variable_labelValuesOfAMetric() throws Exception {
    assertThat(
            texts(
                data(
                    got(
                        "/api/v1/label/instance/values",
                        "match[]",
                        "requests_total{job=~\"vllm\"}",
                        "start",
                        "" + START,
                        "end",
                        "" + END))))
        .containsExactly("engine-1:8000", "engine-2:8000");
  }

  @Test
  void oddLabelNames_areEscapedInThePath() throws Exception {
    assertThat(texts(data(got("/api/v1/label/U__service_2e_name/values")))).containsExactly("a/b");
  }

  /** Older servers are asked for series instead. */
  @Test
  void variable_labelValuesBySeries() throws Exception {
    JsonNode data =
        data(
            posted(
                "/api/v1/series",
                "match[]",
                "requests_total",
                "start",
                "" + START,
                "end",
                "" + END,
                "limit",
                "40000"));
    assertThat(data).hasSize(2);
    assertThat(data.get(0).path("__name__").asText()).isEqualTo("requests_total");
    assertThat(data.get(0).path("instance").asText()).isEqualTo("engine-1:8000");
  }

  /** {@code query_result(...)}. */
  @Test
  void variable_queryResult() throws Exception {
    JsonNode data =
        data(posted("/api/v1/query", "query", "sum by (job) (requests_total)", "time", "" + END));
    assertThat(data.path("resultType").asText()).isEqualTo("vector");
    JsonNode element = data.path("result").get(0);
    assertThat(element.path("metric").path("job").asText()).isEqualTo("vllm");
    assertPoint(element.path("value"), END, "1200");
  }

  @Test
  void panel_isARangeWithStepsInSeconds() throws Exception {
    JsonNode data =
        data(
            posted(
                "/api/v1/query_range",
                "end",
                "" + END,
                "query",
                "rate(requests_total{instance=\"engine-1:8000\"}[1m])",
                "start",
                "" + (END - 60),
                "step",
                "15"));
    assertThat(data.path("resultType").asText()).isEqualTo("matrix");
    JsonNode series = data.path("result").get(0);
    assertThat(series.path("metric").path("instance").asText()).isEqualTo("engine-1:8000");
    assertThat(series.has("histograms")).isFalse();
    assertThat(series.path("values")).hasSize(5);
    assertPoint(series.path("values").get(0), END - 60, "1");
    JsonNode fine =
        data(
            posted(
                "/api/v1/query_range",
                "query",
                "requests_total",
                "start",
                "" + (END - 1),
                "end",
                END + ".5",
                "step",
                "0.5"));
    assertThat(fine.path("result").get(0).path("values")).hasSize(4);
    assertPoint(fine.path("result").get(0).path("values").get(1), END - 0.5, "585");
  }

  /** A heat map reads buckets: how bounds are included, the bounds, the count. */
  @Test
  void panel_nativeHistogramsHaveBuckets() throws Exception {
    JsonNode data =
        data(
            posted(
                "/api/v1/query_range",
                "query",
                "rate(native_seconds[1m])",
                "start",
                "" + (END - 15),
                "end",
                "" + END,
                "step",
                "15"));
    JsonNode series = data.path("result").get(0);
    assertThat(series.has("values")).isFalse();
    JsonNode point = series.path("histograms").get(0);
    assertThat(point.get(0).asLong()).isEqualTo(END - 15);
    assertThat(point.get(1).path("count").textValue()).isEqualTo("1");
    assertThat(point.get(1).path("sum").textValue()).isEqualTo("0.75");
    JsonNode bucket = point.get(1).path("buckets").get(0);
    assertThat(bucket.get(0).asInt()).isZero();
    assertThat(
            texts(JSON.createArrayNode().add(bucket.get(1)).add(bucket.get(2)).add(bucket.get(3))))
        .containsExactly("0.5", "1", "1");
  }

  @Test
  void panel_oddNumbersAreWords() throws Exception {
    JsonNode data =
        data(
            posted(
                "/api/v1/query_range",
                "query",
                "label_replace(vector(0/0), \"x\", \"n\", \"\", \"\") or vector(1/0)",
                "start",
                "0",
                "end",
                "0",
                "step",
                "15"));
    List<String> values = new ArrayList<>();
    data.path("result").forEach(s -> values.add(s.path("values").get(0).get(1).textValue()));
    assertThat(values).containsExactlyInAnyOrder("NaN", "+Inf");
  }

  @Test
  void panel_withoutDataIsAnEmptyList() throws Exception {
    JsonNode data =
        data(
            posted(
                "/api/v1/query_range",
                "query",
                "absent_metric",
                "start",
                "0",
                "end",
                "60",
                "step",
                "15"));
    assertThat(data.path("result").isArray()).isTrue();
    assertThat(data.path("result")).isEmpty();
  }

  @Test
  void mistakes_areToldInTheEnvelope() throws Exception {
    HttpResponse<String> response = posted("/api/v1/query", "query", "sum(", "time", "4");
    assertThat(response.statusCode()).isEqualTo(400);
    JsonNode answer = JSON.readTree(response.body());
    assertThat(answer.path("status").asText()).isEqualTo("error");
    assertThat(answer.path("errorType").asText()).isEqualTo("bad_data");
    assertThat(answer.path("error").asText()).contains("1:5: parse error");
  }

  @Test
  void exemplars_areThoseOfTheSeriesOfAPanel() throws Exception {
    JsonNode data =
        data(
            posted(
                "/api/v1/query_exemplars",
                "query",
                "histogram_quantile(0.95, sum by (le)"
                    + " (rate(latency_seconds_bucket{le=\"1\"}[5m])))",
                "start",
                "" + START,
                "end",
                "" + END));
    assertThat(data).hasSize(2);
    JsonNode series = data.get(0);
    assertThat(series.path("seriesLabels").path("__name__").asText())
        .isEqualTo("latency_seconds_bucket");
    JsonNode exemplar = series.path("exemplars").get(0);
    assertThat(exemplar.path("labels").path("traceID").asText()).isEqualTo("abc");
    assertThat(exemplar.path("value").textValue()).isEqualTo("0.25");
    assertThat(exemplar.path("timestamp").asDouble()).isEqualTo(END - 30 + 0.045);
  }

  @Test
  void metadata_isAnObjectOfLists() throws Exception {
    assertThat(data(got("/api/v1/metadata", "limit", "40000")).isObject()).isTrue();
  }

  /** The hints and the list of alerts. */
  @Test
  void rulesAndAlerts_areEmptyLists() throws Exception {
    for (String[] parameters : new String[][] {{}, {"type", "alert"}, {"type", "record"}}) {
      JsonNode data = data(got("/api/v1/rules", parameters));
      assertThat(data.path("groups").isArray()).isTrue();
    }
    assertThat(data(got("/api/v1/alerts")).path("alerts").isArray()).isTrue();
  }

  @Test
  void editor_hasQueriesFormattedAndParsed() throws Exception {
    assertThat(data(got("/api/v1/format_query", "query", "sum(foo)by(x)")).textValue())
        .isEqualTo("sum by (x) (foo)");
    assertThat(data(got("/api/v1/parse_query", "query", "sum(foo)")).path("type").textValue())
        .isEqualTo("aggregation");
  }

  /** What is refused by POST with 405 is asked again by GET; 404 would be taken for an answer. */
  @Test
  void postThatIsRefused_isAskedAgainByGet() throws Exception {
    for (String path :
        List.of(
            "/api/v1/label/job/values",
            "/api/v1/metadata",
            "/api/v1/rules",
            "/api/v1/alerts",
            "/api/v1/status/buildinfo")) {
      HttpResponse<String> refused = posted(path, "start", "" + START);
      assertThat(refused.statusCode()).as(path).isEqualTo(405);
      assertThat(refused.headers().firstValue("Allow")).contains("GET, HEAD");
      data(got(path));
    }
  }
}
