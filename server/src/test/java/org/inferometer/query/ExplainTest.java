package org.inferometer.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.inferometer.model.Labels;
import org.junit.jupiter.api.Test;

class ExplainTest {
  private static final long MINUTE = 60_000;

  private final AtomicLong nanos = new AtomicLong();
  private final QueryBench bench =
      new QueryBench(EngineOptions.DEFAULT, () -> nanos.addAndGet(1_000_000));

  private List<String> explained(QueryService.RangeQuery query) throws QueryException {
    Explanation.Explained explained = bench.service().explain(query);
    List<String> lines = new ArrayList<>();
    addLines(explained.root(), "", lines);
    return lines;
  }

  private static void addLines(Explanation node, String indent, List<String> lines) {
    lines.add(
        indent
            + "%s %s [%d,%d) series=%d samples=%d points=%d%s"
                .formatted(
                    node.kind().word(),
                    node.expr(),
                    node.start(),
                    node.end(),
                    node.series(),
                    node.samples(),
                    node.points(),
                    node.reused() ? " reused" : ""));
    node.children().forEach(child -> addLines(child, indent + "  ", lines));
  }

  @Test
  void eachNodeTellsWhatItSelectedAndReadAndCameTo() throws QueryException {
    bench.load(Labels.of(Labels.NAME, "m_total", "a", "1"), MINUTE, 0, 1, 2, 3);
    bench.load(Labels.of(Labels.NAME, "m_total", "a", "2"), MINUTE, 0, 2, 4, 6);
    String query = "2 * (sum by (a) (rate(m_total{a=~\"1|2\"}[2m])))";
    assertThat(explained(new QueryService.RangeQuery(query, 2 * MINUTE, 3 * MINUTE, MINUTE)))
        .containsExactly(
            "binary 2 * (sum by (a) (rate(m_total{a=~\"1|2\"}[2m]))) [0,46) series=2 samples=6"
                + " points=4",
            "  number 2 [0,1) series=1 samples=0 points=2",
            "  aggregation sum by (a) (rate(m_total{a=~\"1|2\"}[2m])) [5,45) series=2 samples=6"
                + " points=4",
            "    call rate(m_total{a=~\"1|2\"}[2m]) [17,44) series=2 samples=6 points=4",
            "      range-selector m_total{a=~\"1|2\"}[2m] [22,43) series=2 samples=6 points=6");
  }

  @Test
  void equalSubexpressionIsEvaluatedOnce() throws QueryException {
    bench.load(Labels.of(Labels.NAME, "m", "a", "1"), MINUTE, 1, 2, 3);
    assertThat(
            explained(
                new QueryService.RangeQuery("max(m) / sum( m )+max( m)", 0, 2 * MINUTE, MINUTE)))
        .containsExactly(
            "binary max(m) / sum( m )+max( m) [0,25) series=1 samples=3 points=3",
            "  binary max(m) / sum( m ) [0,17) series=1 samples=3 points=3",
            "    aggregation max(m) [0,6) series=1 samples=3 points=3",
            "      selector m [4,5) series=1 samples=3 points=3",
            "    aggregation sum( m ) [9,17) series=1 samples=0 points=3",
            "      selector m [14,15) series=1 samples=0 points=3 reused",
            "  aggregation max( m) [18,25) series=1 samples=0 points=3 reused");
  }

  @Test
  void subqueriesAndSampleTimesAreNodesToo() throws QueryException {
    bench.load("m", MINUTE, 1, 2, 3, 4);
    assertThat(
            explained(
                new QueryService.RangeQuery(
                    "max_over_time((m)[2m:1m]) + timestamp(m)", 3 * MINUTE, 3 * MINUTE, MINUTE)))
        .containsExactly(
            "binary max_over_time((m)[2m:1m]) + timestamp(m) [0,40) series=1 samples=8 points=1",
            "  call max_over_time((m)[2m:1m]) [0,25) series=1 samples=4 points=1",
            "    subquery (m)[2m:1m] [14,24) series=1 samples=4 points=2",
            "      selector m [15,16) series=1 samples=4 points=2",
            "  call timestamp(m) [28,40) series=1 samples=4 points=1",
            "    selector m [38,39) series=1 samples=4 points=1");
  }

  @Test
  void timeOfANodeHoldsThatOfItsChildren() throws QueryException {
    bench.load("m", MINUTE, 1, 2, 3);
    Explanation root =
        bench.service().explain(new QueryService.InstantQuery("sum(m)", MINUTE)).root();
    Explanation selector = root.children().getFirst();
    assertThat(selector.seconds()).isPositive();
    assertThat(root.seconds()).isGreaterThan(selector.seconds());
  }

  @Test
  void deepTreesAreCut() throws QueryException {
    bench.load("m", MINUTE, 1);
    String chain = "m" + " + m".repeat(300);
    Explanation node = bench.service().explain(new QueryService.InstantQuery(chain, 0)).root();
    assertThat(node.expr()).hasSizeLessThan(600).endsWith("...");
    int depth = 1;
    while (!node.children().isEmpty()) {
      node = node.children().getFirst();
      depth++;
    }
    assertThat(depth).isEqualTo(100);
  }
}
