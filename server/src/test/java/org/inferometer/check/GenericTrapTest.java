package org.inferometer.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.inferometer.config.ConfigFile;
import org.inferometer.config.ScrapeConfig;
import org.inferometer.scrape.FailureReason;
import org.inferometer.scrape.TargetProbe;
import org.junit.jupiter.api.Test;

/** Every trap that any page may have: a page that has it and one that hasn't. */
class GenericTrapTest {
  private static final String GOOD =
      """
      # TYPE jobs_total counter
      jobs_total 5
      # TYPE queue gauge
      queue 2
      """;

  private static List<String> ids(EndpointReport report) {
    return Stream.concat(report.todo().stream(), report.notes().stream()).map(Finding::id).toList();
  }

  private static List<String> ids(String page) throws InterruptedException {
    return ids(FakeEndpoint.serving(page).check());
  }

  private static Finding todo(EndpointReport report, String id) {
    return report.todo().stream().filter(f -> f.id().equals(id)).findFirst().orElseThrow();
  }

  @Test
  void goodPage_hasNothingToDo() throws InterruptedException {
    FakeEndpoint endpoint =
        FakeEndpoint.serving(n -> GOOD.replace("jobs_total 5", "jobs_total " + n));
    EndpointReport report = endpoint.check();
    assertThat(report.state()).isEqualTo(EndpointReport.State.OK);
    assertThat(ids(report)).isEmpty();
    assertThat(report.verdict())
        .isEqualTo("Not an engine or exporter that is known, 2 metrics: nothing to do");
    assertThat(endpoint.asked).hasSize(5);
    assertThat(report.series()).isNotNull();
    assertThat(report.series().total()).isEqualTo(2);
    assertThat(report.series().samplesPerDay()).isEqualTo(2 * 86_400 / 5);
  }

  @Test
  void bucketsThatFall_areTold_thoseThatRepeatArent() throws InterruptedException {
    String page = "h_bucket{le=\"0.1\"} %d\nh_bucket{le=\"1\"} 4\nh_bucket{le=\"+Inf\"} 5\n";
    Finding finding = todo(FakeEndpoint.serving(page.formatted(9)).check(), "histogram-falls");
    assertThat(finding.says()).contains("1 histogram with a bucket that holds less", "h_bucket");
    assertThat(ids(page.formatted(4))).doesNotContain("histogram-falls");
    assertThat(ids(page.formatted(3) + "h_bucket{le=\"abc\"} 1\n"))
        .doesNotContain("histogram-falls");
  }

  // --------------------------------------------------------------------------- no metrics

  @Test
  void nothingThere_isUnreachable() throws InterruptedException {
    FakeEndpoint endpoint =
        FakeEndpoint.answering(
                n -> FakeEndpoint.failure(FailureReason.CONNECT, "Nothing listens there.", ""))
            .paths("/metrics", "/prometheus/metrics");
    EndpointReport report = endpoint.check();
    assertThat(report.state()).isEqualTo(EndpointReport.State.UNREACHABLE);
    assertThat(todo(report, "unreachable").says()).isEqualTo("Nothing listens there.");
    assertThat(endpoint.asked).as("another path won't be there either").hasSize(1);
  }

  @Test
  void errorStatus_tellsTheWordsOfTheServer() throws InterruptedException {
    String said =
        """
        {"error":{"code":501,"message":"This server does not support metrics endpoint. Start it\
         with `--metrics`","type":"not_supported_error"}}""";
    EndpointReport report =
        FakeEndpoint.answering(
                n -> FakeEndpoint.failure(FailureReason.STATUS, "The target answered 501.", said))
            .check();
    assertThat(report.state()).isEqualTo(EndpointReport.State.NO_METRICS);
    Finding finding = todo(report, "http-status");
    assertThat(finding.says())
        .isEqualTo(
            "The target answered 501. It says: This server does not support metrics endpoint."
                + " Start it with `--metrics`.");
    assertThat(finding.fix()).isEqualTo("llama-server --metrics ...");
  }

