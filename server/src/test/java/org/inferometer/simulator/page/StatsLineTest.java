package org.inferometer.simulator.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.inferometer.Shared;
import org.inferometer.model.Version;
import org.inferometer.simulator.measure.EngineQuantity;
import org.inferometer.simulator.measure.Measures;
import org.inferometer.simulator.measure.Measures.Edges;
import org.junit.jupiter.api.Test;

class StatsLineTest {
  private static final long SECOND = 1_000_000_000L;

  /** A moment in December 2025: 12-11 20:30:06. */
  private static final long EPOCH_MS = 1_765_484_996_000L;

  private final Measures measures = new Measures(EngineQuantity.class, Edges.fine(), 0);

  private static StatsLine of(String release) {
    return new StatsLine(Version.parse(release), "python", 1, EPOCH_MS);
  }

  private List<String> at(StatsLine line, long seconds) {
    return line.lines(List.of(measures), seconds * SECOND);
  }

  private void work(double prompt, double cached, double generation) {
    measures.add(EngineQuantity.PROMPT_TOKENS, prompt);
    measures.add(EngineQuantity.PROMPT_TOKENS_CACHED, cached);
    measures.add(EngineQuantity.PREFIX_QUERY_TOKENS, prompt);
    measures.add(EngineQuantity.PREFIX_HIT_TOKENS, cached);
    measures.add(EngineQuantity.GENERATION_TOKENS, generation);
    measures.distribution(EngineQuantity.TTFT).observe(0.2);
    measures.set(EngineQuantity.RUNNING, 17);
    measures.set(EngineQuantity.WAITING, 15);
    measures.set(EngineQuantity.KV_USAGE, 0.06);
  }

  private void draft() {
    measures.add(EngineQuantity.SPEC_DRAFTS, 331);
    measures.add(EngineQuantity.SPEC_DRAFT_TOKENS, 662);
    measures.add(EngineQuantity.SPEC_ACCEPTED_TOKENS, 480);
    measures.add(EngineQuantity.SPEC_ACCEPTED_AT, "0", 300);
    measures.add(EngineQuantity.SPEC_ACCEPTED_AT, "1", 180);
  }

  @Test
  void line_ofEachLayout() {
    work(1000, 682, 1580);
    assertThat(at(of("0.8.5"), 10))
        .containsExactly(
            "INFO 12-11 20:30:06 [loggers.py:111] Engine 000: Avg prompt throughput: 100.0 tokens/s,"
                + " Avg generation throughput: 158.0 tokens/s, Running: 17 reqs, Waiting: 15 reqs,"
                + " GPU KV cache usage: 6.0%, Prefix cache hit rate: 68.2%");
    assertThat(at(of("0.12.0"), 10))
        .containsExactly(
            "(APIServer pid=1) INFO 12-11 20:30:06 [loggers.py:236] Engine 000: Avg prompt"
                + " throughput: 100.0 tokens/s, Avg generation throughput: 158.0 tokens/s, Running:"
                + " 17 reqs, Waiting: 15 reqs, GPU KV cache usage: 6.0%, Prefix cache hit rate:"
                + " 68.2%");
  }

  @Test
  void promptThroughput_isOfComputedTokensSince016() {
    work(1000, 682, 1580);
    assertThat(at(of("0.15.1"), 10).getFirst()).contains("Avg prompt throughput: 100.0 ");
    assertThat(at(of("0.16.0"), 10).getFirst()).contains("Avg prompt throughput: 31.8 ");
  }

  @Test
  void deferred_isSaidSince020() {
    work(10, 0, 10);
    measures.set(EngineQuantity.WAITING_DEFERRED, 4);
    assertThat(at(of("0.19.0"), 10).getFirst()).doesNotContain("Deferred");
    assertThat(at(of("0.20.0"), 10).getFirst()).contains("Waiting: 15 reqs, Deferred: 4 reqs, GPU");
  }

  @Test
  void externalCache_isSaidOnceAsked() {
    work(10, 0, 10);
    assertThat(at(of("0.31.0"), 10).getFirst()).doesNotContain("External");
    measures.add(EngineQuantity.EXTERNAL_QUERY_TOKENS, 100);
    measures.add(EngineQuantity.EXTERNAL_HIT_TOKENS, 25);
    assertThat(at(of("0.31.0"), 20).getFirst())
        .endsWith("Prefix cache hit rate: 0.0%, External prefix cache hit rate: 25.0%");
  }

  @Test
  void drafts_haveALineOfTheirOwn() {
    work(10, 0, 10);
    draft();
    assertThat(at(of("0.9.0"), 10).get(1))
        .isEqualTo(
            "INFO 12-11 20:30:06 [metrics.py:86] SpecDecoding metrics: Draft acceptance rate:"
                + " 72.5%, Mean acceptance length: 2.45, Accepted: 480 tokens, Drafted: 662 tokens,"
                + " Per-position acceptance rate: 0.906, 0.544");
    assertThat(at(of("0.20.0"), 10).get(1))
        .endsWith(
            "[metrics.py:101] SpecDecoding metrics: Mean acceptance length: 2.45, Accepted"
                + " throughput: 48.00 tokens/s, Drafted throughput: 66.20 tokens/s, Accepted: 480"
                + " tokens, Drafted: 662 tokens, Per-position acceptance rate: 0.906, 0.544, Avg"
                + " Draft acceptance rate: 72.5%");
  }

