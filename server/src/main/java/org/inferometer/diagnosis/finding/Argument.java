package org.inferometer.diagnosis.finding;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.jspecify.annotations.Nullable;

/**
 * Weighs what speaks for and against a cause. Every piece of evidence has a strength, which is a
 * log-odds: they are added to those with which the cause begins, and the sum is the confidence's.
 * What must hold and doesn't rules the cause out, what must be known and isn't leaves it open. Not
 * thread-safe; made for one outcome.
 */
public final class Argument {
  /**
   * Before anything is known a cause is unlikely: about 1 to 4, since of thirty causes most can be
   * told apart by one thing each.
   */
  private static final double PRIOR = -1.4;

  /** How much a piece of evidence weighs, in log-odds. */
  public enum Strength {
    /** Nearly proves it: what is seen follows from this cause and from few others. */
    DECISIVE(3),
    STRONG(1.7),
    MODERATE(0.9),
    WEAK(0.4);

    private final double logOdds;

    Strength(double logOdds) {
      this.logOdds = logOdds;
    }
  }

  private final String cause;
  private final List<Evidence> evidence = new ArrayList<>();
  private final List<Evidence> against = new ArrayList<>();
  private final List<String> missing = new ArrayList<>();
  private double logOdds = PRIOR;
  private @Nullable Evidence broken;

  public Argument(String cause) {
    this.cause = cause;
  }

  /** What must hold; without it the cause is ruled out. It is evidence for it if it holds. */
  public Argument needs(boolean holds, Strength strength, Evidence fact) {
    if (!holds) {
      broken = broken == null ? fact : broken;
      return this;
    }
    return supports(strength, fact);
  }

  /** A signal that must be known for an answer. */
  public Argument needsKnown(boolean isKnown, String signal) {
    if (!isKnown) {
      missing.add(signal);
    }
    return this;
  }

  public Argument supports(Strength strength, Evidence fact) {
    evidence.add(fact);
    logOdds += strength.logOdds;
    return this;
  }

  public Argument opposes(Strength strength, Evidence fact) {
    against.add(fact);
    logOdds -= strength.logOdds;
    return this;
  }

  /** For it if it holds, against it if not. */
  public Argument weighs(boolean holds, Strength forIt, Strength againstIt, Evidence fact) {
    return holds ? supports(forIt, fact) : opposes(againstIt, fact);
  }

  /** Whether something that must hold doesn't, or something that must be known isn't. */
  public boolean isOver() {
    return broken != null || !missing.isEmpty();
  }

  public double confidence() {
    return 1 / (1 + Math.exp(-logOdds));
  }

  /**
   * What it comes to.
   *
   * @param says what is the matter, a sentence
   */
  public Outcome conclude(
      ServiceWorld service,
      @Nullable String instance,
      @Nullable String gpu,
      Effect effect,
      String says,
      @Nullable Long onsetMs) {
    if (isOver() || evidence.isEmpty()) {
      return over();
    }
    Scope scope = new Scope(service.service().id(), service.service().model(), instance, gpu);
    return new Outcome.Found(
        new Finding(cause, confidence(), scope, effect, says, evidence, against, onsetMs));
  }

  /**
   * What it comes to if it ended early. What isn't known breaks nothing: with something missing,
   * only a fact that was measured rules a cause out.
   */
  public Outcome over() {
    if (broken != null && (missing.isEmpty() || !Double.isNaN(broken.value()))) {
      return new Outcome.RuledOut(cause, broken.says(), List.of(broken));
    }
    if (!missing.isEmpty()) {
      return new Outcome.Unknown(
          cause, "It can't be told without " + String.join(", ", missing) + ".", missing);
    }
    return new Outcome.RuledOut(cause, "Nothing speaks for it.", List.of());
  }
}
