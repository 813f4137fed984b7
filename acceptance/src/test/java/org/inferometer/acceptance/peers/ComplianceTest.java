package org.inferometer.acceptance.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.inferometer.acceptance.Shared;
import org.inferometer.model.Labels;
import org.inferometer.query.differential.Outcome;
import org.inferometer.query.differential.Product;
import org.inferometer.query.differential.Question;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The queries of Prometheus's compliance suite, asked of Debian's Prometheus and of our evaluator
 * over the same samples.
 */
class ComplianceTest {
  private static final System.Logger LOG = System.getLogger(ComplianceTest.class.getName());
  private static final int QUERIES = 539;
  private static final double TOLERANCE = 1e-5;
  private static final long END_MS = DemoSeries.START_MS + 6_000_000;

  /** Where Prometheus 3.x says something else than Debian's 2.42, and why; we go with 3.x. */
  private static final Map<String, String> DIFFER_BY_DESIGN =
      Map.of(
          "label_replace(demo_num_cpus, \"~invalid\", \"\", \"src\", \"(.*)\")",
          "a label name may be any UTF-8 text since 3.0",
          "label_join(demo_num_cpus, \"~invalid\", \"-\", \"instance\")",
          "a label name may be any UTF-8 text since 3.0",
          "avg_over_time(rate(demo_cpu_usage_seconds_total[1m])[2m:10s])",
          "a subquery takes in no step on the left edge of its window since 3.0");

  @Test
  void everyQueryIsAnsweredAsPrometheusDoes(@TempDir Path folder) throws Exception {
    Map<Labels, SortedMap<Long, Double>> data = new DemoSeries(1).make();
    List<ComplianceQueries.Case> cases =
        ComplianceQueries.read(Shared.path("promql/compliance/promql-promql-test-queries.yml"));
    assertThat(cases).hasSize(QUERIES);
    Product ours = new Product(data);
    List<String> unexpected = new ArrayList<>();
    int equal = 0;
    try (Program prometheus = PrometheusBlocks.start(folder, data)) {
      PrometheusPeer theirs = new PrometheusPeer(prometheus);
      for (ComplianceQueries.Case one : cases) {
        Question question = new Question(one.query(), END_MS - 600_000, END_MS, 10_000, false);
        String difference = difference(one, theirs.answer(question), ours.answer(question));
        boolean byDesign = DIFFER_BY_DESIGN.containsKey(one.query());
        if (difference == null) {
          equal++;
        }
        if (byDesign && difference == null) {
          unexpected.add(
              one.query() + ": differs no more, though " + DIFFER_BY_DESIGN.get(one.query()));
        } else if (!byDesign && difference != null) {
          unexpected.add(one.query() + ": " + difference);
        }
      }
    }
    String summary =
        "%d queries: %d equal, %d differ by design"
            .formatted(cases.size(), equal, DIFFER_BY_DESIGN.size());
    LOG.log(System.Logger.Level.INFO, summary);
    assertThat(unexpected).as(summary).isEmpty();
    assertThat(equal + DIFFER_BY_DESIGN.size()).as(summary).isEqualTo(QUERIES);
  }

  private static @Nullable String difference(
      ComplianceQueries.Case one, Outcome theirs, Outcome ours) {
    String difference = Outcome.difference(theirs, ours, TOLERANCE);
    boolean failed = theirs instanceof Outcome.Failed;
    if (difference == null && failed != one.shouldFail()) {
      return one.shouldFail() ? "should fail, but both answer" : "both fail: " + theirs;
    }
    return difference;
  }
}
