package org.inferometer.simulator.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.inferometer.simulator.edge.Stage.MILLI;
import static org.inferometer.simulator.edge.Stage.SECOND;
import static org.inferometer.simulator.edge.Stage.chat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.inferometer.simulator.knob.Knob;
import org.inferometer.simulator.measure.ClientQuantity;
import org.inferometer.simulator.measure.EngineQuantity;
import org.inferometer.simulator.measure.GatewayQuantity;
import org.inferometer.simulator.measure.Measures;
import org.inferometer.simulator.request.Outcome;
import org.inferometer.simulator.request.Request;
import org.inferometer.simulator.request.Request.Handover;
import org.inferometer.simulator.request.SegmentPrompt;
import org.inferometer.simulator.scenario.Scenario;
import org.inferometer.simulator.scenario.Scenario.Arrivals;
import org.inferometer.simulator.scenario.Scenario.Role;
import org.inferometer.simulator.scenario.Scenario.Routing;
import org.inferometer.simulator.workload.Clients;
import org.junit.jupiter.api.Test;

class SimulatedGatewayTest {
  private static final FrontEndCosts FREE = new FrontEndCosts(0, 0, 0, 0, 0, 0);

  private final Stage stage = new Stage(3);

  private ApiFrontEnd server(String name) {
    return stage.frontEnd(name, FREE, 1, 20 * MILLI);
  }

  private Listener ask(SimulatedGateway gateway, int tokens, boolean streams) {
    Listener listener = new Listener(stage.agenda, false);
    gateway.submit(stage.request(100, tokens, streams), listener);
    return listener;
  }

  @Test
  void timeout_ofAWholeAnswerComesAtExactlyItsTimeAndTheEngineIsTold() {
    ApiFrontEnd server = server("a");
    SimulatedGateway gateway =
        stage.gateway(Stage.gateway(60 * SECOND, 0, Routing.ROUND_ROBIN), server);
    Listener slow = ask(gateway, 5000, false);
    Listener fast = ask(gateway, 100, false);
    stage.agenda.runUntil(1000 * SECOND);
    assertThat(slow.outcome).isEqualTo(new Outcome(504, null, "timeout"));
    assertThat(slow.endNs).isEqualTo(60 * SECOND);
    assertThat(slow.arrivals).isEmpty();
    assertThat(fast.endNs).isEqualTo(2 * SECOND);
    assertThat(stage.engine("a").aborted).isEqualTo(1);
    assertThat(server.inFlight() + gateway.inFlight()).isZero();
    assertThat(stage.gatewayMeasures.value(GatewayQuantity.FAILURES, "504\ntimeout")).isEqualTo(1);
    assertThat(stage.gatewayMeasures.value(GatewayQuantity.REQUESTS, "200")).isEqualTo(1);
  }

  @Test
  void timeout_ofAStreamIsOfTheTimeBetweenTwoReads() {
    ApiFrontEnd server = server("a");
    SimulatedGateway gateway = stage.gateway(Stage.gateway(SECOND, 0, Routing.ROUND_ROBIN), server);
    Listener stream = ask(gateway, 500, true);
    stage.agenda.runUntil(5 * SECOND + MILLI);
    assertThat(stream.ends).isZero();
    stage.engine("a").stuck = true;
    stage.agenda.runUntil(100 * SECOND);
    // The step that had begun still ends.
    assertThat(stream.endNs).isEqualTo(5 * SECOND + 20 * MILLI + SECOND);
    assertThat(stream.outcome).isEqualTo(new Outcome(504, null, "timeout"));
    assertThat(stage.entries.getFirst().status()).isEqualTo(200);
    assertThat(stage.errors.getFirst().says()).endsWith("while reading upstream");
  }

  @Test
  void timeout_turnedHoldsForNewRequests() {
    SimulatedGateway gateway =
        stage.gateway(Stage.gateway(60 * SECOND, 0, Routing.ROUND_ROBIN), server("a"));
    Listener before = ask(gateway, 50_000, false);
    stage.gatewayKnobs.set(Knob.GATEWAY_TIMEOUT, 5);
    Listener after = ask(gateway, 50_000, false);
    stage.agenda.runUntil(1000 * SECOND);
    assertThat(before.endNs).isEqualTo(60 * SECOND);
    assertThat(after.endNs).isEqualTo(5 * SECOND);
  }

