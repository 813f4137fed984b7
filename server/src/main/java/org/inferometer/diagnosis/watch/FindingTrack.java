package org.inferometer.diagnosis.watch;

import org.inferometer.diagnosis.Verdict;
import org.inferometer.diagnosis.finding.Finding;
import org.jspecify.annotations.Nullable;

/** One finding from look to look. Not thread-safe. */
final class FindingTrack {
  private final HoldRule rule;
  private final long firstSeenMs;
  private Verdict verdict;
  private long lastSeenMs;
  private @Nullable Long onsetMs;

  /** A bit for each of the latest looks, the newest lowest: whether it was seen. */
  private int seen;

  private int absent;
  private boolean isHeld;

  FindingTrack(HoldRule rule, Verdict first, long timeMs) {
    this.rule = rule;
    this.verdict = first;
    this.firstSeenMs = timeMs;
    this.lastSeenMs = timeMs;
  }

  void seen(Verdict now, long timeMs) {
    verdict = now;
    lastSeenMs = timeMs;
    absent = 0;
    Long onset = now.finding().onsetMs();
    if (onsetMs == null && onset != null && onset <= timeMs) {
      onsetMs = onset;
    }
    push(1);
    isHeld |=
        Integer.bitCount(seen) >= rule.seenMin()
            || now.finding().confidence() >= rule.sureConfidence();
  }

  void notSeen() {
    absent++;
    push(0);
  }

  private void push(int bit) {
    seen = (seen << 1 | bit) & ((1 << rule.looks()) - 1);
  }

  boolean isHeld() {
    return isHeld;
  }

  /** Whether it needn't be followed any more: it is over, or never came to hold. */
  boolean isOver() {
    return isHeld ? absent >= rule.absentMax() : seen == 0;
  }

  boolean isSeenNow() {
    return absent == 0;
  }

  HeldFinding told(@Nullable Long endMs) {
    Finding finding = verdict.finding();
    return new HeldFinding(
        finding.scope(),
        finding.cause(),
        verdict.title(),
        verdict.follows(),
        finding.confidence(),
        finding.says(),
        onsetMs == null ? firstSeenMs : Math.min(onsetMs, firstSeenMs),
        firstSeenMs,
        lastSeenMs,
        endMs);
  }
}
