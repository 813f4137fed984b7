package org.inferometer.model;

/**
 * The NaN that says a series ended. It differs from other NaNs in its bits only, so no arithmetic
 * and no {@link Double#doubleToLongBits} may touch it.
 */
public final class StalenessMarker {
  /** Prometheus's bits for it. */
  public static final long BITS = 0x7ff0000000000002L;

  /** The NaN that every other NaN is stored as, so that no target can send a staleness marker. */
  public static final long NORMAL_NAN_BITS = 0x7ff8000000000001L;

  public static final double VALUE = Double.longBitsToDouble(BITS);

  public static final double NORMAL_NAN = Double.longBitsToDouble(NORMAL_NAN_BITS);

  private StalenessMarker() {}

  public static boolean is(double value) {
    return Double.doubleToRawLongBits(value) == BITS;
  }
}
