package org.inferometer.simulator.edge;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.inferometer.simulator.engine.Engine;
import org.inferometer.simulator.engine.EngineConfig;
import org.inferometer.simulator.engine.OutputListener;
import org.inferometer.simulator.engine.StepOutputs;
import org.inferometer.simulator.event.Agenda;
import org.inferometer.simulator.host.HostProcess;
import org.inferometer.simulator.knob.Knob;
import org.inferometer.simulator.knob.Knobs;
import org.inferometer.simulator.measure.EngineQuantity;
import org.inferometer.simulator.measure.Measures;
import org.inferometer.simulator.measure.ServerQuantity;
import org.inferometer.simulator.request.Outcome;
import org.inferometer.simulator.request.Receiver;
import org.inferometer.simulator.request.Request;
import org.inferometer.simulator.request.Request.Ask;
import org.inferometer.simulator.request.Request.Finish;
import org.inferometer.simulator.scenario.Scenario.Frontend;
import org.jspecify.annotations.Nullable;

/**
 * The API front end of a replica, as an OpenAI-compatible server has it: each process is one event
 * loop that tokenises what comes in and detokenises what each step brings, in turn. Not
 * thread-safe.
 */
public final class ApiFrontEnd implements FrontEnd, OutputListener {
  /** Makes the engines of a front end, which hand their outputs to it. */
  @FunctionalInterface
  public interface Engines {
    List<Engine> make(OutputListener listener);
  }

  /** Counts what one API process counts, and is where it runs. */
  public record Worker(HostProcess process, Measures measures) {}

  private static final String METHOD = "POST";

  /** Waiting weighs more than running in the choice of an engine. Source: vLLM's DP balancer. */
  private static final int WAITING_WEIGHT = 4;

  private final String name;
  private final Frontend kind;
  private final FrontEndCosts costs;
  private final Agenda agenda;
  private final Knobs knobs;
  private final List<Engine> engines;
  private final List<ApiProcess> processes = new ArrayList<>();
  private final Set<ServedRequest> served = new LinkedHashSet<>();
  private int nextProcess;
  private int nextEngine;
  private double leak;
  private long pauseTurn;
  private boolean stopped;

