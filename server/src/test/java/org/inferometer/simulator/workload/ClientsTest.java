package org.inferometer.simulator.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.inferometer.simulator.edge.Stage.MILLI;
import static org.inferometer.simulator.edge.Stage.SECOND;
import static org.inferometer.simulator.edge.Stage.chat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.simulator.edge.EchoServer;
import org.inferometer.simulator.edge.Stage;
import org.inferometer.simulator.edge.Stage.WorkloadMaker;
import org.inferometer.simulator.knob.Knob;
import org.inferometer.simulator.measure.ClientQuantity;
import org.inferometer.simulator.request.Outcome;
import org.inferometer.simulator.request.Request;
import org.inferometer.simulator.request.Request.Ask;
import org.inferometer.simulator.scenario.Scenario;
import org.inferometer.simulator.scenario.Scenario.Arrivals;
import org.inferometer.simulator.scenario.Scenario.Length;
import org.junit.jupiter.api.Test;

class ClientsTest {
  private static final long SEED = 99;
  private static final Arrivals STEADY = new Arrivals.Constant(20);

  private final Stage stage = new Stage(SEED);
  private final EchoServer server = new EchoServer(stage.agenda, 100 * MILLI);

  private List<Request> ask(Scenario.Workload spec, long nanos) {
    stage.run(stage.clients(spec, server), nanos);
    return server.asked;
  }

  @Test
  void prompts_shareRootAndBranches() {
    List<Request> asked =
        ask(
            new WorkloadMaker(STEADY).prefixes(new Scenario.Prefixes(500, 4, 300, 1)).make(),
            100 * SECOND);
    Map<Long, Integer> branches = new HashMap<>();
    for (Request request : asked) {
      assertThat(request.promptTokens()).isEqualTo(900);
      branches.merge(request.ask.prompt().contentKey(500, 800), 1, Integer::sum);
    }
    assertThat(asked.stream().map(r -> r.ask.prompt().contentKey(0, 500)).distinct()).hasSize(1);
    assertThat(asked.stream().map(r -> r.ask.prompt().contentKey(800, 900)).distinct())
        .hasSize(asked.size());
    // Zipf's law: 12/25, 6/25, 4/25, 3/25.
    List<Integer> counts = branches.values().stream().sorted().toList();
    assertThat(counts).as("seed %d", SEED).hasSize(4);
    assertThat(counts.getLast() / (double) asked.size()).isCloseTo(0.48, within(0.04));
    assertThat(counts.getFirst() / (double) asked.size()).isCloseTo(0.12, within(0.03));
  }

  @Test
  void shared_turnedDownGivesRequestsBeginningsOfTheirOwn() {
    stage.workloadKnobs.set(Knob.WORKLOAD_SHARED, 0.25);
    List<Request> asked =
        ask(
            new WorkloadMaker(STEADY).prefixes(new Scenario.Prefixes(500, 0, 0, 0)).make(),
            100 * SECOND);
    Map<Long, Integer> roots = new HashMap<>();
    asked.forEach(r -> roots.merge(r.ask.prompt().contentKey(0, 500), 1, Integer::sum));
    int most = roots.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    assertThat(most / (double) asked.size()).as("seed %d", SEED).isCloseTo(0.25, within(0.04));
    assertThat(asked).allMatch(r -> r.promptTokens() == 600);
  }

  @Test
  void turns_containAllThatWasSaidBefore() {
    List<Request> asked =
        ask(
            new WorkloadMaker(new Arrivals.Trace(List.of(0L), 0))
                .lengths(new Length.Uniform(10, 50), new Length.Uniform(5, 20))
                .sessions(new Scenario.Sessions(new Length.Fixed(5), new Length.Fixed(2)))
                .make(),
            100 * SECOND);
    assertThat(asked).hasSize(5);
    for (int i = 1; i < asked.size(); i++) {
      Request before = asked.get(i - 1);
      Request now = asked.get(i);
      int said = before.promptTokens();
      long answer = before.outputContent();
      assertThat(now.ask.prompt().contentKey(0, said))
          .isEqualTo(before.ask.prompt().contentKey(0, said));
      assertThat(now.ask.prompt().contentKey(said, said + before.generated))
          .isEqualTo(
              before
                  .ask
                  .prompt()
                  .then(answer, before.generated)
                  .contentKey(said, said + before.generated));
      assertThat(now.promptTokens()).isGreaterThan(said + before.generated);
      assertThat(now.dueNs - before.dueNs).isEqualTo(100 * MILLI + 2 * SECOND);
      assertThat(now.session).isEqualTo(before.session).isNotZero();
    }
  }

