package org.inferometer.simulator.fleet;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.inferometer.model.Version;
import org.inferometer.simulator.edge.AccessLog;
import org.inferometer.simulator.edge.InTurn;
import org.inferometer.simulator.edge.SimulatedGateway;
import org.inferometer.simulator.event.Agenda;
import org.inferometer.simulator.gpu.SimulatedGpu;
import org.inferometer.simulator.host.Host;
import org.inferometer.simulator.knob.Knob;
import org.inferometer.simulator.knob.Knobs;
import org.inferometer.simulator.knob.Part;
import org.inferometer.simulator.measure.ClientQuantity;
import org.inferometer.simulator.measure.GatewayQuantity;
import org.inferometer.simulator.measure.Measures;
import org.inferometer.simulator.page.PageFile;
import org.inferometer.simulator.page.PageForm;
import org.inferometer.simulator.page.Subject;
import org.inferometer.simulator.request.RequestIds;
import org.inferometer.simulator.request.Server;
import org.inferometer.simulator.scenario.Action;
import org.inferometer.simulator.scenario.Scenario;
import org.inferometer.simulator.scenario.Scenario.Target;
import org.inferometer.simulator.workload.Clients;
import org.jspecify.annotations.Nullable;

/**
 * A whole simulated system: what a scenario says, going on in simulated time. At its beginning all
 * is up and nothing has been asked. Not thread-safe.
 */
public final class Fleet implements Simulation {
  private static final int ENGINE_PORT = 8000;
  private static final int GPU_PORT = 9400;
  private static final int HOST_PORT = 9100;
  private static final int GATEWAY_PORT = 4000;
  private static final int CLIENT_PORT = 9464;

  /** The gateway shows itself as LiteLLM, clients as the GenAI conventions say. */
  private static final Version GATEWAY_RELEASE = Version.parse("1.95.0");

  private static final Version CLIENT_RELEASE = Version.parse("1.0.0");

  /** How long a replica that is taken away may go on with what it has: Kubernetes's default. */
  private static final long GRACE_NS = 30_000_000_000L;

  /** How often it is looked whether that is done. */
  private static final long LOOK_NS = 250_000_000;

  private final Scenario scenario;
  private final long seed;
  private final World world;
  private final Machines machines;
  private final Turns turns;
  private final Map<String, Group> groups = new LinkedHashMap<>();
  private final @Nullable SimulatedGateway gateway;
  private final InTurn inTurn = new InTurn();
  private final List<Users> users = new ArrayList<>();
  private final List<Scraped> scraped = new ArrayList<>();
  private final Targets targets;
  private Scenario.@Nullable Routing routing;
  private List<Endpoint> endpoints = List.of();
  private List<Replica> replicas = List.of();

  /** Replicas that are alike. */
  static final class Group {
    final Scenario.Replicas made;
    final List<SimulatedReplica> replicas = new ArrayList<>();

    Group(Scenario.Replicas made) {
      this.made = made;
    }
  }

  /** The users of one workload. */
  record Users(Clients clients, Knobs workload, Knobs client) {}

  /** An endpoint, and what it is of: at most one of replica and host. */
  record Scraped(
      PageEndpoint endpoint, @Nullable SimulatedReplica replica, @Nullable String host) {}

  private Fleet(Scenario scenario, long seed, long startMs, AccessLog log) {
    this.scenario = scenario;
    this.seed = seed;
    world = World.of(seed, startMs);
    machines = new Machines(world, scenario.fleet().hosts());
    turns = new Turns(world.agenda());
    targets = new Targets(groups.values(), users, machines, scraped);
    gateway = gateway(scenario.fleet().gateway(), log);
    for (Scenario.Replicas made : scenario.fleet().replicas()) {
      Group group = new Group(made);
      groups.put(made.name(), group);
      for (int i = 0; i < made.count(); i++) {
        add(group).beginReady();
      }
    }
    addClients();
    list();
    scenario.events().forEach(this::put);
    users.forEach(one -> one.clients().start());
  }

  /**
   * A fleet at its beginning, whose gateway logs nothing.
   *
   * @param seed of all that is left to chance
   * @param startMs the time of day at its beginning
   * @throws IllegalArgumentException if something of it can't be, such as a model that doesn't fit
   *     into its GPUs
   */
  public static Fleet of(Scenario scenario, long seed, long startMs) {
    return new Fleet(scenario, seed, startMs, AccessLog.NONE);
  }

  /**
   * A fleet at its beginning.
   *
   * @param log is told of the gateway's requests
   */
  public static Fleet of(Scenario scenario, long seed, long startMs, AccessLog log) {
    return new Fleet(scenario, seed, startMs, log);
  }

  // --------------------------------------------------------------------------------- its making

