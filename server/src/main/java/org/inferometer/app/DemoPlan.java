package org.inferometer.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.simulator.scenario.Causes;
import org.inferometer.simulator.scenario.Fault;
import org.inferometer.simulator.scenario.Faults;
import org.inferometer.simulator.scenario.Scenario;
import org.inferometer.simulator.scenario.Scenarios;
import org.inferometer.yaml.YamlException;
import org.jspecify.annotations.Nullable;

/**
 * What a demonstration shows.
 *
 * @param faults that would do something to the fleet
 * @param atOnce the fault that is put in when it is live; null for none
 * @param historyMs how long its past is
 */
record DemoPlan(Scenario scenario, List<Fault> faults, @Nullable Fault atOnce, long historyMs) {
  /** The scenario of the demo's own fleet. */
  static final String OWN = "demo";

  private static final long NANOS_PER_MS = 1_000_000;
  private static final long HISTORY_MS = 30 * 60_000;
  private static final long HISTORY_MS_MIN = 10_000;

  /** At the speed of the simulation more than this would be a long wait. */
  private static final long HISTORY_MS_MAX = 24 * 3_600_000;

  /** How long ago a scenario's trouble began when it is first seen. */
  private static final long TROUBLE_MS = 5 * 60_000;

  /**
   * @throws CommandException if there is no such scenario or fault
   */
  static DemoPlan of(DemoArguments arguments) {
    String name = arguments.scenario() == null ? OWN : arguments.scenario();
    Faults faults = Faults.builtIn();
    String fault = arguments.fault();
    if (fault == null && faults.find(name) != null && !Scenarios.builtIn().has(name)) {
      fault = name;
      name = OWN;
    }
    Scenario scenario = scenario(name);
    List<Fault> fitting = faults.of(scenario);
    return new DemoPlan(
        scenario,
        fitting,
        fault == null ? null : fault(fault, fitting),
        historyMs(arguments.history(), scenario));
  }

  private static Scenario scenario(String name) {
    try {
      Scenarios scenarios = Scenarios.builtIn();
      return scenarios.has(name) ? scenarios.get(name) : ofFile(scenarios, name);
    } catch (YamlException e) {
      throw CommandException.badInput(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw CommandException.badInput(name + ": can't be read: " + e.getMessage());
    }
  }

  private static Scenario ofFile(Scenarios scenarios, String name) throws IOException {
    Path file = Path.of(name);
    if (!Files.isRegularFile(file)) {
      throw CommandException.badInput(
          "--scenario: there is no scenario, no fault and no file \""
              + name
              + "\"; inferometer simulate --list shows the scenarios");
    }
    return scenarios.read(file);
  }

  private static Fault fault(String id, List<Fault> fitting) {
    for (Fault fault : fitting) {
      if (fault.id().equals(id)) {
        return fault;
      }
    }
    throw CommandException.badInput(
        "--fault: expected one of "
            + String.join(", ", fitting.stream().map(Fault::id).toList())
            + ", which this fleet can have; got \""
            + id
            + "\"");
  }

  /** A scenario with trouble shows its beginning; where all is well there is none. */
  private static long historyMs(@Nullable String text, Scenario scenario) {
    if (text == null) {
      Scenario.Truth truth = scenario.truth();
      return Causes.isFine(truth.cause())
          ? HISTORY_MS
          : truth.startNs() / NANOS_PER_MS + TROUBLE_MS;
    }
    long ms = Times.durationMs("--history", text);
    if (ms < HISTORY_MS_MIN || ms > HISTORY_MS_MAX) {
      throw CommandException.badInput("--history: expected 10s to 1d, got \"" + text + "\"");
    }
    return ms;
  }
}
