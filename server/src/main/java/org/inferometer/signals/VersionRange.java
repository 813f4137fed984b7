package org.inferometer.signals;

import org.inferometer.model.Version;
import org.jspecify.annotations.Nullable;

/**
 * Which releases of an engine a target may be.
 *
 * @param text for people: {@code 0.8 to 0.9}, {@code 0.20 or newer}
 * @param low the oldest release possible, null if unknown
 * @param high the newest release possible, null if unknown
 * @param exact whether the target itself names its version
 * @param because what the range follows from
 */
public record VersionRange(
    String text, @Nullable String low, @Nullable String high, boolean exact, String because) {
  /**
   * Whether every release that it may be comes before another one; false where that isn't known.
   *
   * @param release such as {@code 0.31}
   */
  public boolean isBefore(String release) {
    return high != null
        && Version.isVersion(high)
        && Version.isVersion(release)
        && Version.parse(release).isAfter(Version.parse(high));
  }

  /**
   * Whether every release that it may be has what came with another one; false where that isn't
   * known.
   *
   * @param release such as {@code 0.31}
   */
  public boolean isAtLeast(String release) {
    return low != null
        && Version.isVersion(low)
        && Version.isVersion(release)
        && Version.parse(low).compareTo(Version.parse(release)) >= 0;
  }

  static VersionRange exact(String version, String because) {
    return new VersionRange(version, version, version, true, because);
  }

  static VersionRange between(@Nullable Version low, @Nullable Version high, String because) {
    String from = low == null ? null : low.toString();
    String to = high == null ? null : high.toString();
    return new VersionRange(text(from, to), from, to, false, because);
  }

  private static String text(@Nullable String low, @Nullable String high) {
    if (low == null) {
      return high == null ? "unknown" : high + " or older";
    }
    if (high == null) {
      return low + " or newer";
    }
    return low.equals(high) ? low : low + " to " + high;
  }
}
