package org.inferometer.simulator.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.inferometer.simulator.edge.Stage.MILLI;
import static org.inferometer.simulator.edge.Stage.SECOND;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.model.Version;
import org.inferometer.simulator.engine.Engine;
import org.inferometer.simulator.engine.EngineConfig;
import org.inferometer.simulator.engine.StepTimer;
import org.inferometer.simulator.engine.StepWork;
import org.inferometer.simulator.engine.VllmEngine;
import org.inferometer.simulator.event.Dice;
import org.inferometer.simulator.knob.Knob;
import org.inferometer.simulator.knob.Knobs;
import org.inferometer.simulator.knob.Part;
import org.inferometer.simulator.measure.ClientQuantity;
import org.inferometer.simulator.measure.EngineQuantity;
import org.inferometer.simulator.measure.GatewayQuantity;
import org.inferometer.simulator.measure.Measures;
import org.inferometer.simulator.measure.Measures.Edges;
import org.inferometer.simulator.measure.ServerQuantity;
import org.inferometer.simulator.request.Outcome;
import org.inferometer.simulator.request.Receiver;
import org.inferometer.simulator.request.Request;
import org.inferometer.simulator.request.Server;
import org.inferometer.simulator.scenario.Scenario;
import org.inferometer.simulator.scenario.Scenario.Arrivals;
import org.inferometer.simulator.scenario.Scenario.Frontend;
import org.inferometer.simulator.scenario.Scenario.Length;
import org.inferometer.simulator.scenario.Scenario.Role;
import org.inferometer.simulator.scenario.Scenario.Routing;
import org.inferometer.simulator.scenario.Scenario.Workload;
import org.inferometer.simulator.workload.Clients;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients, gateway, front ends and vLLM's engine core together, while much goes wrong. */
class WholeTest {
  /** Steps of 5 ms and 30 microseconds for each token. */
  private static final class PlainTimer implements StepTimer {
    @Override
    public long begin(StepWork work, long nowNs) {
      return 5 * MILLI + work.tokens() * 30_000L;
    }
  }

  private final List<VllmEngine> engines = new ArrayList<>();

  private ApiFrontEnd server(Stage stage, String name, int engineCount) {
    EngineConfig config =
        new EngineConfig(
            Version.parse("0.15.0"),
            8192,
            64,
            2048,
            1500,
            16,
            true,
            0,
            true,
            true,
            false,
            true,
            0,
            1,
            0,
            null,
            null,
            new EngineConfig.Transfers(10e9, MILLI, 1e5));
    return new ApiFrontEnd(
        name,
        Frontend.PYTHON,
        FrontEndCosts.python(),
        stage.agenda,
        new Knobs(Part.SERVER),
        List.of(
            new ApiFrontEnd.Worker(
                new IdleHostProcess(),
                new Measures(ServerQuantity.class, Edges.fine(), stage.agenda.now()))),
        listener -> {
          List<Engine> made = new ArrayList<>();
          for (int i = 0; i < engineCount; i++) {
            VllmEngine engine =
                new VllmEngine(
                    i,
                    config,
                    new PlainTimer(),
                    stage.agenda,
                    new Measures(EngineQuantity.class, Edges.fine(), stage.agenda.now()),
                    new Knobs(Part.ENGINE),
                    listener,
                    stage.dice.stream(name + i));
            engines.add(engine);
            made.add(engine);
          }
          return made;
        });
  }

  private static Workload chat() {
    return new Stage.WorkloadMaker(new Arrivals.Bursty(12, 2))
        .lengths(new Length.LogNormal(300, 1500, 1, 4000), new Length.Exponential(100, 1, 600))
        .prefixes(new Scenario.Prefixes(400, 5, 200, 1))
        .sessions(new Scenario.Sessions(new Length.Uniform(1, 4), new Length.Exponential(2, 0, 9)))
        .cancels(0.1, new Length.Exponential(2, 0, 60))
        .timeout(20 * SECOND)
        .streaming(0.6)
        .make();
  }

