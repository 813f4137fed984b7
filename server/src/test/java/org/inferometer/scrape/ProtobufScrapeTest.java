package org.inferometer.scrape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.inferometer.exposition.ProtobufPage.GAUGE;
import static org.inferometer.exposition.ProtobufPage.HISTOGRAM;
import static org.inferometer.exposition.ProtobufPage.at;
import static org.inferometer.exposition.ProtobufPage.bucket;
import static org.inferometer.exposition.ProtobufPage.counter;
import static org.inferometer.exposition.ProtobufPage.gauge;
import static org.inferometer.exposition.ProtobufPage.histogram;
import static org.inferometer.exposition.ProtobufPage.layout;
import static org.inferometer.exposition.ProtobufPage.positiveDeltas;
import static org.inferometer.exposition.ProtobufPage.positiveSpans;
import static org.inferometer.exposition.ProtobufPage.totals;

import java.util.List;
import java.util.function.Consumer;
import org.inferometer.exposition.ProtobufPage;
import org.inferometer.io.ProtoWriter;
import org.inferometer.model.Labels;
import org.inferometer.model.MetricMetadata;
import org.inferometer.model.MetricType;
import org.junit.jupiter.api.Test;

class ProtobufScrapeTest {
  private static final String NATIVE = "scrape_native_histograms: true";

  private final ScrapeWorld world = new ScrapeWorld();

  /** Native with two buckets, and classic with one. */
  private static ProtobufPage page(long count) {
    Consumer<ProtoWriter> fields =
        totals(count, 2.5)
            .andThen(bucket(1, 1))
            .andThen(layout(3, 0.001, 0))
            .andThen(positiveSpans(0, 2))
            .andThen(positiveDeltas(1, count - 2));
    return new ProtobufPage().family("h", HISTOGRAM, histogram(fields, "a", "b"));
  }

  @Test
  void nativeHistogram_isOneSample_andGoesStaleAsAnyOther() {
    world.run(NATIVE).scrape(page(3)).scrape(page(5)).scrape(new ProtobufPage());
    List<String> values = world.values("h", "a", "b");
    assertThat(values).hasSize(3).last().isEqualTo("stale");
    assertThat(values.get(0)).startsWith("{count:3, sum:2.5");
    assertThat(values.get(1)).startsWith("{count:5, sum:2.5");
    assertThat(world.values("h_count", "a", "b")).isEmpty();
    assertThat(world.values("scrape_samples_scraped")).containsExactly("1", "1", "0");
    assertThat(world.values("scrape_series_added")).containsExactly("1", "0", "0");
    assertThat(world.values("up")).containsExactly("1", "1", "1");
  }

  @Test
  void failedScrape_endsHistograms() {
    world.run(NATIVE).scrape(page(3)).fail();
    assertThat(world.values("h", "a", "b")).hasSize(2).last().isEqualTo("stale");
  }

  @Test
  void classicOnes_areTakenUnlessNativeAreWanted() {
    world.run("").scrape(page(3));
    assertThat(world.values("h", "a", "b")).isEmpty();
    assertThat(world.values("h_count", "a", "b")).containsExactly("3");
    assertThat(world.values("h_bucket", "a", "b", "le", "1.0")).containsExactly("1");
    assertThat(world.values("h_bucket", "a", "b", "le", "+Inf")).containsExactly("3");
  }

  @Test
  void both_areTakenIfAskedFor() {
    world.run(NATIVE + ", always_scrape_classic_histograms: true").scrape(page(3));
    assertThat(world.values("h", "a", "b")).hasSize(1);
    assertThat(world.values("h_sum", "a", "b")).containsExactly("2.5");
    assertThat(world.values("scrape_samples_scraped")).containsExactly("5");
  }

  @Test
  void sampleLimit_countsANativeHistogramOnce() {
    world.run(NATIVE + ", sample_limit: 1").scrape(page(3));
    assertThat(world.values("up")).containsExactly("1");
    world.scrape(page(3).family("g", GAUGE, gauge(1)));
    assertThat(world.values("up")).containsExactly("1", "0");
    assertThat(world.values("scrape_samples_scraped")).containsExactly("1", "2");
    assertThat(world.view().lastErrorSentence()).contains("2 samples, more than the sample_limit");
  }

  /** Eight neighbouring buckets of schema 3, from index 1 on. */
  private static ProtobufPage octave() {
    Consumer<ProtoWriter> fields =
        totals(8, 2.5)
            .andThen(layout(3, 0.001, 0))
            .andThen(positiveSpans(1, 8))
            .andThen(positiveDeltas(1, 0, 0, 0, 0, 0, 0, 0));
    return new ProtobufPage().family("h", HISTOGRAM, histogram(fields));
  }

  @Test
  void bucketLimit_makesCoarser() {
    world.run(NATIVE + ", native_histogram_bucket_limit: 3").scrape(octave());
    assertThat(world.values("h").getFirst()).contains(":4,").doesNotContain(":2,");
  }

  @Test
  void minBucketFactor_makesCoarser() {
    world.run(NATIVE + ", native_histogram_min_bucket_factor: 2").scrape(octave());
    assertThat(world.values("h").getFirst()).contains("(1,2]:8");
  }

