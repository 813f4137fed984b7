package org.inferometer.diagnosis.watch;

import java.util.List;
import org.inferometer.diagnosis.Diagnosis;

/**
 * How a service fares, by more than one look.
 *
 * @param service its id
 * @param sentence what is the matter
 * @param sinceMs since when it is in this state
 * @param findings that hold, the root cause first
 */
public record ServiceStatus(
    String service,
    Diagnosis.State state,
    String sentence,
    long sinceMs,
    List<HeldFinding> findings) {
  public ServiceStatus {
    findings = List.copyOf(findings);
  }
}
