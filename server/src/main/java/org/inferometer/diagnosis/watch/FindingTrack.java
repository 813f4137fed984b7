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

  /** Whether it came when another one had just gone, and may be what that one left behind. */
  private boolean isLeftover;

  FindingTrack(HoldRule rule, Verdict first, long timeMs, boolean isLeftover) {
    this.rule = rule;
    this.verdict = first;
    this.isLeftover = isLeftover;
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
    boolean isSure = now.finding().confidence() >= rule.sureConfidence();
    isHeld |= !isLeftover && (Integer.bitCount(seen) >= rule.seenMin() || isSure);
  }

  /** Nothing ebbs away any more: from now on it counts like any other. */
  void standsAlone() {
    isLeftover = false;
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

  /**
   * Whether it needn't be followed any more: it is over, or never came to hold.
   *
   * @param lingers whether what it did may still be felt
   */
  boolean isOver(boolean lingers) {
    return isHeld ? absent >= rule.absentMax() && !lingers : seen == 0;
  }

  /**
   * Whether what users feel may still come from it, though it isn't seen any more: requests that
   * began under it end later. For as long as it was seen, and a while at most.
   */
  boolean mayLinger(long timeMs, long mostMs) {
    return isHeld && timeMs - lastSeenMs <= Math.min(lastSeenMs - firstSeenMs, mostMs);
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
