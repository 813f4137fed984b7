package org.inferometer.simulator.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.inferometer.simulator.fleet.SmallFleet.SECOND;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.inferometer.model.Version;
import org.inferometer.simulator.edge.FrontEnd;
import org.inferometer.simulator.edge.SimulatedGateway;
import org.inferometer.simulator.engine.Engine;
import org.inferometer.simulator.fleet.Endpoint.NoAnswer;
import org.inferometer.simulator.knob.Knob;
import org.inferometer.simulator.knob.Knobs;
import org.inferometer.simulator.measure.ClientQuantity;
import org.inferometer.simulator.measure.EngineQuantity;
import org.inferometer.simulator.measure.GatewayQuantity;
import org.inferometer.simulator.measure.Measures;
import org.inferometer.simulator.page.Page;
import org.inferometer.simulator.scenario.Action;
import org.inferometer.simulator.scenario.Scenario;
import org.inferometer.simulator.scenario.Scenario.Flags;
import org.inferometer.simulator.scenario.Scenario.Happening;
import org.inferometer.simulator.scenario.Scenario.Routing;
import org.inferometer.simulator.scenario.Scenario.Target;
import org.junit.jupiter.api.Test;

class FleetTest {
  private final Fleet fleet = SmallFleet.fleet(1);

  private Replica replica(String name) {
    return fleet.replicas().stream().filter(r -> r.name().equals(name)).findFirst().orElseThrow();
  }

  private Engine engine(String name) {
    return replica(name).engines().getFirst();
  }

  private Knobs serverKnobs(String name) {
    FrontEnd frontEnd = replica(name).frontEnd();
    if (frontEnd == null) {
      throw new AssertionError("expected a front end of " + name);
    }
    return frontEnd.knobs();
  }

