package org.inferometer.histogram;

/** Exponential and custom buckets met in one operation, which has no result then. */
public final class IncompatibleSchemas extends RuntimeException {
  private static final long serialVersionUID = 1;

  IncompatibleSchemas() {
    // It is an answer rather than a fault: where it was thrown doesn't matter.
    super("cannot combine exponential and custom buckets", null, false, false);
  }
}
