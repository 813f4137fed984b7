package org.inferometer.simulator.engine;

import java.util.ArrayDeque;
import java.util.Deque;
import org.inferometer.simulator.engine.Sequence.Place;
import org.inferometer.simulator.event.Agenda;
import org.inferometer.simulator.event.Dice;
import org.inferometer.simulator.event.Event;
import org.inferometer.simulator.knob.Knob;
import org.inferometer.simulator.knob.Knobs;
import org.inferometer.simulator.measure.Measures;
import org.inferometer.simulator.request.Request;
import org.jspecify.annotations.Nullable;

/**
 * An engine core that does what vLLM's V1 core does: step after step it takes in what arrived,
 * plans with the {@link Scheduler}, and hands out what a step brought once that has returned. With
 * asynchronous scheduling the next step is planned when one begins, and begins when that returns:
 * what a step brought is known two plans later.
 *
 * <p>As long as nothing can be computed, nothing happens and nothing is counted.
 */
public final class VllmEngine implements Engine {
  private final int index;
  private final EngineConfig config;
  private final StepTimer timer;
  private final Agenda agenda;
  private final Measures measures;
  private final Knobs knobs;
  private final OutputListener listener;
  private final KvCache cache;
  private final AdapterSlots adapters;
  private final Drafts drafts;
  private final EngineStatistics statistics;
  private final Scheduler scheduler;
  private final StepReturn stepReturn;
  private final Event endOfStep = this::endStep;

  /** Arrived, and given up, since the engine last looked. */
  private final Deque<Sequence> inbox = new ArrayDeque<>();

  private final Deque<Sequence> givenUp = new ArrayDeque<>();

  private final Deque<StepPlan> spares = new ArrayDeque<>();

  /** The step whose outputs are awaited, and the one planned after it. */
  private @Nullable StepPlan inFlight;

  private @Nullable StepPlan ahead;

  private boolean waking;

  /** A step would have ended, but the engine is stuck. */
  private boolean held;

  private boolean stopped;
  private long stallAtNs;

  /** How long a step that only decodes takes, without its drafts. */
  private long decodeNs;

  /**
   * @param index among the data-parallel engines of its replica
   * @param listener is told of outputs
   * @param dice for what is left to chance: which drafts are kept
   * @throws IllegalArgumentException if the KV cache doesn't hold one request of the full length
   */
  public VllmEngine(
      int index,
      EngineConfig config,
      StepTimer timer,
      Agenda agenda,
      Measures measures,
      Knobs knobs,
      OutputListener listener,
      Dice dice) {
    this.index = index;
    this.config = config;
    this.timer = timer;
    this.agenda = agenda;
    this.measures = measures;
    this.knobs = knobs;
    this.listener = listener;
    cache = new KvCache(config);
    adapters = new AdapterSlots(config.adapters());
    drafts = new Drafts(config.speculation(), knobs, dice);
    statistics = new EngineStatistics(measures, config, drafts.tokens());
    scheduler =
        new Scheduler(
            config,
            cache,
            adapters,
            drafts,
            new KvTransfers(config.transfers(), agenda, knobs, measures, new Transferred()),
            statistics);
    stepReturn = new StepReturn(config, scheduler, cache, drafts, statistics);
    if (cache.blocksFor(config.maxModelLen()) > cache.pool().usable()) {
      throw new IllegalArgumentException(
          "expected KV blocks for a request of "
              + config.maxModelLen()
              + " tokens, the longest the engine takes; it has "
              + cache.pool().usable()
              + " of "
              + config.blockSize());
    }
    statistics.publish(scheduler, cache, adapters);
    knobs.onTurn(this::onTurn);
  }

  @Override
  public int index() {
    return index;
  }

  @Override
  public EngineConfig config() {
    return config;
  }

  @Override
  public Knobs knobs() {
    return knobs;
  }

  @Override
  public Measures measures() {
    return measures;
  }

  @Override
  public int running() {
    return scheduler.running();
  }

  @Override
  public int waiting() {
    return scheduler.queues().size() + inbox.size();
  }

  @Override
  public double kvUsage() {
    return cache.usage();
  }

  /** {@inheritDoc} The front end has seen to it that its prompt leaves room for a token. */
  @Override
  public void add(Request request) {
    if (stopped) {
      return;
    }
    if (request.promptTokens() >= config.maxModelLen()) {
      throw new IllegalArgumentException(
          "expected a prompt below " + config.maxModelLen() + " tokens: " + request);
    }
    if (request.queuedNs >= 0 || request.finish != null) {
      throw new IllegalArgumentException("expected a request that no engine has had: " + request);
    }
    Sequence sequence = new Sequence(request, this, adapters.number(request.ask.adapter()));
    request.engineState = sequence;
    inbox.add(sequence);
    wake();
  }

