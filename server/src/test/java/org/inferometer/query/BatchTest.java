package org.inferometer.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.query.QueryService.BatchQuery;
import org.inferometer.query.QueryService.InstantQuery;
import org.inferometer.query.QueryService.RangeQuery;
import org.inferometer.store.MetadataSource;
import org.inferometer.store.Querier;
import org.inferometer.store.Queryable;
import org.inferometer.store.Series;
import org.junit.jupiter.api.Test;

class BatchTest {
  private static final long MINUTE = 60_000;

  private final QueryBench bench = new QueryBench();

  BatchTest() {
    for (int i = 0; i < 3; i++) {
      String a = Integer.toString(i);
      bench.load(Labels.of(Labels.NAME, "m", "a", a), MINUTE, i, 2 * i, 5, 3 * i, 1);
      bench.load(Labels.of(Labels.NAME, "n_total", "a", a), MINUTE, 0, i, 2 * i, 3 * i, 4 * i);
    }
  }

  private static String text(BatchOutcome outcome) {
    return switch (outcome) {
      case BatchOutcome.Answered answered -> text(answered.result());
      case BatchOutcome.Failed failed -> failed.error().kind() + ": " + failed.error().getMessage();
    };
  }

  private static String text(QueryResult result) {
    StringBuilder text = new StringBuilder();
    if (result.value() instanceof QueryValue.Matrix(List<QueryValue.MatrixSeries> series)) {
      for (QueryValue.MatrixSeries one : series) {
        text.append(one.labels());
        for (int i = 0; i < one.values().length; i++) {
          text.append(' ').append(one.values()[i]).append('@').append(one.timestampsMs()[i]);
        }
        text.append('\n');
      }
    } else {
      text.append(result.value());
    }
    return text.append(result.warnings()).append(result.infos()).toString();
  }

  private String alone(BatchQuery batch, String query) {
    try {
      return text(
          batch.isRange()
              ? bench.service().range(batch.range(query))
              : bench.service().instant(batch.instant(query)));
    } catch (QueryException e) {
      return e.kind() + ": " + e.getMessage();
    }
  }

  private void sameAsAlone(BatchQuery batch) throws QueryException {
    List<BatchOutcome> outcomes = bench.service().batch(batch);
    assertThat(outcomes).hasSameSizeAs(batch.queries());
    for (int i = 0; i < outcomes.size(); i++) {
      assertThat(text(outcomes.get(i)))
          .as(batch.queries().get(i))
          .isEqualTo(alone(batch, batch.queries().get(i)));
    }
  }

  @Test
  void failingQueriesDoNotFailTheOthers() throws QueryException {
    List<String> queries =
        List.of("m", "sum(", "m * on() m", "m[5m]", "sum(m)", "m offset (1/0)", "\"text\"", "1");
    sameAsAlone(new BatchQuery(queries, 0, 4 * MINUTE, MINUTE));
    sameAsAlone(BatchQuery.at(queries, 2 * MINUTE));
  }

  @Test
  void warningsStandWhereEachQueryHasThem() throws QueryException {
    List<String> queries =
        List.of(
            "quantile(2, m)",
            "1 +\n  quantile( 2, m)",
            "rate(m[2m]) + rate(m[2m])",
            "sum(rate(m[2m]))",
            "histogram_quantile(0.5, m)",
            "max(histogram_quantile(0.5, m))");
    sameAsAlone(new BatchQuery(queries, 0, 4 * MINUTE, MINUTE));
    BatchOutcome.Answered second =
        (BatchOutcome.Answered) bench.service().batch(BatchQuery.at(queries, MINUTE)).get(1);
    assertThat(second.result().warnings())
        .containsExactly("PromQL warning: quantile value should be between 0 and 1, got 2 (2:13)");
  }

