package org.inferometer.simulator.page;

import java.util.List;
import org.inferometer.simulator.measure.Quantity;
import org.jspecify.annotations.Nullable;

/** Where the number of a sample comes from. */
sealed interface Value {
  /** Always the same. */
  record Fixed(double number) implements Value {}

  /** A fact of the subject that is a number. */
  record Fact(String name) implements Value {}

  /** Unix time in seconds at which the subject's counting began. */
  record Start() implements Value {}

  /** Unix time in seconds of the page; for what is remembered, of its last change. */
  record Now() implements Value {}

  /** What a quantity says. */
  record Measured(Quantity quantity) implements Value {}

  /**
   * A sum of terms, less others, through the sum of others; 0 if that is 0.
   *
   * @param rise whether terms are what they rose by since the page before, if that is a second ago
   *     at least
   * @param perSecond whether the rise is divided by the seconds that it took
   * @param keeps whether a number stays while nothing rises
   */
  record Formula(
      List<Term> sum,
      List<Term> less,
      List<Term> over,
      boolean rise,
      boolean perSecond,
      boolean keeps)
      implements Value {
    public Formula {
      sum = List.copyOf(sum);
      less = List.copyOf(less);
      over = List.copyOf(over);
    }
  }

  /** A part of what was measured. */
  enum Part {
    /** Of a counter or gauge: its value; of a labelled one without a label: the sum. */
    ALL,
    /** Of a distribution. */
    COUNT,
    SUM
  }

  /**
   * A term of a formula: {@code finished[stop]}, {@code ttft.count}, {@code running}.
   *
   * @param label the one value of a labelled quantity that counts; null for all
   */
  record Term(Quantity quantity, Part part, @Nullable String label) {}
}
