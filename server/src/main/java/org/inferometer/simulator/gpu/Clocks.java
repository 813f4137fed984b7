package org.inferometer.simulator.gpu;

/**
 * What holds a GPU's SM clock down: a setting, the power limit, heat, the power brake. It is looked
 * at every tenth of a second, as a driver's control loop does, so that a step finds the clocks that
 * the steps before it made. The memory clock follows its setting alone. Not thread-safe.
 */
final class Clocks {
  /** Bits of the mask of clock event reasons (nvml.h, nvmlClocksEventReasons). */
  static final int IDLE = 0x1;

  static final int SETTING = 0x2;
  static final int POWER_CAP = 0x4;
  static final int HW_SLOWDOWN = 0x8;
  static final int SW_THERMAL = 0x20;
  static final int HW_THERMAL = 0x40;
  static final int POWER_BRAKE = 0x80;

  /** Degrees at which software begins to lower the clock: A100's highest for operation. */
  static final double OPERATING_MAX = 85;

  /** Degrees at which hardware cuts it: A100's slowdown temperature; others' are near. */
  static final double SLOWDOWN = 89;

  /** Hardware cuts clocks to a half (nvml.h: "by a factor of 2 or more"). */
  private static final double HARDWARE_CUT = 0.5;

  /** How far one look lowers the clock for each degree above, and raises it again: assumptions. */
  private static final double THERMAL_STEP = 0.003;

  private static final double RECOVERY_STEP = 0.002;

  /** No lower than this by software. */
  private static final double FLOOR = 0.2;

  double setting = 1;
  boolean brake;
  private double power = 1;
  private double heat = 1;
  private boolean tooHot;
  private double factor = 1;

  /** The SM clock through its highest. */
  double factor() {
    return factor;
  }

  /**
   * One look of the control loop.
   *
   * @param core watts that the SMs would draw at the highest clock with what they do
   * @param rest watts that don't depend on the clock
   * @param limit watts
   * @param temperature degrees Celsius
   */
  void look(double core, double rest, double limit, double temperature) {
    double wanted = core <= 0 ? 1 : powerFactor((limit - rest) / core);
    // Half of the way with each look: loops of drivers are damped as well.
    power = wanted >= 1 && power > 0.999 ? 1 : (power + wanted) / 2;
    if (temperature > OPERATING_MAX) {
      heat = Math.max(FLOOR, heat - THERMAL_STEP * (temperature - OPERATING_MAX));
    } else {
      heat = Math.min(1, heat + RECOVERY_STEP);
    }
    tooHot = temperature >= SLOWDOWN || (tooHot && temperature > OPERATING_MAX);
    update();
  }

  /** Power goes with the clock and the square of a voltage that goes with the clock: its cube. */
  private static double powerFactor(double ratio) {
    return ratio >= 1 ? 1 : Math.max(FLOOR, StrictMath.cbrt(Math.max(0, ratio)));
  }

  void update() {
    factor = Math.min(power, withoutCap());
  }

  private double withoutCap() {
    double software = Math.min(setting, heat);
    return tooHot || brake ? Math.min(software, HARDWARE_CUT) : software;
  }

  /** Whether it is the power limit that decides. */
  boolean isPowerCapped() {
    return power < 0.999 && power < withoutCap();
  }

  boolean isHot() {
    return heat < 1 || tooHot;
  }

  /** The mask of reasons, without {@link #IDLE}. */
  int reasons() {
    int mask = 0;
    if (setting < 1) {
      mask |= SETTING;
    }
    if (isPowerCapped()) {
      mask |= POWER_CAP;
    }
    if (heat < 1) {
      mask |= SW_THERMAL;
    }
    if (tooHot) {
      mask |= HW_SLOWDOWN | HW_THERMAL;
    }
    if (brake) {
      mask |= HW_SLOWDOWN | POWER_BRAKE;
    }
    return mask;
  }
}
