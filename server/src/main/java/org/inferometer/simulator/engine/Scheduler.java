package org.inferometer.simulator.engine;

import java.util.Arrays;
import org.inferometer.simulator.engine.Sequence.Place;
import org.jspecify.annotations.Nullable;

/**
 * Plans steps: first the sequences that run, in their order, then those that wait, until the budget
 * of tokens, the seats or the KV blocks are used up. A sequence that runs and finds no block drives
 * out the last one; then nobody is admitted in this step. Not thread-safe.
 */
final class Scheduler {
  private final EngineConfig config;
  private final int budgetMax;
  private final KvCache cache;
  private final AdapterSlots adapters;
  private final Drafts drafts;
  private final KvTransfers transfers;
  private final EngineStatistics statistics;
  private final WaitingQueues queues;

  private @Nullable Sequence[] running = new Sequence[64];
  private int runningCount;

  /** Of the step that is being planned. */
  private int budget;

  private boolean preempted;
  private long nowNs;

  Scheduler(
      EngineConfig config,
      KvCache cache,
      AdapterSlots adapters,
      Drafts drafts,
      KvTransfers transfers,
      EngineStatistics statistics) {
    this.config = config;
    this.cache = cache;
    this.adapters = adapters;
    this.drafts = drafts;
    this.transfers = transfers;
    this.statistics = statistics;
    queues = new WaitingQueues(config.byPriority());
    // A prompt that is scheduled whole must fit into a step.
    budgetMax =
        config.chunkedPrefill()
            ? config.maxNumBatchedTokens()
            : Math.max(config.maxNumBatchedTokens(), config.maxModelLen());
  }

  WaitingQueues queues() {
    return queues;
  }

  int running() {
    return runningCount;
  }

  /** Tokens that the last plan had left over. */
  int budgetLeft() {
    return budget;
  }

  /** Whether the last plan drove somebody out. */
  boolean hasPreempted() {
    return preempted;
  }

  Sequence running(int index) {
    Sequence sequence = running[index];
    if (sequence == null) {
      throw new IndexOutOfBoundsException(index);
    }
    return sequence;
  }

  void enqueue(Sequence sequence) {
    adapters.countRequests(sequence.adapter, 1);
    queues.add(sequence);
  }

  /** A sequence leaves, wherever it is. What it held is free. */
  void drop(Sequence sequence) {
    switch (sequence.place) {
      case RUNNING -> removeRunning(indexOfRunning(sequence));
      case WAITING, SKIPPED -> queues.take(sequence);
      case INBOX, KEPT, GONE -> {}
    }
    leave(sequence);
    cache.free(sequence);
  }

  /** A sequence that runs or was driven out has ended; its KV is free, or kept to be fetched. */
  void finish(Sequence sequence, boolean keepsKv) {
    if (sequence.place != Place.RUNNING || !keepsKv) {
      drop(sequence);
    } else {
      removeRunning(indexOfRunning(sequence));
      leave(sequence);
      transfers.keep(sequence);
    }
  }

  private void leave(Sequence sequence) {
    if (sequence.place == Place.WAITING
        || sequence.place == Place.SKIPPED
        || sequence.place == Place.RUNNING) {
      adapters.countRequests(sequence.adapter, -1);
    }
    sequence.place = Place.GONE;
  }

  void clear() {
    Arrays.fill(running, null);
    runningCount = 0;
    queues.clear();
  }

  /** Plans a step into an empty plan. */
  void plan(StepPlan plan, long now) {
    plan.clear();
    nowNs = now;
    budget = budgetMax;
    preempted = false;
    adapters.beginStep();
    planRunning(plan);
    if (!preempted) {
      planWaiting(plan);
    }
    queues.endStep();
    if (!plan.isEmpty()) {
      plan.measure();
      plan.work.adapterLoads = adapters.load();
      plan.work.adapters = adapters.inStep();
    }
  }

  private void planRunning(StepPlan plan) {
    int index = 0;
    while (index < runningCount && budget > 0) {
      Sequence sequence = running(index);
      int tokens = tokensOf(sequence);
      if (tokens > 0) {
        index = makeRoom(plan, sequence, tokens, index);
        if (index < 0) {
          return;
        }
        schedule(plan, sequence, tokens);
      }
      index++;
    }
  }

  /** How many tokens a sequence that runs would compute in this step. */
  private int tokensOf(Sequence sequence) {
    if (willEndAnyway(sequence)) {
      return 0;
    }
    int wanted =
        Math.min(
            sequence.known + sequence.inFlight + sequence.drafts - sequence.computed,
            config.maxModelLen() - 1 - sequence.computed);
    return Math.min(limitPrefill(wanted), budget);
  }

  /**
   * Whether the step in flight brings it to its limit, even if no draft is kept. That it may stop
   * by itself nobody knows beforehand: then it takes part in a step too many.
   */
  private static boolean willEndAnyway(Sequence sequence) {
    return sequence.inFlight > 0
        && sequence.computed + 2 - sequence.inFlight >= sequence.promptTokens + sequence.tokensMax;
  }

  private int limitPrefill(int tokens) {
    int threshold = config.longPrefillTokenThreshold();
    return threshold > 0 ? Math.min(tokens, threshold) : tokens;
  }

