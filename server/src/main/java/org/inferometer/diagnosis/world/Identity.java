package org.inferometer.diagnosis.world;

/**
 * Two quantities that must be equal, measured apart: what one lacks against the other says where
 * something is lost. Values are over the window, NaN if they aren't known.
 *
 * @param name such as {@code e2e}
 * @param layer where it holds: gateway, request or engine
 * @param says what must equal what: "total time = queue + prefill + decode + front end"
 * @param unit of both sides
 * @param whole what is measured as one
 * @param parts what its parts come to
 * @param residualBefore what was left over in the baseline
 */
public record Identity(
    String name,
    String layer,
    String says,
    String unit,
    double whole,
    double parts,
    double residualBefore) {

  /** What the parts don't explain; below 0 if they are more than the whole. */
  public double residual() {
    return whole - parts;
  }

  /** The share of the whole that its parts don't explain. */
  public double residualShare() {
    return whole > 0 ? residual() / whole : Double.NaN;
  }

  public boolean isKnown() {
    return !Double.isNaN(residual());
  }
}
