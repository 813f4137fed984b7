package org.inferometer.api;

import org.jspecify.annotations.Nullable;

/** Whether a server that listens already can answer questions. Thread-safe. */
@FunctionalInterface
public interface Readiness {
  /** What may be asked at any time. */
  String HEALTHY = "/-/healthy";

  /** Says among other things what is waited for, so that pages can show it. */
  String STATUS = "/api/v1/status";

  /** Ready from the beginning. */
  static Readiness always() {
    return () -> null;
  }

  /**
   * @return what it is still doing, as a sentence without a dot; null once it is ready
   */
  @Nullable String waitsFor();

  /** Whether a path needs the server to be ready; the pages don't, only what they ask. */
  static boolean isNeededFor(String path) {
    return !path.equals(HEALTHY)
        && !path.equals(STATUS)
        && (path.startsWith("/api/")
            || path.startsWith("/-/")
            || path.equals("/federate")
            || path.equals("/mcp"));
  }
}
