package org.inferometer.app;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.inferometer.config.Durations;
import org.inferometer.diagnosis.Causes;
import org.inferometer.diagnosis.finding.Scope;
import org.inferometer.diagnosis.watch.HeldFinding;
import org.inferometer.model.Labels;
import org.inferometer.query.QueryException;
import org.inferometer.query.QueryService;
import org.inferometer.query.QueryService.RangeQuery;
import org.inferometer.query.QueryValue;
import org.jspecify.annotations.Nullable;

/**
 * Findings of the past, read from the series that were kept of them. When one began and ended is
 * known to a step: two intervals from look to look, or a thousandth of the stretch asked for.
 */
final class StoredFindings {
  private static final int STEPS = 1_000;

  /** As many as are kept in memory. */
  static final int FINDINGS_MAX = 1_000;

  private final QueryService queries;

  StoredFindings(QueryService queries) {
    this.queries = queries;
  }

  /**
   * The findings that held in a stretch of time, the latest first.
   *
   * @param intervalMs from look to look
   */
  List<HeldFinding> read(long startMs, long endMs, long intervalMs) throws QueryException {
    long stepMs = Math.max(2 * intervalMs, (endMs - startMs) / STEPS);
    if (endMs - startMs < stepMs) {
      return List.of();
    }
    String query = "max_over_time(" + FindingSeries.FINDING + "[" + Durations.format(stepMs) + "])";
    QueryValue value =
        queries.range(new RangeQuery(query, startMs + stepMs, endMs, stepMs)).value();
    List<HeldFinding> found = new ArrayList<>();
    if (value instanceof QueryValue.Matrix matrix) {
      matrix.series().forEach(series -> runs(series, stepMs, found));
    }
    List<HeldFinding> related = found.stream().map(one -> withRoot(one, found)).toList();
    return related.stream()
        .sorted(Comparator.comparingLong(HeldFinding::startMs).reversed())
        .limit(FINDINGS_MAX)
        .toList();
  }

  /** The stretches without a gap. */
  private static void runs(QueryValue.MatrixSeries series, long stepMs, List<HeldFinding> into) {
    long[] times = series.timestampsMs();
    int first = 0;
    for (int i = 1; i <= times.length; i++) {
      if (i == times.length || times[i] - times[i - 1] > stepMs) {
        long startMs = times[first] - stepMs;
        into.add(finding(series.labels(), startMs, times[i - 1], series.values()[i - 1]));
        first = i;
      }
    }
  }

  private static HeldFinding finding(Labels labels, long startMs, long endMs, double confidence) {
    String cause = labels.get("cause");
    String title = title(cause);
    String instance = emptyToNull(labels.get("instance"));
    String gpu = emptyToNull(labels.get("gpu"));
    String where = gpu == null ? instance : gpu;
    Scope scope = new Scope(labels.get("service"), emptyToNull(labels.get("model")), instance, gpu);
    return new HeldFinding(
        scope,
        cause,
        title,
        labels.get("root").equals("false") ? "" : null,
        confidence,
        title + (where == null ? "." : " on " + where + "."),
        startMs,
        startMs,
        endMs,
        endMs);
  }

  private static String title(String cause) {
    return Causes.builtIn().all().stream()
        .filter(known -> known.id().equals(cause))
        .map(known -> known.title())
        .findFirst()
        .orElse(cause);
  }

  private static @Nullable String emptyToNull(String text) {
    return text.isEmpty() ? null : text;
  }

  /** What a consequence followed from isn't kept: it is the root that held at the same time. */
  private static HeldFinding withRoot(HeldFinding finding, List<HeldFinding> all) {
    if (finding.isRoot()) {
      return finding;
    }
    String root = null;
    for (HeldFinding other : all) {
      if (other.isRoot()
          && other.scope().service().equals(finding.scope().service())
          && other.overlaps(finding.startMs(), finding.lastSeenMs())
          && (root == null || Causes.builtIn().leadsTo(other.cause(), finding.cause()))) {
        root = other.cause();
      }
    }
    return finding.following(root);
  }
}
