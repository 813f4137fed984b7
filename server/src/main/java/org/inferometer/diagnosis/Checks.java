package org.inferometer.diagnosis;

import java.util.List;
import org.inferometer.diagnosis.cause.KvExhaustion;
import org.inferometer.diagnosis.finding.Check;

/** All checks, in the order of the documentation. */
final class Checks {
  static final List<Check> ALL = List.of(new KvExhaustion());

  private Checks() {}
}
