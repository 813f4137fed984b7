package org.inferometer.query.stepwise;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.inferometer.Shared;
import org.inferometer.model.Labels;
import org.inferometer.promql.Expr;
import org.inferometer.promql.ParseException;
import org.inferometer.promql.Parser;
import org.inferometer.promql.ValueType;
import org.inferometer.query.QueryException;
import org.inferometer.query.QueryResult;
import org.inferometer.query.QueryValue;
import org.inferometer.query.script.Evaluation;
import org.inferometer.query.script.ScriptRunner;
import org.inferometer.store.Querier;
import org.inferometer.store.Queryable;
import org.inferometer.store.SampleColumns;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who judges is judged: Prometheus's own scripts against the second evaluator. */
class StepwiseScriptsTest {
  private static final List<String> NOT_COVERED =
      List.of(
          "expected {count:",
          "isn't covered",
          "aren't covered",
          "expected a warning, got none",
          "expected a info, got none",
          // The order that these ask for; all else of them is.
          ": sort_by_label",
          // No label set of ours can hold bytes that aren't UTF-8.
          "\"\\xff\"",
          // Sums here are exact, where compensated ones give 0.
          "avg_over_time(metric11[1m])");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "aggregators.test", "at_modifier.test", "collision.test", "duration_expression.test",
        "fill-modifier.test", "functions.test", "histograms.test", "literals.test",
        "name_label_dropping.test", "operators.test", "range_queries.test", "selectors.test",
        "staleness.test", "subquery.test", "trig_functions.test"
      })
  void whatFailsIsNotCovered(String file) throws Exception {
    assertThat(
            new ScriptRunner(new StepwiseEvaluation())
                .run(Shared.path("promql/testdata").resolve(file))
                .failures())
        .as(file)
        .allMatch(failure -> NOT_COVERED.stream().anyMatch(failure::contains));
  }

  private static final class StepwiseEvaluation implements Evaluation {
    private static final Settings SETTINGS = new Settings(300_000, 60_000, true);

    @Override
    public QueryResult instant(Queryable data, String query, long timeMs) throws QueryException {
      Expr expr = parse(query);
      while (expr instanceof Expr.Paren paren) {
        expr = paren.inner();
      }
      if (expr instanceof Expr.StringLiteral string) {
        return result(new QueryValue.Text(timeMs, string.value()));
      }
      try {
        Answer answer = new Stepwise(samples(data), SETTINGS, Noise.none()).instant(expr, timeMs);
        return result(
            expr.type() == ValueType.RANGE_VECTOR
                ? matrix(answer)
                : expr.type() == ValueType.SCALAR
                    ? new QueryValue.Scalar(timeMs, value(answer, Labels.EMPTY))
                    : vector(answer, timeMs));
      } catch (EvaluationError | UnsupportedOperationException e) {
        throw failed(e);
      }
    }

    @Override
    public QueryResult range(Queryable data, String query, long startMs, long endMs, long stepMs)
        throws QueryException {
      try {
        return result(
            matrix(
                new Stepwise(samples(data), SETTINGS, Noise.none())
                    .range(parse(query), startMs, endMs, stepMs)));
      } catch (EvaluationError | UnsupportedOperationException e) {
        throw failed(e);
      }
    }

    private static QueryException failed(RuntimeException e) {
      return new QueryException(QueryException.Kind.EXECUTION, String.valueOf(e.getMessage()), e);
    }

    private static Expr parse(String query) throws QueryException {
      try {
        return Parser.parse(query);
      } catch (ParseException e) {
        throw new QueryException(QueryException.Kind.BAD_DATA, String.valueOf(e.getMessage()), e);
      }
    }

    private static QueryResult result(QueryValue value) {
      return new QueryResult(value, List.of(), List.of());
    }

    private static double value(Answer answer, Labels labels) {
      return answer.points().getOrDefault(labels, new TreeMap<>()).firstEntry().getValue();
    }

    private static QueryValue vector(Answer answer, long timeMs) {
      List<QueryValue.Element> elements = new ArrayList<>();
      for (Labels labels : answer.order()) {
        elements.add(new QueryValue.Element(labels, timeMs, value(answer, labels)));
      }
      return new QueryValue.Vector(elements);
    }

    private static QueryValue matrix(Answer answer) {
      List<QueryValue.MatrixSeries> series = new ArrayList<>();
      answer
          .points()
          .forEach(
              (labels, points) ->
                  series.add(
                      new QueryValue.MatrixSeries(
                          labels,
                          points.keySet().stream().mapToLong(t -> t).toArray(),
                          points.values().stream().mapToDouble(v -> v).toArray())));
      return new QueryValue.Matrix(series);
    }

    private static Map<Labels, SortedMap<Long, Double>> samples(Queryable data) {
      Map<Labels, SortedMap<Long, Double>> samples = new TreeMap<>();
      try (Querier querier = data.querier(Long.MIN_VALUE, Long.MAX_VALUE)) {
        querier
            .select(List.of())
            .forEach(
                series -> {
                  SampleColumns columns = new SampleColumns();
                  series.read(Long.MIN_VALUE, Long.MAX_VALUE, columns);
                  SortedMap<Long, Double> points =
                      columns.hasHistograms() ? new Histograms() : new TreeMap<>();
                  for (int i = 0; i < columns.size(); i++) {
                    points.put(columns.timestampMs(i), columns.value(i));
                  }
                  samples.put(series.labels(), points);
                });
      }
      return samples;
    }
  }

  /** Samples that the second evaluator knows nothing of. */
  private static final class Histograms extends TreeMap<Long, Double> {
    private static final long serialVersionUID = 1L;

    @Override
    public void forEach(BiConsumer<? super Long, ? super Double> action) {
      throw new UnsupportedOperationException("native histograms aren't covered");
    }
  }
}
