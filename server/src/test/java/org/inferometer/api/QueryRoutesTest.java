package org.inferometer.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.inferometer.histogram.Buckets;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.query.QueryResult;
import org.inferometer.query.QueryService;
import org.inferometer.query.QueryValue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QueryRoutesTest {
  private TestServer server;

  @BeforeAll
  void start() {
    server = new TestServer();
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @Test
  void vector_isWrittenAsPrometheusDoes() throws Exception {
    server.queries.answer(
        "v",
        new QueryValue.Vector(
            List.of(
                new QueryValue.Element(
                    Labels.of("__name__", "up", "job", "a \"b\" é"), 1435781451781L, 1),
                new QueryValue.Element(Labels.EMPTY, 1435781451050L, Double.NaN),
                new QueryValue.Element(Labels.EMPTY, 1435781451000L, Double.NEGATIVE_INFINITY))));
    assertThat(server.get("/api/v1/query?query=v"))
        .isEqualTo(
            """
            {"status":"success","data":{"resultType":"vector","result":[\
            {"metric":{"__name__":"up","job":"a \\"b\\" é"},"value":[1435781451.781,"1"]},\
            {"metric":{},"value":[1435781451.050,"NaN"]},\
            {"metric":{},"value":[1435781451,"-Inf"]}]}}""");
  }

  @Test
  void emptyVector_isAnEmptyList() throws Exception {
    server.queries.answer("none", new QueryValue.Vector(List.of()));
    assertThat(server.get("/api/v1/query?query=none"))
        .isEqualTo("{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[]}}");
  }

  @Test
  void matrix_isWrittenAsPrometheusDoes() throws Exception {
    server.queries.answer(
        "m",
        new QueryValue.Matrix(
            List.of(
                new QueryValue.MatrixSeries(
                    Labels.of("a", "1"),
                    new long[] {-1, 0, 1500},
                    new double[] {0.1, -0.0, 1e21}))));
    assertThat(server.get("/api/v1/query_range?query=m&start=0&end=1&step=1"))
        .isEqualTo(
            """
            {"status":"success","data":{"resultType":"matrix","result":[{"metric":{"a":"1"},\
            "values":[[-0.001,"0.1"],[0,"-0"],[1.500,"1e+21"]]}]}}""");
  }

  @Test
  void histograms_areWrittenAsPrometheusDoes() throws Exception {
    NativeHistogram histogram =
        NativeHistogram.exponential(
            0, 6, 5.5, 0.25, 1, Buckets.from(0, 2, 0, 1), Buckets.from(1, 2));
    NativeHistogram custom = NativeHistogram.custom(3, 9, Buckets.from(0, 1, 2), new double[] {5});
    server.queries.answer(
        "h",
        new QueryValue.Vector(
            List.of(new QueryValue.Element(Labels.EMPTY, 1000, Double.NaN, histogram))));
    assertThat(server.get("/api/v1/query?query=h"))
        .isEqualTo(
            """
            {"status":"success","data":{"resultType":"vector","result":[{"metric":{},\
            "histogram":[1,{"count":"6","sum":"5.5","buckets":[[1,"-2","-1","2"],\
            [3,"-0.25","0.25","1"],[0,"0.5","1","2"],[0,"2","4","1"]]}]}]}}""");
    server.queries.answer(
        "hm",
        new QueryValue.Matrix(
            List.of(
                new QueryValue.MatrixSeries(
                    Labels.EMPTY,
                    new long[] {0, 1000, 2000},
                    new double[] {Double.NaN, 7, Double.NaN},
                    new NativeHistogram[] {
                      custom, null, NativeHistogram.custom(0, 0, Buckets.NONE, new double[] {5})
                    }))));
    assertThat(server.get("/api/v1/query_range?query=hm&start=0&end=2&step=1"))
        .isEqualTo(
            """
            {"status":"success","data":{"resultType":"matrix","result":[{"metric":{},\
            "values":[[1,"7"]],"histograms":[[0,{"count":"3","sum":"9","buckets":\
            [[3,"-Inf","5","1"],[0,"5","+Inf","2"]]}],[2,{"count":"0","sum":"0"}]]}]}}""");
  }

  @Test
  void scalarAndString_areWrittenAsPrometheusDoes() throws Exception {
    server.queries.answer("s", new QueryValue.Scalar(4000, 2));
    server.queries.answer("t", new QueryValue.Text(4000, "a\nb"));
    assertThat(server.get("/api/v1/query?query=s"))
        .isEqualTo(
            "{\"status\":\"success\",\"data\":{\"resultType\":\"scalar\",\"result\":[4,\"2\"]}}");
    assertThat(server.get("/api/v1/query?query=t"))
        .isEqualTo(
            "{\"status\":\"success\",\"data\":{\"resultType\":\"string\","
                + "\"result\":[4,\"a\\nb\"]}}");
  }

  @Test
  void annotations_followTheData() throws Exception {
    server.queries.answer(
        "w",
        new QueryResult(
            new QueryValue.Vector(List.of()),
            List.of("PromQL warning: x (1:2)"),
            List.of("PromQL info: y (1:2)")));
    assertThat(server.get("/api/v1/query?query=w"))
        .isEqualTo(
            """
            {"status":"success","data":{"resultType":"vector","result":[]},\
            "warnings":["PromQL warning: x (1:2)"],"infos":["PromQL info: y (1:2)"]}""");
  }

  @Test
  void limit_cutsTheVectorAndSaysSo() throws Exception {
    QueryValue.Element element = new QueryValue.Element(Labels.EMPTY, 0, 1);
    server.queries.answer("two", new QueryValue.Vector(List.of(element, element)));
    assertThat(server.get("/api/v1/query?query=two&limit=1"))
        .isEqualTo(
            """
            {"status":"success","data":{"resultType":"vector","result":[{"metric":{},\
            "value":[0,"1"]}]},"warnings":["results truncated due to limit"]}""");
    assertThat(server.get("/api/v1/query?query=two&limit=2")).doesNotContain("warnings");
  }

  @Test
  void instant_takesTimesTimeoutAndLookback() throws Exception {
    server.queries.answer("args", new QueryValue.Scalar(0, 0));
    server.get("/api/v1/query?query=args");
    server.get("/api/v1/query?query=args&time=1700000000.123&timeout=5s&lookback_delta=90");
    server.post("/api/v1/query", "query=args&time=2023-11-14T22%3A13%3A20.5%2B01:00");
    assertThat(server.queries.instants.stream().filter(q -> q.query().equals("args")))
        .containsExactly(
            new QueryService.InstantQuery("args", TestServer.NOW_MS),
            new QueryService.InstantQuery(
                "args", 1_700_000_000_123L, Duration.ofSeconds(90), Duration.ofSeconds(5)),
            new QueryService.InstantQuery("args", 1_699_996_400_500L));
  }

  @Test
  void form_winsOverTheUrl() throws Exception {
    server.queries.answer("from form", new QueryValue.Scalar(0, 1));
    assertThat(server.post("/api/v1/query?query=other", "query=from+form").statusCode())
        .isEqualTo(200);
  }

  @Test
  void range_takesStepsInSecondsAndUnits() throws Exception {
    server.queries.answer("r", new QueryValue.Matrix(List.of()));
    server.post("/api/v1/query_range", "query=r&start=10&end=20.5&step=0.5");
    server.get("/api/v1/query_range?query=r&start=10&end=20&step=1m30s");
    server.get("/api/v1/query_range?query=r&start=0&end=11000&step=1");
    assertThat(server.queries.ranges.stream().filter(q -> q.query().equals("r")))
        .containsExactly(
            new QueryService.RangeQuery("r", 10_000, 20_500, 500),
            new QueryService.RangeQuery("r", 10_000, 20_000, 90_000),
            new QueryService.RangeQuery("r", 0, 11_000_000, 1_000));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          query?query=v&time=abc            | invalid parameter "time": cannot parse "abc" to a valid timestamp
          query?query=v&time=1d             | invalid parameter "time": cannot parse "1d" to a valid timestamp
          query?query=v&time=NaN            | invalid parameter "time": cannot parse "NaN" to a valid timestamp
          query?query=v&time=1e300          | invalid parameter "time": cannot parse "1e300" to a valid timestamp
          query?query=v&time=%201           | invalid parameter "time": cannot parse " 1" to a valid timestamp
          query?query=v&time=2023-13-01T00:00:00Z | invalid parameter "time": cannot parse "2023-13-01T00:00:00Z" to a valid timestamp
          query?query=v&timeout=-1          | invalid parameter "timeout": expected a positive duration
          query?query=v&timeout=x           | invalid parameter "timeout": cannot parse "x" to a valid duration
          query?query=v&limit=-1            | invalid parameter "limit": limit must be non-negative
          query?query=v&limit=x             | invalid parameter "limit": expected a whole number, got "x"
          query_range?query=v               | invalid parameter "start": cannot parse "" to a valid timestamp
          query_range?query=v&start=2&end=1&step=1 | invalid parameter "end": end timestamp must not be before start time
          query_range?query=v&start=1&end=2&step=0 | invalid parameter "step": zero or negative query resolution step widths are not accepted. Try a positive integer
          query_range?query=v&start=1&end=2&step=-1 | invalid parameter "step": zero or negative query resolution step widths are not accepted. Try a positive integer
          query_range?query=v&start=1&end=2&step=0.0001 | invalid parameter "step": zero or negative query resolution step widths are not accepted. Try a positive integer
          query_range?query=v&start=1&end=2&step=99999999999999999y | invalid parameter "step": cannot parse "99999999999999999y" to a valid duration. It overflows int64
          query_range?query=v&start=1&end=2&step=1e200 | invalid parameter "step": cannot parse "1e200" to a valid duration. It overflows int64
          query_range?query=v&start=0&end=11001&step=1 | exceeded maximum resolution of 11,000 points per timeseries. Try decreasing the query resolution (?step=XX)
          query_range?query=v&start=-8e14&end=8e14&step=1ms | exceeded maximum resolution of 11,000 points per timeseries. Try decreasing the query resolution (?step=XX)
          query?query=%ff                   | error parsing form values: a parameter isn't valid UTF-8
          query?query=unheard               | invalid parameter "query": 1:1: parse error: unknown
          series                            | no match[] parameter provided
          series?match[]=up{                | invalid parameter "match[]": 1:4: parse error: unexpected end
          labels?match[]={}                 | invalid parameter "match[]": match[] must contain at least one non-empty matcher
          labels?start=2&end=1              | invalid parameter "end": end timestamp must not be before start time
          metadata?limit=x                  | limit must be a number
          """)
  void badParameters_areBadData(String path, String message) throws Exception {
    String escaped = path.replace("{", "%7B").replace("}", "%7D");
    HttpResponse<String> response = server.send("GET", "/api/v1/" + escaped);
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.body())
        .isEqualTo(
            "{\"status\":\"error\",\"errorType\":\"bad_data\",\"error\":\""
                + message.replace("\"", "\\\"")
                + "\"}");
  }

  @Test
  void brokenEscape_isBadData() throws Exception {
    HttpResponse<String> response = server.post("/api/v1/query", "query=%zz");
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.body())
        .contains("error parsing form values: invalid URL escape \\\"%zz\\\"");
  }

  @ParameterizedTest
  @CsvSource({
    "EXECUTION, 422, execution",
    "CANCELED, 499, canceled",
    "TIMEOUT, 503, timeout",
    "UNAVAILABLE, 503, unavailable",
    "INTERNAL, 500, internal"
  })
  void failedQueries_haveTheirStatus(String kind, int status, String type) throws Exception {
    HttpResponse<String> response = server.send("GET", "/api/v1/query?query=" + kind);
    assertThat(response.statusCode()).isEqualTo(status);
    assertThat(response.body())
        .isEqualTo("{\"status\":\"error\",\"errorType\":\"" + type + "\",\"error\":\"as asked\"}");
  }

  @Test
  void bug_isAnInternalError() throws Exception {
    HttpResponse<String> response = server.send("GET", "/api/v1/query?query=bug");
    assertThat(response.statusCode()).isEqualTo(500);
    assertThat(response.body()).startsWith("{\"status\":\"error\",\"errorType\":\"internal\"");
  }

  @Test
  void series_listsLabelSets() throws Exception {
    assertThat(server.get("/api/v1/series?match[]=up&match%5B%5D=down&start=1&end=2"))
        .isEqualTo(
            "{\"status\":\"success\",\"data\":"
                + "[{\"__name__\":\"up\",\"job\":\"a\"},{\"__name__\":\"up\"}]}");
    assertThat(server.queries.selections.getLast())
        .containsExactly(
            List.of(Matcher.equal("__name__", "up")), List.of(Matcher.equal("__name__", "down")));
    assertThat(server.queries.timeRanges.getLast())
        .isEqualTo(new QueryService.TimeRange(1000, 2000));
  }

  @Test
  void labels_areCutAtTheLimit() throws Exception {
    assertThat(server.get("/api/v1/labels?limit=2"))
        .isEqualTo(
            "{\"status\":\"success\",\"data\":[\"__name__\",\"instance\"],"
                + "\"warnings\":[\"results truncated due to limit\"]}");
    assertThat(server.post("/api/v1/labels", "limit=3").body())
        .isEqualTo("{\"status\":\"success\",\"data\":[\"__name__\",\"instance\",\"job\"]}");
  }

  @Test
  void wholeOfTime_canBeAskedForInPrometheusWords() throws Exception {
    server.get(
        "/api/v1/labels?start=-292273086-05-16T16:47:06Z&end=292277025-08-18T07:12:54.999999999Z");
    assertThat(server.queries.timeRanges.getLast())
        .isEqualTo(
            new QueryService.TimeRange(-RequestValues.TIME_BOUND_MS, RequestValues.TIME_BOUND_MS));
  }

  @ParameterizedTest
  @CsvSource({
    "job, job",
    "__name__, __name__",
    "U__service_2e_name, service.name",
    "U__a__b, a_b",
    "U___1F600_, 😀",
    "U__broken_zz_, U__broken_zz_",
    "U__open_2e, U__open_2e",
    "a%2Fb%20c, a/b c",
  })
  void labelValues_takesEscapedNames(String path, String name) throws Exception {
    assertThat(server.get("/api/v1/label/" + path + "/values"))
        .isEqualTo("{\"status\":\"success\",\"data\":[\"value of " + name + "\"]}");
  }

  @Test
  void metadata_isSortedAndLimited() throws Exception {
    assertThat(server.get("/api/v1/metadata"))
        .isEqualTo(
            """
            {"status":"success","data":{\
            "age_seconds":[{"type":"gauge","help":"Age \\"now\\".","unit":"seconds"}],\
            "requests_total":[{"type":"counter","help":"Requests.","unit":""},\
            {"type":"unknown","help":"","unit":""}]}}""");
    assertThat(server.get("/api/v1/metadata?limit=1")).doesNotContain("requests_total");
    assertThat(server.get("/api/v1/metadata?metric=requests_total&limit_per_metric=1"))
        .isEqualTo(
            """
            {"status":"success","data":{"requests_total":\
            [{"type":"counter","help":"Requests.","unit":""}]}}""");
    assertThat(server.get("/api/v1/metadata?metric=absent"))
        .isEqualTo("{\"status\":\"success\",\"data\":{}}");
  }

  @ParameterizedTest
  @CsvSource({
    "PUT, /api/v1/query, 'GET, HEAD, POST'",
    "DELETE, /api/v1/series, 'GET, HEAD, POST'",
    "POST, /api/v1/label/job/values, 'GET, HEAD'",
    "POST, /api/v1/metadata, 'GET, HEAD'"
  })
  void wrongMethod_isRefusedAsSuch(String method, String path, String allowed) throws Exception {
    HttpResponse<String> response = server.send(method, path);
    assertThat(response.statusCode()).isEqualTo(405);
    assertThat(response.headers().firstValue("Allow")).contains(allowed);
  }

  @Test
  void head_hasTheHeadersOfGetAndNoBody() throws Exception {
    server.queries.answer("h", new QueryValue.Scalar(0, 1));
    HttpResponse<String> get = server.send("GET", "/api/v1/query?query=h");
    HttpResponse<String> head = server.send("HEAD", "/api/v1/query?query=h");
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    assertThat(head.headers().firstValue("Content-Length"))
        .contains(Integer.toString(get.body().length()))
        .isEqualTo(get.headers().firstValue("Content-Length"));
  }

  @Test
  void largeAnswers_areStreamedAndCompressedWhenAsked() throws Exception {
    long[] times = new long[11_001];
    double[] values = new double[times.length];
    for (int i = 0; i < times.length; i++) {
      times[i] = i * 15_000L;
      values[i] = i / 7.0;
    }
    List<QueryValue.MatrixSeries> series = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      series.add(new QueryValue.MatrixSeries(Labels.of("i", "" + i), times, values));
    }
    server.queries.answer("big", new QueryValue.Matrix(series));
    String path = "/api/v1/query_range?query=big&start=0&end=1&step=1";
    String plain = server.get(path);
    assertThat(plain).endsWith("[165000,\"1571.4285714285713\"]]}]}}");
    HttpResponse<byte[]> gzip = server.getBytes(path, "Accept-Encoding", "deflate, gzip;q=0.5");
    assertThat(gzip.headers().firstValue("Content-Encoding")).contains("gzip");
    assertThat(gzip.body().length).isLessThan(plain.length() / 3);
    byte[] unzipped = new GZIPInputStream(new ByteArrayInputStream(gzip.body())).readAllBytes();
    assertThat(new String(unzipped, StandardCharsets.UTF_8)).isEqualTo(plain);
    assertThat(server.send("HEAD", path).body()).isEmpty();
  }
}
