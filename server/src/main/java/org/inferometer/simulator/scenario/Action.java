package org.inferometer.simulator.scenario;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import org.inferometer.model.Version;
import org.inferometer.simulator.knob.Knob;
import org.jspecify.annotations.Nullable;

/** What can be done to a fleet. */
public sealed interface Action {
  /** Turns knobs, always in the same order: {@code Map.copyOf} has another one in each run. */
  record Turn(Map<Knob, Double> knobs) implements Action {
    public Turn {
      Map<Knob, Double> inOrder = new EnumMap<>(Knob.class);
      inOrder.putAll(knobs);
      knobs = Collections.unmodifiableMap(inOrder);
    }
  }

  /**
   * The process of a replica ends and starts again, with other flags or another release if given;
   * counters begin at 0 then, and its caches are empty.
   *
   * @param oneByOne whether the next one goes when the one before is ready
   */
  record Restart(Scenario.@Nullable Flags flags, @Nullable Version release, boolean oneByOne)
      implements Action {}

  /** The process of a replica dies: out of memory, a crash. It starts again if it is to. */
  record Crash(boolean startsAgain) implements Action {}

  /** A GPU reports an Xid. */
  record Xid(int code) implements Action {}

  /** The gateway sends requests by another rule. */
  record Route(Scenario.Routing routing) implements Action {}

  /** Replicas are added (of the first kind, if none is named) or taken away. */
  record Scale(int count) implements Action {}
}