  @Test
  void routerMode_namesTheParameter() throws InterruptedException {
    String said = "{\"error\":{\"code\":400,\"message\":\"model name is missing\"}}";
    EndpointReport report =
        FakeEndpoint.answering(
                n -> FakeEndpoint.failure(FailureReason.STATUS, "The target answered 400.", said))
            .check();
    assertThat(todo(report, "http-status").fix()).endsWith("http://host:8000/metrics?model=NAME");
  }

  @Test
  void jsonStats_namesTheOtherPath() throws InterruptedException {
    String stats = "[{\"iter\":12,\"iterLatencyMS\":5.2,\"kvCacheStats\":{}}]";
    EndpointReport report = FakeEndpoint.serving(stats).check();
    assertThat(todo(report, "not-metrics").says()).contains("/prometheus/metrics");
  }

  @Test
  void jsonStats_withMetricsBesideThem_tellsWhereTheyAre() throws InterruptedException {
    FakeEndpoint endpoint =
        FakeEndpoint.answering(
                n ->
                    n == 0
                        ? FakeEndpoint.page("[{\"iter\":12,\"iterLatencyMS\":5.2}]")
                        : new TargetProbe.Page(
                            "http://host:8000/prometheus/metrics",
                            GOOD.getBytes(StandardCharsets.UTF_8),
                            null,
                            null,
                            0.01))
            .paths("/metrics", "/prometheus/metrics");
    EndpointReport report = endpoint.check();
    assertThat(report.url()).isEqualTo("http://host:8000/prometheus/metrics");
    assertThat(ids(report)).containsExactlyInAnyOrder("not-metrics", "other-path");
    assertThat(todo(report, "other-path").fix()).isEqualTo("http://host:8000/prometheus/metrics");
    assertThat(endpoint.asked.subList(1, 6)).containsOnly("/prometheus/metrics");
  }

  @Test
  void htmlPage_isCalledOne() throws InterruptedException {
    EndpointReport report =
        FakeEndpoint.serving("<html><head><title>Login</title></head></html>").check();
    assertThat(report.state()).isEqualTo(EndpointReport.State.NO_METRICS);
    assertThat(todo(report, "not-metrics").says()).contains("HTML page with the title \"Login\"");
  }

  @Test
  void emptyPage_isCalledOne() throws InterruptedException {
    assertThat(ids("")).containsExactly("empty-page");
    assertThat(ids("  \n")).containsExactly("empty-page");
  }

  @Test
  void pageAsJsonString_isUnpacked() throws InterruptedException {
    EndpointReport report = FakeEndpoint.serving("\"# TYPE a counter\\na 1\\nb 2\\n\"").check();
    assertThat(ids(report)).contains("json-string");
    assertThat(report.series()).isNotNull();
    assertThat(report.series().total()).isEqualTo(2);
  }

  @Test
  void laterScrapeThatFails_isTold() throws InterruptedException {
    EndpointReport report =
        FakeEndpoint.answering(
                n ->
                    n < 4
                        ? FakeEndpoint.page(GOOD)
                        : FakeEndpoint.failure(FailureReason.TIMEOUT, "It took too long.", ""))
            .check();
    assertThat(todo(report, "unsteady").says()).endsWith("It took too long.");
  }

  // ------------------------------------------------------------------------------ the page

  @Test
  void badLines_areToldWithTheirNumbers() throws InterruptedException {
    EndpointReport report = FakeEndpoint.serving(GOOD + "a{b=\"c\"} ERROR\n").check();
    assertThat(todo(report, "bad-lines").says()).startsWith("1 line can't be read (5): ");
    assertThat(report.scrape()).isNotNull();
    assertThat(report.scrape().badLines()).isEqualTo(1);
  }

  @Test
  void duplicates_areTold() throws InterruptedException {
    EndpointReport report = FakeEndpoint.serving(GOOD + "queue 3\n").check();
    assertThat(todo(report, "duplicates").says()).startsWith("1 sample of a series");
  }

  @Test
  void histogramWithoutInfinity_isTold() throws InterruptedException {
    String cut = "h_bucket{le=\"1\"} 1\nh_bucket{le=\"2\"} 2\n";
    assertThat(ids(cut)).contains("histogram-cut-off");
    assertThat(ids(cut + "h_bucket{le=\"+Inf\"} 2\n")).doesNotContain("histogram-cut-off");
  }

