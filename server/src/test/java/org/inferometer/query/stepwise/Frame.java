package org.inferometer.query.stepwise;

import java.util.ArrayList;
import java.util.List;

/**
 * The times at which an expression is evaluated: those of the query, or those of a subquery.
 *
 * @param stepMs 0 if there is only one time
 */
record Frame(long startMs, long endMs, long stepMs) {
  List<Long> times() {
    List<Long> times = new ArrayList<>();
    for (long t = startMs; t <= endMs; t += Math.max(1, stepMs)) {
      times.add(t);
      if (stepMs == 0) {
        break;
      }
    }
    return times;
  }
}