  @Test
  void buffering_movesTheClientsFirstTokenToTheEndAndNothingElse() {
    List<Measures> clients = new ArrayList<>();
    List<Measures> engines = new ArrayList<>();
    for (int buffering = 0; buffering < 2; buffering++) {
      Stage one = new Stage(5);
      one.gatewayKnobs.set(Knob.GATEWAY_BUFFERING, buffering);
      SimulatedGateway gateway =
          one.gateway(
              Stage.gateway(60 * SECOND, 0, Routing.ROUND_ROBIN),
              one.frontEnd("a", FrontEndCosts.python(), 1, 20 * MILLI));
      Clients users = one.clients(chat(new Arrivals.Poisson(5), 500, 100), gateway);
      one.run(users, 60 * SECOND);
      clients.add(users.measures());
      engines.add(one.engine("a").measures());
    }
    Measures plain = clients.getFirst();
    Measures buffered = clients.getLast();
    assertThat(plain.distribution(ClientQuantity.TTFT).mean()).isLessThan(0.1);
    assertThat(buffered.distribution(ClientQuantity.TTFT).sum())
        .isEqualTo(buffered.distribution(ClientQuantity.E2E).sum())
        .isEqualTo(plain.distribution(ClientQuantity.E2E).sum());
    for (EngineQuantity quantity : List.of(EngineQuantity.TTFT, EngineQuantity.E2E)) {
      assertThat(engines.getFirst().distribution(quantity).sum())
          .isEqualTo(engines.getLast().distribution(quantity).sum());
    }
  }

  @Test
  void connections_areLimitedAndTheWaitIsMeasured() {
    SimulatedGateway gateway =
        stage.gateway(Stage.gateway(60 * SECOND, 2, Routing.ROUND_ROBIN), server("a"));
    for (int i = 0; i < 6; i++) {
      ask(gateway, 50, false);
    }
    assertThat(stage.engine("a").running()).isEqualTo(2);
    assertThat(stage.gatewayMeasures.value(GatewayQuantity.WAITING_FOR_CONNECTION)).isEqualTo(4);
    stage.agenda.runUntil(100 * SECOND);
    assertThat(stage.gatewayMeasures.distribution(GatewayQuantity.CONNECTION_WAIT_SECONDS).mean())
        .isCloseTo(1, within(0.05));
    assertThat(stage.gatewayMeasures.value(GatewayQuantity.WAITING_FOR_CONNECTION)).isZero();
  }

  @Test
  void waitingForAConnection_timesOutToo() {
    SimulatedGateway gateway =
        stage.gateway(Stage.gateway(3 * SECOND, 1, Routing.ROUND_ROBIN), server("a"));
    ask(gateway, 100, true);
    gateway.abandon(stage.request(1, 1, true));
    Listener stream = ask(gateway, 100_000, true);
    Listener waits = ask(gateway, 100, true);
    stage.agenda.runUntil(20 * SECOND);
    assertThat(stream.ends).isZero();
    assertThat(waits.endNs).isEqualTo(3 * SECOND);
    assertThat(waits.outcome).isEqualTo(new Outcome(504, null, "timeout"));
    assertThat(stage.entries.getLast().upstream()).isNull();
  }

  private double routed(String name) {
    return stage.gatewayMeasures.value(
        GatewayQuantity.ROUTED, name + "\nhttp://" + name + ".sim:8000/v1");
  }

  @Test
  void roundRobin_goesToEachInTurn() {
    SimulatedGateway gateway =
        stage.gateway(
            Stage.gateway(0, 0, Routing.ROUND_ROBIN), server("a"), server("b"), server("c"));
    for (int i = 0; i < 9; i++) {
      ask(gateway, 10, true);
    }
    assertThat(List.of(routed("a"), routed("b"), routed("c"))).containsOnly(3.0);
  }

