package org.inferometer.diagnosis;

import java.util.List;

/**
 * What is the matter with all that is watched.
 *
 * @param whole all services as one: the worst state, everybody's verdicts
 * @param services one diagnosis each, worst first
 */
public record Report(Diagnosis whole, List<Diagnosis> services) {
  public Report {
    services = List.copyOf(services);
  }
}
