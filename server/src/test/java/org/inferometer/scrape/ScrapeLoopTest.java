package org.inferometer.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.inferometer.Shared;
import org.inferometer.config.Urls;
import org.inferometer.model.Labels;
import org.junit.jupiter.api.Test;

class ScrapeLoopTest {
  private final ScrapeWorld world = new ScrapeWorld();

  @Test
  void goodScrape_writesSamplesAndReport() {
    world.run("").scrape("# TYPE a counter\na 1\nb{x=\"y\"} 2\n").scrape("a 3\nb{x=\"y\"} 2\n");
    assertThat(world.values("a")).containsExactly("1", "3");
    assertThat(world.values("b", "x", "y")).containsExactly("2", "2");
    assertThat(world.values("up")).containsExactly("1", "1");
    assertThat(world.values("scrape_samples_scraped")).containsExactly("2", "2");
    assertThat(world.values("scrape_samples_post_metric_relabeling")).containsExactly("2", "2");
    assertThat(world.values("scrape_series_added")).containsExactly("2", "0");
    assertThat(world.values("inferometer_scrape_bad_lines")).containsExactly("0", "0");
  }

  @Test
  void storeThatFails_isToldAndTheTargetStaysUp() {
    world.run("").scrape("a 1\n");
    world.sink.fillDisk(true);
    world.scrape("a 2\n").scrape("a 3\n");
    TargetView view = world.view();
    assertThat(view.health()).isEqualTo(TargetHealth.UP);
    assertThat(view.lastError()).isEqualTo("samples not stored: wal/00000003: the disk is full");
    assertThat(view.lastErrorSentence()).contains("the disk is full");
    assertThat(world.stats.unstored()).isEqualTo(2);
    assertThat(world.stats.failures()).isZero();
    world.sink.fillDisk(false);
    world.scrape("a 4\n");
    assertThat(world.view().lastError()).isEmpty();
    assertThat(world.values("a")).containsExactly("1", "4");
  }

  @Test
  void timestamps_areAnIntervalApartAndDurationIsMeasured() {
    world.fetcher.takes(250);
    world.run("").scrape("a 1\n").scrape("a 1\n").scrape("a 1\n");
    long first = world.scrapes.getFirst();
    assertThat(world.scrapes).containsExactly(first, first + 10_000, first + 20_000);
    assertThat(first).isBetween(ScrapeWorld.START, ScrapeWorld.START + 9_999);
    assertThat(world.values("scrape_duration_seconds")).containsExactly("0.25", "0.25", "0.25");
  }

  @Test
  void lateScrape_isOnTimeWithinTheTolerance() {
    world.run("").scrape("a 1\n");
    long first = world.scrapes.getFirst();
    world.time.shiftWall(2);
    world.scrape("a 1\n");
    world.time.shiftWall(1);
    world.scrape("a 1\n");
    assertThat(world.scrapes).containsExactly(first, first + 10_000, first + 20_003);
  }

  @Test
  void clockTurnedBack_startsOver() {
    world.run("").scrape("a 1\n");
    long first = world.scrapes.getFirst();
    world.time.shiftWall(-5_000);
    world.scrape("a 1\n").scrape("a 1\n");
    assertThat(world.scrapes).containsExactly(first, first + 5_000, first + 15_000);
  }

  @Test
  void vanishedSeries_isMarkedOnceAndMayComeBack() {
    world.run("").scrape("a 1\nb 1\n").scrape("a 1\n").scrape("a 1\n").scrape("a 1\nb 4\n");
    assertThat(world.values("b")).containsExactly("1", "stale", "4");
    assertThat(world.values("scrape_series_added")).containsExactly("2", "0", "0", "1");
  }

  @Test
  void failedScrape_marksAllSeriesOnceAndReports() {
    world.run("").scrape("a 1\nb 1\n").fail().fail().scrape("a 2\nb 2\n");
    assertThat(world.values("a")).containsExactly("1", "stale", "2");
    assertThat(world.values("b")).containsExactly("1", "stale", "2");
    assertThat(world.values("up")).containsExactly("1", "0", "0", "1");
    assertThat(world.values("scrape_samples_scraped")).containsExactly("2", "0", "0", "2");
    assertThat(world.values("scrape_series_added")).containsExactly("2", "0", "0", "0");
    assertThat(world.manager.stats().failures(FailureReason.STATUS)).isEqualTo(2);
  }