  @Test
  void random_isEven() {
    SimulatedGateway gateway =
        stage.gateway(Stage.gateway(0, 0, Routing.RANDOM), server("a"), server("b"));
    for (int i = 0; i < 10_000; i++) {
      ask(gateway, 1, true);
    }
    assertThat(routed("a")).isCloseTo(5000, within(150.0));
  }

  @Test
  void skew_sendsItsShareToTheFirst() {
    stage.gatewayKnobs.set(Knob.GATEWAY_SKEW, 0.5);
    SimulatedGateway gateway =
        stage.gateway(Stage.gateway(0, 0, Routing.RANDOM), server("a"), server("b"));
    for (int i = 0; i < 10_000; i++) {
      ask(gateway, 1, true);
    }
    assertThat(routed("a")).isCloseTo(7500, within(130.0));
  }

  @Test
  void leastRequests_fillsTheEmptier() {
    ApiFrontEnd slow = stage.frontEnd("slow", FREE, 1, 200 * MILLI);
    SimulatedGateway gateway =
        stage.gateway(Stage.gateway(0, 0, Routing.LEAST_REQUESTS), slow, server("fast"));
    Clients clients = stage.clients(chat(new Arrivals.Poisson(20), 10, 20), gateway);
    stage.run(clients, 100 * SECOND);
    assertThat(routed("fast") / routed("slow")).isBetween(5.0, 13.0);
  }

  @Test
  void prefix_goesWhereItWasSeenUnlessThatIsLoaded() {
    SimulatedGateway gateway =
        stage.gateway(Stage.gateway(0, 0, Routing.PREFIX), server("a"), server("b"));
    for (int i = 0; i < 50; i++) {
      long document = i % 5;
      gateway.submit(
          stage.request(SegmentPrompt.empty().then(document, 1000).then(i, 100), 1, true),
          new Listener(stage.agenda, false));
      stage.agenda.runUntil((i + 1) * SECOND);
    }
    assertThat(routed("a") % 10).isZero();
    assertThat(routed("a") + routed("b")).isEqualTo(50);
    double before = routed("a");
    for (int i = 0; i < 200; i++) {
      gateway.submit(
          stage.request(SegmentPrompt.empty().then(0, 1000).then(-i, 100), 1000, true),
          new Listener(stage.agenda, false));
    }
    // All know the same document; but no one gets more than 64 and half as many again.
    assertThat(routed("a") - before).isBetween(60.0, 140.0);
  }

  @Test
  void sticky_keepsSessionsTogetherAndMovesFewWhenOneGoes() {
    SimulatedGateway gateway =
        stage.gateway(Stage.gateway(0, 0, Routing.STICKY), server("a"), server("b"), server("c"));
    long[] added = new long[3];
    for (int turn = 0; turn < 4; turn++) {
      for (int session = 1; session <= 300; session++) {
        Request request = stage.request(100, 1, true);
        request.session = session;
        gateway.submit(request, new Listener(stage.agenda, false));
      }
      long[] now = {(long) routed("a"), (long) routed("b"), (long) routed("c")};
      if (turn == 0) {
        added = now;
        assertThat(Arrays.stream(added).min().orElse(0)).isGreaterThan(60);
      }
      for (int i = 0; i < 3; i++) {
        assertThat(now[i]).isEqualTo(added[i] * (turn + 1));
      }
    }
    stage.agenda.runUntil(SECOND);
    gateway.removeUpstream("b");
    double beforeA = routed("a");
    for (int session = 1; session <= 300; session++) {
      Request request = stage.request(100, 1, true);
      request.session = session;
      gateway.submit(request, new Listener(stage.agenda, false));
    }
    assertThat(routed("a") - beforeA).isBetween((double) added[0], added[0] + added[1] * 0.8);
  }

