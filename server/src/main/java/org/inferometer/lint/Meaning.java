package org.inferometer.lint;

import org.inferometer.signals.Families.Match;
import org.jspecify.annotations.Nullable;

/**
 * What the value of an expression is.
 *
 * @param match the sample that it was made from, null if it is none that is known or several
 * @param scaled whether it was multiplied or divided by a number on the way
 * @param summed whether series were added up
 */
record Meaning(
    Form form, @Nullable Match match, Quantity quantity, boolean scaled, boolean summed) {
  static final Meaning UNKNOWN = new Meaning(Form.OTHER, null, Quantity.UNKNOWN, false, false);

  /** What was done to samples. */
  enum Form {
    NUMBER,
    /** A counter as it is. */
    COUNTER,
    GAUGE,
    RATE,
    INCREASE,
    QUANTILE,
    MEAN,
    /** A quotient of like things. */
    SHARE,
    OTHER
  }

  Meaning with(Form other, Quantity counted) {
    return new Meaning(other, match, counted, scaled, summed);
  }

  Meaning times(double k) {
    return new Meaning(form, match, quantity.times(k), true, summed);
  }

  Meaning sum() {
    return new Meaning(form, match, quantity, scaled, true);
  }

  Meaning withoutMatch() {
    return new Meaning(form, null, quantity, scaled, summed);
  }
}
