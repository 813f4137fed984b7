package org.inferometer.simulator.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.inferometer.simulator.edge.Stage.MILLI;
import static org.inferometer.simulator.edge.Stage.SECOND;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.simulator.engine.Engine;
import org.inferometer.simulator.engine.OutputListener;
import org.inferometer.simulator.event.Dice;
import org.inferometer.simulator.knob.Knob;
import org.inferometer.simulator.measure.ClientQuantity;
import org.inferometer.simulator.measure.EngineQuantity;
import org.inferometer.simulator.measure.Measures;
import org.inferometer.simulator.measure.Measures.Edges;
import org.inferometer.simulator.measure.ServerQuantity;
import org.inferometer.simulator.request.Outcome;
import org.inferometer.simulator.request.Receiver;
import org.inferometer.simulator.request.Request;
import org.inferometer.simulator.request.Request.Finish;
import org.inferometer.simulator.request.SegmentPrompt;
import org.inferometer.simulator.scenario.Scenario.Arrivals;
import org.inferometer.simulator.scenario.Scenario.Frontend;
import org.inferometer.simulator.workload.Clients;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApiFrontEndTest {
  private static final long SEED = 2026;

  /** Nothing but reading a request takes time: 5 microseconds for each token of its prompt. */
  private static final FrontEndCosts READING = new FrontEndCosts(0, 5_000, 0, 0, 0, 0);

  private static final FrontEndCosts FREE = new FrontEndCosts(0, 0, 0, 0, 0, 0);

  private final Stage stage = new Stage(SEED);

  /** Requests of prompts that take 10 ms on the mean to read, at a load; how long each waited. */
  private double meanWaitMs(double load, boolean exponential, int requests) {
    ApiFrontEnd frontEnd = stage.frontEnd("a", READING, 1, 1);
    Dice arrivals = Dice.of(SEED).stream("arrivals");
    Dice lengths = Dice.of(SEED).stream("lengths");
    Waits waits = new Waits();
    long due = 0;
    for (int i = 0; i < requests; i++) {
      due += Math.round(arrivals.nextExponential(10 * MILLI / load));
      int tokens =
          exponential ? (int) Math.max(1, Math.round(lengths.nextExponential(2000))) : 2000;
      stage.agenda.runUntil(due);
      frontEnd.submit(stage.request(SegmentPrompt.empty().then(1, tokens), 1, true), waits);
      waits.expect(due, tokens * 5_000L);
    }
    stage.agenda.runUntil(due + 1000 * SECOND);
    assertThat(waits.count).isEqualTo(requests);
    // Lindley's recursion, request by request.
    assertThat(waits.waited).isEqualTo(waits.expected);
    return waits.waited / 1e6 / requests;
  }

  /** Sums how long requests waited for the event loop, and how long they should have. */
  private static final class Waits implements Receiver {
    long waited;
    long expected;
    int count;
    private long freeNs;

    void expect(long dueNs, long serviceNs) {
      expected += Math.max(0, freeNs - dueNs);
      freeNs = Math.max(freeNs, dueNs) + serviceNs;
    }

    @Override
    public boolean wantsEveryToken() {
      return false;
    }

    @Override
    public void tokens(Request request, int tokens) {}

    @Override
    public void ended(Request request, Outcome outcome) {
      count++;
      waited += request.queuedNs - request.arrivalNs - request.promptTokens() * 5_000L;
    }
  }

  /** Requests, so that the mean's deviation by chance is about 2 %: queues forget slowly. */
  private static int enough(double load) {
    return (int) (60_000 / Math.pow(1 - load, 1.3));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.3, 0.5, 0.7, 0.8, 0.9})
  void wait_ofConstantReadingIsThatOfMD1(double load) {
    double expected = 10 * load / (2 * (1 - load));
    assertThat(meanWaitMs(load, false, enough(load) / 2))
        .as("seed %d", SEED)
        .isCloseTo(expected, within(0.05 * expected));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.3, 0.5, 0.7, 0.8, 0.9})
  void wait_ofExponentialReadingIsThatOfMM1(double load) {
    double expected = 10 * load / (1 - load);
    assertThat(meanWaitMs(load, true, enough(load)))
        .as("seed %d", SEED)
        .isCloseTo(expected, within(0.05 * expected));
  }

  @Test
  void preprocessing_ofOneProcessCapsThroughputWhileTheEngineIdles() {
    ApiFrontEnd frontEnd = stage.frontEnd("a", FrontEndCosts.python(), 1, 10 * MILLI);
    Clients clients =
        stage.clients(
            new Stage.WorkloadMaker(new Arrivals.Poisson(20)).preprocess(149 * MILLI).make(),
            frontEnd);
    clients.start();
    stage.agenda.runUntil(100 * SECOND);
    SteadyEngine engine = stage.engine("a");
    // One request takes 149 ms of preprocessing and about 3 ms of all else: 6.6 a second.
    assertThat(engine.added / 100.0).isCloseTo(6.6, within(0.1));
    assertThat(engine.running()).isLessThan(4);
    assertThat(frontEnd.backlog()).isGreaterThan(1000);
    // What was read is answered all the same.
    assertThat(clients.measures().value(ClientQuantity.ENDED, "ok"))
        .isCloseTo(engine.added, within(10.0));
    assertThat(frontEnd.processes().getFirst().value(ServerQuantity.CPU_SECONDS))
        .isCloseTo(100, within(1.0));
  }

  @Test
  void processes_shareTheWork() {
    ApiFrontEnd frontEnd = stage.frontEnd("a", FrontEndCosts.python(), 4, 10 * MILLI);
    Clients clients =
        stage.clients(
            new Stage.WorkloadMaker(new Arrivals.Poisson(20)).preprocess(149 * MILLI).make(),
            frontEnd);
    clients.start();
    stage.agenda.runUntil(100 * SECOND);
    assertThat(stage.engine("a").added / 100.0).isCloseTo(20, within(1.0));
    assertThat(frontEnd.processes()).allMatch(p -> p.value(ServerQuantity.CPU_SECONDS) > 60);
  }

  @Test
  void outputs_ofAStepAreOnePieceOfWork() {
    ApiFrontEnd frontEnd = stage.frontEnd("a", FrontEndCosts.python(), 1, 20 * MILLI);
    for (int i = 0; i < 50; i++) {
      frontEnd.submit(stage.request(1, 100, true), new Listener(stage.agenda, false));
    }
    stage.agenda.runUntil(100 * MILLI);
    long before = stage.agenda.happened();
    stage.agenda.runUntil(200 * MILLI);
    assertThat(stage.agenda.happened() - before).isEqualTo(2 * 5);
  }

  @Test
  void outputs_dontWaitBehindAllThatIsToBeRead() {
    ApiFrontEnd frontEnd = stage.frontEnd("a", READING, 1, MILLI);
    Listener first = new Listener(stage.agenda, false);
    frontEnd.submit(stage.request(2000, 3, true), first);
    for (int i = 0; i < 100; i++) {
      frontEnd.submit(stage.request(2000, 1000, true), new Listener(stage.agenda, false));
    }
    stage.agenda.runUntil(100 * SECOND);
    // Read after 10 ms, then a step of 1 ms; its outputs' turn is when the next one is read, and
    // by then two more steps have brought theirs.
    assertThat(first.arrivals).containsExactly(20 * MILLI);
    assertThat(first.endNs).isEqualTo(20 * MILLI);
  }

  @Test
  void outputsOfStepsThatWait_goOutTogether() {
    FrontEndCosts slow = new FrontEndCosts(0, 0, 0, 50e6, 0, 0);
    ApiFrontEnd frontEnd = stage.frontEnd("a", slow, 1, 20 * MILLI);
    Listener listener = new Listener(stage.agenda, true);
    frontEnd.submit(stage.request(10, 9, true), listener);
    stage.agenda.runUntil(10 * SECOND);
    // A chunk takes 50 ms: the second one has what came meanwhile, and so on.
    assertThat(listener.arrivals)
        .containsExactly(70 * MILLI, 120 * MILLI, 170 * MILLI, 220 * MILLI, 270 * MILLI);
    assertThat(listener.tokens).isEqualTo(9);
  }

  @Test
  void everyToken_isHandedOnToWhoWantsIt() {
    ApiFrontEnd frontEnd = stage.frontEnd("a", FREE, 1, 20 * MILLI);
    Listener every = new Listener(stage.agenda, true);
    Listener first = new Listener(stage.agenda, false);
    Listener whole = new Listener(stage.agenda, true);
    frontEnd.submit(stage.request(10, 5, true), every);
    frontEnd.submit(stage.request(10, 5, true), first);
    frontEnd.submit(stage.request(10, 5, false), whole);
    stage.agenda.runUntil(SECOND);
    assertThat(every.arrivals)
        .containsExactly(20 * MILLI, 40 * MILLI, 60 * MILLI, 80 * MILLI, 100 * MILLI);
    assertThat(first.arrivals).containsExactly(20 * MILLI);
    assertThat(whole.arrivals).containsExactly(100 * MILLI);
    assertThat(whole.tokens).isEqualTo(5);
    assertThat(List.of(every.ends, first.ends, whole.ends)).containsOnly(1);
  }

  @Test
  void slowDetokenising_delaysWhatUsersSeeButNotTheEngine() {
    stage.serverKnobs.set(Knob.SERVER_DETOKENISE, 20);
    ApiFrontEnd frontEnd = stage.frontEnd("a", FrontEndCosts.python(), 1, 20 * MILLI);
    Clients clients = stage.clients(Stage.chat(new Arrivals.Constant(20), 100, 100), frontEnd);
    stage.run(clients, 60 * SECOND);
    // 40 run, and each output takes 0.6 ms: 24 ms of work for a step of 20 ms. Then outputs of
    // more than a step go out together, which is less work, and the queue stays short.
    SteadyEngine engine = stage.engine("a");
    assertThat(engine.measures().distribution(EngineQuantity.E2E).mean()).isBetween(2.02, 2.1);
    assertThat(engine.measures().distribution(EngineQuantity.TTFT).mean()).isGreaterThan(0.04);
  }

  @Test
  void pauses_holdUpAllThatIsInTheLoop() {
    stage.serverKnobs.set(Knob.SERVER_PAUSE, 2);
    stage.serverKnobs.set(Knob.SERVER_PAUSE_EVERY, 10);
    ApiFrontEnd frontEnd = stage.frontEnd("a", FREE, 1, 20 * MILLI);
    stage.agenda.runUntil(10 * SECOND + 500 * MILLI);
    assertThat(frontEnd.delayNs()).isEqualTo(1500 * MILLI);
    Listener late = new Listener(stage.agenda, false);
    frontEnd.submit(stage.request(10, 1, true), late);
    stage.agenda.runUntil(15 * SECOND);
    assertThat(late.endNs).isEqualTo(12 * SECOND + 20 * MILLI);
    stage.serverKnobs.set(Knob.SERVER_PAUSE, 0);
    stage.agenda.runUntil(30 * SECOND);
    assertThat(frontEnd.delayNs()).isZero();
  }

  @Test
  void leak_growsMemoryAndFullCollections() {
    ApiFrontEnd frontEnd = stage.frontEnd("a", FREE, 1, MILLI);
    stage.serverKnobs.set(Knob.SERVER_LEAK, 50e6);
    Clients clients = stage.clients(Stage.chat(new Arrivals.Constant(20), 10, 100), frontEnd);
    clients.start();
    stage.agenda.runUntil(100 * SECOND);
    stage.serverKnobs.set(Knob.SERVER_LEAK, 0);
    stage.agenda.runUntil(200 * SECOND);
    Measures process = frontEnd.processes().getFirst();
    assertThat(process.value(ServerQuantity.RESIDENT_BYTES)).isCloseTo(6e9, within(1e3));
    // 2,800 objects a second, a full collection each 70,000: half a second for 5 GB.
    double full = process.value(ServerQuantity.GC_COLLECTIONS, "2");
    assertThat(full).isBetween(6.0, 9.0);
    assertThat(process.value(ServerQuantity.CPU_SECONDS)).isBetween(2.0, 4.0);
    assertThat(process.value(ServerQuantity.GC_COLLECTIONS, "0")).isGreaterThan(80 * full);
  }

  @Test
  void promptsThatAreTooLong_areRefused() {
    ApiFrontEnd frontEnd = stage.frontEnd("a", FrontEndCosts.python(), 1, MILLI);
    Listener listener = new Listener(stage.agenda, false);
    frontEnd.submit(stage.request(32_768, 1, true), listener);
    stage.agenda.runUntil(SECOND);
    assertThat(listener.outcome).isEqualTo(new Outcome(400, null, "too_long"));
    assertThat(stage.engine("a").added).isZero();
    assertThat(http(frontEnd, "4xx")).isEqualTo(1);
  }

  private static double http(ApiFrontEnd frontEnd, String status) {
    return frontEnd
        .processes()
        .getFirst()
        .value(ServerQuantity.HTTP_REQUESTS, "POST\n/v1/chat/completions\n" + status);
  }

  private ApiFrontEnd ofEngines(int count, int maxNumQueued, List<SteadyEngine> made) {
    return new ApiFrontEnd(
        "dp",
        Frontend.PYTHON,
        FREE,
        stage.agenda,
        stage.serverKnobs,
        List.of(
            new ApiFrontEnd.Worker(
                new IdleHostProcess(), new Measures(ServerQuantity.class, Edges.fine(), 0))),
        listener -> engines(count, maxNumQueued, made, listener));
  }

  private List<Engine> engines(
      int count, int maxNumQueued, List<SteadyEngine> made, OutputListener listener) {
    for (int i = 0; i < count; i++) {
      made.add(new SteadyEngine(stage.agenda, listener, i, MILLI, maxNumQueued));
    }
    return List.copyOf(made);
  }

  @Test
  void admission_refusesWhenTooManyWait() {
    List<SteadyEngine> engines = new ArrayList<>();
    ApiFrontEnd frontEnd = ofEngines(1, 3, engines);
    SteadyEngine engine = engines.getFirst();
    engine.stuck = true;
    List<Listener> listeners = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      Listener listener = new Listener(stage.agenda, false);
      listeners.add(listener);
      frontEnd.submit(stage.request(10, 1, true), listener);
    }
    stage.agenda.runUntil(SECOND);
    assertThat(engine.added).isEqualTo(3);
    assertThat(listeners.get(4).outcome).isEqualTo(new Outcome(503, null, "rejected"));
    assertThat(engine.measures().value(EngineQuantity.ADMISSION_REJECTIONS, "max_num_queued_reqs"))
        .isEqualTo(2);
    assertThat(http(frontEnd, "5xx")).isEqualTo(2);
  }

  @Test
  void requests_goToTheLeastLoadedEngine() {
    List<SteadyEngine> engines = new ArrayList<>();
    ApiFrontEnd frontEnd = ofEngines(3, 0, engines);
    for (int i = 0; i < 12; i++) {
      frontEnd.submit(stage.request(10, 1000, true), new Listener(stage.agenda, false));
    }
    assertThat(engines).allMatch(e -> e.running() == 4);
    engines.get(1).stop();
    for (int i = 0; i < 4; i++) {
      frontEnd.submit(stage.request(10, 1000, true), new Listener(stage.agenda, false));
    }
    assertThat(engines).allMatch(e -> e.running() == 4);
  }

  @Test
  void abandoned_isDroppedByTheEngineAndCountedAsVllmDoes() {
    ApiFrontEnd frontEnd = stage.frontEnd("a", FrontEndCosts.python(), 1, 20 * MILLI);
    Listener listener = new Listener(stage.agenda, false);
    Request request = stage.request(10, 100, true);
    frontEnd.submit(request, listener);
    stage.agenda.runUntil(100 * MILLI);
    frontEnd.abandon(request);
    frontEnd.abandon(request);
    stage.agenda.runUntil(SECOND);
    SteadyEngine engine = stage.engine("a");
    assertThat(engine.aborted).isEqualTo(1);
    assertThat(engine.running() + frontEnd.inFlight()).isZero();
    assertThat(listener.ends).isZero();
    assertThat(engine.measures().distribution(EngineQuantity.TTFT).count()).isEqualTo(1);
    assertThat(engine.measures().distribution(EngineQuantity.E2E).count()).isZero();
    assertThat(http(frontEnd, "2xx")).isEqualTo(1);
  }

  @Test
  void abandonedBeforeItIsRead_isNeverRead() {
    ApiFrontEnd frontEnd = stage.frontEnd("a", FrontEndCosts.python(), 1, 20 * MILLI);
    Request first = stage.request(10_000, 1, true);
    Request second = stage.request(10_000, 1, true);
    frontEnd.submit(first, new Listener(stage.agenda, false));
    frontEnd.submit(second, new Listener(stage.agenda, false));
    frontEnd.abandon(second);
    stage.agenda.runUntil(SECOND);
    assertThat(stage.engine("a").added).isEqualTo(1);
    assertThat(frontEnd.processes().getFirst().value(ServerQuantity.CPU_SECONDS)).isLessThan(0.015);
    assertThat(frontEnd.inFlight()).isZero();
  }

  @Test
  void rust_countsAbortsAndEndsDurationsAtTheHeader() {
    ApiFrontEnd frontEnd = stage.frontEnd("a", FrontEndCosts.rust(), 1, 20 * MILLI);
    Request gone = stage.request(10, 100, true);
    frontEnd.submit(gone, new Listener(stage.agenda, false));
    frontEnd.submit(stage.request(10, 100, true), new Listener(stage.agenda, false));
    stage.agenda.runUntil(100 * MILLI);
    frontEnd.abandon(gone);
    stage.agenda.runUntil(10 * SECOND);
    Measures engine = stage.engine("a").measures();
    assertThat(engine.value(EngineQuantity.FINISHED, "abort")).isEqualTo(1);
    Measures process = frontEnd.processes().getFirst();
    assertThat(process.distribution(ServerQuantity.HTTP_SECONDS_ALL).count()).isEqualTo(2);
    assertThat(process.distribution(ServerQuantity.HTTP_SECONDS_ALL).sum()).isLessThan(0.001);
  }

  @Test
  void stop_breaksAllConnectionsAndRefusesNewOnes() {
    ApiFrontEnd frontEnd = stage.frontEnd("a", FrontEndCosts.python(), 1, 20 * MILLI);
    Listener running = new Listener(stage.agenda, false);
    Listener reading = new Listener(stage.agenda, false);
    Listener late = new Listener(stage.agenda, false);
    frontEnd.submit(stage.request(10, 100, true), running);
    stage.agenda.runUntil(100 * MILLI);
    frontEnd.submit(stage.request(10_000, 100, true), reading);
    frontEnd.stop();
    frontEnd.submit(stage.request(10, 100, true), late);
    stage.agenda.runUntil(10 * SECOND);
    assertThat(running.outcome).isEqualTo(new Outcome(0, null, "down"));
    assertThat(reading.outcome).isEqualTo(new Outcome(0, null, "down"));
    assertThat(late.outcome).isEqualTo(new Outcome(0, null, "refused"));
    assertThat(List.of(running.ends, reading.ends, late.ends)).containsOnly(1);
  }

  @Test
  void requestsAtItsLimit_finishByLength() {
    ApiFrontEnd frontEnd = stage.frontEnd("a", FREE, 1, 20 * MILLI);
    Listener listener = new Listener(stage.agenda, false);
    frontEnd.submit(stage.request(10, 3, true), listener);
    stage.agenda.runUntil(SECOND);
    assertThat(listener.outcome).isEqualTo(Outcome.ok(Finish.STOP));
  }
}
