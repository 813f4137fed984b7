package org.inferometer.simulator.knob;

import java.util.EnumMap;

/** How the knobs of one part stand. Not thread-safe. */
public final class Knobs {
  private final Part part;
  private final EnumMap<Knob, Double> values = new EnumMap<>(Knob.class);
  private Runnable onTurn = () -> {};

  public Knobs(Part part) {
    this.part = part;
    for (Knob knob : Knob.values()) {
      if (knob.part() == part) {
        values.put(knob, knob.byDefault());
      }
    }
  }

  public Part part() {
    return part;
  }

  public double get(Knob knob) {
    Double value = values.get(knob);
    if (value == null) {
      throw new IllegalArgumentException(knob.id() + " isn't a knob of this part");
    }
    return value;
  }

  public boolean isOn(Knob knob) {
    return get(knob) > 0.5;
  }

  /** Nanoseconds of a knob that is in seconds. */
  public long nanos(Knob knob) {
    return Math.round(get(knob) * 1e9);
  }

  /**
   * @throws IllegalArgumentException if the part hasn't this knob, or it doesn't turn so far
   */
  public void set(Knob knob, double value) {
    if (knob.part() != part) {
      throw new IllegalArgumentException(knob.id() + " isn't a knob of this part");
    }
    if (!(value >= knob.min() && value <= knob.max())) {
      throw new IllegalArgumentException(
          "expected from "
              + knob.min()
              + " to "
              + knob.max()
              + " for "
              + knob.id()
              + ", not "
              + value);
    }
    values.put(knob, value);
    onTurn.run();
  }

  /** What is to be done whenever one is turned, after what was asked for before. */
  public void onTurn(Runnable action) {
    Runnable before = onTurn;
    onTurn =
        () -> {
          before.run();
          action.run();
        };
  }
}
