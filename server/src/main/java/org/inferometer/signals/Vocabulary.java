package org.inferometer.signals;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.inferometer.promql.ParseException;
import org.jspecify.annotations.Nullable;

/** All signals there are, in display order. */
final class Vocabulary {
  private final List<Signal> signals;
  private final Map<String, Signal> byName = new LinkedHashMap<>();
  private final Map<String, List<Signal>> parts = new LinkedHashMap<>();
  private final Set<String> bases = new LinkedHashSet<>();

  Vocabulary(List<Signal> signals) {
    this.signals = List.copyOf(signals);
    for (Signal signal : signals) {
      byName.put(signal.name(), signal);
      bases.add(signal.base());
    }
    for (Signal signal : signals) {
      if (signal.formula() != null) {
        parts.put(signal.name(), namedBy(signal.formula()));
      }
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

  /** The signals that the formula of a signal names, each once; none if it has no formula. */
  List<Signal> parts(Signal signal) {
    return parts.getOrDefault(signal.name(), List.of());
  }

  private List<Signal> namedBy(Template formula) {
    Set<Signal> named = new LinkedHashSet<>();
    try {
      for (Formula.Part part : Formula.parts(formula)) {
        Signal signal = find(part.name());
        if (signal != null) {
          named.add(signal);
        }
      }
    } catch (ParseException | IllegalArgumentException e) {
      return List.of(); // told where formulas are checked
    }
    return List.copyOf(named);
  }

  /** The signals that a service of a kind can feed. */
  List<Signal> of(ServiceKind kind) {
    return signals.stream().filter(s -> kind.layers().contains(s.layer())).toList();
  }
}