  @Override
  public void abort(Request request) {
    if (stopped
        || !(request.engineState instanceof Sequence sequence)
        || sequence.engine != this
        || sequence.aborted
        || sequence.place == Place.KEPT
        || sequence.place == Place.GONE) {
      return;
    }
    sequence.aborted = true;
    request.finish = Request.Finish.ABORT;
    givenUp.add(sequence);
    wake();
  }

  @Override
  public void stop() {
    stopped = true;
    inbox.clear();
    givenUp.clear();
    scheduler.clear();
    inFlight = null;
    ahead = null;
  }

  KvCache cache() {
    return cache;
  }

  Scheduler scheduler() {
    return scheduler;
  }

  /**
   * Looks at what arrived, if no step is under way; with everything that arrives at this moment.
   */
  private void wake() {
    if (!waking && inFlight == null) {
      waking = true;
      agenda.in(0, this::onWake);
    }
  }

  private void onWake() {
    waking = false;
    if (!stopped && inFlight == null) {
      turn();
    }
  }

  /** Plans and begins a step while none is under way. */
  private void turn() {
    StepPlan plan = plan();
    if (plan == null) {
      statistics.publish(scheduler, cache, adapters);
      return;
    }
    launch(plan);
    planAhead();
  }

  private void planAhead() {
    if (config.asyncScheduling()) {
      ahead = plan();
    }
  }

  /** A step that computes something, or null. */
  private @Nullable StepPlan plan() {
    takeIn();
    StepPlan spare = spares.poll();
    StepPlan plan = spare == null ? new StepPlan() : spare;
    scheduler.plan(plan, agenda.now());
    if (plan.isEmpty()) {
      spares.push(plan);
      return null;
    }
    return plan;
  }

  /** The engine looks at its inbox between steps only. */
  private void takeIn() {
    while (!inbox.isEmpty()) {
      Sequence sequence = inbox.remove();
      if (!sequence.aborted) {
        sequence.request.queuedNs = agenda.now();
        scheduler.enqueue(sequence);
      }
    }
    takeOut();
  }

  private void takeOut() {
    while (!givenUp.isEmpty()) {
      scheduler.drop(givenUp.remove());
    }
  }

  private void launch(StepPlan plan) {
    inFlight = plan;
    long stall = stall();
    if (stall > 0) {
      agenda.in(stall, () -> begin(plan));
    } else {
      begin(plan);
    }
  }

  /** How long nothing happens before the next step. */
  private long stall() {
    long stall = knobs.nanos(Knob.ENGINE_STALL);
    if (stall == 0 || agenda.now() < stallAtNs) {
      return 0;
    }
    stallAtNs = agenda.now() + stall + knobs.nanos(Knob.ENGINE_STALL_EVERY);
    return stall;
  }

  private void begin(StepPlan plan) {
    if (stopped) {
      return;
    }
    StepWork work = plan.work;
    work.extraNs = drafts.nanos(work, decodeNs) + loadNs(work.adapterLoads);
    plan.beganNs = agenda.now();
    plan.tookNs = timer.begin(work, agenda.now());
    if (plan.tookNs != StepTimer.NEVER) {
      agenda.in(plan.tookNs, endOfStep);
    }
  }

  private long loadNs(int loads) {
    EngineConfig.Adapters with = config.adapters();
    return with == null || loads == 0
        ? 0
        : Math.round(loads * with.loadNs() * knobs.get(Knob.ENGINE_ADAPTER_LOAD));
  }

  private void onTurn() {
    if (held && !isStuck()) {
      held = false;
      agenda.in(0, endOfStep);
    }
  }

  private boolean isStuck() {
    return knobs.isOn(Knob.ENGINE_STUCK);
  }

  private void endStep() {
    StepPlan plan = inFlight;
    if (stopped || plan == null) {
      return;
    }
    if (isStuck()) {
      held = true;
      return;
    }
    inFlight = null;
    if (plan.work.prefillRequests == 0) {
      decodeNs = plan.tookNs - plan.work.extraNs;
    }
    takeOut();
    launchAhead();
    handOut(plan);
    spares.push(plan);
    if (stopped) {
      return;
    }
    if (inFlight == null) {
      turn();
    } else {
      planAhead();
    }
  }

  private void launchAhead() {
    StepPlan next = ahead;
    ahead = null;
    if (next != null) {
      launch(next);
    }
  }

  private void handOut(StepPlan plan) {
    StepResults results = stepReturn.take(plan, agenda.now());
    statistics.endStep(plan, agenda.now() - plan.beganNs, results.count() > 0);
    statistics.publish(scheduler, cache, adapters);
    plan.clear();
    if (results.count() > 0) {
      listener.onOutputs(this, results);
    }
  }

  /** What comes of transfers. */
  private final class Transferred implements KvTransfers.Listener {
    @Override
    public void onFetched(Sequence sequence) {
      scheduler.onFetched(sequence);
      wake();
    }

    @Override
    public void onReleased(Sequence sequence) {
      scheduler.drop(sequence);
      wake();
    }
  }
}
