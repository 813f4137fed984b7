package org.inferometer.histogram;

/**
 * Tells whether a counter histogram was reset between two samples: it was if anything counts less
 * than before, or if the layout became finer, which a counter that goes on can't.
 */
final class ResetDetection {
  private ResetDetection() {}

  static boolean isReset(NativeHistogram previous, NativeHistogram current) {
    return switch (current.resetHint()) {
      case RESET -> true;
      case NOT_RESET -> false;
      case UNKNOWN, GAUGE -> current.count() < previous.count() || wentDown(previous, current);
    };
  }

  private static boolean wentDown(NativeHistogram previous, NativeHistogram current) {
    if (current.hasCustomBounds() != previous.hasCustomBounds()) {
      return true;
    }
    if (current.hasCustomBounds()) {
      CommonLayout layout = CommonLayout.of(previous, current);
      return layout.left().positive().anyLessIn(layout.right().positive());
    }
    if (current.schema() > previous.schema()
        || current.zeroThreshold() < previous.zeroThreshold()) {
      return true;
    }
    ZeroBucket zero = ZeroBucket.widened(previous, current.zeroThreshold());
    if (zero.threshold() != current.zeroThreshold() || current.zeroCount() < zero.count()) {
      return true;
    }
    NativeHistogram before = zero.in(previous).toSchema(current.schema());
    return before.positive().anyLessIn(current.positive())
        || before.negative().anyLessIn(current.negative());
  }
}
