package org.inferometer.diagnosis.cause;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.Reading;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.jspecify.annotations.Nullable;

/**
 * A stretch until now over which something grew in a straight line.
 *
 * @param startMs when it began
 * @param seconds how long it has lasted
 * @param bytes by how much it grew
 * @param straightness the share of the variance that a straight line explains
 */
record HardwareGrowth(long startMs, double seconds, double bytes, double straightness) {
  private static final int POINTS_MIN = 6;

  double bytesPerSecond() {
    return bytes / seconds;
  }

  /** The longest such stretch that is long enough and grew by enough; null if there is none. */
  static @Nullable HardwareGrowth of(ServiceWorld service, Reading reading, Thresholds thresholds) {
    List<double[]> points = points(service, reading);
    HardwareGrowth longest = null;
    for (int from = points.size() - POINTS_MIN; from >= 0; from--) {
      HardwareGrowth growth = over(points.subList(from, points.size()));
      if (isLeak(growth, points.get(from)[1], thresholds)) {
        longest = growth;
      }
    }
    return longest;
  }

  private static boolean isLeak(HardwareGrowth growth, double level, Thresholds thresholds) {
    boolean isDoubled = growth.bytes >= level * thresholds.get("leak_doubled");
    return growth.seconds >= thresholds.get(isDoubled ? "leak_seconds_doubled" : "leak_seconds")
        && growth.straightness >= thresholds.get("leak_straight")
        && growth.bytes >= level * thresholds.get("leak_share");
  }

  /** Seconds since the first, and values. */
  private static List<double[]> points(ServiceWorld service, Reading reading) {
    List<double[]> points = new ArrayList<>();
    for (int i = 0; i < reading.values().length; i++) {
      boolean isPast = reading.timesMs()[i] <= service.window().endMs();
      if (isPast && !Double.isNaN(reading.values()[i])) {
        points.add(new double[] {reading.timesMs()[i] / 1000.0, reading.values()[i]});
      }
    }
    return points;
  }

  private static HardwareGrowth over(List<double[]> points) {
    double meanX = points.stream().mapToDouble(p -> p[0]).average().orElse(0);
    double meanY = points.stream().mapToDouble(p -> p[1]).average().orElse(0);
    double xx = 0;
    double xy = 0;
    double yy = 0;
    for (double[] point : points) {
      xx += (point[0] - meanX) * (point[0] - meanX);
      xy += (point[0] - meanX) * (point[1] - meanY);
      yy += (point[1] - meanY) * (point[1] - meanY);
    }
    double seconds = points.getLast()[0] - points.getFirst()[0];
    double straight = xx > 0 && yy > 0 ? xy * xy / (xx * yy) : 0;
    return new HardwareGrowth(
        Math.round(points.getFirst()[0] * 1000), seconds, xy / xx * seconds, straight);
  }
}