  private @Nullable SimulatedGateway gateway(Scenario.@Nullable Gateway made, AccessLog log) {
    if (made == null) {
      return null;
    }
    routing = made.routing();
    PageForm form = PageFile.builtIn("litellm").form(GATEWAY_RELEASE, Map.of());
    Measures measures = new Measures(GatewayQuantity.class, form.edges(), 0);
    SimulatedGateway simulated =
        new SimulatedGateway(
            made,
            world.agenda(),
            world.dice().stream("gateway"),
            measures,
            new Knobs(Part.GATEWAY),
            log);
    Subject subject =
        new Subject("gateway", Map.of(), Map.of("model_name", servedName()), measures);
    addEndpoint(
        "gateway", made.name(), GATEWAY_PORT, Exporter.of(form, List.of(subject)), null, null);
    return simulated;
  }

  private void addClients() {
    if (scenario.workloads().isEmpty()) {
      return;
    }
    PageForm form = PageFile.builtIn("gen-ai-client").form(CLIENT_RELEASE, Map.of());
    List<Subject> subjects = new ArrayList<>();
    for (Scenario.Workload workload : scenario.workloads()) {
      Measures measures = new Measures(ClientQuantity.class, form.edges(), 0);
      Knobs ofWorkload = new Knobs(Part.WORKLOAD);
      Knobs ofClient = new Knobs(Part.CLIENT);
      Clients clients =
          new Clients(
              workload,
              entry(),
              world.agenda(),
              world.dice().stream("workload " + workload.name()),
              measures,
              ofWorkload,
              ofClient,
              world.ids());
      users.add(new Users(clients, ofWorkload, ofClient));
      subjects.add(
          new Subject(
              "client",
              Map.of(),
              Map.of(
                  "workload",
                  workload.name(),
                  "model_name",
                  servedName(),
                  "server_address",
                  entry().name() + ".sim",
                  "server_port",
                  Integer.toString(gateway == null ? ENGINE_PORT : GATEWAY_PORT)),
              measures));
    }
    addEndpoint("client", "clients", CLIENT_PORT, Exporter.of(form, subjects), null, null);
  }

  /** What clients ask for: all replicas serve it, or it is the first one's. */
  private String servedName() {
    return scenario.fleet().replicas().getFirst().servedName();
  }

  private SimulatedReplica add(Group group) {
    Scenario.Replicas made = group.made;
    int index = group.replicas.size();
    String name = made.count() == 1 && index == 0 ? made.name() : made.name() + "-" + index;
    int gpus = made.tensorParallel() * made.dataParallel();
    String hostName = made.host();
    boolean shared = hostName != null;
    String machineName = hostName == null ? name + "-node" : hostName;
    boolean isNew = machines.all().stream().noneMatch(m -> m.host().name().equals(machineName));
    Machines.Machine machine =
        machines.machine(machineName, shared ? gpus * Math.max(1, made.count()) : gpus);
    if (isNew) {
      addHostEndpoints(machine);
    }
    SimulatedReplica[] self = new SimulatedReplica[1];
    SimulatedReplica replica =
        new SimulatedReplica(
            world,
            name,
            made,
            machine.host(),
            taken(machine, made.gpu(), gpus, name),
            () -> serve(self[0]));
    self[0] = replica;
    group.replicas.add(replica);
    addEndpoint("engine", name, ENGINE_PORT, replica.pageSource(), replica, machineName);
    return replica;
  }

  private List<SimulatedGpu> taken(Machines.Machine machine, String gpu, int count, String pod) {
    List<SimulatedGpu> taken = machines.take(machine, gpu, count);
    taken.forEach(one -> one.runsFor(pod));
    return taken;
  }

  private void serve(SimulatedReplica replica) {
    inTurn.add(replica);
    if (gateway != null) {
      gateway.addUpstream(replica, replica.made().role(), replica.name() + ".sim:" + ENGINE_PORT);
    }
  }

  private void stopServing(SimulatedReplica replica) {
    inTurn.remove(replica.name());
    if (gateway != null) {
      gateway.removeUpstream(replica.name());
    }
  }

  // ------------------------------------------------------------------------------ its endpoints

  private void addHostEndpoints(Machines.Machine machine) {
    String name = machine.host().name();
    addEndpoint(
        "gpu", name, GPU_PORT, new Exporter.OfGpus(machine, machines.gpuForm()), null, name);
    PageEndpoint.Source host =
        new Exporter(machines.hostForm()) {
          @Override
          public List<Subject> subjects(Knobs scrape) {
            return List.of(
                new Subject("host", Map.of(), Map.of("host", name), machine.host().measures()));
          }
        };
    addEndpoint("host", name, HOST_PORT, host, null, name);
  }

