package org.inferometer.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.model.StalenessMarker;
import org.inferometer.store.MemorySeries;
import org.inferometer.store.MetadataSource;
import org.inferometer.store.Querier;
import org.inferometer.store.Queryable;
import org.inferometer.store.Series;
import org.inferometer.time.Ticker;
import org.junit.jupiter.api.Test;

class LocalQueryServiceTest {
  private static final long MINUTE = 60_000;

  private final QueryBench bench = new QueryBench();

  @Test
  void instantSelectorTakesNewestSampleInLeftOpenLookback() throws QueryException {
    bench.load("m", MINUTE, 1, 2);
    assertThat(bench.instant(0, "m")).containsExactly("m 1.0");
    assertThat(bench.instant(MINUTE + 5 * MINUTE - 1, "m")).containsExactly("m 2.0");
    assertThat(bench.instant(MINUTE + 5 * MINUTE, "m")).isEmpty();
  }

  @Test
  void whatTheStoreCouldntRead_isWarnedOfOnce() throws QueryException {
    MemorySeries series = new MemorySeries();
    series.add(Labels.of(Labels.NAME, "m"), 0, 1);
    Queryable damaged =
        (minMs, maxMs) -> {
          Querier whole = series.querier(minMs, maxMs);
          return new Querier() {
            @Override
            public List<Series> select(List<Matcher> matchers) {
              return whole.select(matchers);
            }

            @Override
            public List<String> labelNames(List<Matcher> matchers) {
              return whole.labelNames(matchers);
            }

            @Override
            public List<String> labelValues(String name, List<Matcher> matchers) {
              return whole.labelValues(name, matchers);
            }

            @Override
            public List<String> warnings() {
              return List.of("chunks/000001 is damaged", "chunks/000001 is damaged");
            }

            @Override
            public void close() {
              whole.close();
            }
          };
        };
    LocalQueryService service =
        new LocalQueryService(
            damaged, MetadataSource.none(), EngineOptions.DEFAULT, Ticker.system());
    assertThat(service.instant(new QueryService.InstantQuery("m", 0)).warnings())
        .containsExactly("chunks/000001 is damaged");
  }

  @Test
  void stalenessMarkerEndsInstantSelectorButNotRange() throws QueryException {
    bench.load("m", MINUTE, 1, 2, StalenessMarker.VALUE);
    assertThat(bench.instant(2 * MINUTE, "m")).isEmpty();
    assertThat(bench.instant(2 * MINUTE, "count_over_time(m[5m])")).containsExactly("{} 2.0");
  }

  @Test
  void rangeQueryGivesPointsOnlyWhereThereAreSamples() throws QueryException {
    bench.load("m", 10 * MINUTE, 1, 2);
    assertThat(bench.range(0, 12 * MINUTE, 4 * MINUTE, "m"))
        .containsExactly("m 1.0@0 1.0@240000 2.0@720000");
  }

  @Test
  void offsetAndAtMoveTheWindowOnly() throws QueryException {
    bench.load("m", MINUTE, 1, 2, 3, 4);
    assertThat(bench.range(2 * MINUTE, 3 * MINUTE, MINUTE, "m offset 1m"))
        .containsExactly("m 2.0@120000 3.0@180000");
    assertThat(bench.range(2 * MINUTE, 3 * MINUTE, MINUTE, "m @ 60"))
        .containsExactly("m 2.0@120000 2.0@180000");
    assertThat(bench.range(0, 3 * MINUTE, 3 * MINUTE, "m @ end() - m @ start()"))
        .containsExactly("{} 3.0@0 3.0@180000");
  }

  @Test
  void rangeVectorIsAnswerOfInstantQueryOnly() throws QueryException {
    bench.load("m", MINUTE, 1, 2);
    assertThat(bench.instant(MINUTE, "m[5m]")).containsExactly("m 1.0@0 2.0@60000");
    assertThatThrownBy(() -> bench.range(0, MINUTE, MINUTE, "m[5m]"))
        .hasMessage(
            "invalid expression type \"range vector\" for range query, must be Scalar or instant"
                + " Vector");
  }

  @Test
  void subqueryIsEvaluatedAtMultiplesOfItsStep() throws QueryException {
    assertThat(bench.instant(65_000, "sum_over_time(vector(time())[1m:20s])"))
        .containsExactly("{} 120.0");
    assertThat(bench.instant(65_000, "vector(time())[1m:20s]"))
        .containsExactly("{} 20.0@20000 40.0@40000 60.0@60000");
  }

  @Test
  void minusAndRangeFunctionsRefuseSeriesThatDifferOnlyInName_evenIfNeverTogether()
      throws QueryException {
    bench.load("a", MINUTE, 1, StalenessMarker.VALUE);
    bench.load("b", MINUTE, StalenessMarker.VALUE, 2);
    String either = "{__name__=~\"a|b\"}";
    assertThat(bench.range(0, MINUTE, MINUTE, "abs(" + either + ")"))
        .containsExactly("{} 1.0@0 2.0@60000");
    for (String query : List.of("-" + either, "sum_over_time(" + either + "[1m])")) {
      assertThatThrownBy(() -> bench.range(0, MINUTE, MINUTE, query))
          .hasMessage("vector cannot contain metrics with the same labelset");
    }
  }