  /** Counts how each request ended for its client. */
  private static final class Ends implements Server {
    private final Server server;
    final Map<Long, Integer> ends = new HashMap<>();
    int submitted;

    Ends(Server server) {
      this.server = server;
    }

    @Override
    public String name() {
      return server.name();
    }

    @Override
    public void submit(Request request, Receiver receiver) {
      submitted++;
      server.submit(
          request,
          new Receiver() {
            @Override
            public boolean wantsEveryToken() {
              return receiver.wantsEveryToken();
            }

            @Override
            public void tokens(Request of, int count) {
              receiver.tokens(of, count);
            }

            @Override
            public void ended(Request of, Outcome outcome) {
              ends.merge(of.id, 1, Integer::sum);
              receiver.ended(of, outcome);
            }
          });
    }

    @Override
    public void abandon(Request request) {
      ends.merge(request.id, 1, Integer::sum);
      server.abandon(request);
    }

    @Override
    public int inFlight() {
      return server.inFlight();
    }
  }

  private static double ended(Measures client) {
    return client.labelled(ClientQuantity.ENDED).values().stream().mapToDouble(v -> v[0]).sum();
  }

  @Test
  void tokens_areEqualOverClientGatewayFrontEndAndEngine() {
    Stage stage = new Stage(8);
    SimulatedGateway gateway =
        stage.gateway(
            Stage.gateway(0, 0, Routing.LEAST_REQUESTS),
            server(stage, "a", 2),
            server(stage, "b", 1));
    Clients clients =
        stage.clients(
            new Stage.WorkloadMaker(new Arrivals.Poisson(6))
                .lengths(
                    new Length.LogNormal(300, 1500, 1, 4000), new Length.Exponential(100, 1, 600))
                .streaming(0.6)
                .make(),
            gateway);
    stage.run(clients, 100 * SECOND);
    Measures client = clients.measures();
    assertThat(client.value(ClientQuantity.ENDED, "ok")).isEqualTo(ended(client));
    assertThat(client.distribution(ClientQuantity.GENERATION_TOKENS).sum())
        .isGreaterThan(10_000)
        .isEqualTo(stage.gatewayMeasures.value(GatewayQuantity.GENERATION_TOKENS))
        .isEqualTo(sum(EngineQuantity.GENERATION_TOKENS));
    assertThat(client.distribution(ClientQuantity.PROMPT_TOKENS).sum())
        .isEqualTo(stage.gatewayMeasures.value(GatewayQuantity.PROMPT_TOKENS))
        .isEqualTo(sum(EngineQuantity.PROMPT_TOKENS));
    assertThat(engines.stream().mapToLong(this::finished).sum()).isEqualTo((long) ended(client));
  }

  private long finished(VllmEngine engine) {
    return engine.measures().distribution(EngineQuantity.E2E).count();
  }

  private double sum(EngineQuantity quantity) {
    return engines.stream().mapToDouble(e -> e.measures().value(quantity)).sum();
  }

  @Test
  void prefillAndDecodeInstances_serveBetweenThem() {
    Stage stage = new Stage(9);
    SimulatedGateway gateway = stage.gateway(Stage.gateway(60 * SECOND, 0, Routing.LEAST_REQUESTS));
    gateway.addUpstream(server(stage, "p", 1), Role.PREFILL, "p.sim:8000");
    gateway.addUpstream(server(stage, "d", 1), Role.DECODE, "d.sim:8000");
    Clients clients = stage.clients(Stage.chat(new Arrivals.Poisson(3), 800, 50), gateway);
    stage.run(clients, 60 * SECOND);
    Measures client = clients.measures();
    double ok = client.value(ClientQuantity.ENDED, "ok");
    assertThat(ok).isEqualTo(ended(client)).isGreaterThan(100);
    Measures prefill = engines.get(0).measures();
    Measures decode = engines.get(1).measures();
    assertThat(prefill.value(EngineQuantity.GENERATION_TOKENS)).isEqualTo(ok);
    assertThat(decode.value(EngineQuantity.GENERATION_TOKENS)).isEqualTo(50 * ok);
    assertThat(decode.value(EngineQuantity.EXTERNAL_HIT_TOKENS)).isGreaterThan(700 * ok);
    assertThat(engines).allMatch(e -> e.kvUsage() == 0);
  }

