package org.inferometer.simulator.edge;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.inferometer.simulator.event.Agenda;
import org.inferometer.simulator.event.Dice;
import org.inferometer.simulator.knob.Knobs;
import org.inferometer.simulator.knob.Part;
import org.inferometer.simulator.measure.ClientQuantity;
import org.inferometer.simulator.measure.GatewayQuantity;
import org.inferometer.simulator.measure.Measures;
import org.inferometer.simulator.measure.Measures.Edges;
import org.inferometer.simulator.measure.ServerQuantity;
import org.inferometer.simulator.request.Prompt;
import org.inferometer.simulator.request.Request;
import org.inferometer.simulator.request.Request.Ask;
import org.inferometer.simulator.request.RequestIds;
import org.inferometer.simulator.request.SegmentPrompt;
import org.inferometer.simulator.request.Server;
import org.inferometer.simulator.scenario.Scenario;
import org.inferometer.simulator.scenario.Scenario.Arrivals;
import org.inferometer.simulator.scenario.Scenario.Frontend;
import org.inferometer.simulator.scenario.Scenario.Length;
import org.inferometer.simulator.scenario.Scenario.Role;
import org.inferometer.simulator.scenario.Scenario.Routing;
import org.inferometer.simulator.scenario.Scenario.Workload;
import org.inferometer.simulator.workload.Clients;
import org.jspecify.annotations.Nullable;

/** All that stands between users and engines that are steady, on one agenda. */
public final class Stage {
  public static final long SECOND = 1_000_000_000L;
  public static final long MILLI = 1_000_000L;

  public final Agenda agenda = new Agenda();
  public final Dice dice;
  public final RequestIds ids = new RequestIds();
  public final Knobs workloadKnobs = new Knobs(Part.WORKLOAD);
  public final Knobs clientKnobs = new Knobs(Part.CLIENT);
  public final Knobs gatewayKnobs = new Knobs(Part.GATEWAY);
  public final Knobs serverKnobs = new Knobs(Part.SERVER);
  public final Map<String, SteadyEngine> engines = new LinkedHashMap<>();
  public final Measures gatewayMeasures = new Measures(GatewayQuantity.class, Edges.fine(), 0);
  public final List<AccessLog.Entry> entries = new ArrayList<>();
  public final List<AccessLog.Failure> errors = new ArrayList<>();

  public Stage(long seed) {
    dice = Dice.of(seed);
  }

  public ApiFrontEnd frontEnd(String name, FrontEndCosts costs, int processes, long stepNs) {
    List<ApiFrontEnd.Worker> all = new ArrayList<>();
    for (int i = 0; i < processes; i++) {
      all.add(
          new ApiFrontEnd.Worker(
              new IdleHostProcess(), new Measures(ServerQuantity.class, Edges.fine(), 0)));
    }
    return new ApiFrontEnd(
        name,
        costs.equals(FrontEndCosts.rust()) ? Frontend.RUST : Frontend.PYTHON,
        costs,
        agenda,
        serverKnobs,
        all,
        listener -> {
          SteadyEngine engine = new SteadyEngine(agenda, listener, 0, stepNs);
          engines.put(name, engine);
          return List.of(engine);
        });
  }

  public SteadyEngine engine(String name) {
    return Objects.requireNonNull(engines.get(name));
  }

  public static Scenario.Gateway gateway(long timeoutNs, int connections, Routing routing) {
    return new Scenario.Gateway("gateway", timeoutNs, false, connections, 0, routing);
  }

  public SimulatedGateway gateway(Scenario.Gateway spec, Server... upstreams) {
    SimulatedGateway gateway =
        new SimulatedGateway(
            spec, agenda, dice.stream("gateway"), gatewayMeasures, gatewayKnobs, log());
    for (Server upstream : upstreams) {
      gateway.addUpstream(upstream, Role.BOTH, upstream.name() + ".sim:8000");
    }
    return gateway;
  }

  public AccessLog log() {
    return new AccessLog() {
      @Override
      public void finished(Entry entry) {
        entries.add(entry);
      }

      @Override
      public void failed(Failure failure) {
        errors.add(failure);
      }
    };
  }

  public Request request(int prompt, int output, boolean streams) {
    return request(SegmentPrompt.empty().then(ids.next(), prompt), output, streams);
  }

  public Request request(Prompt prompt, int output, boolean streams) {
    long id = ids.next();
    return new Request(
        id,
        new Ask("r" + id, "chat", prompt, output, Ask.NO_LIMIT, null, 0, 0.7, false, 0, streams));
  }

  public Clients clients(Workload spec, Server target) {
    return new Clients(
        spec,
        target,
        agenda,
        dice.stream("workload").stream(spec.name()),
        new Measures(ClientQuantity.class, Edges.fine(), 0),
        workloadKnobs,
        clientKnobs,
        ids);
  }

  /** Starts them, stops them after a while, and lets all that was asked end. */
  public void run(Clients clients, long nanos) {
    clients.start();
    agenda.runUntil(agenda.now() + nanos);
    clients.stop();
    agenda.runUntil(agenda.now() + 10_000 * SECOND);
  }

  public static Workload chat(Arrivals arrivals, double prompt, double output) {
    return new WorkloadMaker(arrivals)
        .lengths(new Length.Fixed(prompt), new Length.Fixed(output))
        .make();
  }

  /** Workloads that differ in a thing or two. */
  public static final class WorkloadMaker {
    private final Arrivals arrivals;
    private Length prompt = new Length.Fixed(100);
    private Length output = new Length.Fixed(10);
    private Scenario.@Nullable Prefixes prefixes;
    private Scenario.@Nullable Sessions sessions;
    private Scenario.@Nullable AdapterMix adapters;
    private double cancelShare;
    private @Nullable Length cancelAfter;
    private long timeoutNs;
    private double streaming = 1;
    private long preprocessNs;

    public WorkloadMaker(Arrivals arrivals) {
      this.arrivals = arrivals;
    }

    public WorkloadMaker lengths(Length prompts, Length outputs) {
      prompt = prompts;
      output = outputs;
      return this;
    }

    public WorkloadMaker prefixes(Scenario.Prefixes tree) {
      prefixes = tree;
      return this;
    }

    public WorkloadMaker sessions(Scenario.Sessions law) {
      sessions = law;
      return this;
    }

    public WorkloadMaker adapters(Scenario.AdapterMix mix) {
      adapters = mix;
      return this;
    }

    public WorkloadMaker cancels(double share, Length afterSeconds) {
      cancelShare = share;
      cancelAfter = afterSeconds;
      return this;
    }

    public WorkloadMaker timeout(long nanos) {
      timeoutNs = nanos;
      return this;
    }

    public WorkloadMaker streaming(double share) {
      streaming = share;
      return this;
    }

    public WorkloadMaker preprocess(long nanos) {
      preprocessNs = nanos;
      return this;
    }

    public Workload make() {
      return new Workload(
          "chat",
          arrivals,
          prompt,
          output,
          null,
          prefixes,
          sessions,
          adapters,
          cancelShare,
          cancelAfter,
          timeoutNs,
          0.7,
          0,
          preprocessNs,
          0,
          streaming);
    }
  }
}
