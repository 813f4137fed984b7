package org.inferometer.simulator.scenario;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.inferometer.simulator.scenario.Scenario.Fleet;
import org.inferometer.simulator.scenario.Scenario.Happening;
import org.inferometer.simulator.scenario.Scenario.Truth;
import org.inferometer.simulator.scenario.Scenario.Workload;
import org.inferometer.yaml.Place;
import org.inferometer.yaml.Problems;
import org.inferometer.yaml.YamlException;
import org.inferometer.yaml.YamlNode;
import org.jspecify.annotations.Nullable;

/** Reads a scenario file. All that is wrong is told at once, by file, line and column. */
final class ScenarioFile {
  private static final long DURATION = 30 * Bounds.MINUTE;

  private final Problems problems = new Problems();

  private ScenarioFile() {}

  /**
   * Reads a scenario.
   *
   * @param name of the scenario
   * @param file for messages
   * @throws YamlException if anything is wrong, with all that is
   */
  static Scenario read(String name, String file, String text, Extends.Source source) {
    YamlNode node = new Extends(source).resolve(parse(file, text));
    ScenarioFile reader = new ScenarioFile();
    Scenario scenario = reader.scenario(name, node);
    reader.problems.throwIfAny();
    return scenario;
  }

  /**
   * Reads one event for a scenario that runs: its time counts from now.
   *
   * @throws YamlException if anything is wrong, with all that is
   */
  static Happening readHappening(String file, String text, Scenario scenario) {
    Problems problems = new Problems();
    Happening happening =
        new EventReader(problems, scenario.fleet(), scenario.workloads())
            .read(parse(file, text), Bounds.DURATION_MAX);
    problems.throwIfAny();
    return happening;
  }

  static YamlNode parse(String file, String text) {
    if (text.length() > Bounds.FILE_MAX) {
      throw YamlException.of(
          new Place(file, 1, 1), "expected at most " + Bounds.FILE_MAX + " characters");
    }
    return YamlNode.parse(file, text);
  }

  private Scenario scenario(String name, YamlNode node) {
    Inputs inputs = new Inputs(node, "a scenario", problems);
    inputs.optionalText(Extends.KEY);
    String title = inputs.text("title");
    long durationNs = inputs.nanos("duration", DURATION, Bounds.DURATION_MIN, Bounds.DURATION_MAX);
    Fleet fleet = new FleetReader(problems).read(inputs.required("fleet"));
    List<Workload> workloads = workloads(inputs);
    List<Happening> events = events(inputs, fleet, workloads, durationNs);
    Truth truth = truth(inputs.required("truth"), fleet, workloads, durationNs);
    inputs.end();
    return new Scenario(name, title, durationNs, fleet, workloads, events, truth);
  }

  private List<Workload> workloads(Inputs inputs) {
    List<Workload> workloads = new ArrayList<>();
    Set<String> names = new HashSet<>();
    WorkloadReader reader = new WorkloadReader(problems);
    for (YamlNode node : inputs.list("workloads", Bounds.PARTS_MAX)) {
      Workload workload = reader.read(node);
      if (!names.add(workload.name())) {
        problems.add(node.place(), "\"" + workload.name() + "\" names two workloads");
      }
      workloads.add(workload);
    }
    return workloads;
  }

  private List<Happening> events(
      Inputs inputs, Fleet fleet, List<Workload> workloads, long durationNs) {
    EventReader reader = new EventReader(problems, fleet, workloads);
    List<Happening> events = new ArrayList<>();
    for (YamlNode node : inputs.list("events", Bounds.EVENTS_MAX)) {
      events.add(reader.read(node, durationNs));
    }
    return events;
  }

  private Truth truth(YamlNode node, Fleet fleet, List<Workload> workloads, long durationNs) {
    Inputs inputs = new Inputs(node, "the truth", problems);
    Truth truth =
        new Truth(
            inputs.of("cause", Causes.ALL, Causes.HEALTHY),
            inputs.of("layer", Causes.LAYERS, "none"),
            inputs.nanos("start", 0, 0, durationNs),
            scope(inputs, fleet, workloads),
            inputs.manyOf("follows", Causes.ALL),
            inputs.optionalOf("looks_like", Causes.ALL),
            inputs.optionalName("twin_of"),
            inputs.text("says"));
    if (Causes.isFine(truth.cause()) != truth.layer().equals("none")) {
      inputs.problem("layer", "expected the layer \"none\" for what is fine, and only for that");
    }
    inputs.end();
    return truth;
  }

  private static @Nullable String scope(Inputs inputs, Fleet fleet, List<Workload> workloads) {
    String scope = inputs.optionalText("scope");
    Set<String> names = Names.scopes(fleet, workloads);
    if (scope != null && !names.contains(scope) && !Names.isGpu(scope, fleet)) {
      inputs.problem("scope", Inputs.notOneOf(scope, names) + ", and no GPU such as REPLICA/gpu0");
    }
    return scope;
  }
}