  @Test
  void ownTimestamps_thatAreOldOrStillToCome_mislead() throws InterruptedException {
    long now = FakeEndpoint.NOW_MS;
    assertThat(weight("a 1 " + (now - 3_600_000) + "\n")).isEqualTo(Weight.WRONG);
    assertThat(weight("a 1 " + (now + 60_000) + "\n")).isEqualTo(Weight.WRONG);
    assertThat(weight("a 1 " + now + "\n")).isEqualTo(Weight.NOTE);
    assertThat(ids("a 1\n")).doesNotContain("own-timestamps");
  }

  private static Weight weight(String page) throws InterruptedException {
    EndpointReport report = FakeEndpoint.serving(page).check();
    return Stream.concat(report.todo().stream(), report.notes().stream())
        .filter(finding -> finding.id().equals("own-timestamps"))
        .findFirst()
        .orElseThrow()
        .weight();
  }

  @Test
  void labelsOfTheScraper_onThePage_areTold() throws InterruptedException {
    assertThat(ids("a{instance=\"x\"} 1\n")).contains("labels-renamed");
    assertThat(ids("a{model=\"x\"} 1\n")).doesNotContain("labels-renamed");
  }

  // ------------------------------------------------------------------------------- movement

  private static String counters(int a, int b) {
    return "# TYPE a_total counter\na_total %d\n# TYPE b_total counter\nb_total %d\n"
        .formatted(a, b);
  }

  @Test
  void processesThatAnswerInTurn_areToldFromARestart() throws InterruptedException {
    FakeEndpoint inTurn =
        FakeEndpoint.serving(n -> n % 2 == 0 ? counters(100 + n, 9 + n) : counters(20 + n, 3 + n));
    assertThat(todo(inTurn.check(), "several-processes").says()).startsWith("2 counters went down");
    FakeEndpoint restarted =
        FakeEndpoint.serving(n -> n < 2 ? counters(100 + n, 9) : counters(n, n));
    assertThat(ids(restarted.check())).doesNotContain("several-processes");
  }

  private static String engine(double running, int tokens) {
    return """
    # TYPE vllm:num_requests_running gauge
    vllm:num_requests_running{model_name="m",engine="0"} %s
    # TYPE vllm:generation_tokens_total counter
    vllm:generation_tokens_total{model_name="m",engine="0"} %d
    """
        .formatted(running, tokens);
  }

  @Test
  void requestsThatRun_whileNoCounterMoves_areTold() throws InterruptedException {
    assertThat(ids(engine(3, 100))).contains("stands-still");
    assertThat(ids(engine(0, 100))).doesNotContain("stands-still");
    assertThat(ids(FakeEndpoint.serving(n -> engine(3, 100 + n)).check()))
        .doesNotContain("stands-still");
  }

  private static String host(int seconds) {
    return """
    # TYPE node_cpu_seconds_total counter
    node_cpu_seconds_total{cpu="0",mode="idle"} %d
    # TYPE node_load1 gauge
    node_load1 1
    # TYPE node_memory_MemTotal_bytes gauge
    node_memory_MemTotal_bytes 100
    """
        .formatted(seconds);
  }

  @Test
  void exporterThatRepeatsItself_isTold() throws InterruptedException {
    assertThat(ids(host(5))).contains("slow-exporter");
    assertThat(ids(FakeEndpoint.serving(GenericTrapTest::host).check()))
        .doesNotContain("slow-exporter");
  }

  @Test
  void clockThatIsOff_isTold() throws InterruptedException {
    assertThat(skewed(90_000)).contains("clock-skew");
    assertThat(skewed(-90_000)).contains("clock-skew");
    assertThat(skewed(600)).doesNotContain("clock-skew");
  }

  private static List<String> skewed(long offMs) throws InterruptedException {
    FakeEndpoint[] self = new FakeEndpoint[1];
    self[0] =
        FakeEndpoint.answering(
            n ->
                new TargetProbe.Page(
                    "u",
                    GOOD.getBytes(StandardCharsets.UTF_8),
                    null,
                    (self[0].time().nowMs() + offMs) / 1000 * 1000,
                    0.01));
    return ids(self[0].check());
  }