  @Test
  void emptyBody_isAGoodScrape() {
    world.run("").scrape("a 1\n").scrape("");
    assertThat(world.values("a")).containsExactly("1", "stale");
    assertThat(world.values("up")).containsExactly("1", "1");
  }

  @Test
  void ownTimestamps_areUsedAndNotMarked() {
    long t = ScrapeWorld.START - 60_000;
    world.run("").scrape("a 1 " + t + "\n").scrape("b 1\n").scrape("b 1\n");
    Labels a = Labels.of("__name__", "a", "job", "j", "instance", "h:1");
    assertThat(world.sink.samples(a)).containsExactly(t + ":1");
  }

  @Test
  void ownTimestamps_areMarkedIfTracked() {
    long t = ScrapeWorld.START - 60_000;
    world.run("track_timestamps_staleness: true").scrape("a 1 " + t + "\n").scrape("b 1\n");
    assertThat(world.values("a")).containsExactly("1", "stale");
  }

  @Test
  void ownTimestamps_areIgnoredIfNotHonored() {
    world.run("honor_timestamps: false").scrape("a 1 17\n").scrape("b 1\n");
    Labels a = Labels.of("__name__", "a", "job", "j", "instance", "h:1");
    long first = world.scrapes.getFirst();
    assertThat(world.sink.samples(a)).containsExactly(first + ":1", (first + 10_000) + ":stale");
  }

  @Test
  void timestampsFarInTheFuture_areDropped() {
    world.run("").scrape("a 1 " + (ScrapeWorld.START + 700_000) + "\nb 1\n");
    assertThat(world.values("a")).isEmpty();
    assertThat(world.values("up")).containsExactly("1");
    assertThat(world.manager.stats().outOfBounds()).isEqualTo(1);
  }

  @Test
  void sameSeriesTwice_keepsTheFirst() {
    world.run("").scrape("a{x=\"1\",y=\"2\"} 1\na{x=\"1\",y=\"2\"} 2\na{y=\"2\",x=\"1\"} 3\n");
    assertThat(world.values("a", "x", "1", "y", "2")).containsExactly("1");
    assertThat(world.values("scrape_samples_post_metric_relabeling")).containsExactly("3");
    assertThat(world.values("scrape_series_added")).containsExactly("1");
    assertThat(world.manager.stats().duplicates()).isEqualTo(2);
  }

  @Test
  void sameSeriesInAnotherOrderOfLabels_goesOn() {
    world.run("").scrape("a{x=\"1\",y=\"2\"} 1\n").scrape("a{y=\"2\",x=\"1\"} 2\n");
    assertThat(world.values("a", "x", "1", "y", "2")).containsExactly("1", "2");
  }

  @Test
  void reportSeries_cantBeFaked() {
    world.run("").scrape("up 7\na 1\n").fail().scrape("up 7\na 1\n");
    assertThat(world.values("up")).containsExactly("1", "0", "1");
    assertThat(world.manager.stats().duplicates()).isEqualTo(2);
  }

  @Test
  void clashingLabels_areRenamed() {
    world.run("").scrape("a{job=\"x\",exported_job=\"y\",instance=\"z\"} 1\n");
    assertThat(
            world.values(
                "a", "exported_exported_job", "x", "exported_job", "y", "exported_instance", "z"))
        .containsExactly("1");
  }

  @Test
  void clashingLabels_winIfHonored() {
    world.run("honor_labels: true").scrape("a{job=\"x\"} 1\nb{instance=\"\"} 2\n");
    assertThat(world.valuesOf(Labels.of("__name__", "a", "job", "x", "instance", "h:1")))
        .containsExactly("1");
    assertThat(world.valuesOf(Labels.of("__name__", "b", "job", "j"))).containsExactly("2");
    assertThat(world.values("up")).containsExactly("1");
  }