  private Endpoint endpoint(String job, String name) {
    return fleet.endpoints().stream()
        .filter(e -> e.job().equals(job) && e.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static String text(Page page) {
    return new String(page.body(), 0, page.length(), StandardCharsets.UTF_8);
  }

  private static String text(Endpoint endpoint) throws NoAnswer {
    return text(endpoint.page());
  }

  private Measures clients() {
    return fleet.clients().getFirst().measures();
  }

  private void turn(Knob knob, double value, Target on, long forSeconds) {
    fleet.apply(new Action.Turn(Map.of(knob, value)), on, forSeconds * SECOND);
  }

  private void restart(String name) {
    fleet.apply(new Action.Restart(null, null, false), SmallFleet.replica(name), 0);
  }

  // ---------------------------------------------------------------------------------- endpoints

  @Test
  void endpoints_areOfAllParts() {
    assertThat(fleet.endpoints())
        .extracting(e -> e.job() + " " + e.address() + e.path())
        .containsExactlyInAnyOrder(
            "engine llama-0.sim:8000/metrics",
            "engine llama-1.sim:8000/metrics",
            "gpu node-1.sim:9400/metrics",
            "host node-1.sim:9100/metrics",
            "gateway edge.sim:4000/metrics",
            "client clients.sim:9464/metrics");
    assertThat(fleet.endpoints()).isSameAs(fleet.endpoints());
  }

  @Test
  void pages_areOfTheSimulatedMoment() throws NoAnswer {
    for (Endpoint endpoint : fleet.endpoints()) {
      String atFirst = text(endpoint);
      fleet.runUntil(fleet.now() + 10 * SECOND);
      assertThat(text(endpoint)).as(endpoint.address()).isNotEqualTo(atFirst);
    }
  }

  @Test
  void frozenPage_staysTheSame_andMovesOnAfter() throws NoAnswer {
    Endpoint engine = endpoint("engine", "llama-0");
    turn(Knob.SCRAPE_FROZEN, 1, SmallFleet.replica("llama-0"), 30);
    String frozen = text(engine);
    fleet.runUntil(20 * SECOND);
    assertThat(text(engine)).isEqualTo(frozen);
    fleet.runUntil(31 * SECOND);
    assertThat(text(engine)).isNotEqualTo(frozen);
  }

  @Test
  void exporterThatIsDown_refuses_andOnlyThat() throws NoAnswer {
    turn(Knob.SCRAPE_DOWN, 1, SmallFleet.endpoint("gpu"), 0);
    assertThatThrownBy(() -> endpoint("gpu", "node-1").page())
        .isInstanceOfSatisfying(NoAnswer.class, e -> assertThat(e.isSlow()).isFalse());
    assertThat(text(endpoint("host", "node-1"))).isNotEmpty();
  }

  @Test
  void missedScrapes_areAsManyAsAsked() {
    turn(Knob.SCRAPE_MISSED, 0.3, SmallFleet.endpoint("host"), 0);
    int missed = 0;
    for (int i = 0; i < 1000; i++) {
      try {
        endpoint("host", "node-1").page();
      } catch (NoAnswer e) {
        assertThat(e.isSlow()).isTrue();
        missed++;
      }
    }
    assertThat(missed).isBetween(250, 350);
  }

  @Test
  void pageWithoutStats_hasNoFamilyOfTheEngine() throws NoAnswer {
    Endpoint engine = endpoint("engine", "llama-0");
    long before = text(engine).lines().filter(line -> line.startsWith("vllm:")).count();
    turn(Knob.SCRAPE_NO_STATS, 1, SmallFleet.replica("llama-0"), 0);
    assertThat(before).isPositive();
    assertThat(text(engine)).doesNotContain("vllm:").contains("process_");
    assertThat(text(endpoint("engine", "llama-1"))).contains("vllm:");
  }

  @Test
  void busyEventLoop_letsTheScrapeWait() {
    Endpoint engine = endpoint("engine", "llama-0");
    fleet.runUntil(10 * SECOND);
    assertThat(engine.delayNs()).isLessThan(SECOND / 10);
    turn(Knob.SERVER_DETOKENISE, 10_000, SmallFleet.replica("llama-0"), 0);
    fleet.runUntil(60 * SECOND);
    assertThat(engine.delayNs()).isGreaterThan(SECOND);
    assertThat(endpoint("engine", "llama-1").delayNs()).isLessThan(SECOND / 10);
  }

  // ----------------------------------------------------------------------------------- restarts

  @Test
  void restart_takesItsTime_andBeginsWithEmptyHands() throws NoAnswer {
    fleet.runUntil(30 * SECOND);
    double before = engine("llama-0").measures().value(EngineQuantity.PROMPT_TOKENS);
    restart("llama-0");
    assertThat(replica("llama-0").isUp()).isFalse();
    assertThat(replica("llama-0").engines()).isEmpty();
    assertThatThrownBy(() -> endpoint("engine", "llama-0").page()).isInstanceOf(NoAnswer.class);
    fleet.runUntil(49 * SECOND);
    assertThat(replica("llama-0").isUp()).isFalse();
    fleet.runUntil(50 * SECOND);
    assertThat(replica("llama-0").isUp()).isTrue();
    assertThat(replica("llama-0").starts()).isEqualTo(2);
    assertThat(replica("llama-0").startedNs()).isEqualTo(30 * SECOND);
    assertThat(engine("llama-0").measures().value(EngineQuantity.PROMPT_TOKENS)).isZero();
    assertThat(before).isPositive();
    assertThat(text(endpoint("engine", "llama-0"))).contains("vllm:");
    fleet.runUntil(70 * SECOND);
    assertThat(engine("llama-0").measures().value(EngineQuantity.PROMPT_TOKENS)).isPositive();
  }

  @Test
  void restartedReplica_warmsUp() {
    restart("llama-0");
    fleet.runUntil(21 * SECOND);
    assertThat(engine("llama-0").knobs().isOn(Knob.ENGINE_GRAPHS)).isFalse();
    assertThat(engine("llama-1").knobs().isOn(Knob.ENGINE_GRAPHS)).isTrue();
    fleet.runUntil(20 * SECOND + SimulatedReplica.WARM_UP_NS);
    assertThat(engine("llama-0").knobs().isOn(Knob.ENGINE_GRAPHS)).isTrue();
  }

  @Test
  void restartDuringAStart_beginsAnew() {
    restart("llama-0");
    fleet.runUntil(10 * SECOND);
    restart("llama-0");
    fleet.runUntil(25 * SECOND);
    assertThat(replica("llama-0").isUp()).isFalse();
    fleet.runUntil(30 * SECOND);
    assertThat(replica("llama-0").isUp()).isTrue();
    assertThat(replica("llama-0").starts()).isEqualTo(3);
  }

  @Test
  void crash_failsWhatIsGoingOn_andTheGatewaySendsElsewhere() {
    fleet.runUntil(20 * SECOND);
    assertThat(replica("llama-0").inFlight()).isPositive();
    fleet.apply(new Action.Crash(false), SmallFleet.replica("llama-0"), 0);
    fleet.runUntil(80 * SECOND);
    assertThat(replica("llama-0").isUp()).isFalse();
    assertThat(clients().value(ClientQuantity.ENDED, "http_502")).isPositive();
    double others = engine("llama-1").measures().value(EngineQuantity.FINISHED, "stop");
    assertThat(others).isGreaterThan(clients().value(ClientQuantity.SENT) / 2);
    assertThat(clients().value(ClientQuantity.ENDED, "ok")).isGreaterThan(others);
  }

  @Test
  void rollingRestart_losesNothing_andChangesFlagsAndRelease() {
    Flags flags = fleet.replicas().getFirst().made().flags();
    fleet.runUntil(10 * SECOND);
    fleet.apply(
        new Action.Restart(flags, Version.parse("0.16.0"), true), SmallFleet.replica("llama"), 0);
    boolean bothDown = false;
    for (long second = 11; second < 110; second++) {
      fleet.runUntil(second * SECOND);
      bothDown |= fleet.replicas().stream().noneMatch(Replica::isUp);
    }
    assertThat(bothDown).isFalse();
    assertThat(fleet.replicas())
        .allSatisfy(
            one -> {
              assertThat(one.starts()).isEqualTo(2);
              assertThat(one.isUp()).isTrue();
              assertThat(one.made().release()).isEqualTo(Version.parse("0.16.0"));
            });
    assertThat(clients().labelled(ClientQuantity.ENDED)).containsOnlyKeys("ok");
  }

  @Test
  void restartWithFlagsThatCantBe_isRefused_andStopsNothing() {
    Flags impossible = SmallFleet.flags("kv_blocks: 100");
    assertThatThrownBy(
            () -> fleet.apply(new Action.Restart(impossible, null, false), Target.all(), 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("max_model_len 8192")
        .hasMessageContaining("1584 tokens");
    assertThat(fleet.replicas()).allMatch(Replica::isUp);
  }

  // ------------------------------------------------------------------------------------- faults

  @Test
  void turn_endsAfterItsTime_andReachesWhatIsNamedOnly() {
    turn(Knob.GPU_CLOCK, 0.5, new Target("llama-1", 0, null, null, null), 10);
    assertThat(replica("llama-1").gpus().getFirst().knobs().get(Knob.GPU_CLOCK)).isEqualTo(0.5);
    assertThat(replica("llama-0").gpus().getFirst().knobs().get(Knob.GPU_CLOCK)).isEqualTo(1);
    fleet.runUntil(10 * SECOND);
    assertThat(replica("llama-1").gpus().getFirst().knobs().get(Knob.GPU_CLOCK)).isEqualTo(1);
  }

  @Test
  void turnOfAnEngine_staysOverARestart() {
    turn(Knob.ENGINE_OVERHEAD, 3, SmallFleet.replica("llama-0"), 0);
    turn(Knob.SERVER_TOKENISE, 2, SmallFleet.replica("llama-0"), 40);
    assertThat(engine("llama-0").knobs().get(Knob.ENGINE_OVERHEAD)).isEqualTo(3);
    restart("llama-0");
    fleet.runUntil(20 * SECOND);
    assertThat(engine("llama-0").knobs().get(Knob.ENGINE_OVERHEAD)).isEqualTo(3);
    assertThat(serverKnobs("llama-0").get(Knob.SERVER_TOKENISE)).isEqualTo(2);
    fleet.runUntil(40 * SECOND);
    assertThat(serverKnobs("llama-0").get(Knob.SERVER_TOKENISE)).isEqualTo(1);
  }

  @Test
  void turnOfAKnobThatNothingHas_isRefused() {
    assertThatThrownBy(() -> turn(Knob.GPU_CLOCK, 0.5, SmallFleet.replica("nobody"), 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("gpu.clock");
    assertThatThrownBy(() -> turn(Knob.GPU_CLOCK, 9, Target.all(), 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void hangingEngine_answersNothing_andItsPageStandsStill() throws NoAnswer {
    fleet.runUntil(20 * SECOND);
    turn(Knob.ENGINE_STUCK, 1, SmallFleet.replica("llama-0"), 0);
    fleet.runUntil(30 * SECOND);
    double tokens = engine("llama-0").measures().value(EngineQuantity.GENERATION_TOKENS);
    fleet.runUntil(60 * SECOND);
    assertThat(engine("llama-0").measures().value(EngineQuantity.GENERATION_TOKENS))
        .isEqualTo(tokens);
    assertThat(text(endpoint("engine", "llama-0"))).isNotEmpty();
    assertThat(replica("llama-0").inFlight()).isGreaterThan(50);
  }

  @Test
  void xid_takesTheGpuOffTheBus_andNothingStartsThereAfterACrash() throws NoAnswer {
    String uuid = replica("llama-0").gpus().getFirst().uuid();
    assertThat(text(endpoint("gpu", "node-1"))).contains(uuid);
    fleet.apply(new Action.Xid(79), new Target("llama-0", 0, null, null, null), 0);
    assertThat(text(endpoint("gpu", "node-1"))).doesNotContain(uuid);
    fleet.apply(new Action.Crash(true), SmallFleet.replica("llama-0"), 0);
    fleet.runUntil(60 * SECOND);
    assertThat(replica("llama-0").isUp()).isFalse();
    restart("llama-0");
    fleet.runUntil(90 * SECOND);
    assertThat(replica("llama-0").isUp()).isFalse();
  }

  @Test
  void xidThatStopsAGpu_isOverAfterARestart() {
    fleet.runUntil(10 * SECOND);
    fleet.apply(new Action.Xid(119), SmallFleet.replica("llama-0"), 0);
    fleet.runUntil(20 * SECOND);
    double tokens = engine("llama-0").measures().value(EngineQuantity.GENERATION_TOKENS);
    fleet.runUntil(30 * SECOND);
    assertThat(engine("llama-0").measures().value(EngineQuantity.GENERATION_TOKENS))
        .isEqualTo(tokens);
    restart("llama-0");
    fleet.runUntil(80 * SECOND);
    assertThat(engine("llama-0").measures().value(EngineQuantity.GENERATION_TOKENS)).isPositive();
  }

  @Test
  void route_goesBackAfterItsTime() {
    fleet.apply(new Action.Route(Routing.STICKY), Target.all(), 10 * SECOND);
    fleet.runUntil(60 * SECOND);
    SimulatedGateway gateway = fleet.gateway();
    if (gateway == null) {
      throw new AssertionError("expected a gateway");
    }
    List<Double> routed =
        gateway.measures().labelled(GatewayQuantity.ROUTED).values().stream()
            .map(one -> one[0])
            .toList();
    assertThat(routed).hasSize(2);
    assertThat(Math.abs(routed.getFirst() - routed.getLast()))
        .isLessThan((routed.getFirst() + routed.getLast()) / 4);
  }

  // -------------------------------------------------------------------------------------- scale

  @Test
  void scaleUp_addsAReplica_thatServesWhenItIsReady() {
    fleet.apply(new Action.Scale(3), SmallFleet.replica("llama"), 0);
    List<Endpoint> with = fleet.endpoints();
    assertThat(with).extracting(Endpoint::name).contains("llama-2");
    assertThat(replica("llama-2").isUp()).isFalse();
    fleet.runUntil(60 * SECOND);
    assertThat(replica("llama-2").isUp()).isTrue();
    assertThat(engine("llama-2").measures().value(EngineQuantity.PROMPT_TOKENS)).isPositive();
    assertThat(clients().labelled(ClientQuantity.ENDED)).containsOnlyKeys("ok");
  }

  @Test
  void scaleDown_letsItEndWhatItHas_andComesBackAfterItsTime() {
    fleet.runUntil(20 * SECOND);
    fleet.apply(new Action.Scale(1), SmallFleet.replica("llama"), 60 * SECOND);
    assertThat(fleet.replicas()).extracting(Replica::name).containsExactly("llama-0");
    fleet.runUntil(60 * SECOND);
    assertThat(fleet.endpoints()).extracting(Endpoint::name).doesNotContain("llama-1");
    fleet.runUntil(81 * SECOND);
    assertThat(fleet.replicas()).extracting(Replica::name).contains("llama-1");
    fleet.runUntil(110 * SECOND);
    assertThat(replica("llama-1").isUp()).isTrue();
    assertThat(clients().labelled(ClientQuantity.ENDED)).containsOnlyKeys("ok");
    assertThat(replica("llama-1").gpus().getFirst().index()).isEqualTo(1);
  }

  @Test
  void eventThatCantBe_isKnownFromTheStart() {
    Scenario small = SmallFleet.scenario("", "");
    Action restart = new Action.Restart(SmallFleet.flags("kv_blocks: 100"), null, false);
    Happening event = new Happening(60 * SECOND, 0, Target.all(), restart);
    Scenario with =
        new Scenario(
            small.name(),
            small.title(),
            small.durationNs(),
            small.fleet(),
            small.workloads(),
            List.of(event),
            small.truth());
    assertThatThrownBy(() -> Fleet.of(with, 1, SmallFleet.START_MS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("room in the KV cache");
  }

  // -------------------------------------------------------------------------------------- making

  @Test
  void clientsWithoutAGateway_askTheReplicasInTurn() {
    Fleet direct = Fleet.of(SmallFleet.withoutGateway(), 1, SmallFleet.START_MS);
    direct.runUntil(30 * SECOND);
    assertThat(direct.gateway()).isNull();
    assertThat(direct.endpoints()).extracting(Endpoint::job).doesNotContain("gateway");
    assertThat(direct.replicas())
        .allSatisfy(
            one ->
                assertThat(one.engines().getFirst().measures().value(EngineQuantity.PROMPT_TOKENS))
                    .isPositive());
  }

  @Test
  void modelThatDoesntFit_isRefused() {
    assertThatThrownBy(
            () ->
                Fleet.of(
                    SmallFleet.scenario("gpu_memory_utilization: 0.2", ""), 1, SmallFleet.START_MS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected llama-3.1-8b to fit into 1 L40S");
  }

  @Test
  void sameSeed_givesTheSamePages_andAnotherOneOthers() throws NoAnswer {
    assertThat(pages(7)).isEqualTo(pages(7)).isNotEqualTo(pages(8));
  }

  private static String pages(long seed) throws NoAnswer {
    Fleet fleet = SmallFleet.fleet(seed);
    StringBuilder all = new StringBuilder();
    for (long at : new long[] {5, 20}) {
      fleet.runUntil(at * SECOND);
      for (Endpoint endpoint : fleet.endpoints()) {
        all.append(text(endpoint));
      }
    }
    return all.toString();
  }
}
