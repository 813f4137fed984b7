package org.inferometer.simulator.scenario;

import java.util.List;
import org.inferometer.simulator.knob.Part;
import org.inferometer.simulator.scenario.Scenario.Fleet;
import org.inferometer.simulator.scenario.Scenario.Happening;
import org.inferometer.simulator.scenario.Scenario.Replicas;
import org.inferometer.simulator.scenario.Scenario.Target;
import org.jspecify.annotations.Nullable;

/**
 * A fault that can be put into any running simulation that has what it needs.
 *
 * @param cause that the diagnosis is to name
 * @param layer where it shows first
 * @param says what one will see
 * @param reach what of the fleet has it when nobody says
 * @param lastsNs after which everything is as before; 0 for what can't be undone
 * @param events what is done; times count from the fault's beginning
 */
public record Fault(
    String id,
    String title,
    String cause,
    String layer,
    String says,
    Reach reach,
    List<Need> needs,
    long lastsNs,
    List<Happening> events) {
  public Fault {
    needs = List.copyOf(needs);
    events = List.copyOf(events);
  }

  /** How much of a fleet has a fault. */
  public enum Reach {
    FLEET,
    REPLICA,
    GPU
  }

  /** What a scenario must have for a fault to do anything. */
  public enum Need {
    GATEWAY,
    PREFIX_ROUTING,
    SEVERAL_REPLICAS,
    TENSOR_PARALLEL,
    PREFIXES,
    ADAPTERS,
    SPECULATION,
    KV_TRANSFER;

    boolean isMet(Scenario scenario) {
      Fleet fleet = scenario.fleet();
      return switch (this) {
        case GATEWAY -> fleet.gateway() != null;
        case PREFIX_ROUTING -> routesByPrefix(fleet);
        case SEVERAL_REPLICAS -> fleet.replicas().stream().mapToInt(Replicas::count).sum() > 1;
        case TENSOR_PARALLEL ->
            fleet.replicas().stream().anyMatch(group -> group.tensorParallel() > 1);
        case PREFIXES ->
            scenario.workloads().stream().anyMatch(workload -> workload.prefixes() != null);
        case ADAPTERS ->
            scenario.workloads().stream().anyMatch(workload -> workload.adapters() != null);
        case SPECULATION ->
            fleet.replicas().stream().anyMatch(group -> group.flags().speculative() != null);
        case KV_TRANSFER ->
            fleet.replicas().stream().anyMatch(group -> group.flags().kvTransfer() != null);
      };
    }

    /** Whoever asks again reaches the replica that he had. */
    private static boolean routesByPrefix(Fleet fleet) {
      Scenario.Routing routing = fleet.gateway() == null ? null : fleet.gateway().routing();
      return routing == Scenario.Routing.PREFIX || routing == Scenario.Routing.STICKY;
    }
  }

  /** Whether it would do anything to a scenario. */
  public boolean fits(Scenario scenario) {
    return needs.stream().allMatch(need -> need.isMet(scenario));
  }

  /**
   * What is to be done to a scenario's fleet for it to have the fault.
   *
   * @param replica that is to have it; null for the one that {@link #reach} says
   */
  public List<Happening> events(Scenario scenario, @Nullable String replica) {
    String name = replica == null && reach != Reach.FLEET ? firstReplica(scenario) : replica;
    if (name == null) {
      return events;
    }
    return events.stream().map(event -> on(name, event)).toList();
  }

  /** The first replica of those that are most. */
  private static @Nullable String firstReplica(Scenario scenario) {
    Replicas most = null;
    for (Replicas group : scenario.fleet().replicas()) {
      most = group.count() > (most == null ? 0 : most.count()) ? group : most;
    }
    return most == null ? null : most.nameOf(0);
  }

  private Happening on(String replica, Happening event) {
    if (!isOfReplica(event)) {
      return event;
    }
    Integer gpu = reach == Reach.GPU && isOfGpu(event) ? Integer.valueOf(0) : event.on().gpu();
    Target on =
        new Target(replica, gpu, event.on().workload(), event.on().host(), event.on().endpoint());
    return new Happening(event.atNs(), event.forNs(), on, event.action());
  }

  private static boolean isOfReplica(Happening event) {
    return switch (event.action()) {
      case Action.Turn turn ->
          turn.knobs().keySet().stream()
              .allMatch(knob -> EventReader.keys(knob.part()).contains("replica"));
      case Action.Restart ignored -> true;
      case Action.Crash ignored -> true;
      case Action.Xid ignored -> true;
      case Action.Route ignored -> false;
      case Action.Scale ignored -> false;
    };
  }

  private static boolean isOfGpu(Happening event) {
    return switch (event.action()) {
      case Action.Turn turn ->
          turn.knobs().keySet().stream().allMatch(knob -> knob.part() == Part.GPU);
      case Action.Xid ignored -> true;
      case Action.Restart ignored -> false;
      case Action.Crash ignored -> false;
      case Action.Route ignored -> false;
      case Action.Scale ignored -> false;
    };
  }
}