  @Test
  void metricRelabeling_dropsAndRenames() {
    world
        .run(
            "metric_relabel_configs: [{source_labels: [__name__], regex: go_.*, action: drop},"
                + " {source_labels: [__name__], regex: 'a(.*)', target_label: __name__,"
                + " replacement: 'z$1'}]")
        .scrape("go_x 1\nab 2\n")
        .scrape("go_x 1\nab 2\n");
    assertThat(world.values("zb")).containsExactly("2", "2");
    assertThat(world.values("scrape_samples_scraped")).containsExactly("2", "2");
    assertThat(world.values("scrape_samples_post_metric_relabeling")).containsExactly("1", "1");
    assertThat(world.values("up")).containsExactly("1", "1");
  }

  @Test
  void relabelingThatTakesTheName_failsTheScrape() {
    world.run("metric_relabel_configs: [{regex: __name__, action: labeldrop}]").scrape("a 1\n");
    assertThat(world.values("up")).containsExactly("0");
    assertThat(world.view().lastErrorSentence()).contains("has no name any more");
  }

  @Test
  void sampleLimit_rollsBackAndMarks() {
    world.run("sample_limit: 2").scrape("a 1\nb 1\n").scrape("a 2\nb 2\nc 2\n");
    assertThat(world.values("a")).containsExactly("1", "stale");
    assertThat(world.values("c")).isEmpty();
    assertThat(world.values("up")).containsExactly("1", "0");
    assertThat(world.values("scrape_samples_scraped")).containsExactly("2", "3");
    assertThat(world.values("scrape_samples_post_metric_relabeling")).containsExactly("2", "3");
    assertThat(world.view().lastError()).isEqualTo("sample limit exceeded");
    world.scrape("a 3\nb 3\n");
    assertThat(world.values("a")).containsExactly("1", "stale", "3");
  }

  @Test
  void labelLimits_failTheScrape() {
    for (String limit :
        List.of("label_limit: 3", "label_name_length_limit: 7", "label_value_length_limit: 3")) {
      ScrapeWorld one = new ScrapeWorld().run(limit).scrape("a{longer=\"name\"} 1\n");
      assertThat(one.values("up")).as(limit).containsExactly("0");
      assertThat(one.view().lastErrorSentence()).contains(limit.substring(0, limit.indexOf(':')));
    }
  }

  @Test
  void badLines_costOnlyThemselves() {
    world.run("").scrape("a 1\nb oops\nc 3\n");
    assertThat(world.values("a")).containsExactly("1");
    assertThat(world.values("c")).containsExactly("3");
    assertThat(world.values("up")).containsExactly("1");
    assertThat(world.values("inferometer_scrape_bad_lines")).containsExactly("1");
    assertThat(world.view().badLines()).isEqualTo(1);
    assertThat(world.view().badLineExamples())
        .singleElement()
        .satisfies(line -> assertThat(line.line()).isEqualTo(2));
    world.scrape("a 1\n");
    assertThat(world.view().badLineExamples()).isEmpty();
  }

  @Test
  void badLines_failTheScrapeIfAskedFor() {
    world.manager.reload(
        ScrapeWorld.configs(
            """
            inferometer: {fail_on_bad_line: true}
            scrape_configs:
            - {job_name: j, scrape_interval: 10s, static_configs: [{targets: ['h:1']}]}
            """));
    world.scrape("a 1\nb oops\n");
    assertThat(world.values("a")).isEmpty();
    assertThat(world.values("up")).containsExactly("0");
    assertThat(world.values("scrape_samples_scraped")).containsExactly("1");
  }

  @Test
  void realPageWithAnErrorAsValue_keepsAllOtherSamples() throws IOException {
    String page =
        Files.readString(
            Shared.path(
                "fixtures/gpu/"
                    + "dcgm-exporter_3.x-8xa800-mixed-mig-INVALID-value-line_johns-blog.prom"));
    long bad = page.lines().filter(line -> line.contains("FAILED TO CONVERT")).count();
    long good = page.lines().filter(line -> !line.isBlank() && !line.startsWith("#")).count() - bad;
    world.run("").scrape(page);
    assertThat(bad).isPositive();
    assertThat(world.values("up")).containsExactly("1");
    assertThat(world.values("scrape_samples_scraped")).containsExactly(Long.toString(good));
    assertThat(world.view().badLines()).isEqualTo((int) bad);
  }