  /**
   * Finds blocks for a sequence that runs, and drives others out if need be.
   *
   * @return its index, which may have changed; below 0 if it was driven out itself
   */
  private int makeRoom(StepPlan plan, Sequence sequence, int tokens, int index) {
    int place = index;
    int slots = Math.min(sequence.computed + tokens + drafts.tokens(), config.maxModelLen());
    while (!cache.grow(sequence, slots)) {
      int victimIndex = victim();
      Sequence victim = running(victimIndex);
      if (victimIndex < place) {
        budget += plan.remove(victim);
        place--;
      }
      preempt(victim, victimIndex);
      if (victim == sequence) {
        return -1;
      }
    }
    return place;
  }

  private int victim() {
    if (!config.byPriority()) {
      return runningCount - 1;
    }
    int worst = 0;
    for (int i = 1; i < runningCount; i++) {
      if (WaitingQueues.BY_PRIORITY.compare(running(i), running(worst)) > 0) {
        worst = i;
      }
    }
    return worst;
  }

  private void preempt(Sequence victim, int index) {
    preempted = true;
    removeRunning(index);
    cache.free(victim);
    victim.request.preemptions++;
    statistics.countPreemption();
    queues.addFirst(victim);
  }

  private void schedule(StepPlan plan, Sequence sequence, int tokens) {
    plan.add(sequence, tokens, drafts.tokens());
    budget -= tokens;
    adapters.use(sequence.adapter);
    // Others may find these blocks in this very step: KV is written before it is read.
    cache.register(sequence, Math.min(sequence.computed, sequence.known));
  }

  private void planWaiting(StepPlan plan) {
    while (budget > 0 && runningCount < config.maxNumSeqs()) {
      Sequence sequence = queues.peek();
      if (sequence == null) {
        return;
      }
      if (sequence.fetching || !adapters.fits(sequence.adapter)) {
        queues.putOff(sequence);
      } else if (!tryAdmit(plan, sequence)) {
        // The first in line blocks those behind it.
        return;
      }
    }
  }

  /** Whether it could be admitted, or has begun to fetch its KV. */
  private boolean tryAdmit(StepPlan plan, Sequence sequence) {
    return sequence.blockCount > 0 ? admitFetched(plan, sequence) : admitFresh(plan, sequence);
  }

  /** All but the last token are there, and so are the blocks. */
  private boolean admitFetched(StepPlan plan, Sequence sequence) {
    if (!cache.grow(sequence, sequence.known)) {
      return false;
    }
    seat(plan, sequence, sequence.known - sequence.computed);
    return true;
  }

  private boolean admitFresh(StepPlan plan, Sequence sequence) {
    int hits = cache.lookup(sequence);
    int cached = hits * config.blockSize();
    statistics.countLookup(sequence, hits, cached);
    if (sequence.toFetch && mayFetch(sequence)) {
      return fetch(sequence, hits, cached);
    }
    int tokens = limitPrefill(sequence.known - cached);
    if (tokens > budget && !config.chunkedPrefill()) {
      return false;
    }
    tokens = Math.min(tokens, budget);
    int toFit = config.reserveFullPrompt() ? sequence.known : 0;
    if (!cache.admit(sequence, hits, cached + tokens, toFit, runningCount > 0)) {
      return false;
    }
    statistics.countAdmission(sequence, hits, cached, 0);
    sequence.computed = cached;
    seat(plan, sequence, tokens);
    return true;
  }

  private boolean mayFetch(Sequence sequence) {
    boolean can = transfers.canFetch(sequence);
    if (!can) {
      transfers.fail();
      sequence.toFetch = false;
    }
    return can;
  }

  private boolean fetch(Sequence sequence, int hits, int cached) {
    if (!cache.admit(sequence, hits, sequence.known, 0, runningCount > 0)) {
      return false;
    }
    // The last token is computed here in any case.
    int external = sequence.known - 1 - cached;
    statistics.countAdmission(sequence, hits, cached, external);
    sequence.toFetch = false;
    sequence.computed = sequence.known - 1;
    transfers.fetch(sequence, external, sequence.blockCount - hits);
    queues.putOff(sequence);
    return true;
  }

  /** Its KV has arrived. */
  void onFetched(Sequence sequence) {
    cache.register(sequence, sequence.computed);
  }

  private void seat(StepPlan plan, Sequence sequence, int tokens) {
    queues.take(sequence);
    sequence.place = Place.RUNNING;
    sequence.prefillEnd = sequence.known;
    if (sequence.request.scheduledNs < 0) {
      sequence.request.scheduledNs = nowNs;
    }
    addRunning(sequence);
    schedule(plan, sequence, tokens);
  }

  private void addRunning(Sequence sequence) {
    if (runningCount == running.length) {
      running = Arrays.copyOf(running, runningCount * 2);
    }
    running[runningCount++] = sequence;
    adapters.countRunning(sequence.adapter, 1);
  }

  private int indexOfRunning(Sequence sequence) {
    for (int i = 0; i < runningCount; i++) {
      if (running[i] == sequence) {
        return i;
      }
    }
    throw new IllegalStateException("expected " + sequence.request + " to run");
  }

  private void removeRunning(int index) {
    adapters.countRunning(running(index).adapter, -1);
    System.arraycopy(running, index + 1, running, index, --runningCount - index);
    running[runningCount] = null;
  }
}