  /** What a run of trouble comes to, in a line. */
  private String trouble(long seed) {
    engines.clear();
    Stage stage = new Stage(seed);
    Dice dice = Dice.of(seed).stream("trouble");
    Routing[] routings = Routing.values();
    SimulatedGateway gateway =
        stage.gateway(Stage.gateway(15 * SECOND, 20, routings[dice.nextInt(routings.length)]));
    Map<String, ApiFrontEnd> up = new HashMap<>();
    for (String name : List.of("a", "b", "c")) {
      ApiFrontEnd server = server(stage, name, 1);
      up.put(name, server);
      gateway.addUpstream(server, Role.BOTH, name + ".sim:8000");
    }
    Ends ends = new Ends(gateway);
    Clients clients = stage.clients(chat(), ends);
    clients.start();
    for (int i = 0; i < 40; i++) {
      stage.agenda.runUntil(stage.agenda.now() + (long) (dice.nextDouble() * 3 * SECOND));
      mischief(stage, dice, gateway, up);
    }
    clients.stop();
    stage.gatewayKnobs.set(Knob.GATEWAY_CONNECTIONS, 0);
    stage.agenda.runUntil(stage.agenda.now() + 300 * SECOND);

    Measures client = clients.measures();
    assertThat(ends.ends.values()).as("seed %d", seed).containsOnly(1);
    assertThat(ends.ends).as("seed %d", seed).hasSize(ends.submitted);
    assertThat(ended(client))
        .as("seed %d", seed)
        .isEqualTo(client.value(ClientQuantity.SENT))
        .isEqualTo(ends.submitted)
        .isEqualTo(stage.entries.size());
    assertThat(clients.inFlight() + gateway.inFlight()).as("seed %d", seed).isZero();
    assertThat(up.values()).as("seed %d", seed).allMatch(s -> s.inFlight() == 0);
    for (ApiFrontEnd server : up.values()) {
      Engine engine = server.engines().getFirst();
      assertThat(engine.running() + engine.waiting()).as("seed %d", seed).isZero();
      assertThat(engine.kvUsage()).as("seed %d", seed).isZero();
    }
    return stage.agenda.happened() + " " + stage.entries.hashCode() + " " + stage.errors;
  }

  private void mischief(
      Stage stage, Dice dice, SimulatedGateway gateway, Map<String, ApiFrontEnd> up) {
    String name = List.of("a", "b", "c").get(dice.nextInt(3));
    switch (dice.nextInt(8)) {
      case 0 -> kill(up, name);
      case 1, 2 -> {
        kill(up, name);
        ApiFrontEnd server = server(stage, name, 1);
        up.put(name, server);
        gateway.addUpstream(server, Role.BOTH, name + ".sim:8000");
      }
      case 3 -> gateway.removeUpstream(name);
      case 4 -> stage.gatewayKnobs.set(Knob.GATEWAY_BUFFERING, dice.nextInt(2));
      case 5 -> stage.gatewayKnobs.set(Knob.GATEWAY_TIMEOUT, dice.nextInt(10));
      case 6 -> stage.gatewayKnobs.set(Knob.GATEWAY_CONNECTIONS, dice.nextInt(8));
      default -> stage.clientKnobs.set(Knob.CLIENT_CONNECTIONS, dice.nextInt(30));
    }
  }

  private static void kill(Map<String, ApiFrontEnd> up, String name) {
    ApiFrontEnd server = up.remove(name);
    if (server != null) {
      server.engines().forEach(Engine::stop);
      server.stop();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void everything_endsExactlyOnceAndTheSameWayAgain(long seed) {
    assertThat(trouble(seed)).isEqualTo(trouble(seed));
  }
}
