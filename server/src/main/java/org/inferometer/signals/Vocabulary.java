package org.inferometer.signals;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All signals there are, in display order. */
final class Vocabulary {
  private final List<Signal> signals;
  private final Map<String, Signal> byName = new LinkedHashMap<>();
  private final Set<String> bases = new LinkedHashSet<>();

  Vocabulary(List<Signal> signals) {
    this.signals = List.copyOf(signals);
    for (Signal signal : signals) {
      byName.put(signal.name(), signal);
      bases.add(signal.base());
    }
  }

  List<Signal> signals() {
    return signals;
  }

  @Nullable Signal find(String name) {
    return byName.get(name);
  }

  /** Whether dialects may map this name. */
  boolean hasBase(String base) {
    return bases.contains(base);
  }

  /** Whether the signals of a base are quantiles. */
  boolean isQuantile(String base) {
    return signals.stream().anyMatch(s -> s.base().equals(base) && s.quantile() != null);
  }

  /** The signals that a service of a kind can feed. */
  List<Signal> of(ServiceKind kind) {
    return signals.stream().filter(s -> kind.layers().contains(s.layer())).toList();
  }
}
