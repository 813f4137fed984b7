package org.inferometer.diagnosis.watch;

import java.util.List;
import org.inferometer.diagnosis.world.ChangePoint;
import org.inferometer.diagnosis.world.Happening;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of time in which something was the matter with a service.
 *
 * @param endMs when all was over, or null if something holds
 * @param deviations the first signal of each layer that moved, in order of time
 * @param happenings restarts and changes around it, oldest first
 * @param findings in order of their beginnings
 */
public record Incident(
    String service,
    long startMs,
    @Nullable Long endMs,
    List<ChangePoint> deviations,
    List<Happening> happenings,
    List<HeldFinding> findings) {
  public Incident {
    deviations = List.copyOf(deviations);
    happenings = List.copyOf(happenings);
    findings = List.copyOf(findings);
  }

  public boolean overlaps(long fromMs, long toMs) {
    return startMs <= toMs && (endMs == null || endMs >= fromMs);
  }
}