  @Test
  void bucketLimit_thatCanNotBeKept_failsTheScrape() {
    world.run(NATIVE + ", native_histogram_bucket_limit: 1").scrape(page(3));
    // (0.92,1] and (1,1.09] stay apart in every schema.
    assertThat(world.values("h", "a", "b")).isEmpty();
    assertThat(world.values("up")).containsExactly("0");
    assertThat(world.view().lastErrorSentence())
        .isEqualTo(
            "The native histogram h has 2 buckets even when it is as coarse as can be, more than"
                + " the native_histogram_bucket_limit of 1.");
  }

  @Test
  void ownTimestamp_isKept_andNotMarkedAsEnded() {
    long time = ScrapeWorld.START - 1000;
    Consumer<ProtoWriter> fields = totals(0, 0).andThen(positiveSpans(0, 0));
    world
        .run(NATIVE)
        .scrape(new ProtobufPage().family("h", HISTOGRAM, at(time, histogram(fields))))
        .scrape(new ProtobufPage());
    assertThat(world.sink.samples(series("h")))
        .hasSize(1)
        .first()
        .asString()
        .startsWith(time + ":");
  }

  private static Labels series(String name) {
    return Labels.of(Labels.NAME, name, "job", "j", "instance", "h:1");
  }

  @Test
  void targetThatChangesItsFormat_keepsItsSeries() {
    world.run("").scrape("# TYPE g gauge\ng{a=\"b\"} 1\n");
    world.scrape(new ProtobufPage().family("g", GAUGE, gauge(2, "a", "b")));
    world.fetcher.contentType("text/plain");
    world.scrape("g{a=\"b\"} 3\n");
    assertThat(world.values("g", "a", "b")).containsExactly("1", "2", "3");
    assertThat(world.values("scrape_series_added")).containsExactly("1", "0", "0");
  }

  @Test
  void storeThatForgot_isAskedAgain() {
    world.run(NATIVE).scrape(page(3));
    world.sink.forget(series("h").with("a", "b"));
    world.scrape(page(5));
    assertThat(world.values("h", "a", "b")).hasSize(1).first().asString().startsWith("{count:5");
  }

  @Test
  void metadata_isThatOfTheFamilies() {
    ProtobufPage first = page(3).family("g_bytes", "Size.", GAUGE, "bytes", List.of(gauge(1)));
    world.run(NATIVE).scrape(first);
    assertThat(world.manager.metadataOf(world.view()))
        .containsOnly(
            java.util.Map.entry("h", new MetricMetadata(MetricType.HISTOGRAM, "", "")),
            java.util.Map.entry("g_bytes", new MetricMetadata(MetricType.GAUGE, "bytes", "Size.")));
  }

  @Test
  void metricThatCanNotBeRead_isShown_theOthersAreKept() {
    world.run("").scrape(new ProtobufPage().family("g", GAUGE, counter(1, "a", "b"), gauge(2)));
    assertThat(world.values("g")).containsExactly("2");
    assertThat(world.values("inferometer_scrape_bad_lines")).containsExactly("1");
    assertThat(world.view().badLineExamples().getFirst().toString())
        .isEqualTo(
            "family 1, byte 8: metric that can't be read, expected field 2 with the value, as the"
                + " type is gauge: g{a=\"b\"}");
  }

  @Test
  void failOnBadLine_failsTheScrape() {
    world.manager.reload(
        ScrapeWorld.configs(
            "inferometer: {fail_on_bad_line: true}\nscrape_configs: [{job_name: j, scrape_interval:"
                + " 10s, static_configs: [{targets: ['h:1']}]}]"));
    world.scrape(new ProtobufPage().family("g", GAUGE, counter(1, "a", "b"), gauge(2)));
    assertThat(world.values("up")).containsExactly("0");
    assertThat(world.view().lastErrorSentence()).startsWith("The body can't be read as metrics:");
  }

  @Test
  void pageThatIsNoProtobuf_isExplained() {
    world.run("").fetcher.contentType("application/vnd.google.protobuf");
    world.scrape("<html><body>Log in</body></html>\n");
    assertThat(world.values("up")).containsExactly("0");
    assertThat(world.view().lastErrorSentence()).contains("HTML");
  }

  @Test
  void protobufOfAnotherKind_isSaid() {
    world
        .run("fallback_scrape_protocol: PrometheusText0.0.4")
        .fetcher
        .contentType("application/vnd.google.protobuf; encoding=text");
    world.scrape("name: \"g\"\n");
    assertThat(world.view().lastErrorSentence())
        .isEqualTo(
            "The target sent the Content-Type application/vnd.google.protobuf;encoding=text; of"
                + " protobuf only length-delimited metric families are read"
                + " (proto=io.prometheus.client.MetricFamily; encoding=delimited).");
  }

  @Test
  void fallback_mayBeProtobuf() {
    world.run(NATIVE + ", fallback_scrape_protocol: PrometheusProto");
    world.fetcher.page(ScrapeWorld.URL, page(3).bytes());
    world.fetcher.contentType("application/octet-stream");
    world.time.advance(10_000);
    assertThat(world.values("up")).containsExactly("1");
    assertThat(world.values("h", "a", "b")).hasSize(1);
  }
}