  private void addEndpoint(
      String job,
      String name,
      int port,
      PageEndpoint.Source source,
      @Nullable SimulatedReplica replica,
      @Nullable String host) {
    Map<String, String> labels = new TreeMap<>();
    if (replica != null) {
      labels.put("pod", name);
    }
    if (host != null) {
      labels.put("node", host);
    }
    PageEndpoint endpoint =
        new PageEndpoint(
            world.agenda(),
            world.startMs(),
            world.dice().stream("scrape " + job + " " + name),
            job,
            name,
            port,
            labels,
            source);
    scraped.add(new Scraped(endpoint, replica, host));
  }

  private void list() {
    List<Endpoint> all = new ArrayList<>();
    scraped.forEach(one -> all.add(one.endpoint()));
    endpoints = List.copyOf(all);
    List<Replica> listed = new ArrayList<>();
    groups.values().forEach(group -> listed.addAll(group.replicas));
    replicas = List.copyOf(listed);
  }

  // ----------------------------------------------------------------------------------- its time

  public Scenario scenario() {
    return scenario;
  }

  public long seed() {
    return seed;
  }

  @Override
  public long startMs() {
    return world.startMs();
  }

  /** What will happen; others may put their own events down. */
  public Agenda agenda() {
    return world.agenda();
  }

  @Override
  public long now() {
    return world.agenda().now();
  }

  @Override
  public void runUntil(long ns) {
    world.agenda().runUntil(ns);
  }

  // ---------------------------------------------------------------------------------- its parts

  @Override
  public List<Endpoint> endpoints() {
    return endpoints;
  }

  /** All of them, whether they are up or not. */
  public List<Replica> replicas() {
    return replicas;
  }

  public List<Host> hosts() {
    List<Host> hosts = new ArrayList<>();
    machines.all().forEach(machine -> hosts.add(machine.host()));
    return hosts;
  }

  public List<Clients> clients() {
    return users.stream().map(Users::clients).toList();
  }

  /** Null if clients ask the replicas themselves. */
  public @Nullable SimulatedGateway gateway() {
    return gateway;
  }

  /** Where requests go, those from outside too: the gateway; without one the replicas in turn. */
  public Server entry() {
    return gateway == null ? inTurn : gateway;
  }

  /** Numbers requests, those from outside too. */
  public RequestIds requestIds() {
    return world.ids();
  }

  // ------------------------------------------------------------------------- what is done to it

  /** That a restart can't be is known from the start. */
  private void put(Scenario.Happening happening) {
    if (happening.action() instanceof Action.Restart restart) {
      matching(happening.on()).forEach(one -> one.check(restart.flags(), restart.release()));
    }
    world.agenda().at(happening.atNs(), () -> happen(happening));
  }

  /** What it was to be done to may be gone by then, scaled away: then nothing is left to do. */
  private void happen(Scenario.Happening happening) {
    if (!isGone(happening.action(), happening.on())) {
      apply(happening.action(), happening.on(), happening.forNs());
    }
  }

  private boolean isGone(Action action, Target on) {
    return switch (action) {
      case Action.Turn turn ->
          matching(on).isEmpty()
              && turn.knobs().keySet().stream().anyMatch(knob -> knobs(knob.part(), on).isEmpty());
      case Action.Restart _ -> matching(on).isEmpty();
      case Action.Crash _, Action.Xid _, Action.Route _, Action.Scale _ -> false;
    };
  }

  /**
   * Does something to the fleet, now.
   *
   * @param forNs after which it is undone; 0 for never
   * @throws IllegalArgumentException if it can't be done, or there is nothing to do it to; says
   *     what was expected
   */
  public void apply(Action action, Target on, long forNs) {
    switch (action) {
      case Action.Turn turn -> turn(turn, on, forNs);
      case Action.Restart restart -> restart(restart, matching(on));
      case Action.Crash crash -> matching(on).forEach(one -> crash(one, crash.startsAgain()));
      case Action.Xid xid -> targets.gpus(on).forEach(gpu -> gpu.xid(xid.code()));
      case Action.Route route -> route(route.routing(), forNs);
      case Action.Scale scale -> scale(scale.count(), on, forNs);
    }
  }

  /** All of it or, if anything of it can't be done, nothing. */
  private void turn(Action.Turn turn, Target on, long forNs) {
    for (Knob knob : turn.knobs().keySet()) {
      if (knobs(knob.part(), on).isEmpty()) {
        throw new IllegalArgumentException(
            "expected a part with the knob " + knob.id() + ", there is none of these");
      }
    }
    turn.knobs()
        .forEach(
            (knob, value) ->
                knobs(knob.part(), on).forEach(knobs -> turns.turn(knobs, knob, value, forNs)));
  }

