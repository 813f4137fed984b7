package org.inferometer.diagnosis.world;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.inferometer.signals.Layer;

/** The readings of one thing by signal. Immutable. */
public final class Readings {
  public static final Readings NONE = new Readings(Map.of());

  private final Map<String, Reading> bySignal;

  public Readings(Map<String, Reading> bySignal) {
    this.bySignal = Collections.unmodifiableMap(new LinkedHashMap<>(bySignal));
  }

  /** The reading of a signal, absent if there is none. */
  public Reading get(String signal) {
    Reading reading = bySignal.get(signal);
    return reading == null
        ? Reading.absent(signal, Layer.REQUEST, "It isn't measured here.")
        : reading;
  }

  /** The value in the window, NaN if it isn't known. */
  public double value(String signal) {
    return get(signal).value();
  }

  public Collection<Reading> all() {
    return bySignal.values();
  }

  public boolean isEmpty() {
    return bySignal.isEmpty();
  }
}
