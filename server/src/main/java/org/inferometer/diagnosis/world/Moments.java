package org.inferometer.diagnosis.world;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.signals.SignalResult;
import org.jspecify.annotations.Nullable;

/** Signals over one stretch of time, each as one value. Not thread-safe while it is filled. */
final class Moments {
  static final Moments NONE = new Moments();

  private final Map<Timelines.Key, SignalResult> results = new HashMap<>();
  private final Map<String, List<Timelines.Key>> keys = new HashMap<>();

  void add(SignalResult result, boolean isSplit) {
    Timelines.Key key = new Timelines.Key(result.service(), result.signal(), isSplit);
    results.put(key, result);
    keys.computeIfAbsent(result.service(), _ -> new ArrayList<>()).add(key);
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

  /** What is known of a service. */
  List<Timelines.Key> of(String service) {
    return keys.getOrDefault(service, List.of());
  }
}
