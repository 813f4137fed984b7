package org.inferometer.simulator.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.inferometer.simulator.engine.Engine;
import org.inferometer.simulator.knob.Knob;
import org.inferometer.simulator.measure.ClientQuantity;
import org.inferometer.simulator.measure.EngineQuantity;
import org.inferometer.simulator.measure.GatewayQuantity;
import org.inferometer.simulator.measure.Measures;
import org.inferometer.simulator.measure.Quantity;
import org.inferometer.simulator.scenario.Action;
import org.inferometer.simulator.scenario.Scenario;
import org.inferometer.simulator.workload.Clients;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for every fleet in which nothing breaks, once all that was asked is answered. */
class FleetInvariantsTest {
  private static final long SECOND = SmallFleet.SECOND;
  private static final long WORKS_NS = 60 * SECOND;
  private static final long SAMPLE_NS = 10_000_000;

  /** Little's law holds for every run from empty to empty; what is left is the sampling. */
  private static final double RESIDUAL = 0.05;

  /** Brings a small KV cache to its end. */
  private static final double TIGHT_RATE = 3;

  /** A fleet that works for a while, then gets no more requests and ends what it has. */
  private static final class Run {
    private final Fleet fleet;
    private double inClients;
    private double inGateway;
    private double inEngines;
    private long samples;

    Run(long seed, String flags) {
      fleet = Fleet.of(SmallFleet.scenario(flags, ""), seed, SmallFleet.START_MS);
      if (!flags.isEmpty()) {
        Action more = new Action.Turn(Map.of(Knob.WORKLOAD_RATE, TIGHT_RATE));
        fleet.apply(more, Scenario.Target.all(), 0);
      }
      sample();
      fleet.runUntil(WORKS_NS);
      fleet.clients().forEach(Clients::stop);
      fleet.runUntil(3 * WORKS_NS);
    }

    private void sample() {
      fleet.clients().forEach(one -> inClients += one.inFlight());
      inGateway += fleet.entry().inFlight();
      for (Engine engine : engines()) {
        inEngines += engine.running() + engine.waiting();
      }
      samples++;
      fleet.agenda().in(SAMPLE_NS, this::sample);
    }

    List<Engine> engines() {
      return fleet.replicas().stream().flatMap(one -> one.engines().stream()).toList();
    }

    Measures clients() {
      return fleet.clients().getFirst().measures();
    }

    Measures gateway() {
      var gateway = fleet.gateway();
      if (gateway == null) {
        throw new AssertionError("expected a gateway");
      }
      return gateway.measures();
    }

    double seconds() {
      return samples * SAMPLE_NS / 1e9;
    }

    double sum(ToDoubleFunction<Measures> of) {
      return engines().stream().map(Engine::measures).mapToDouble(of).sum();
    }
  }

  private static double sum(Measures measures, Quantity quantity) {
    return measures.distribution(quantity).sum();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void tokens_areTheSameInEveryLayer(long seed) {
    Run run = new Run(seed, "");
    double prompts = sum(run.clients(), ClientQuantity.PROMPT_TOKENS);
    double answers = sum(run.clients(), ClientQuantity.GENERATION_TOKENS);
    assertThat(prompts).as("seed %d", seed).isPositive();
    assertThat(run.gateway().value(GatewayQuantity.PROMPT_TOKENS)).isEqualTo(prompts);
    assertThat(run.gateway().value(GatewayQuantity.GENERATION_TOKENS)).isEqualTo(answers);
    assertThat(run.sum(m -> sum(m, EngineQuantity.REQUEST_PROMPT_TOKENS))).isEqualTo(prompts);
    assertThat(run.sum(m -> sum(m, EngineQuantity.REQUEST_GENERATION_TOKENS))).isEqualTo(answers);
    assertThat(run.sum(m -> m.value(EngineQuantity.PROMPT_TOKENS))).isEqualTo(prompts);
    assertThat(run.sum(m -> m.value(EngineQuantity.GENERATION_TOKENS))).isEqualTo(answers);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void littlesLaw_holdsAtClientGatewayAndEngine(long seed) {
    Run run = new Run(seed, "");
    double inClients = run.inClients / run.samples;
    double inGateway = run.inGateway / run.samples;
    double inEngines = run.inEngines / run.samples;
    double seconds = run.seconds();
    assertThat(inClients).as("seed %d", seed).isPositive();
    assertThat(sum(run.clients(), ClientQuantity.E2E) / seconds)
        .isCloseTo(inClients, within(RESIDUAL * inClients));
    assertThat(sum(run.gateway(), GatewayQuantity.SECONDS) / seconds)
        .isCloseTo(inGateway, within(RESIDUAL * inGateway));
    double engineSeconds =
        run.sum(m -> sum(m, EngineQuantity.QUEUE) + sum(m, EngineQuantity.INFERENCE));
    assertThat(engineSeconds / seconds).isCloseTo(inEngines, within(RESIDUAL * inEngines));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "kv_blocks: 520"})
  void nothingIsLost_whenTheWorkloadStops(String flags) {
    Run run = new Run(1, flags);
    boolean isTight = !flags.isEmpty();
    assertThat(run.sum(m -> m.value(EngineQuantity.PREEMPTIONS)) > 0).isEqualTo(isTight);
    double sent = run.clients().value(ClientQuantity.SENT);
    assertThat(run.clients().value(ClientQuantity.ENDED, "ok")).isEqualTo(sent).isPositive();
    assertThat(run.clients().labelled(ClientQuantity.ENDED)).containsOnlyKeys("ok");
    assertThat(run.fleet.entry().inFlight()).isZero();
    assertThat(run.clients().value(ClientQuantity.IN_FLIGHT)).isZero();
    for (Engine engine : run.engines()) {
      assertThat(engine.running() + engine.waiting()).isZero();
      assertThat(engine.kvUsage()).isZero();
      assertThat(engine.measures().value(EngineQuantity.RUNNING)).isZero();
    }
    assertThat(run.sum(m -> m.distribution(EngineQuantity.E2E).count())).isEqualTo(sent);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void layersTimes_fitIntoEachOther(long seed) {
    Run run = new Run(seed, "");
    double client = run.clients().distribution(ClientQuantity.E2E).mean();
    double gateway = run.gateway().distribution(GatewayQuantity.SECONDS).mean();
    double count = run.sum(m -> m.distribution(EngineQuantity.E2E).count());
    double frontEnd = run.sum(m -> sum(m, EngineQuantity.E2E)) / count;
    double engine =
        run.sum(m -> sum(m, EngineQuantity.QUEUE) + sum(m, EngineQuantity.INFERENCE)) / count;
    assertThat(client).as("seed %d", seed).isGreaterThanOrEqualTo(gateway);
    assertThat(gateway).isGreaterThan(frontEnd);
    assertThat(frontEnd).isGreaterThan(engine);
    assertThat(engine).isPositive();
  }
}