  /** The knobs of a kind that are meant; none if there is no such part. */
  public List<Knobs> knobs(Part part, Target on) {
    return switch (part) {
      case WORKLOAD -> targets.users(on).stream().map(Users::workload).toList();
      case CLIENT -> targets.users(on).stream().map(Users::client).toList();
      case GATEWAY -> gateway == null ? List.of() : List.of(gateway.knobs());
      case SERVER -> matching(on).stream().map(SimulatedReplica::serverKnobs).toList();
      case ENGINE -> matching(on).stream().map(SimulatedReplica::engineKnobs).toList();
      case GPU -> targets.gpus(on).stream().map(SimulatedGpu::knobs).toList();
      case HOST -> targets.machines(on).stream().map(one -> one.host().knobs()).toList();
      case SCRAPE -> targets.scraped(on).stream().map(one -> one.endpoint().knobs()).toList();
    };
  }

  private List<SimulatedReplica> matching(Target on) {
    return targets.replicas(on);
  }

  // ----------------------------------------------------------------------- restarts and crashes

  private void restart(Action.Restart restart, List<SimulatedReplica> all) {
    if (all.isEmpty()) {
      throw new IllegalArgumentException("expected a replica that could restart");
    }
    // Whether they can run so is known before any is stopped.
    all.forEach(one -> one.become(restart.flags(), restart.release()));
    if (restart.oneByOne()) {
      restartNext(List.copyOf(all), 0);
    } else {
      all.forEach(this::restart);
    }
  }

  private void restart(SimulatedReplica replica) {
    replica.stop();
    replica.resetGpus();
    if (replica.canStart()) {
      replica.start();
    }
  }

  /** One is taken out, ends when it has done what it has, and is back before the next one goes. */
  private void restartNext(List<SimulatedReplica> all, int index) {
    if (index == all.size()) {
      return;
    }
    SimulatedReplica replica = all.get(index);
    drain(
        replica,
        () -> {
          restart(replica);
          // One that doesn't come back, or ends again, keeps the others from going.
          awaitReady(replica, replica.starts(), () -> restartNext(all, index + 1));
        });
  }

  private void awaitReady(SimulatedReplica replica, int start, Runnable then) {
    if (replica.isUp()) {
      then.run();
    } else if (replica.starts() == start && replica.canStart()) {
      world.agenda().in(LOOK_NS, () -> awaitReady(replica, start, then));
    }
  }

  private void drain(SimulatedReplica replica, Runnable then) {
    stopServing(replica);
    awaitEmpty(replica, now() + GRACE_NS, then);
  }

  private void awaitEmpty(SimulatedReplica replica, long untilNs, Runnable then) {
    if (replica.inFlight() == 0 || now() >= untilNs) {
      then.run();
    } else {
      world.agenda().in(LOOK_NS, () -> awaitEmpty(replica, untilNs, then));
    }
  }

  private static void crash(SimulatedReplica replica, boolean startsAgain) {
    replica.stop();
    if (startsAgain && replica.canStart()) {
      replica.start();
    }
  }

  // --------------------------------------------------------------------------- routes and scale

  private void route(Scenario.Routing rule, long forNs) {
    SimulatedGateway routed = gateway;
    if (routed == null) {
      throw new IllegalArgumentException("expected a gateway, there is none");
    }
    Scenario.Routing before = routing;
    routed.route(rule);
    routing = rule;
    if (forNs > 0 && before != null) {
      world
          .agenda()
          .in(
              forNs,
              () -> {
                if (routing == rule) {
                  route(before, 0);
                }
              });
    }
  }

  private void scale(int count, Target on, long forNs) {
    scale(count, group(on), forNs);
  }

  private void scale(int count, Group group, long forNs) {
    int before = group.replicas.size();
    while (group.replicas.size() < count) {
      add(group).start();
    }
    while (group.replicas.size() > count) {
      takeAway(group.replicas.removeLast());
    }
    list();
    if (forNs > 0) {
      world
          .agenda()
          .in(
              forNs,
              () -> {
                if (group.replicas.size() == count) {
                  scale(before, group, 0);
                }
              });
    }
  }

  private Group group(Target on) {
    for (Group group : groups.values()) {
      boolean named =
          on.replica() == null
              || on.replica().equals(group.made.name())
              || group.made.names().contains(on.replica())
              || group.replicas.stream().anyMatch(one -> one.name().equals(on.replica()));
      if (named) {
        return group;
      }
    }
    throw new IllegalArgumentException(
        "expected replicas of the fleet, there are none called \"" + on.replica() + "\"");
  }

  private void takeAway(SimulatedReplica replica) {
    drain(
        replica,
        () -> {
          replica.stop();
          machines.machine(replica.host().name(), 0).free(replica.gpus());
          scraped.removeIf(one -> one.replica() == replica);
          turns.forget(replica.serverKnobs());
          turns.forget(replica.engineKnobs());
          list();
        });
  }
}