  /**
   * @param processes one at least
   */
  public ApiFrontEnd(
      String name,
      Frontend kind,
      FrontEndCosts costs,
      Agenda agenda,
      Knobs knobs,
      List<Worker> processes,
      Engines engines) {
    this.name = name;
    this.kind = kind;
    this.costs = costs;
    this.agenda = agenda;
    this.knobs = knobs;
    for (Worker process : processes) {
      this.processes.add(new ApiProcess(agenda, process.process, process.measures));
    }
    this.engines = List.copyOf(engines.make(this));
    if (this.processes.isEmpty() || this.engines.isEmpty()) {
      throw new IllegalArgumentException("expected a process and an engine at least");
    }
    leak = knobs.get(Knob.SERVER_LEAK);
    knobs.onTurn(this::turned);
    turned();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Knobs knobs() {
    return knobs;
  }

  @Override
  public List<Engine> engines() {
    return engines;
  }

  @Override
  public List<Measures> processes() {
    accountLeak();
    List<Measures> all = new ArrayList<>();
    for (ApiProcess process : processes) {
      process.bringUp();
      all.add(process.meter.measures());
    }
    return all;
  }

  @Override
  public int inFlight() {
    return served.size();
  }

  /** What waits for the event loops or is done there. */
  public int backlog() {
    int all = 0;
    for (ApiProcess process : processes) {
      all += process.loop.length();
    }
    return all;
  }

  /** How long a new connection, such as a scrape's, would wait for its turn now. */
  public long delayNs() {
    return processes.get(nextProcess).loop.delayNs();
  }

  @Override
  public void submit(Request request, Receiver receiver) {
    if (stopped) {
      receiver.ended(request, new Outcome(0, null, "refused"));
      return;
    }
    ApiProcess process = processes.get(nextProcess);
    nextProcess = (nextProcess + 1) % processes.size();
    ServedRequest one = new ServedRequest(request, receiver, process, agenda.now());
    request.frontEndState = one;
    request.arrivalNs = agenda.now();
    served.add(one);
    process.connections++;
    process.here++;
    process.collectGarbage(process.meter.onRequest());
    process.loop.addRequest(new Reading(one));
  }

  /** A request is read, unless its client has gone by then. */
  private final class Reading implements EventLoop.Work {
    private final ServedRequest one;

    Reading(ServedRequest one) {
      this.one = one;
    }

    @Override
    public long cpuNs() {
      Request request = one.request;
      return costs.requestNs(request.promptTokens(), knobs.get(Knob.SERVER_TOKENISE))
          + request.ask.preprocessNs();
    }

    @Override
    public boolean isMoot() {
      return one.ended;
    }

    @Override
    public void done() {
      read(one);
    }
  }

  /** What steps brought for a process is handed on; what comes before that begins joins it. */
  private final class Outputs implements EventLoop.Work {
    private final ApiProcess process;
    private @Nullable OutputBatch begun;

    Outputs(ApiProcess process) {
      this.process = process;
    }

    @Override
    public long cpuNs() {
      OutputBatch batch = process.batch;
      double factor = knobs.get(Knob.SERVER_DETOKENISE);
      return costs.outputsNs(batch.steps(), batch.chunks(), batch.allTokens(), factor);
    }

    @Override
    public void begin() {
      OutputBatch batch = process.batch;
      begun = batch;
      process.batch = process.spare;
      process.spare = batch;
      batch.close();
    }

    @Override
    public void done() {
      OutputBatch batch = begun;
      if (batch != null) {
        deliver(batch);
      }
    }
  }

  /** A client's leaving is noticed. */
  private final class Leaving implements EventLoop.Work {
    private final ServedRequest one;

    Leaving(ServedRequest one) {
      this.one = one;
    }

    @Override
    public long cpuNs() {
      return costs.abortNs();
    }

    @Override
    public void done() {
      abort(one);
    }
  }

  /** It is tokenised. */
  private void read(ServedRequest one) {
    Engine engine = leastLoaded();
    Outcome refusal = refusal(one.request.ask, engine);
    if (refusal != null) {
      end(one, refusal);
      return;
    }
    one.engine = engine;
    one.request.readNs = agenda.now();
    if (costs.handoverNs() == 0) {
      handOver(one, engine);
    } else {
      agenda.in(costs.handoverNs(), () -> handOver(one, engine));
    }
  }

  /** The engine core has it; if its client went meanwhile, the core is told at once. */
  private void handOver(ServedRequest one, Engine engine) {
    one.process.here--;
    if (stopped) {
      return;
    }
    one.handedOver = true;
    engine.add(one.request);
    if (!served.contains(one)) {
      engine.abort(one.request);
    }
  }

  private @Nullable Outcome refusal(Ask ask, Engine engine) {
    EngineConfig config = engine.config();
    if (ask.adapter() != null && config.adapters() == null) {
      // Adapters are models with names of their own; one without them doesn't know the name.
      return new Outcome(404, null, "unknown_model");
    }
    long prompt = ask.prompt().length();
    long asked = ask.maxTokens() == Ask.NO_LIMIT ? 1 : ask.maxTokens();
    if (prompt + asked > config.maxModelLen()) {
      return new Outcome(400, null, "too_long");
    }
    if (config.maxNumQueued() > 0 && waiting() >= config.maxNumQueued()) {
      engine.measures().add(EngineQuantity.ADMISSION_REJECTIONS, "max_num_queued_reqs", 1);
      return new Outcome(503, null, "rejected");
    }
    return null;
  }

  private int waiting() {
    int waiting = 0;
    for (Engine engine : engines) {
      waiting += engine.waiting();
    }
    return waiting;
  }

  /** Among equals they take turns. */
  private Engine leastLoaded() {
    int count = engines.size();
    Engine best = engines.get(nextEngine % count);
    for (int i = 1; i < count; i++) {
      Engine engine = engines.get((nextEngine + i) % count);
      if (load(engine) < load(best)) {
        best = engine;
      }
    }
    nextEngine = (best.index() + 1) % count;
    return best;
  }

  private static int load(Engine engine) {
    return engine.waiting() * WAITING_WEIGHT + engine.running();
  }

  @Override
  public void onOutputs(Engine engine, StepOutputs outputs) {
    if (stopped) {
      return;
    }
    int count = outputs.count();
    for (int i = 0; i < count; i++) {
      if (outputs.request(i).frontEndState instanceof ServedRequest one && !one.ended) {
        take(one, outputs.tokens(i), outputs.isLast(i));
      }
    }
    for (ApiProcess process : processes) {
      if (process.isInStep) {
        process.isInStep = false;
        process.batch.addStep();
        process.collectGarbage(process.meter.onOutputs(process.batch.size()));
        if (process.batch.steps() == 1) {
          process.loop.addOutput(new Outputs(process));
        }
      }
    }
  }

  private static void take(ServedRequest one, int tokens, boolean isLast) {
    one.process.isInStep = true;
    one.process.batch.add(one, tokens, isLast);
  }

  private void deliver(OutputBatch batch) {
    for (int i = 0; i < batch.size(); i++) {
      ServedRequest one = batch.request(i);
      if (!one.ended) {
        deliver(one, batch.tokens(i), batch.isLast(i));
      }
    }
    batch.clear();
  }

  private void deliver(ServedRequest one, int tokens, boolean isLast) {
    Request request = one.request;
    if (one.gone) {
      if (isLast) {
        forget(one);
      }
      return;
    }
    boolean isFirst = tokens > 0 && one.delivered == 0;
    if (isFirst) {
      request.firstOutputNs = agenda.now();
      observe(one, EngineQuantity.TTFT);
    }
    request.lastOutputNs = agenda.now();
    one.delivered += tokens;
    handOn(one, tokens, isFirst, isLast);
    // The receiver may have gone, hearing that.
    if (isLast && !one.gone && !one.ended) {
      finish(one);
    }
  }

  private static void handOn(ServedRequest one, int tokens, boolean isFirst, boolean isLast) {
    if (one.request.ask.streams()) {
      if (isFirst || (tokens > 0 && one.receiver.wantsEveryToken())) {
        one.receiver.tokens(one.request, tokens);
      }
    } else if (isLast && one.delivered > 0) {
      one.receiver.tokens(one.request, one.delivered);
    }
  }

  private void finish(ServedRequest one) {
    Finish finish = one.request.finish;
    if (finish == Finish.STOP || finish == Finish.LENGTH) {
      observe(one, EngineQuantity.E2E);
      end(one, Outcome.ok(finish));
    } else {
      end(one, new Outcome(500, finish, "error"));
    }
  }

  private void observe(ServedRequest one, EngineQuantity quantity) {
    if (one.engine != null) {
      double seconds = (agenda.now() - one.arrivalNs) / 1e9;
      one.engine.measures().distribution(quantity).observe(seconds);
    }
  }

  private void end(ServedRequest one, Outcome outcome) {
    forget(one);
    if (!one.gone) {
      noteHttp(one, outcome.status());
      one.receiver.ended(one.request, outcome);
    }
  }

  private void forget(ServedRequest one) {
    if (!one.ended) {
      one.ended = true;
      served.remove(one);
      one.process.connections--;
      if (one.engine == null) {
        one.process.here--;
      }
    }
  }

  /** One whose client has gone counts with what it had been answered until then. */
  private void noteHttp(ServedRequest one, int status) {
    Measures measures = one.process.meter.measures();
    Ask ask = one.request.ask;
    String handler = ChatBytes.PATH;
    double seconds = (answeredNs(one) - one.arrivalNs) / 1e9;
    measures.add(
        ServerQuantity.HTTP_REQUESTS, METHOD + "\n" + handler + "\n" + status / 100 + "xx", 1);
    measures.distribution(ServerQuantity.HTTP_SECONDS, METHOD + "\n" + handler).observe(seconds);
    measures.distribution(ServerQuantity.HTTP_SECONDS_ALL).observe(seconds);
    measures.add(ServerQuantity.HTTP_HANDLED, handler, 1);
    measures.add(ServerQuantity.HTTP_REQUEST_BYTES, handler, (double) ChatBytes.request(ask));
    // A stream has no content-length, which is what servers count.
    measures.add(
        ServerQuantity.HTTP_RESPONSE_BYTES,
        handler,
        ask.streams() && status == 200 ? 0 : (double) ChatBytes.answer(one.delivered, status));
  }

  /** When its answer was, as the front end sees it: Rust's looks at the header alone. */
  private long answeredNs(ServedRequest one) {
    boolean atHeader = kind == Frontend.RUST && one.request.ask.streams() && one.engine != null;
    return atHeader ? one.request.readNs : agenda.now();
  }

  @Override
  public void abandon(Request request) {
    if (request.frontEndState instanceof ServedRequest one && served.contains(one) && !one.gone) {
      one.gone = true;
      noteHttp(one, 200);
      one.process.loop.addOutput(new Leaving(one));
    }
  }

  private void abort(ServedRequest one) {
    if (one.engine != null && !one.ended) {
      if (one.handedOver) {
        one.engine.abort(one.request);
      }
      if (kind == Frontend.RUST) {
        // Python's front end forgets them uncounted.
        one.engine.measures().add(EngineQuantity.FINISHED, "abort", 1);
      }
    }
    forget(one);
  }

  @Override
  public void stop() {
    if (stopped) {
      return;
    }
    stopped = true;
    pauseTurn++;
    for (ApiProcess process : processes) {
      process.loop.stop();
      process.loop.process().end();
    }
    for (ServedRequest one : List.copyOf(served)) {
      forget(one);
      if (!one.gone) {
        one.receiver.ended(one.request, new Outcome(0, null, "down"));
      }
    }
  }

  private void turned() {
    accountLeak();
    leak = knobs.get(Knob.SERVER_LEAK);
    pauseTurn++;
    if (!stopped && knobs.get(Knob.SERVER_PAUSE) > 0) {
      awaitPause(pauseTurn);
    }
  }

  /** What was lost until now went at the rate that held until now. */
  private void accountLeak() {
    for (ApiProcess process : processes) {
      process.leak(leak, agenda.now());
    }
  }

  private void awaitPause(long turn) {
    agenda.in(
        knobs.nanos(Knob.SERVER_PAUSE_EVERY),
        () -> {
          if (turn == pauseTurn) {
            for (ApiProcess process : processes) {
              process.loop.pause(knobs.nanos(Knob.SERVER_PAUSE), 0);
            }
            awaitPause(turn);
          }
        });
  }
}