  @Test
  void whatIsNotMetrics_isSaidInASentence() {
    world.run("").scrape("<html><head><title>Login</title></head></html>");
    assertThat(world.view().lastErrorSentence()).contains("HTML page").contains("Login");
    world.scrape("[{\"iter\": 1, \"iterLatencyMS\": 2.5}]");
    assertThat(world.view().lastErrorSentence()).contains("TensorRT-LLM's JSON stats page");
    world.scrape("{\"error\": 1}");
    assertThat(world.view().lastErrorSentence()).contains("JSON");
    assertThat(world.values("up")).containsExactly("0", "0", "0");
  }

  @Test
  void unknownContentType_failsWithoutAFallback() {
    world.fetcher.contentType(null);
    world.run("").scrape("a 1\n");
    assertThat(world.view().lastErrorSentence()).contains("fallback_scrape_protocol");
    world.manager.reload(ScrapeWorld.job("fallback_scrape_protocol: PrometheusText0.0.4"));
    world.scrape("a 1\n");
    assertThat(world.view().health()).isEqualTo(TargetHealth.UP);
  }

  @Test
  void seriesThatTheStoreForgot_isMadeAgain() {
    world.run("").scrape("a 1\n");
    world.sink.forget(Labels.of("__name__", "a", "job", "j", "instance", "h:1"));
    world.sink.forget(Labels.of("__name__", "up", "job", "j", "instance", "h:1"));
    world.scrape("a 2\n").scrape("b 1\n");
    assertThat(world.values("a")).containsExactly("2", "stale");
    assertThat(world.values("up")).containsExactly("1", "1");
  }

  @Test
  void fullStore_losesNewSeriesOnly() {
    world.run("").scrape("a 1\n");
    world.sink.limitSeries(world.sink.seriesNames().size());
    world.scrape("a 2\nb 1\n");
    assertThat(world.values("a")).containsExactly("1", "2");
    assertThat(world.values("up")).containsExactly("1", "1");
    assertThat(world.manager.stats().noRoom()).isEqualTo(1);
    world.sink.limitSeries(100);
    world.scrape("a 3\nb 2\n");
    assertThat(world.values("b")).containsExactly("2");
  }

  @Test
  void bareUrl_isScrapedAtOnceAndTriesBothPaths() {
    world.fetcher.page(ScrapeWorld.URL, "[]");
    world.fetcher.page("http://h:1/prometheus/metrics", "a 1\n");
    world.manager.reload(List.of(Urls.scrapeConfig("h:1")));
    world.time.advance(0);
    assertThat(world.view().health()).isEqualTo(TargetHealth.UP);
    assertThat(world.view().scrapeUrl()).isEqualTo("http://h:1/prometheus/metrics");
    world.fetcher.asked.clear();
    world.time.advance(5_000);
    assertThat(world.fetcher.asked)
        .singleElement()
        .asString()
        .endsWith("http://h:1/prometheus/metrics");
    world.fetcher.page(ScrapeWorld.URL, "a 1\n").gone("http://h:1/prometheus/metrics");
    world.time.advance(5_000);
    assertThat(world.view().scrapeUrl()).isEqualTo(ScrapeWorld.URL);
    assertThat(world.view().health()).isEqualTo(TargetHealth.UP);
  }

  @Test
  void bareUrl_tellsWhatIsAtTheFirstPath() {
    world.fetcher.page(ScrapeWorld.URL, "[]");
    world.manager.reload(List.of(Urls.scrapeConfig("h:1")));
    world.time.advance(0);
    assertThat(world.view().lastErrorSentence()).contains("TensorRT-LLM");
    assertThat(world.view().badLines()).isEqualTo(1);
  }

  @Test
  void failingPagesThatChange_dontPileUp() {
    world.run("sample_limit: 1");
    for (int i = 0; i < 30; i++) {
      StringBuilder page = new StringBuilder();
      for (int j = 0; j < 1_000; j++) {
        page.append("a{x=\"").append(i).append('_').append(j).append("\"} 1\n");
      }
      world.scrape(page.toString());
    }
    world.scrape("a 1\n");
    assertThat(world.values("a")).containsExactly("1");
  }
}