  @Test
  void upstreamThatRefuses_isLeftOutForAWhileAndAnotherAsked() {
    ApiFrontEnd a = server("a");
    SimulatedGateway gateway =
        stage.gateway(Stage.gateway(0, 0, Routing.ROUND_ROBIN), a, server("b"));
    a.stop();
    List<Listener> listeners = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      listeners.add(ask(gateway, 10, true));
    }
    stage.agenda.runUntil(5 * SECOND);
    assertThat(listeners).allMatch(l -> l.ends == 1 && l.outcome != null && l.outcome.isOk());
    assertThat(routed("a")).isEqualTo(1);
    assertThat(state("a")).isEqualTo(2);
    stage.agenda.runUntil(11 * SECOND);
    ask(gateway, 10, true);
    ask(gateway, 10, true);
    assertThat(routed("a")).isEqualTo(2);
    gateway.addUpstream(server("a"), Role.BOTH, "a.sim:8000");
    assertThat(state("a")).isZero();
    ask(gateway, 10, true);
    ask(gateway, 10, true);
    assertThat(routed("a")).isEqualTo(3);
  }

  private double state(String name) {
    return stage.gatewayMeasures.value(
        GatewayQuantity.UPSTREAM_STATE, name + "\nhttp://" + name + ".sim:8000/v1");
  }

  @Test
  void noUpstream_is502() {
    ApiFrontEnd a = server("a");
    SimulatedGateway gateway = stage.gateway(Stage.gateway(0, 0, Routing.RANDOM), a);
    a.stop();
    assertThat(ask(gateway, 10, true).outcome).isEqualTo(new Outcome(502, null, "down"));
    gateway.removeUpstream("a");
    assertThat(ask(gateway, 10, true).outcome).isEqualTo(new Outcome(502, null, "down"));
    assertThat(stage.errors.getFirst().says()).contains("Connection refused");
    assertThat(stage.errors.getLast().says()).startsWith("no live upstreams");
  }

  @Test
  void upstreamThatBreaks_is502AndNotRepeated() {
    ApiFrontEnd a = server("a");
    SimulatedGateway gateway = stage.gateway(Stage.gateway(0, 0, Routing.ROUND_ROBIN), a);
    gateway.addUpstream(server("b"), Role.BOTH, "b.sim:8000");
    Listener stream = ask(gateway, 1000, true);
    stage.agenda.runUntil(SECOND);
    a.stop();
    assertThat(stream.outcome).isEqualTo(new Outcome(502, null, "down"));
    assertThat(stage.engine("b").added).isZero();
    assertThat(stage.entries.getFirst().status()).isEqualTo(200);
    assertThat(stage.entries.getFirst().upstreamStatus()).isEqualTo(200);
    assertThat(stage.errors.getFirst().says()).endsWith("closed connection while reading upstream");
  }

  @Test
  void statusInTheLog_isTheStreamsThatHasBegunThoughNoTokenCame() {
    ApiFrontEnd server = server("a");
    SimulatedGateway gateway = stage.gateway(Stage.gateway(SECOND, 0, Routing.ROUND_ROBIN), server);
    stage.engine("a").stuck = true;
    Listener stream = ask(gateway, 500, true);
    Listener whole = ask(gateway, 500, false);
    stage.agenda.runUntil(100 * SECOND);
    assertThat(stream.arrivals).isEmpty();
    assertThat(stream.outcome).isEqualTo(whole.outcome);
    assertThat(stage.entries).extracting(AccessLog.Entry::status).containsExactly(200, 504);
    assertThat(stage.entries).extracting(AccessLog.Entry::upstreamStatus).containsExactly(200, 504);
  }

  @Test
  void manyThatWaitForAnUpstreamThatGoes_areAllSentOn() {
    ApiFrontEnd a = server("a");
    SimulatedGateway gateway = stage.gateway(Stage.gateway(0, 1, Routing.ROUND_ROBIN), a);
    List<Listener> listeners = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      listeners.add(ask(gateway, 10, true));
    }
    a.stop();
    assertThat(listeners).allMatch(l -> l.ends == 1);
    assertThat(gateway.inFlight()).isZero();
  }

  @Test
  void split_goesToAPrefillInstanceThenToADecodeInstance() {
    SimulatedGateway gateway = stage.gateway(Stage.gateway(60 * SECOND, 0, Routing.ROUND_ROBIN));
    ApiFrontEnd prefill = server("p");
    ApiFrontEnd decode = server("d");
    gateway.addUpstream(prefill, Role.PREFILL, "p.sim:8000");
    gateway.addUpstream(decode, Role.DECODE, "d.sim:8000");
    Listener listener = new Listener(stage.agenda, true);
    Request request = stage.request(100, 10, true);
    gateway.submit(request, listener);
    assertThat(request.handover).isEqualTo(Handover.TO_SEND);
    stage.agenda.runUntil(30 * MILLI);
    assertThat(request.handover).isEqualTo(Handover.TO_FETCH);
    stage.agenda.runUntil(SECOND);
    assertThat(listener.tokens).isEqualTo(10);
    assertThat(listener.arrivals.getFirst()).isEqualTo(40 * MILLI);
    assertThat(listener.ends).isEqualTo(1);
    assertThat(stage.engine("p").added).isEqualTo(1);
    assertThat(stage.engine("d").added).isEqualTo(1);
    assertThat(stage.gatewayMeasures.value(GatewayQuantity.GENERATION_TOKENS)).isEqualTo(10);
  }

  @Test
  void overhead_isOneCpusWork() {
    SimulatedGateway gateway =
        stage.gateway(
            new Scenario.Gateway("g", 0, false, 0, 50 * MILLI, Routing.ROUND_ROBIN), server("a"));
    for (int i = 0; i < 10; i++) {
      ask(gateway, 1, true);
    }
    stage.agenda.runUntil(SECOND);
    assertThat(stage.gatewayMeasures.distribution(GatewayQuantity.OVERHEAD_SECONDS).mean())
        .isCloseTo(0.275, within(1e-9));
  }

  @Test
  void clientThatLeaves_isPassedOnAndLogged() {
    SimulatedGateway gateway = stage.gateway(Stage.gateway(0, 0, Routing.ROUND_ROBIN), server("a"));
    Listener listener = new Listener(stage.agenda, false);
    Request request = stage.request(100, 1000, true);
    gateway.submit(request, listener);
    stage.agenda.runUntil(SECOND);
    gateway.abandon(request);
    stage.agenda.runUntil(2 * SECOND);
    assertThat(stage.engine("a").aborted).isEqualTo(1);
    assertThat(listener.ends).isZero();
    assertThat(stage.entries.getFirst().status()).isEqualTo(499);
    assertThat(stage.gatewayMeasures.value(GatewayQuantity.CANCELLED)).isEqualTo(1);
    assertThat(stage.gatewayMeasures.labelled(GatewayQuantity.REQUESTS)).isEmpty();
  }

  @Test
  void lines_areThoseOfNginx() {
    ApiFrontEnd server = server("a");
    SimulatedGateway gateway =
        stage.gateway(
            new Scenario.Gateway("g", 60 * SECOND, false, 0, MILLI, Routing.ROUND_ROBIN), server);
    ask(gateway, 5000, false);
    ask(gateway, 50, true);
    stage.agenda.runUntil(100 * SECOND);
    NginxLog log = new NginxLog(Instant.parse("2026-03-01T12:00:00Z"));
    assertThat(log.line(stage.entries.get(0)))
        .isEqualTo(
            "chat - - [01/Mar/2026:12:00:01 +0000] \"POST /v1/chat/completions HTTP/1.1\" 200 11700"
                + " \"-\" \"openai-python\" rt=1.001 uct=\"0.000\" uht=\"0.000\" urt=\"0.999\""
                + " ua=\"a.sim:8000\" us=\"200\" rid=\"r4\"");
    assertThat(log.line(stage.entries.get(1)))
        .isEqualTo(
            "chat - - [01/Mar/2026:12:01:00 +0000] \"POST /v1/chat/completions HTTP/1.1\" 504 160"
                + " \"-\" \"openai-python\" rt=60.001 uct=\"0.000\" uht=\"-\" urt=\"60.000\""
                + " ua=\"a.sim:8000\" us=\"504\" rid=\"r2\"");
    assertThat(log.line(stage.errors.getFirst()))
        .isEqualTo(
            "2026/03/01 12:01:00 [error] 29#29: *1 upstream timed out (110: Operation timed out)"
                + " while reading response header from upstream, client: chat, server: _, request:"
                + " \"POST /v1/chat/completions HTTP/1.1\", upstream:"
                + " \"http://a.sim:8000/v1/chat/completions\"");
  }
}
