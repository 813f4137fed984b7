package org.inferometer.query.stepwise;

/**
 * What a query is evaluated with.
 *
 * @param lookbackMs how old a sample may be for an instant selector, itself excluded
 * @param subqueryStepMs step of a subquery that names none
 * @param delayedNames whether dropped names stay visible until the end
 */
public record Settings(long lookbackMs, long subqueryStepMs, boolean delayedNames) {
  public static final Settings DEFAULT = new Settings(300_000, 60_000, false);
}
