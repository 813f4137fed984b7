package org.inferometer.simulator.fleet;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.hardware.Hardware;
import org.inferometer.hardware.ModelShape;
import org.inferometer.model.Version;
import org.inferometer.simulator.edge.ApiFrontEnd;
import org.inferometer.simulator.edge.FrontEndCosts;
import org.inferometer.simulator.engine.Engine;
import org.inferometer.simulator.engine.EngineConfig;
import org.inferometer.simulator.engine.OutputListener;
import org.inferometer.simulator.engine.VllmEngine;
import org.inferometer.simulator.gpu.ReplicaTimer;
import org.inferometer.simulator.gpu.SimulatedGpu;
import org.inferometer.simulator.host.HostProcess;
import org.inferometer.simulator.host.SimulatedHost;
import org.inferometer.simulator.knob.Knob;
import org.inferometer.simulator.knob.Knobs;
import org.inferometer.simulator.knob.Part;
import org.inferometer.simulator.measure.EngineQuantity;
import org.inferometer.simulator.measure.Measures;
import org.inferometer.simulator.measure.ServerQuantity;
import org.inferometer.simulator.page.PageForm;
import org.inferometer.simulator.page.Subject;
import org.inferometer.simulator.request.Outcome;
import org.inferometer.simulator.request.Receiver;
import org.inferometer.simulator.request.Request;
import org.inferometer.simulator.scenario.Scenario;
import org.inferometer.simulator.scenario.Scenario.EngineKind;
import org.inferometer.simulator.scenario.Scenario.Frontend;
import org.jspecify.annotations.Nullable;

/** The life of a replica: it starts, serves, ends, and starts anew with empty hands. */
final class SimulatedReplica implements Replica {
  /**
   * For so long after it is ready, steps launch kernel by kernel: what wasn't compiled or captured
   * before is so at its first use. Not at the simulation's beginning. An assumption of that scale.
   */
  static final long WARM_UP_NS = 20_000_000_000L;

  /** What processes hold before they have done anything: Python with its libraries; assumptions. */
  private static final double API_BYTES = 1.4e9;

  private static final double API_BYTES_RUST = 0.3e9;
  private static final double ENGINE_BYTES = 4.5e9;

  /** To write a page of a thousand lines or two: an assumption. */
  private static final long PAGE_NS = 8_000_000;

  private static final long PAGE_NS_RUST = 1_000_000;

  /** Where weights are read from at a start. */
  private static final String DISK = "nvme0n1";

  private enum State {
    UP,
    STARTING,
    DOWN
  }

  private final World world;
  private final String name;
  private final SimulatedHost host;
  private final List<SimulatedGpu> gpus;
  private final ModelShape model;
  private final Hardware.Gpu gpu;
  private final Runnable onReady;
  private final Knobs serverKnobs = new Knobs(Part.SERVER);
  private final Knobs engineKnobs = new Knobs(Part.ENGINE);
  private final List<HostProcess> processes = new ArrayList<>();

  /** How it runs now, and how it is to run from its next start on. */
  private Settings settings;

  private Settings next;
  private State state = State.DOWN;
  private int starts;
  private long startedNs;
  private double allocated;
  private boolean warm = true;
  private @Nullable ApiFrontEnd frontEnd;
  private List<Subject> subjects = List.of();

  /**
   * @param gpus as many as the replica's engines need
   * @param onReady is called whenever it has become ready
   */
  SimulatedReplica(
      World world,
      String name,
      Scenario.Replicas made,
      SimulatedHost host,
      List<SimulatedGpu> gpus,
      Runnable onReady) {
    this.world = world;
    this.name = name;
    this.host = host;
    this.gpus = List.copyOf(gpus);
    this.model = world.model(made.model());
    this.gpu = world.gpu(made.gpu());
    this.onReady = onReady;
    this.settings = settings(made);
    this.next = settings;
    serverKnobs.onTurn(this::handOnKnobs);
    engineKnobs.onTurn(this::handOnKnobs);
  }

  /** What follows from its flags and its release. */
  private record Settings(
      Scenario.Replicas made, EngineSetup setup, EngineConfig config, EnginePage page) {}

  private Settings settings(Scenario.Replicas of) {
    EngineSetup setup = new EngineSetup(of, gpu, model);
    EngineConfig config = setup.config();
    return new Settings(of, setup, config, new EnginePage(of, model, config, setup));
  }

  // ---------------------------------------------------------------------------------- its life

  /** Becomes ready at once, as if it had been there for long. */
  void beginReady() {
    startProcess();
    becomeReady();
  }

