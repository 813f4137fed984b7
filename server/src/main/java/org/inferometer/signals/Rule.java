package org.inferometer.signals;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * When a signal's value makes a service's state worse.
 *
 * @param above the value from which on, itself excluded, it holds, or null
 * @param anyOf values for which it holds, or none
 * @param perReplica whether it is about one engine, so that the sum over replicas says nothing
 * @param say what to say, with {@code {value}} and {@code {which}}
 * @param source where the number comes from
 */
record Rule(
    ServiceKind kind,
    Signal signal,
    @Nullable Double above,
    List<Double> anyOf,
    State state,
    boolean perReplica,
    String say,
    String source) {
  Rule {
    anyOf = List.copyOf(anyOf);
  }

  boolean holds(double value) {
    return (above != null && value > above) || anyOf.contains(value);
  }
}
