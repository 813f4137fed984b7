package org.inferometer.query.differential;

import java.util.Map;
import java.util.SortedMap;
import org.inferometer.model.Labels;
import org.inferometer.promql.Expr;
import org.inferometer.promql.ParseException;
import org.inferometer.promql.Parser;
import org.inferometer.query.stepwise.Answer;
import org.inferometer.query.stepwise.EvaluationError;
import org.inferometer.query.stepwise.Noise;
import org.inferometer.query.stepwise.Settings;
import org.inferometer.query.stepwise.Stepwise;

/** Says what the right answer is, and whether there is only one. */
public final class Judge {
  private static final int DISTURBANCES = 4;

  private final Map<Labels, SortedMap<Long, Double>> data;

  public Judge(Map<Labels, SortedMap<Long, Double>> data) {
    this.data = data;
  }

  /**
   * What is right, as the second evaluator sees it.
   *
   * @param certain false where the last bits of intermediate results or the order of equal elements
   *     decide, so that another answer is as right
   */
  public record Verdict(Outcome outcome, boolean certain) {}

  public Verdict judge(Question question) {
    Verdict verdict = answer(question, Noise.none());
    for (int i = 0; i < DISTURBANCES && verdict.certain; i++) {
      Verdict disturbed = answer(question, Noise.seeded(i));
      String difference =
          Outcome.difference(verdict.outcome, disturbed.outcome, Outcome.TOLERANCE / 2);
      verdict = new Verdict(verdict.outcome, disturbed.certain && difference == null);
    }
    return verdict;
  }

  private Verdict answer(Question question, Noise noise) {
    try {
      Expr expr = Parser.parse(question.query());
      Settings settings = new Settings(300_000, 60_000, question.delayedNames());
      Stepwise stepwise = new Stepwise(data, settings, noise);
      Answer answer =
          question.isInstant()
              ? stepwise.instant(expr, question.startMs())
              : stepwise.range(expr, question.startMs(), question.endMs(), question.stepMs());
      return new Verdict(new Outcome.Answered(answer.points()), !answer.byChance());
    } catch (EvaluationError | ParseException e) {
      return new Verdict(new Outcome.Failed(String.valueOf(e.getMessage())), true);
    }
  }
}
