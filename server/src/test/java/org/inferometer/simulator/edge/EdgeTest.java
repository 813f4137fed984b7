package org.inferometer.simulator.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.inferometer.simulator.edge.Stage.MILLI;
import static org.inferometer.simulator.edge.Stage.SECOND;
import static org.inferometer.simulator.edge.Stage.chat;

import org.inferometer.simulator.measure.ClientQuantity;
import org.inferometer.simulator.measure.EngineQuantity;
import org.inferometer.simulator.measure.GatewayQuantity;
import org.inferometer.simulator.measure.Measures;
import org.inferometer.simulator.scenario.Scenario.Arrivals;
import org.inferometer.simulator.scenario.Scenario.Length;
import org.inferometer.simulator.scenario.Scenario.Routing;
import org.inferometer.simulator.workload.Clients;
import org.junit.jupiter.api.Test;

/** Client, gateway and front end together. */
class EdgeTest {
  @Test
  void tokens_areEqualOverAllLayers() {
    Stage stage = new Stage(1);
    ApiFrontEnd a = stage.frontEnd("a", FrontEndCosts.python(), 2, 20 * MILLI);
    ApiFrontEnd b = stage.frontEnd("b", FrontEndCosts.rust(), 1, 20 * MILLI);
    SimulatedGateway gateway = stage.gateway(Stage.gateway(0, 0, Routing.LEAST_REQUESTS), a, b);
    Clients clients =
        stage.clients(
            new Stage.WorkloadMaker(new Arrivals.Poisson(20))
                .lengths(
                    new Length.LogNormal(400, 2000, 1, 8000), new Length.Exponential(50, 1, 500))
                .streaming(0.7)
                .make(),
            gateway);
    stage.run(clients, 60 * SECOND);

    Measures client = clients.measures();
    double generated = client.distribution(ClientQuantity.GENERATION_TOKENS).sum();
    double prompts = client.distribution(ClientQuantity.PROMPT_TOKENS).sum();
    assertThat(client.value(ClientQuantity.ENDED, "ok"))
        .isEqualTo(client.value(ClientQuantity.SENT))
        .isGreaterThan(1000);
    assertThat(generated)
        .isEqualTo(stage.gatewayMeasures.value(GatewayQuantity.GENERATION_TOKENS))
        .isEqualTo(sum(stage, EngineQuantity.GENERATION_TOKENS));
    assertThat(prompts)
        .isEqualTo(stage.gatewayMeasures.value(GatewayQuantity.PROMPT_TOKENS))
        .isEqualTo(sum(stage, EngineQuantity.PROMPT_TOKENS));
    assertThat(clients.inFlight() + gateway.inFlight() + a.inFlight() + b.inFlight()).isZero();
    assertThat(stage.entries).hasSize((int) client.value(ClientQuantity.SENT));
  }

  private static double sum(Stage stage, EngineQuantity quantity) {
    return stage.engines.values().stream().mapToDouble(e -> e.measures().value(quantity)).sum();
  }

  @Test
  void times_ofALoneRequest_areWhatItsPartsTake() {
    Stage stage = new Stage(2);
    FrontEndCosts costs = new FrontEndCosts(1_000_000, 1_000, 100_000, 25_000, 5_000, 50_000);
    ApiFrontEnd server = stage.frontEnd("a", costs, 1, 20 * MILLI);
    SimulatedGateway gateway = stage.gateway(Stage.gateway(0, 0, Routing.ROUND_ROBIN), server);
    Clients clients = stage.clients(chat(new Arrivals.Constant(1), 1000, 11), gateway);
    stage.run(clients, 10 * SECOND);
    Measures engine = stage.engine("a").measures();
    // 2 ms to tokenise, steps of 20 ms, and 130 microseconds for each output.
    assertThat(engine.distribution(EngineQuantity.TTFT).mean()).isCloseTo(0.02213, within(1e-9));
    assertThat(engine.distribution(EngineQuantity.E2E).mean()).isCloseTo(0.22213, within(1e-9));
    assertThat(clients.measures().distribution(ClientQuantity.TTFT).mean())
        .isCloseTo(0.02213, within(1e-9));
    assertThat(clients.measures().distribution(ClientQuantity.TPOT).mean())
        .isCloseTo(0.02, within(1e-9));
    assertThat(stage.gatewayMeasures.distribution(GatewayQuantity.SECONDS).mean())
        .isCloseTo(0.22213, within(1e-9));
  }

  /** Time in a server, against Little's law: sampled number inside, rate times time inside. */
  private static void assertLittle(String where, double inside, double ended, double seconds) {
    assertThat(inside).as(where).isCloseTo(ended * seconds, within(0.05 * ended * seconds));
  }

  @Test
  void littlesLaw_holdsAtClientGatewayAndFrontEnd() {
    Stage stage = new Stage(11);
    ApiFrontEnd a = stage.frontEnd("a", FrontEndCosts.python(), 1, 20 * MILLI);
    ApiFrontEnd b = stage.frontEnd("b", FrontEndCosts.python(), 1, 30 * MILLI);
    SimulatedGateway gateway = stage.gateway(Stage.gateway(0, 30, Routing.RANDOM), a, b);
    Clients clients =
        stage.clients(
            new Stage.WorkloadMaker(new Arrivals.Poisson(15))
                .lengths(
                    new Length.LogNormal(400, 2000, 1, 8000), new Length.Exponential(80, 1, 800))
                .make(),
            gateway);
    double[] inside = new double[3];
    clients.start();
    int seconds = 2000;
    for (int i = 0; i < seconds * 10; i++) {
      stage.agenda.runUntil(stage.agenda.now() + SECOND / 10);
      inside[0] += clients.inFlight() / 10.0 / seconds;
      inside[1] += gateway.inFlight() / 10.0 / seconds;
      inside[2] += (a.inFlight() + b.inFlight()) / 10.0 / seconds;
    }
    Measures client = clients.measures();
    double rate = client.value(ClientQuantity.ENDED, "ok") / seconds;
    assertLittle("client", inside[0], rate, client.distribution(ClientQuantity.E2E).mean());
    assertLittle(
        "gateway",
        inside[1],
        rate,
        stage.gatewayMeasures.distribution(GatewayQuantity.SECONDS).mean());
    double frontEnds =
        stage.engines.values().stream()
            .mapToDouble(e -> e.measures().distribution(EngineQuantity.E2E).sum())
            .sum();
    assertLittle("front end", inside[2], 1, frontEnds / seconds);
  }
}
