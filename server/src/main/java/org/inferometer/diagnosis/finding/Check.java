package org.inferometer.diagnosis.finding;

import java.util.List;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.ServiceWorld;

/**
 * Looks for one cause: a pure function of what was measured. It reads no other check's verdict, and
 * what it can't tell it says.
 */
public interface Check {
  /** The id of the cause that it looks for. */
  String cause();

  /**
   * What it comes to: one outcome, or one for each part of the service that has it.
   *
   * @return never empty
   */
  List<Outcome> examine(ServiceWorld service, Thresholds thresholds);
}
