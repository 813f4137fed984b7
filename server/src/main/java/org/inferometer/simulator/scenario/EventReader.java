package org.inferometer.simulator.scenario;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.inferometer.model.Version;
import org.inferometer.simulator.knob.Knob;
import org.inferometer.simulator.knob.Part;
import org.inferometer.simulator.scenario.Scenario.Fleet;
import org.inferometer.simulator.scenario.Scenario.Happening;
import org.inferometer.simulator.scenario.Scenario.Replicas;
import org.inferometer.simulator.scenario.Scenario.Routing;
import org.inferometer.simulator.scenario.Scenario.Target;
import org.inferometer.simulator.scenario.Scenario.Workload;
import org.inferometer.yaml.Problems;
import org.inferometer.yaml.YamlNode;
import org.jspecify.annotations.Nullable;

/**
 * Reads what is done to a fleet: {@code {at: 8m, for: 10m, on: {replica: qwen-0}, set: {gpu.clock:
 * 0.6}}} or {@code {at: 8m, do: restart}}.
 */
final class EventReader {
  private static final List<String> ACTIONS = List.of("restart", "crash", "xid", "route", "scale");

  /** Those of which the end can be told with {@code for}. */
  private static final List<String> PASSING = List.of("route", "scale");

  /** Jobs that are scraped. */
  static final List<String> ENDPOINTS = List.of("engine", "gpu", "host", "gateway", "client");

  /** Xids have three digits. */
  private static final int XID_MAX = 999;

  private final Problems problems;

  /** What names are checked against; null for presets, which fit any fleet. */
  private final @Nullable Fleet fleet;

  private final List<Workload> workloads;

  EventReader(Problems problems, @Nullable Fleet fleet, List<Workload> workloads) {
    this.problems = problems;
    this.fleet = fleet;
    this.workloads = workloads;
  }

  Happening read(YamlNode node, long durationNs) {
    Inputs inputs = new Inputs(node, "an event", problems);
    long atNs = inputs.nanos("at", 0, 0, durationNs);
    Target target = target(inputs.optional("on"));
    Action action = action(inputs, target);
    long forNs = inputs.nanos("for", 0, 0, Bounds.DURATION_MAX);
    String what = inputs.optionalText("do");
    if (forNs > 0 && what != null && !PASSING.contains(what)) {
      inputs.problem("for", "a " + what + " can't be undone, so \"for\" says nothing");
    }
    inputs.end();
    return new Happening(atNs, forNs, target, action);
  }

  private Action action(Inputs inputs, Target target) {
    YamlNode set = inputs.optional("set");
    if (set != null) {
      if (inputs.has("do")) {
        inputs.problem("do", "expected either \"set\" or \"do\"");
      }
      return turn(set, target);
    }
    if (!inputs.has("do")) {
      inputs.problem("set", "expected \"set\" with knobs or \"do\" with an action");
      return new Action.Turn(Map.of());
    }
    return doing(inputs, target);
  }

  private Action doing(Inputs inputs, Target target) {
    Action action =
        switch (inputs.of("do", ACTIONS, "")) {
          case "restart" -> restart(inputs);
          case "crash" -> new Action.Crash(inputs.flag("starts_again", true));
          case "xid" -> new Action.Xid(inputs.count("code", 1, XID_MAX));
          case "route" -> route(inputs);
          case "scale" -> scale(inputs, target);
          default -> new Action.Turn(Map.of());
        };
    checkKeys(inputs, target, keys(action), "this action");
    return action;
  }

  private Action scale(Inputs inputs, Target target) {
    int count = inputs.count("count", 0, Bounds.REPLICAS_MAX);
    if (fleet != null && (long) count * gpusMax(fleet, target.replica()) > Bounds.GPUS_MAX) {
      inputs.problem("count", "expected replicas of at most " + Bounds.GPUS_MAX + " GPUs");
    }
    return new Action.Scale(count);
  }

  private Action restart(Inputs inputs) {
    YamlNode flags = inputs.optional("flags");
    Version release = inputs.optionalVersion("release");
    return new Action.Restart(
        flags == null ? null : new FleetReader(problems).flags(flags),
        release,
        inputs.flag("one_by_one", false));
  }

  private Action route(Inputs inputs) {
    if (fleet != null && fleet.gateway() == null) {
      inputs.problem("do", "there is no gateway that could send requests by another rule");
    }
    inputs.required("routing");
    return new Action.Route(inputs.choice("routing", Routing.class, Routing.ROUND_ROBIN));
  }

