package org.inferometer.signals;

/**
 * One thing to say about how a target runs, found by a query over it: its front end, that it is
 * data-parallel, that it has several processes. The first that holds of a facet's name counts.
 *
 * @param name such as {@code frontend} or {@code mode}
 * @param value such as {@code Rust}
 * @param query PromQL that gives a series if it holds
 * @param because what it follows from
 */
public record Facet(String name, String value, Template query, String because) {
  /** The query over the series of one target, with rates over a window. */
  public String query(String job, String instance, long windowMs) {
    return query.ofTarget(job, instance, windowMs);
  }
}
