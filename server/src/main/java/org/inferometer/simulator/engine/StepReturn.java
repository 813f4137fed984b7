package org.inferometer.simulator.engine;

import org.inferometer.simulator.engine.Sequence.Place;
import org.inferometer.simulator.request.Request;
import org.inferometer.simulator.request.Request.Handover;

/** Takes in what a step brought: tokens, kept drafts, ends. Not thread-safe. */
final class StepReturn {
  private final boolean asyncScheduling;
  private final Scheduler scheduler;
  private final KvCache cache;
  private final Drafts drafts;
  private final EngineStatistics statistics;
  private final StepResults results = new StepResults();
  private long nowNs;

  StepReturn(
      EngineConfig config,
      Scheduler scheduler,
      KvCache cache,
      Drafts drafts,
      EngineStatistics statistics) {
    this.asyncScheduling = config.asyncScheduling();
    this.scheduler = scheduler;
    this.cache = cache;
    this.drafts = drafts;
    this.statistics = statistics;
  }

  /** The outputs of a step that returns now; valid until the next one does. */
  StepResults take(StepPlan plan, long now) {
    nowNs = now;
    results.clear();
    for (int i = 0; i < plan.count; i++) {
      Sequence sequence = plan.sequence(i);
      if (plan.prefills[i]) {
        statistics.countPrefill(plan.tokens[i], plan.again[i]);
      }
      if (plan.brings[i] && isThere(sequence)) {
        take(sequence, plan.drafts[i]);
      }
    }
    return results;
  }

  /** Not if it has ended, or was given up, since the step was planned. */
  private static boolean isThere(Sequence sequence) {
    return sequence.place != Place.GONE && sequence.place != Place.KEPT;
  }

  private void take(Sequence sequence, int drafted) {
    int accepted = 0;
    if (drafted > 0) {
      accepted = drafts.accepted(sequence.temperature, drafted);
      statistics.countDraft(drafted, accepted);
    }
    Request request = sequence.request;
    int tokens = Math.min(1 + accepted, sequence.tokensToGenerate - request.generated);
    sequence.known += tokens;
    sequence.inFlight -= 1 + drafted;
    // One that was driven out since has lost what it had computed, not its token.
    if (sequence.place == Place.RUNNING) {
      sequence.computed -= drafted - accepted;
      registerLate(sequence);
    }
    stamp(request, tokens);
    boolean isLast = request.generated == sequence.tokensToGenerate;
    if (isLast) {
      finish(sequence);
    }
    results.add(request, tokens, isLast);
  }

  /** A step that was planned without knowing the token it would compute has filled a block. */
  private void registerLate(Sequence sequence) {
    if (asyncScheduling) {
      cache.register(sequence, Math.min(sequence.computed - sequence.inFlight, sequence.known));
    }
  }

  private void stamp(Request request, int tokens) {
    if (request.generated == 0) {
      request.firstTokenNs = nowNs;
      statistics.countFirst(request, tokens);
    } else {
      statistics.countNext(nowNs - request.lastTokenNs, tokens);
    }
    request.lastTokenNs = nowNs;
    request.generated += tokens;
  }

  private void finish(Sequence sequence) {
    Request request = sequence.request;
    request.finish = sequence.finishThen;
    statistics.countFinish(request, sequence);
    scheduler.finish(sequence, request.handover == Handover.TO_SEND);
  }
}