  /** Who is gone doesn't come back when others do. */
  @Test
  void rateOfNothing_breaksConversationsOff() {
    Scenario.Workload spec =
        new WorkloadMaker(new Arrivals.Trace(List.of(0L), 0))
            .sessions(new Scenario.Sessions(new Length.Fixed(5), new Length.Fixed(2)))
            .make();
    stage.agenda.in(3 * SECOND, () -> stage.workloadKnobs.set(Knob.WORKLOAD_RATE, 0));
    stage.agenda.in(9 * SECOND, () -> stage.workloadKnobs.set(Knob.WORKLOAD_RATE, 1));
    assertThat(ask(spec, 100 * SECOND)).hasSize(2);
  }

  @Test
  void mixtures_ofPromptsAndAnswersAreOfTheSameClass() {
    List<Double> weights = List.of(0.7, 0.3);
    List<Request> asked =
        ask(
            new WorkloadMaker(STEADY)
                .lengths(
                    new Length.Mix(List.of(new Length.Fixed(100), new Length.Fixed(4000)), weights),
                    new Length.Mix(List.of(new Length.Fixed(300), new Length.Fixed(5)), weights))
                .make(),
            100 * SECOND);
    assertThat(asked).allMatch(r -> (r.promptTokens() == 100) == (r.ask.outputTokens() == 300));
    double chats = asked.stream().filter(r -> r.promptTokens() == 100).count();
    assertThat(chats / asked.size()).as("seed %d", SEED).isCloseTo(0.7, within(0.04));
  }

  @Test
  void logNormal_hasItsMedianAnd95thPercentile() {
    List<Request> asked =
        ask(
            new WorkloadMaker(new Arrivals.Constant(200))
                .lengths(new Length.LogNormal(1000, 6000, 1, 1e6), new Length.Fixed(1))
                .make(),
            100 * SECOND);
    List<Integer> sorted = asked.stream().map(Request::promptTokens).sorted().toList();
    assertThat(sorted.get(sorted.size() / 2)).as("seed %d", SEED).isCloseTo(1000, within(40));
    assertThat(sorted.get(sorted.size() * 19 / 20)).isCloseTo(6000, within(500));
  }

  @Test
  void knobs_turnWhatIsAskedButNotWhoAsks() {
    Scenario.Workload spec =
        new WorkloadMaker(new Arrivals.Poisson(20))
            .lengths(new Length.Uniform(100, 200), new Length.Uniform(10, 20))
            .adapters(new Scenario.AdapterMix(3, 1, 0.5))
            .preprocess(10 * MILLI)
            .make();
    List<Request> plain = List.copyOf(ask(spec, 20 * SECOND));
    Stage other = new Stage(SEED);
    EchoServer otherServer = new EchoServer(other.agenda, 300 * MILLI);
    other.workloadKnobs.set(Knob.WORKLOAD_OUTPUT, 3);
    other.workloadKnobs.set(Knob.WORKLOAD_MAX_TOKENS, 12);
    other.workloadKnobs.set(Knob.WORKLOAD_TEMPERATURE, 0);
    other.workloadKnobs.set(Knob.WORKLOAD_PENALTIES, 1);
    other.workloadKnobs.set(Knob.WORKLOAD_PREPROCESS, 2);
    other.workloadKnobs.set(Knob.WORKLOAD_CANCEL, 0.5);
    other.run(other.clients(spec, otherServer), 20 * SECOND);
    assertThat(otherServer.asked).hasSameSizeAs(plain);
    for (int i = 0; i < plain.size(); i++) {
      Request a = plain.get(i);
      Request b = otherServer.asked.get(i);
      assertThat(b.dueNs).isEqualTo(a.dueNs);
      assertThat(b.ask.name()).isEqualTo(a.ask.name());
      assertThat(b.promptTokens()).isEqualTo(a.promptTokens());
      assertThat(b.ask.prompt().contentKey(0, 50)).isEqualTo(a.ask.prompt().contentKey(0, 50));
      assertThat(b.ask.adapter()).isEqualTo(a.ask.adapter());
      assertThat(b.ask.outputTokens()).isCloseTo(3 * a.ask.outputTokens(), within(2));
      assertThat(b.ask.maxTokens()).isEqualTo(12);
      assertThat(a.ask.maxTokens()).isEqualTo(Ask.NO_LIMIT);
      assertThat(b.ask.temperature()).isZero();
      assertThat(b.ask.penalties()).isTrue();
      assertThat(b.ask.preprocessNs()).isEqualTo(20 * MILLI);
    }
    assertThat(otherServer.abandoned).isBetween(4, 30);
  }

