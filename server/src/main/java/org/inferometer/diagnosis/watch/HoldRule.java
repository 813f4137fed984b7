package org.inferometer.diagnosis.watch;

/**
 * When a finding that comes and goes from look to look is told: after it was seen often enough, or
 * once if it is sure; and how long it is told on when it isn't seen any more.
 *
 * @param looks how many of the latest looks count, at most 31
 * @param seenMin in how many of them a finding must be seen
 * @param absentMax after how many looks in a row without it a finding is over
 * @param sureConfidence from which confidence on one look is enough
 */
public record HoldRule(int looks, int seenMin, int absentMax, double sureConfidence) {
  /**
   * Two of three looks: one that was wrong says nothing, and the second one comes soon. Three
   * without it: a finding at the edge of a threshold isn't told to come and go.
   */
  public static final HoldRule DEFAULT = new HoldRule(3, 2, 3, 0.9);

  public HoldRule {
    if (looks < 1 || looks > 31 || seenMin < 1 || seenMin > looks || absentMax < 1) {
      throw new IllegalArgumentException(
          "expected 1 to 31 looks, some of them to see it in, and some to miss it in");
    }
  }
}