  /** Starts; after the time that takes it is ready, unless something happens meanwhile. */
  void start() {
    startProcess();
    readWeights();
    int start = starts;
    world
        .agenda()
        .in(
            settings.made().startNs(),
            () -> {
              if (start == starts && state == State.STARTING) {
                becomeReady();
                warmUp();
              }
            });
  }

  private void startProcess() {
    starts++;
    settings = next;
    startedNs = world.agenda().now();
    state = State.STARTING;
    allocated = settings.setup().gpuBytes();
    gpus.forEach(one -> one.allocate(allocated));
    for (int i = 0; i < apiServers(); i++) {
      processes.add(host.start(name + "-api-" + i, isRust() ? API_BYTES_RUST : API_BYTES));
    }
    for (int i = 0; i < settings.made().dataParallel(); i++) {
      processes.add(host.start(name + "-engine-" + i, ENGINE_BYTES));
    }
  }

  private boolean isRust() {
    return settings.made().frontend() == Frontend.RUST
        || settings.made().engine() == EngineKind.TGI;
  }

  private long pageNs() {
    return isRust() ? PAGE_NS_RUST : PAGE_NS;
  }

  private int apiServers() {
    return settings.made().frontend() == Frontend.MULTIPROCESS
        ? Math.max(1, settings.made().apiServers())
        : 1;
  }

  private void readWeights() {
    double seconds = settings.made().startNs() / 1e9;
    host.read(DISK, settings.setup().weightBytes() * settings.made().dataParallel(), seconds / 2);
  }

  private void becomeReady() {
    List<ApiFrontEnd.Worker> servers = new ArrayList<>();
    PageForm form = settings.page().form();
    for (HostProcess process : processes.subList(0, apiServers())) {
      servers.add(
          new ApiFrontEnd.Worker(
              process, new Measures(ServerQuantity.class, form.edges(), startedNs)));
    }
    ApiFrontEnd ready =
        new ApiFrontEnd(
            name,
            isRust() ? Frontend.RUST : settings.made().frontend(),
            isRust() ? FrontEndCosts.rust() : FrontEndCosts.python(),
            world.agenda(),
            copy(serverKnobs),
            servers,
            this::engines);
    frontEnd = ready;
    subjects = settings.page().subjects(ready.engines(), ready.processes());
    state = State.UP;
    onReady.run();
  }

  private List<Engine> engines(OutputListener listener) {
    List<Engine> engines = new ArrayList<>();
    for (int i = 0; i < settings.made().dataParallel(); i++) {
      engines.add(engine(i, listener));
    }
    return engines;
  }

  private Engine engine(int index, OutputListener listener) {
    Knobs knobs = copy(engineKnobs);
    Measures measures =
        new Measures(EngineQuantity.class, settings.page().form().edges(), world.agenda().now());
    int degree = settings.made().tensorParallel();
    Scenario.Flags flags = settings.made().flags();
    ReplicaTimer timer =
        new ReplicaTimer(
            new ReplicaTimer.Setup(
                model,
                settings.setup().precision(),
                settings.config().asyncScheduling(),
                !Boolean.TRUE.equals(flags.enforceEager())),
            gpus.subList(index * degree, (index + 1) * degree),
            processes.get(apiServers() + index),
            knobs,
            Boolean.TRUE.equals(flags.enableMfuMetrics()) ? measures : null);
    return new VllmEngine(
        index,
        settings.config(),
        timer,
        world.agenda(),
        measures,
        knobs,
        listener,
        world.dice().stream(name + " engine " + index).stream(Integer.toString(starts)));
  }

  private void warmUp() {
    int start = starts;
    warm = false;
    handOnKnobs();
    world
        .agenda()
        .in(
            WARM_UP_NS,
            () -> {
              if (start == starts) {
                warm = true;
                handOnKnobs();
              }
            });
  }

  /** The process ends: what it has is lost, and its memory free. */
  void stop() {
    ApiFrontEnd ending = frontEnd;
    frontEnd = null;
    subjects = List.of();
    warm = true;
    if (state != State.DOWN) {
      state = State.DOWN;
      gpus.forEach(one -> one.allocate(-allocated));
    }
    if (ending != null) {
      ending.engines().forEach(Engine::stop);
      ending.stop();
    }
    processes.forEach(HostProcess::end);
    processes.clear();
  }

  /**
   * What it is from its next start on.
   *
   * @throws IllegalArgumentException if it can't be; then nothing has changed
   */
  void become(Scenario.@Nullable Flags flags, @Nullable Version release) {
    next = settings(changed(flags, release));
  }

