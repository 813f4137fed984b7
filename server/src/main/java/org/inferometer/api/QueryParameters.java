package org.inferometer.api;

import org.inferometer.query.QueryService.InstantQuery;
import org.inferometer.query.QueryService.RangeQuery;

/** Reads what is asked of a query route, as Prometheus's API names it. */
final class QueryParameters {
  /** Intervals of one series in a range query; as Prometheus's, which its clients know. */
  private static final long STEPS_MAX = 11_000;

  private QueryParameters() {}

  static InstantQuery instant(Parameters parameters, long nowMs) throws ApiException {
    return new InstantQuery(
        parameters.get("query"),
        RequestValues.timeMs(parameters, "time", nowMs),
        RequestValues.duration(parameters, "lookback_delta"),
        RequestValues.duration(parameters, "timeout"));
  }

  static RangeQuery range(Parameters parameters) throws ApiException {
    long startMs = RequestValues.timeMs(parameters, "start");
    long endMs = RequestValues.timeMs(parameters, "end");
    if (endMs < startMs) {
      throw ApiException.badParameter("end", "end timestamp must not be before start time");
    }
    long stepMs = stepMs(parameters, startMs, endMs);
    return new RangeQuery(
        parameters.get("query"),
        startMs,
        endMs,
        stepMs,
        RequestValues.duration(parameters, "lookback_delta"),
        RequestValues.duration(parameters, "timeout"));
  }

  private static long stepMs(Parameters parameters, long startMs, long endMs) throws ApiException {
    long stepMs = RequestValues.durationMs(parameters, "step");
    if (stepMs <= 0) {
      throw ApiException.badParameter(
          "step",
          "zero or negative query resolution step widths are not accepted. Try a positive integer");
    }
    requireSteps(startMs, endMs, stepMs);
    return stepMs;
  }

  static void requireSteps(long startMs, long endMs, long stepMs) throws ApiException {
    if ((endMs - startMs) / stepMs > STEPS_MAX) {
      throw ApiException.badData(
          "exceeded maximum resolution of 11,000 points per timeseries. Try decreasing the query"
              + " resolution (?step=XX)");
    }
  }
}
