package org.inferometer.diagnosis.world;

import java.util.HashMap;
import java.util.List;
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

  /** Adds what is told of a signal without its values, which a timeline has. */
  void addWithoutValues(SignalResult of, boolean isSplit) {
    add(
        new SignalResult(
            of.service(),
            of.signal(),
            of.unit(),
            of.quality(),
            of.reason(),
            of.query(),
            List.of(),
            of.goal(),
            of.counts(),
            of.windowMs()),
        isSplit);
  }

  @Nullable SignalResult find(Timelines.Key key) {
    return results.get(key);
  }

  Map<Timelines.Key, SignalResult> all() {
    return results;
  }
}