  @Test
  void anyMixOfQueriesIsAnsweredAsEachAlone() throws QueryException {
    Random random = new Random(20261129);
    for (int round = 0; round < 150; round++) {
      List<String> queries = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        queries.add(expression(random, 4));
      }
      sameAsAlone(new BatchQuery(queries, 0, 4 * MINUTE, MINUTE / 2));
      sameAsAlone(BatchQuery.at(queries, 3 * MINUTE));
    }
  }

  /** Few leaves and operators, so that the same subexpression comes again and again. */
  private static String expression(Random random, int depth) {
    if (depth == 0) {
      return random.nextBoolean() ? "m" : "n_total";
    }
    String inner = expression(random, depth - 1);
    return switch (random.nextInt(14)) {
      case 0 -> "sum(" + inner + ")";
      case 1 -> "topk(1, " + inner + ")";
      case 2 -> "quantile(" + random.nextInt(3) + ", " + inner + ")";
      case 3 -> "(" + inner + ") + on(a) " + expression(random, 0);
      case 4 -> "(" + inner + ") or (" + expression(random, depth - 1) + ")";
      case 5 -> "rate(n_total[2m])";
      case 6 -> "max_over_time((" + inner + ")[2m:30s])";
      case 7 -> "-(" + inner + ")";
      case 8 -> "label_replace(" + inner + ", \"b\", \"$1\", \"a\", \"(.*)\")";
      case 9 -> "sort_desc(" + inner + ")";
      case 10 -> "abs(" + expression(random, 0) + " @ 120) - on(a) group_left() " + inner;
      case 11 -> "timestamp(" + inner + ")";
      case 12 -> "count_values(\"v\", " + inner + ")";
      default -> inner + " > bool 1";
    };
  }

  @Test
  void commonSelectionsAreReadOnce() throws QueryException {
    AtomicInteger selections = new AtomicInteger();
    LocalQueryService counting =
        new LocalQueryService(
            counted(selections), MetadataSource.none(), EngineOptions.DEFAULT, () -> 0);
    List<String> queries =
        List.of(
            "histogram_quantile(0.5, sum by (le) (rate(n_total[2m])))",
            "histogram_quantile(0.9, sum by (le) (rate(n_total[2m])))",
            "sum(rate(n_total[2m])) / sum(m)",
            "sum(m)");
    assertThat(counting.batch(new BatchQuery(queries, 0, 4 * MINUTE, MINUTE))).hasSize(4);
    assertThat(selections).hasValue(2);
  }

  private Queryable counted(AtomicInteger selections) {
    return (minMs, maxMs) -> {
      Querier querier = bench.series.querier(minMs, maxMs);
      return new Querier() {
        @Override
        public List<Series> select(List<Matcher> matchers) {
          selections.incrementAndGet();
          return querier.select(matchers);
        }

        @Override
        public List<String> labelNames(List<Matcher> matchers) {
          return querier.labelNames(matchers);
        }

        @Override
        public List<String> labelValues(String name, List<Matcher> matchers) {
          return querier.labelValues(name, matchers);
        }

        @Override
        public void close() {
          querier.close();
        }
      };
    };
  }

  @Test
  void resultsOfABatchTogetherAreLimited() throws QueryException {
    QueryBench small =
        new QueryBench(EngineOptions.DEFAULT.toBuilder().maxSamples(20).build(), () -> 0);
    small.load("m", MINUTE, 1, 2, 3, 4);
    List<BatchOutcome> outcomes =
        small
            .service()
            .batch(new BatchQuery(List.of("m", "m + 1", "m + 2"), 0, 7 * MINUTE, MINUTE));
    assertThat(outcomes.get(0)).isInstanceOf(BatchOutcome.Answered.class);
    assertThat(text(outcomes.get(1))).contains("query.max-samples = 20");
    assertThat(outcomes.get(2))
        .as("what isn't kept takes no room")
        .isInstanceOf(BatchOutcome.Answered.class);
  }

  @Test
  void serviceThatKnowsNoBatchesAnswersOneByOne() throws QueryException {
    QueryService plain =
        new QueryService() {
          @Override
          public QueryResult instant(InstantQuery query) throws QueryException {
            return bench.service().instant(query);
          }

          @Override
          public QueryResult range(RangeQuery query) throws QueryException {
            return bench.service().range(query);
          }

          @Override
          public List<Labels> series(List<List<Matcher>> selections, TimeRange range, int limit) {
            return List.of();
          }

          @Override
          public List<String> labelNames(
              List<List<Matcher>> selections, TimeRange range, int limit) {
            return List.of();
          }

          @Override
          public List<String> labelValues(
              String name, List<List<Matcher>> selections, TimeRange range, int limit) {
            return List.of();
          }

          @Override
          public java.util.Map<String, List<org.inferometer.model.MetricMetadata>> metadata() {
            return java.util.Map.of();
          }
        };
    BatchQuery batch = new BatchQuery(List.of("m", "sum("), 0, MINUTE, MINUTE);
    assertThat(plain.batch(batch).stream().map(BatchTest::text))
        .containsExactlyElementsOf(
            bench.service().batch(batch).stream().map(BatchTest::text).toList());
  }
}