  @Test
  void rangeOfMoreStepsThanSamples_namesTheLimitAndItsFlag() {
    LocalQueryService small =
        new LocalQueryService(
            new MemorySeries(),
            MetadataSource.none(),
            EngineOptions.DEFAULT.toBuilder().maxSamples(3).build(),
            () -> 0);
    assertThatThrownBy(() -> small.range(new QueryService.RangeQuery("1", 0, 3, 1)))
        .hasMessageContaining("query.max-samples = 3")
        .hasMessageContaining("serve --query.max-samples");
  }

  @Test
  void stoppedEvaluators_cancelTheQueryAndKeepNoPlace() {
    EngineOptions onePlace = EngineOptions.DEFAULT.toBuilder().maxConcurrency(1).build();
    LocalQueryService stopped =
        new LocalQueryService(
            new MemorySeries(),
            MetadataSource.none(),
            onePlace,
            () -> 0,
            _ -> {
              throw new RejectedExecutionException();
            },
            Runnable::run,
            1);
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> stopped.instant(new QueryService.InstantQuery("1", 0)))
          .isInstanceOfSatisfying(
              QueryException.class,
              e -> assertThat(e.kind()).isEqualTo(QueryException.Kind.CANCELED))
          .hasMessageContaining("the server is stopping");
    }
  }

  @Test
  void parseErrorIsBadData() {
    assertThatThrownBy(() -> bench.instant(0, "sum("))
        .isInstanceOfSatisfying(
            QueryException.class, e -> assertThat(e.kind()).isEqualTo(QueryException.Kind.BAD_DATA))
        .hasMessageContaining("parse error");
  }

  @Test
  void stepMustBePositiveAndEndNotBeforeStart() {
    assertThatThrownBy(() -> bench.range(0, 1, 0, "1"))
        .hasMessage("zero or negative query resolution step widths are not accepted");
    assertThatThrownBy(() -> bench.range(1, 0, 1, "1"))
        .hasMessage("end timestamp must not be before start time");
  }

  @Test
  void timesThatWouldOverflowAreRefused() {
    assertThatThrownBy(() -> bench.instant(Long.MIN_VALUE, "m"))
        .hasMessageStartingWith("expected a time within");
    assertThatThrownBy(() -> bench.range(Long.MIN_VALUE, Long.MAX_VALUE, 1, "m"))
        .hasMessageStartingWith("expected a time within");
    assertThatThrownBy(() -> bench.range(0, 1_000_000_000_000_000L, 1, "m"))
        .hasMessageContaining("query.max-samples");
  }

  @Test
  void tooManySamplesEndTheQuery() {
    QueryBench small =
        new QueryBench(EngineOptions.DEFAULT.toBuilder().maxSamples(100).build(), () -> 0);
    small.load("m", 1000, new double[200]);
    String message =
        "query processing would load too many samples into memory in query execution: more than"
            + " query.max-samples = 100; ask for less at a time, or raise it with serve"
            + " --query.max-samples";
    assertThatThrownBy(() -> small.instant(200_000, "count_over_time(m[200s])"))
        .hasMessage(message);
    assertThatThrownBy(() -> small.instant(200_000, "count_over_time(vector(1)[1000d:1ms])"))
        .hasMessage(message);
    assertThatThrownBy(() -> small.range(0, 90_000, 1000, "m + m"))
        .isInstanceOfSatisfying(
            QueryException.class,
            e -> assertThat(e.kind()).isEqualTo(QueryException.Kind.EXECUTION))
        .hasMessage(message);
  }

  @Test
  void intermediateResultsAreGivenBackToTheBudget() throws QueryException {
    QueryBench small =
        new QueryBench(EngineOptions.DEFAULT.toBuilder().maxSamples(100).build(), () -> 0);
    small.load("m", 1000, new double[40]);
    assertThat(small.range(0, 20_000, 1000, "sum(sum(m)) + sum(sum(m)) + sum(sum(m)) + sum(m)"))
        .hasSize(1);
  }

  @Test
  void tooManySeriesAreRefusedWithTheLimitsName() {
    QueryBench small =
        new QueryBench(EngineOptions.DEFAULT.toBuilder().maxSeries(1).build(), () -> 0);
    small.load("a", 1000, 1).load("b", 1000, 1);
    assertThatThrownBy(() -> small.instant(0, "{__name__=~\"a|b\"}"))
        .hasMessageContaining("query.max-series = 1;")
        .hasMessageContaining("serve --query.max-series");
  }

  @Test
  void deepNestingIsRefusedBeforeItCanOverflowTheStack() {
    String query = "-".repeat(600) + "1";
    assertThatThrownBy(() -> bench.instant(0, query)).hasMessageContaining("deeper than");
    String chain = "1" + "+1".repeat(600);
    assertThatThrownBy(() -> bench.instant(0, chain))
        .hasMessageContaining("query.max-nesting = 500");
  }

  @Test
  void queryTimesOut() {
    AtomicLong nanos = new AtomicLong();
    QueryBench slow =
        new QueryBench(
            EngineOptions.DEFAULT.toBuilder().timeout(Duration.ofSeconds(1)).build(),
            () -> nanos.getAndAdd(400_000_000));
    slow.load("m", 1000, 1, 2, 3);
    assertThatThrownBy(() -> slow.instant(3000, "rate(m[1m]) + rate(m[1m])"))
        .isInstanceOfSatisfying(
            QueryException.class, e -> assertThat(e.kind()).isEqualTo(QueryException.Kind.TIMEOUT))
        .hasMessage(
            "query timed out in expression evaluation: the limit is the request's timeout, at most"
                + " query.timeout = 1s; ask for less at a time, or raise it with serve"
                + " --query.timeout");
  }

  @Test
  void interruptCancels() {
    bench.load("m", 1000, 1, 2, 3);
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(() -> bench.instant(3000, "m"))
          .isInstanceOfSatisfying(
              QueryException.class,
              e -> assertThat(e.kind()).isEqualTo(QueryException.Kind.CANCELED));
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void queryWaitsForAPlaceNoLongerThanItsTimeout() {
    MemorySeries series = new MemorySeries();
    series.add(Labels.of(Labels.NAME, "m"), 0, 1);
    AtomicLong nanos = new AtomicLong();
    EngineOptions options =
        EngineOptions.DEFAULT.toBuilder().maxConcurrency(1).timeout(Duration.ofMillis(1)).build();
    LocalQueryService[] service = new LocalQueryService[1];
    Queryable nested =
        (min, max) -> {
          // Inside of the only query that may run, another one finds no place.
          assertThatThrownBy(() -> service[0].instant(new QueryService.InstantQuery("1", 0)))
              .hasMessage(
                  "query timed out in query queue: all query.max-concurrency = 1 places were taken;"
                      + " ask less often, or raise it with serve --query.max-concurrency");
          return series.querier(min, max);
        };
    service[0] = new LocalQueryService(nested, MetadataSource.none(), options, nanos::get);
    assertThatThrownBy(() -> service[0].instant(new QueryService.InstantQuery("m @", 0)))
        .hasMessageContaining("parse error");
    assertThat(run(service[0])).isInstanceOf(QueryValue.Vector.class);
  }

  private static QueryValue run(LocalQueryService service) {
    try {
      return service.instant(new QueryService.InstantQuery("m", 0)).value();
    } catch (QueryException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void queriersAreClosedAndAskedForTheStretchThatSelectorsNeed() throws QueryException {
    List<String> log = new java.util.ArrayList<>();
    Queryable store =
        (min, max) -> {
          log.add(min + ".." + max);
          Querier inner = new MemorySeries().querier(min, max);
          return new Querier() {
            @Override
            public List<org.inferometer.store.Series> select(List<Matcher> matchers) {
              return inner.select(matchers);
            }

            @Override
            public List<String> labelNames(List<Matcher> matchers) {
              return inner.labelNames(matchers);
            }

            @Override
            public List<String> labelValues(String name, List<Matcher> matchers) {
              return inner.labelValues(name, matchers);
            }

            @Override
            public void close() {
              log.add("closed");
            }
          };
        };
    LocalQueryService service =
        new LocalQueryService(store, MetadataSource.none(), EngineOptions.DEFAULT, () -> 0);
    service.instant(new QueryService.InstantQuery("rate(m[1m] offset 1m) + m", 1_000_000));
    assertThat(log).containsExactly("700001..1000000", "closed");
  }

  @Test
  void seriesAndLabelsAreListedOverSelections() throws QueryException {
    bench.load(Labels.of(Labels.NAME, "b", "x", "1"), 1000, 1);
    bench.load(Labels.of(Labels.NAME, "a", "y", "2"), 1000, 1);
    LocalQueryService service = bench.service();
    QueryService.TimeRange range = new QueryService.TimeRange(0, 1000);
    List<Matcher> a = List.of(Matcher.equal(Labels.NAME, "a"));
    List<Matcher> b = List.of(Matcher.equal(Labels.NAME, "b"));
    assertThat(service.series(List.of(b, a, a), range, 0))
        .extracting(Labels::metricName)
        .containsExactly("a", "b");
    assertThat(service.series(List.of(b, a), range, 1)).hasSize(1);
    assertThat(service.labelNames(List.of(), range, 0)).containsExactly(Labels.NAME, "x", "y");
    assertThat(service.labelNames(List.of(a), range, 0)).containsExactly(Labels.NAME, "y");
    assertThat(service.labelValues(Labels.NAME, List.of(), range, 0)).containsExactly("a", "b");
    assertThat(service.metadata()).isEmpty();
  }
}
