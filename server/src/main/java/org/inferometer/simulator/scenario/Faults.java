package org.inferometer.simulator.scenario;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.inferometer.io.Bundled;
import org.inferometer.simulator.scenario.Fault.Need;
import org.inferometer.simulator.scenario.Fault.Reach;
import org.inferometer.simulator.scenario.Scenario.Happening;
import org.inferometer.yaml.Problems;
import org.inferometer.yaml.YamlException;
import org.inferometer.yaml.YamlNode;
import org.jspecify.annotations.Nullable;

/** The faults that can be put into a running simulation by name. Thread-safe. */
public final class Faults {
  private static final String FILE = "faults.yaml";
  private static final long LASTS = 5 * Bounds.MINUTE;

  private final Map<String, Fault> faults;

  private Faults(Map<String, Fault> faults) {
    this.faults = faults;
  }

  /** Those that come with the program. */
  public static Faults builtIn() {
    return load(FILE, Bundled.text("simulator/" + FILE));
  }

  /**
   * Reads a file.
   *
   * @throws YamlException if anything is wrong, with all that is
   */
  static Faults load(String file, String text) {
    Problems problems = new Problems();
    Inputs root = new Inputs(ScenarioFile.parse(file, text), "the file", problems);
    Map<String, Fault> faults = new LinkedHashMap<>();
    for (YamlNode node : root.list("faults", Bounds.EVENTS_MAX)) {
      Fault fault = fault(node, problems);
      if (faults.putIfAbsent(fault.id(), fault) != null) {
        problems.add(node.place(), "\"" + fault.id() + "\" names two faults");
      }
    }
    root.end();
    problems.throwIfAny();
    return new Faults(faults);
  }

  private static Fault fault(YamlNode node, Problems problems) {
    Inputs inputs = new Inputs(node, "a fault", problems);
    long lastsNs = inputs.nanos("lasts", LASTS, 0, Bounds.DAY);
    Fault fault =
        new Fault(
            inputs.name("id"),
            inputs.text("title"),
            inputs.of("cause", Causes.ALL, Causes.HEALTHY),
            inputs.of("layer", Causes.LAYERS, "none"),
            inputs.text("says"),
            inputs.choice("reach", Reach.class, Reach.FLEET),
            needs(inputs),
            lastsNs,
            events(inputs, lastsNs, problems));
    inputs.end();
    return fault;
  }

  private static List<Need> needs(Inputs inputs) {
    List<String> known =
        Stream.of(Need.values()).map(need -> need.name().toLowerCase(Locale.ROOT)).toList();
    return inputs.manyOf("needs", known).stream()
        .filter(known::contains)
        .map(need -> Need.valueOf(need.toUpperCase(Locale.ROOT)))
        .toList();
  }

  private static List<Happening> events(Inputs inputs, long lastsNs, Problems problems) {
    EventReader reader = new EventReader(problems, null, List.of());
    List<Happening> events = new ArrayList<>();
    for (YamlNode node : inputs.list("events", Bounds.PARTS_MAX)) {
      Happening event = reader.read(node, Bounds.DAY);
      events.add(withEnd(event, lastsNs));
    }
    if (events.isEmpty()) {
      inputs.problem("events", "expected \"events\", what is done");
    }
    return events;
  }

  /** What says no end of its own ends with the fault. */
  private static Happening withEnd(Happening event, long lastsNs) {
    boolean isPassing =
        event.action() instanceof Action.Turn || event.action() instanceof Action.Route;
    return event.forNs() == 0 && isPassing && lastsNs > event.atNs()
        ? new Happening(event.atNs(), lastsNs - event.atNs(), event.on(), event.action())
        : event;
  }

  /** All, in the order of the file. */
  public List<Fault> all() {
    return List.copyOf(faults.values());
  }

  public @Nullable Fault find(String id) {
    return faults.get(id);
  }

  /** Those that would do something to a scenario. */
  public List<Fault> of(Scenario scenario) {
    return faults.values().stream().filter(fault -> fault.fits(scenario)).toList();
  }
}
