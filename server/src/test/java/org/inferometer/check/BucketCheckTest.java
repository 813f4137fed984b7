package org.inferometer.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.inferometer.signals.Absence;
import org.inferometer.signals.BucketOption;
import org.inferometer.signals.DialectProfile;
import org.inferometer.signals.ServiceKind;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BucketCheckTest {
  private static final String METRIC = "vllm:time_to_first_token_seconds";

  /** A page on which 100 requests were counted evenly, the edges given. */
  private static String page(String... edges) {
    StringBuilder page = new StringBuilder("# TYPE " + METRIC + " histogram\n");
    for (int i = 0; i < edges.length; i++) {
      int count = 100 * (i + 1) / edges.length;
      page.append(
          METRIC
              + "_bucket{model_name=\"m\",engine=\"0\",le=\"%s\"} %d\n".formatted(edges[i], count));
    }
    return page + METRIC + "_count{model_name=\"m\",engine=\"0\"} 100\n";
  }

  private static BucketView ttft(String page, @Nullable Double goal) throws InterruptedException {
    Map<String, Double> goals = goal == null ? Map.of() : Map.of("ttft_p95", goal);
    EndpointReport report = FakeEndpoint.serving(page).check((service, model) -> goals);
    return report.parts().getFirst().buckets().stream()
        .filter(view -> view.signal().equals("ttft_p95"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void goalThatIsAnEdge_isExact() throws InterruptedException {
    BucketView view = ttft(page("0.25", "0.5", "1.0", "+Inf"), 0.5);
    assertThat(view.verdict()).isEqualTo(BucketView.Verdict.OK);
    assertThat(view.error()).isZero();
    assertThat(view.edges()).containsExactly(0.25, 0.5, 1.0);
    assertThat(view.says()).endsWith("is a bucket edge: exact.");
  }

  @Test
  void goalBetweenEdgesFarApart_isWide() throws InterruptedException {
    BucketView view = ttft(page("0.25", "1.0", "+Inf"), 0.5);
    assertThat(view.verdict()).isEqualTo(BucketView.Verdict.WIDE);
    assertThat(view.low()).isEqualTo(0.25);
    assertThat(view.high()).isEqualTo(1.0);
    assertThat(view.error()).isCloseTo(1.0, within(1e-9));
    assertThat(view.says()).contains("between 250 ms and 1 s", "off by 100 %");
  }

  @Test
  void goalBelowTheFirstEdge_isOnlyUnderIt() throws InterruptedException {
    BucketView view = ttft(page("0.3", "1.0", "+Inf"), 0.1);
    assertThat(view.verdict()).isEqualTo(BucketView.Verdict.FIRST);
    assertThat(view.says()).contains("\"under 300 ms\"");
  }

  @Test
  void goalBeyondTheLastEdge_isOnlyOverIt() throws InterruptedException {
    BucketView view = ttft(page("0.3", "1.0", "+Inf"), 5.0);
    assertThat(view.verdict()).isEqualTo(BucketView.Verdict.BEYOND);
    assertThat(view.error()).isNaN();
    assertThat(view.says()).contains("\"over 1 s\"");
  }

  @Test
  void withoutGoal_whereItLiesCounts() throws InterruptedException {
    BucketView beyond = ttft(page("0.25", "0.5", "1.0", "+Inf"), null);
    assertThat(beyond.verdict()).isEqualTo(BucketView.Verdict.BEYOND);
    assertThat(beyond.value()).isEqualTo(1.0);
    String most = page("0.25", "0.5", "1.0", "+Inf").replace("le=\"1.0\"} 75", "le=\"1.0\"} 100");
    BucketView wide = ttft(most, null);
    assertThat(wide.value()).isCloseTo(0.95, within(0.06));
    assertThat(wide.low()).isEqualTo(0.5);
    assertThat(wide.high()).isEqualTo(1.0);
    assertThat(wide.verdict()).isEqualTo(BucketView.Verdict.WIDE);
  }

  /** 10 requests more a scrape, each slower than 1 s. */
  private static String slow(int scrape) {
    int count = 100 + (10 * scrape);
    return page("0.25", "0.5", "1.0", "+Inf")
        .replace("le=\"+Inf\"} 100", "le=\"+Inf\"} " + count)
        .replace(
            "_count{model_name=\"m\",engine=\"0\"} 100",
            "_count{model_name=\"m\",engine=\"0\"} " + count);
  }

  @Test
  void valueBeyondTheLastEdge_isTold() throws InterruptedException {
    EndpointReport report = FakeEndpoint.serving(BucketCheckTest::slow).check();
    BucketView view = report.parts().getFirst().buckets().getFirst();
    assertThat(view.signal()).isEqualTo("ttft_p95");
    assertThat(view.verdict()).isEqualTo(BucketView.Verdict.BEYOND);
    assertThat(view.high()).isInfinite();
    assertThat(view.says()).contains("\"over 1 s\"");
  }

  @Test
  void histogramWithoutInfinity_isBroken() throws InterruptedException {
    Part part = FakeEndpoint.serving(page("0.25", "1.0")).check().parts().getFirst();
    assertThat(part.buckets()).isEmpty();
    Part.Lack broken = part.lacks().getFirst();
    assertThat(broken.why()).isEqualTo(Absence.BROKEN);
    assertThat(broken.signals()).contains("ttft_p50", "ttft_p95");
  }

  @Test
  void nothingCounted_isEmpty() throws InterruptedException {
    String empty = page("0.25", "+Inf").replaceAll("\\} \\d+", "} 0");
    assertThat(ttft(empty, null).verdict()).isEqualTo(BucketView.Verdict.EMPTY);
    assertThat(ttft(empty, 0.25).verdict()).isEqualTo(BucketView.Verdict.OK);
  }

  // ------------------------------------------------------------------------------ the option

  private static DialectProfile profile(List<BucketOption> options) {
    return new DialectProfile(
        "vllm",
        "vLLM",
        ServiceKind.ENGINE,
        8000,
        "/metrics",
        null,
        List.of(),
        List.of(),
        List.of(),
        options);
  }

  private static List<BucketView> views(List<BucketOption> options, Map<String, Double> goals)
      throws InterruptedException {
    String text = page("0.25", "1.0", "+Inf");
    FakeEndpoint endpoint = FakeEndpoint.serving(text);
    List<Part.Feed> feeds = endpoint.check().parts().getFirst().feeds();
    ParsedPage page =
        ParsedPage.read(
            endpoint,
            org.inferometer.exposition.Format.TEXT,
            text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    return new BucketCheck(FakeEndpoint.CATALOGUE.families(), profile(options), page)
        .views(feeds, goals);
  }

  @Test
  void option_isFilledWithTheEdgesThereAreAndThoseAroundTheGoal() throws InterruptedException {
    BucketOption option =
        new BucketOption(List.of("ttft"), "0.31", "--buckets '{\"t\":[{edges}]}'", 1000, null);
    BucketView view = views(List.of(option), Map.of("ttft_p95", 0.5)).getFirst();
    assertThat(view.fix()).isEqualTo("--buckets '{\"t\":[250,500,575,1000,1500]}'");
    assertThat(view.since()).isEqualTo("0.31");
  }

  @Test
  void withoutOption_otherGoalsAreNamed() throws InterruptedException {
    BucketView view = views(List.of(), Map.of("ttft_p95", 0.5)).getFirst();
    assertThat(view.fix()).isNull();
    assertThat(view.says())
        .endsWith("They can't be set; a goal of 250 ms or 1 s would be told exactly.");
  }

  @Test
  void optionsOfOneFlag_becomeOneLine() {
    String one = "vllm serve ... --buckets '{\"a\":[1,2]}'";
    String other = "vllm serve ... --buckets '{\"b\":[3]}'";
    assertThat(BucketFindings.merged(one, other))
        .isEqualTo("vllm serve ... --buckets '{\"a\":[1,2],\"b\":[3]}'");
    assertThat(BucketFindings.merged(one, one)).isEqualTo(one);
    assertThat(BucketFindings.merged(one, "--other '{\"b\":[3]}'")).isNull();
    assertThat(BucketFindings.merged(one, null)).isNull();
  }

  @Test
  void proposedEdges_areFew_andKeepTheLast() {
    List<Double> there =
        List.of(0.001, 0.05, 0.1, 0.24, 0.26, 0.49, 0.7, 2.0, 3.0, 3.5, 30.0, 40.0);
    Edges edges = new Edges(there, Collections.nCopies(there.size(), 1.0), 5);
    assertThat(edges.proposed(0.5))
        .containsExactly(0.001, 0.05, 0.1, 0.25, 0.5, 0.575, 1.0, 1.5, 3.0, 30.0, 40.0);
    assertThat(new Edges(List.of(), List.of(), 0).proposed(0.5))
        .containsExactly(0.25, 0.5, 0.575, 1.0, 1.5);
  }

  @Test
  void releaseThatIsTooOld_isToldOnce() {
    String since = " They can be set since vLLM 0.31.";
    assertThat(BucketFindings.together("A." + since, "B." + since))
        .isEqualTo("A. B. They can be set since vLLM 0.31.");
    assertThat(BucketFindings.together("A.", "B.")).isEqualTo("A. B.");
  }
}
