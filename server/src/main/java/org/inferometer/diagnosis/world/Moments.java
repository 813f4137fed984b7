package org.inferometer.diagnosis.world;

import java.util.HashMap;
import java.util.Map;
import org.inferometer.signals.SignalResult;
import org.jspecify.annotations.Nullable;

/** Signals over one stretch of time, each as one value. Not thread-safe while it is filled. */
final class Moments {
  static final Moments NONE = new Moments();

  private final Map<Timelines.Key, SignalResult> results = new HashMap<>();

  void add(SignalResult result, boolean isSplit) {
    results.put(new Timelines.Key(result.service(), result.signal(), isSplit), result);
  }

  @Nullable SignalResult find(Timelines.Key key) {
    return results.get(key);
  }

  Map<Timelines.Key, SignalResult> all() {
    return results;
  }
}