  /**
   * Whether it could run so.
   *
   * @throws IllegalArgumentException if not
   */
  void check(Scenario.@Nullable Flags flags, @Nullable Version release) {
    settings(changed(flags, release));
  }

  private Scenario.Replicas changed(Scenario.@Nullable Flags flags, @Nullable Version release) {
    Scenario.Replicas made = next.made();
    return new Scenario.Replicas(
        made.name(),
        made.count(),
        made.engine(),
        release == null ? made.release() : release,
        made.frontend(),
        made.apiServers(),
        made.model(),
        made.servedName(),
        made.gpu(),
        made.tensorParallel(),
        made.dataParallel(),
        made.role(),
        made.host(),
        made.startNs(),
        flags == null ? made.flags() : flags.over(made.flags()));
  }

  /** GPUs that stopped work again; those that are off the bus stay so. */
  void resetGpus() {
    gpus.forEach(SimulatedGpu::reset);
  }

  /** On GPUs that are off the bus nothing starts. */
  boolean canStart() {
    return gpus.stream().noneMatch(SimulatedGpu::isLost);
  }

  // -------------------------------------------------------------------------------- its knobs

  /** Of its front end, and of its engines; they stay when the process ends. */
  Knobs serverKnobs() {
    return serverKnobs;
  }

  Knobs engineKnobs() {
    return engineKnobs;
  }

  private static Knobs copy(Knobs from) {
    Knobs copy = new Knobs(from.part());
    handOn(from, copy);
    return copy;
  }

  /** Only what changes is turned, since turning has effects. */
  private static void handOn(Knobs from, Knobs to) {
    for (Knob knob : Knob.values()) {
      if (knob.part() == from.part() && to.get(knob) != from.get(knob)) {
        to.set(knob, from.get(knob));
      }
    }
  }

  private void handOnKnobs() {
    ApiFrontEnd running = frontEnd;
    if (running == null) {
      return;
    }
    handOn(serverKnobs, running.knobs());
    for (Engine engine : running.engines()) {
      handOn(warm ? engineKnobs : cold(), engine.knobs());
    }
  }

  private Knobs cold() {
    Knobs cold = copy(engineKnobs);
    cold.set(Knob.ENGINE_GRAPHS, 0);
    return cold;
  }

  // ---------------------------------------------------------------------------------- its page

  /** What its endpoint shows. */
  PageEndpoint.Source pageSource() {
    return new PageEndpoint.Source() {
      @Override
      public boolean isUp() {
        return frontEnd != null;
      }

      @Override
      public PageForm form() {
        return settings.page().form();
      }

      @Override
      public List<Subject> subjects(Knobs scrape) {
        ApiFrontEnd running = frontEnd;
        if (running != null) {
          // Brings what it counts up to now.
          running.processes();
        }
        boolean silent =
            scrape.isOn(Knob.SCRAPE_NO_STATS)
                || Boolean.TRUE.equals(settings.made().flags().disableLogStats());
        return silent
            ? subjects.stream().filter(one -> !one.kind().equals("engine")).toList()
            : subjects;
      }

      @Override
      public long delayNs() {
        ApiFrontEnd running = frontEnd;
        return running == null ? 0 : running.delayNs() + pageNs();
      }
    };
  }

  // --------------------------------------------------------------------------------- a server

  @Override
  public void submit(Request request, Receiver receiver) {
    ApiFrontEnd running = frontEnd;
    if (running == null) {
      receiver.ended(request, new Outcome(0, null, "refused"));
    } else {
      running.submit(request, receiver);
    }
  }

  @Override
  public void abandon(Request request) {
    ApiFrontEnd running = frontEnd;
    if (running != null) {
      running.abandon(request);
    }
  }

  @Override
  public int inFlight() {
    ApiFrontEnd running = frontEnd;
    return running == null ? 0 : running.inFlight();
  }

  // --------------------------------------------------------------------------------- a replica

  @Override
  public String name() {
    return name;
  }

  @Override
  public Scenario.Replicas made() {
    return settings.made();
  }

  @Override
  public int maxModelLen() {
    return settings.config().maxModelLen();
  }

  @Override
  public boolean isUp() {
    return state == State.UP;
  }

  @Override
  public int starts() {
    return starts;
  }

  @Override
  public long startedNs() {
    return startedNs;
  }

  @Override
  public @Nullable ApiFrontEnd frontEnd() {
    return frontEnd;
  }

  @Override
  public List<Engine> engines() {
    ApiFrontEnd running = frontEnd;
    return running == null ? List.of() : running.engines();
  }

  @Override
  public List<SimulatedGpu> gpus() {
    return gpus;
  }

  @Override
  public SimulatedHost host() {
    return host;
  }
}
