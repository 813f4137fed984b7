package org.inferometer.signals;

import java.util.List;
import java.util.Map;

/**
 * The numbers by which services are judged.
 *
 * @param idleWindowMs how long nothing must have been asked of an engine to call it idle
 * @param goalDegradedFactor times a goal from which on a service is degraded
 * @param goalCriticalFactor times a goal from which on it is critical
 * @param summaries the signals that a sentence without trouble tells
 */
record Judgement(
    long idleWindowMs,
    double goalDegradedFactor,
    double goalCriticalFactor,
    List<Rule> rules,
    Map<ServiceKind, List<Signal>> summaries) {
  Judgement {
    rules = List.copyOf(rules);
    summaries = Map.copyOf(summaries);
  }

  List<Rule> rulesOf(ServiceKind kind) {
    return rules.stream().filter(rule -> rule.kind() == kind).toList();
  }
}