  @Test
  void adapters_followZipfAndTheKnob() {
    stage.workloadKnobs.set(Knob.WORKLOAD_ADAPTERS, 40);
    List<Request> asked =
        ask(
            new WorkloadMaker(STEADY).adapters(new Scenario.AdapterMix(3, 0, 1)).make(),
            100 * SECOND);
    assertThat(asked.stream().map(r -> r.ask.adapter()).distinct()).hasSize(40);
  }

  @Test
  void cancelled_areAbandonedAfterTheirTime() {
    ask(new WorkloadMaker(STEADY).cancels(0.3, new Length.Fixed(0.05)).make(), 100 * SECOND);
    int sent = server.asked.size();
    assertThat(server.abandoned / (double) sent).as("seed %d", SEED).isCloseTo(0.3, within(0.03));
  }

  @Test
  void timeouts_comeAtExactlyTheirTime() {
    Clients clients = stage.clients(new WorkloadMaker(STEADY).timeout(60 * MILLI).make(), server);
    stage.run(clients, 10 * SECOND);
    assertThat(clients.measures().value(ClientQuantity.ENDED, "timeout")).isEqualTo(200);
    assertThat(clients.measures().distribution(ClientQuantity.SECONDS, "timeout").mean())
        .isCloseTo(0.06, within(1e-12));
    assertThat(server.abandoned).isEqualTo(200);
    assertThat(clients.inFlight()).isZero();
  }

  @Test
  void errors_areNamedByTheirStatus() {
    server.outcome = new Outcome(504, null, "timeout");
    Clients clients = stage.clients(chat(STEADY, 10, 10), server);
    stage.run(clients, SECOND);
    assertThat(clients.measures().value(ClientQuantity.ENDED, "http_504")).isEqualTo(20);
    assertThat(clients.measures().distribution(ClientQuantity.E2E).count()).isZero();
  }

  @Test
  void connections_limitWhatIsOpenAndTheWaitCounts() {
    stage.clientKnobs.set(Knob.CLIENT_CONNECTIONS, 1);
    Clients clients = stage.clients(chat(STEADY, 10, 10), server);
    clients.start();
    stage.agenda.runUntil(2 * SECOND + 1);
    // 20 come each second, and one is answered each 100 ms.
    assertThat(server.most).isEqualTo(1);
    assertThat(clients.waitingForConnection()).isBetween(19, 21);
    Request last = server.asked.getLast();
    assertThat(last.sentNs - last.dueNs).isBetween(900 * MILLI, 1100 * MILLI);
    stage.clientKnobs.set(Knob.CLIENT_CONNECTIONS, 0);
    assertThat(clients.waitingForConnection()).isZero();
    assertThat(clients.measures().distribution(ClientQuantity.E2E).mean()).isGreaterThan(0.5);
  }

  @Test
  void delay_ofTheClientsOwnCpuQueuesThoughTheServerIsFine() {
    stage.clientKnobs.set(Knob.CLIENT_DELAY, 0.06);
    Clients clients = stage.clients(chat(STEADY, 10, 10), server);
    clients.start();
    stage.agenda.runUntil(60 * SECOND);
    clients.stop();
    stage.agenda.runUntil(1000 * SECOND);
    // 1.2 seconds of work come each second: after a minute the queue is 12 seconds long.
    assertThat(clients.measures().distribution(ClientQuantity.TTFT).mean())
        .isCloseTo(6.1, within(0.2));
    assertThat(server.asked).allMatch(r -> r.sentNs == r.dueNs);
    assertThat(clients.measures().value(ClientQuantity.ENDED, "ok")).isEqualTo(1200);
  }

  @Test
  void answersThatDontStream_haveNoFirstToken() {
    Clients clients = stage.clients(new WorkloadMaker(STEADY).streaming(0).make(), server);
    stage.run(clients, SECOND);
    assertThat(clients.measures().distribution(ClientQuantity.TTFT).count()).isZero();
    assertThat(clients.measures().distribution(ClientQuantity.E2E).count()).isEqualTo(20);
  }
}