  @Test
  void twoIdleIntervals_areSilent() {
    StatsLine line = of("0.31.0");
    assertThat(at(line, 10)).isEmpty();
    work(10, 0, 10);
    assertThat(at(line, 20)).hasSize(1);
    assertThat(at(line, 30)).hasSize(1).first().asString().contains("generation throughput: 0.0 ");
    assertThat(at(line, 40)).isEmpty();
    work(10, 0, 10);
    assertThat(at(line, 50)).hasSize(1);
  }

  @Test
  void severalProcesses_areSilent() {
    work(10, 0, 10);
    assertThat(
            new StatsLine(Version.parse("0.31.0"), "multiprocess", 1, 0)
                .lines(List.of(measures), SECOND))
        .isEmpty();
  }

  @Test
  void eachEngine_hasItsLine_andAFreshOneStartsAnew() {
    StatsLine line = of("0.31.0");
    work(100, 0, 100);
    Measures other = new Measures(EngineQuantity.class, Edges.fine(), 0);
    other.add(EngineQuantity.GENERATION_TOKENS, 50);
    assertThat(line.lines(List.of(measures, other), 10 * SECOND))
        .satisfiesExactly(
            first ->
                assertThat(first).contains("Engine 000: ").contains("generation throughput: 10.0 "),
            second ->
                assertThat(second)
                    .contains("Engine 001: ")
                    .contains("generation throughput: 5.0 "));
    Measures fresh = new Measures(EngineQuantity.class, Edges.fine(), 15 * SECOND);
    fresh.add(EngineQuantity.GENERATION_TOKENS, 50);
    assertThat(line.lines(List.of(measures, fresh), 20 * SECOND))
        .anySatisfy(one -> assertThat(one).contains("Engine 001").contains("throughput: 10.0 "));
  }

  @Test
  void engines_mayHaveOneLineTogether() {
    work(100, 0, 100);
    Measures other = new Measures(EngineQuantity.class, Edges.fine(), 0);
    other.add(EngineQuantity.GENERATION_TOKENS, 50);
    other.set(EngineQuantity.KV_USAGE, 0.5);
    assertThat(of("0.31.0").aggregated().lines(List.of(measures, other), 10 * SECOND))
        .singleElement()
        .asString()
        .contains("] 2 Engines Aggregated: Avg prompt throughput: 10.0 tokens/s, ")
        .contains("generation throughput: 15.0 tokens/s, Running: 17 reqs, ")
        .contains("GPU KV cache usage: 28.0%");
  }

  @Test
  void hitRate_forgetsWhatIsAThousandRequestsAgo() {
    HitRate rate = new HitRate();
    rate.add(900, 1000, 0);
    assertThat(rate.rate()).isZero();
    rate.add(1800, 2000, 500);
    assertThat(rate.rate()).isEqualTo(0.5);
  }

  /** Numbers become N, so that layouts can be compared. */
  @Test
  void layouts_areThoseOfRealLogs() throws IOException {
    Pattern wanted =
        Pattern.compile("(\\(APIServer pid=\\d+\\) )?INFO .*(Engine \\d+: Avg|SpecDecoding).*");
    Pattern release = Pattern.compile("vllm_v(0\\.\\d+(?:\\.\\d+)?)");
    TreeSet<String> compared = new TreeSet<>();
    try (Stream<java.nio.file.Path> files = Files.list(Shared.path("fixtures/logs"))) {
      for (java.nio.file.Path file : files.toList()) {
        Matcher name = release.matcher(file.getFileName().toString());
        if (!name.find() || Version.parse("0.8").isAfter(Version.parse(name.group(1)))) {
          continue;
        }
        List<String> made = madeBy(name.group(1));
        for (String line : Files.readAllLines(file)) {
          Matcher matcher = wanted.matcher(line);
          if (matcher.find()) {
            assertThat(made).as(file + ": " + line).contains(shape(matcher.group()));
            compared.add(file.getFileName().toString());
          }
        }
      }
    }
    assertThat(compared).hasSizeGreaterThan(6);
  }

  /** Lines with and without drafts, of models that draft two to five tokens. */
  private static List<String> madeBy(String release) {
    List<String> shapes = new ArrayList<>();
    for (int positions = 1; positions <= 5; positions++) {
      StatsLineTest test = new StatsLineTest();
      test.work(10, 0, 10);
      test.draft();
      for (int i = 2; i < positions; i++) {
        test.measures.add(EngineQuantity.SPEC_ACCEPTED_AT, Integer.toString(i), 100);
      }
      for (String line : test.at(of(release), 10)) {
        shapes.add(shape(line));
      }
    }
    return shapes;
  }

  private static String shape(String line) {
    return line.replaceAll("(?<=pid=)\\d+", "N")
        .replaceAll("\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d", "TIME")
        .replaceAll("\\d+\\.\\d(?=[ %])", "F")
        .replaceAll("\\d+\\.\\d\\d(?=[ ,])", "FF")
        .replaceAll("\\d+\\.\\d\\d\\d", "FFF")
        .replaceAll("(?<=: )\\d+(?= )", "N");
  }
}
