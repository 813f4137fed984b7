package org.inferometer.signals;

import org.jspecify.annotations.Nullable;

/**
 * A way in which a target's page misleads, found by a query over it.
 *
 * @param id such as {@code stats-disabled}
 * @param weight how much it matters
 * @param query PromQL that gives a series if the trap is there
 * @param says what is the matter; {@code {value}} stands for the first series' value and {@code
 *     {label:NAME}} for one of its labels
 * @param fix what to do about it, or null
 * @param source where this is known from
 */
public record Trap(
    String id, Weight weight, Template query, String says, @Nullable String fix, String source) {
  /** The query over the series of one target, with rates over a window. */
  public String query(String job, String instance, long windowMs) {
    return query.ofTarget(job, instance, windowMs);
  }

  /** How much a trap matters. */
  public enum Weight {
    /** Numbers are wrong if they are used. */
    WRONG,
    /** Something can't be seen. */
    BLIND,
    /** Worth knowing; nothing needs doing. */
    NOTE
  }
}