  @Test
  void scrapeThatTakesLong_isTold() throws InterruptedException {
    FakeEndpoint slow =
        FakeEndpoint.answering(
            n -> new TargetProbe.Page("u", GOOD.getBytes(StandardCharsets.UTF_8), null, null, 3.5));
    assertThat(todo(slow.check(), "slow-scrape").fix()).isEqualTo("scrape_timeout: 14s");
    assertThat(slow.asked).as("isn't asked in quick succession").hasSize(2);
    assertThat(ids(GOOD)).doesNotContain("slow-scrape");
  }

  // ------------------------------------------------------------------------------- families

  @Test
  void unknownNameOfAKnownEngine_isTold() throws InterruptedException {
    String page = engine(0, 1) + "vllm:brand_new_thing 1\n";
    assertThat(ids(page)).contains("unknown-families");
    assertThat(ids(engine(0, 1) + "my_thing 1\n")).doesNotContain("unknown-families");
  }

  @Test
  void counterWithoutType_isTold() throws InterruptedException {
    assertThat(ids("vllm:generation_tokens_total{model_name=\"m\"} 1\n")).contains("no-types");
    assertThat(ids(engine(0, 1))).doesNotContain("no-types");
  }

  @Test
  void typeLineThatContradicts_isTold() throws InterruptedException {
    String lying =
        engine(0, 1)
            .replace("vllm:generation_tokens_total counter", "vllm:generation_tokens_total gauge");
    assertThat(ids(lying)).contains("type-lines");
    assertThat(ids(engine(0, 1))).doesNotContain("type-lines");
  }

  // --------------------------------------------------------------------------------- series

  @Test
  void labelThatGrows_isTold() throws InterruptedException {
    StringBuilder page = new StringBuilder(engine(0, 1));
    for (int i = 0; i < 1_500; i++) {
      page.append("http_things{handler=\"/%d\"} 1\n".formatted(i));
    }
    EndpointReport report = FakeEndpoint.serving(page.toString()).check();
    assertThat(todo(report, "cardinality").fix())
        .isEqualTo(
            """
            metric_relabel_configs:
              - source_labels: [__name__]
                regex: "http_things"
                action: drop""");
    assertThat(report.series()).isNotNull();
    assertThat(report.series().labels().getFirst())
        .isEqualTo(new SeriesView.LabelCount("handler", 1_500, 1_500));
    assertThat(ids(engine(0, 1))).doesNotContain("cardinality");
  }

  @Test
  void createdSeries_areDropped_andNothingThatASignalReads() throws InterruptedException {
    String page =
        engine(0, 1)
            + "# TYPE vllm:generation_tokens_created gauge\n"
            + "vllm:generation_tokens_created{model_name=\"m\",engine=\"0\"} 1.7e9\n";
    SeriesView series = FakeEndpoint.serving(page).check().series();
    assertThat(series).isNotNull();
    assertThat(series.relabel())
        .isEqualTo(
            """
            metric_relabel_configs:
              - source_labels: [__name__]
                regex: ".+_created"
                action: drop""");
    assertThat(series.drops()).hasSize(1);
  }

  @Test
  void relabelingOfTheJob_countsFirst() throws Exception {
    String config =
        """
        scrape_configs:
          - job_name: j
            static_configs: [{targets: ["host:8000"]}]
            metric_relabel_configs:
              - {source_labels: [__name__], regex: queue, action: drop}
        """;
    ScrapeConfig job =
        ConfigFile.parse("c.yml", config.getBytes(StandardCharsets.UTF_8), Path.of(""))
            .scrapeConfigs()
            .getFirst();
    EndpointReport report = FakeEndpoint.serving(GOOD).config(job).check();
    assertThat(report.job()).isEqualTo("j");
    assertThat(report.series()).isNotNull();
    assertThat(report.series().total()).isEqualTo(1);
    assertThat(report.series().intervalSeconds()).isEqualTo(60);
  }
}
