package org.inferometer.app;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.diagnosis.Diagnosis;
import org.inferometer.diagnosis.Report;
import org.inferometer.diagnosis.Verdict;
import org.inferometer.diagnosis.finding.Evidence;
import org.inferometer.diagnosis.world.Period;
import org.inferometer.query.BatchOutcome;
import org.inferometer.query.QueryException;
import org.inferometer.query.QueryService;
import org.inferometer.query.QueryService.BatchQuery;
import org.inferometer.query.QueryValue;

/** The courses of the signals that are evidence, from some windows before to the window's end. */
record EvidenceCharts(
    long startMs, long endMs, Map<String, List<QueryValue.MatrixSeries>> byQuery) {
  private static final int WINDOWS_SHOWN = 4;
  private static final int STEPS = 80;
  private static final int QUERIES_MAX = 60;

  /** More lines than this can't be told apart. */
  private static final int SERIES_MAX = 8;

  static EvidenceCharts none() {
    return new EvidenceCharts(0, 0, Map.of());
  }

  static EvidenceCharts of(Report report, QueryService queries) {
    Period window = report.whole().window();
    long startMs = window.endMs() - WINDOWS_SHOWN * window.lengthMs();
    long stepMs = Math.max(1_000, WINDOWS_SHOWN * window.lengthMs() / STEPS);
    List<String> asked = queries(report);
    Map<String, List<QueryValue.MatrixSeries>> byQuery = new LinkedHashMap<>();
    try {
      List<BatchOutcome> outcomes =
          queries.batch(new BatchQuery(asked, startMs, window.endMs(), stepMs));
      for (int i = 0; i < asked.size(); i++) {
        if (outcomes.get(i) instanceof BatchOutcome.Answered answered
            && answered.result().value() instanceof QueryValue.Matrix matrix
            && !matrix.series().isEmpty()) {
          List<QueryValue.MatrixSeries> all = matrix.series();
          byQuery.put(asked.get(i), all.subList(0, Math.min(SERIES_MAX, all.size())));
        }
      }
    } catch (QueryException e) {
      // The verdict stands without pictures.
      byQuery.clear();
    }
    return new EvidenceCharts(startMs, window.endMs(), byQuery);
  }

  private static List<String> queries(Report report) {
    List<String> queries = new ArrayList<>();
    for (Diagnosis one : report.services()) {
      for (Verdict verdict : one.verdicts()) {
        add(queries, verdict.finding().evidence());
        add(queries, verdict.finding().against());
      }
    }
    return queries;
  }

  private static void add(List<String> queries, List<Evidence> evidence) {
    for (Evidence fact : evidence) {
      if (fact.query() != null && !queries.contains(fact.query()) && queries.size() < QUERIES_MAX) {
        queries.add(fact.query());
      }
    }
  }
}