  private Action turn(YamlNode node, Target target) {
    Map<Knob, Double> knobs = new EnumMap<>(Knob.class);
    Inputs inputs = new Inputs(node, "knobs", problems);
    if (node instanceof YamlNode.Mapping mapping) {
      for (YamlNode.Entry entry : mapping.entries()) {
        Knob knob = Knob.find(entry.key());
        if (knob == null) {
          problems.add(entry.place(), "there is no knob \"" + entry.key() + "\"");
        } else {
          knobs.put(knob, inputs.number(entry.key(), knob.min(), knob.max()));
          checkKeys(inputs, target, keys(knob.part()), knob.id());
        }
      }
      if (mapping.entries().isEmpty()) {
        problems.add(node.place(), "expected knobs, such as {gpu.clock: 0.6}");
      }
    }
    return new Action.Turn(knobs);
  }

  private Target target(@Nullable YamlNode node) {
    if (node == null) {
      return Target.all();
    }
    Inputs inputs = new Inputs(node, "a target", problems);
    Target target =
        new Target(
            inputs.optionalName("replica"),
            inputs.optionalCount("gpu", 0, 4095),
            inputs.optionalName("workload"),
            inputs.optionalName("host"),
            inputs.optionalOf("endpoint", ENDPOINTS));
    if (fleet != null) {
      checkNames(inputs, target, fleet);
    }
    inputs.end();
    return target;
  }

  private void checkNames(Inputs inputs, Target target, Fleet of) {
    String replica = target.replica();
    if (replica != null && !Names.replicas(of).contains(replica)) {
      inputs.problem("replica", Inputs.notOneOf(replica, Names.replicas(of)));
    }
    String host = target.host();
    if (host != null && !Names.hosts(of).contains(host)) {
      inputs.problem("host", Inputs.notOneOf(host, Names.hosts(of)));
    }
    String workload = target.workload();
    List<String> names = workloads.stream().map(Workload::name).toList();
    if (workload != null && !names.contains(workload)) {
      inputs.problem("workload", Inputs.notOneOf(workload, names));
    }
    Integer gpu = target.gpu();
    if (gpu != null && gpu >= gpusMax(of, replica)) {
      inputs.problem(
          "gpu", "expected an index below " + gpusMax(of, replica) + " for \"gpu\", not " + gpu);
    }
  }

  /** GPUs of the largest replica of a name. */
  private static int gpusMax(Fleet fleet, @Nullable String replica) {
    int most = 0;
    for (Replicas group : fleet.replicas()) {
      boolean isMeant =
          replica == null || replica.equals(group.name()) || group.names().contains(replica);
      most = isMeant ? Math.max(most, group.tensorParallel() * group.dataParallel()) : most;
    }
    return most;
  }

  /** The keys of a target that say something about a part. A host is also that of a replica. */
  static List<String> keys(Part part) {
    return switch (part) {
      case WORKLOAD, CLIENT -> List.of("workload");
      case GATEWAY -> List.of();
      case SERVER, ENGINE -> List.of("replica");
      case GPU -> List.of("replica", "gpu", "host");
      case HOST -> List.of("replica", "host");
      case SCRAPE -> List.of("endpoint", "replica", "host");
    };
  }

  private static List<String> keys(Action action) {
    return switch (action) {
      case Action.Turn ignored -> List.of();
      case Action.Restart ignored -> List.of("replica");
      case Action.Crash ignored -> List.of("replica");
      case Action.Xid ignored -> List.of("replica", "gpu");
      case Action.Route ignored -> List.of();
      case Action.Scale ignored -> List.of("replica");
    };
  }

  private static void checkKeys(Inputs inputs, Target target, List<String> keys, String what) {
    for (String key : given(target)) {
      if (!keys.contains(key)) {
        inputs.problem(what, "\"" + key + "\" of \"on\" says nothing about " + what);
      }
    }
  }

  private static List<String> given(Target target) {
    record Key(String name, @Nullable Object value) {}
    return List.of(
            new Key("replica", target.replica()),
            new Key("gpu", target.gpu()),
            new Key("workload", target.workload()),
            new Key("host", target.host()),
            new Key("endpoint", target.endpoint()))
        .stream()
        .filter(key -> key.value() != null)
        .map(Key::name)
        .toList();
  }
}
