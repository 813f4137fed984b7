package org.inferometer.simulator.request;

import org.jspecify.annotations.Nullable;

/**
 * How a request ended, as the layer above is told.
 *
 * @param status of HTTP; 499 for a client that went away; 0 if there was none: the connection was
 *     refused or broke
 * @param finish how it ended at the engine; null if it never got there or had no end there
 * @param reason in a word for logs and counters: ok, timeout, cancelled, refused, down, ...
 */
public record Outcome(int status, Request.@Nullable Finish finish, String reason) {
  public static Outcome ok(Request.Finish finish) {
    return new Outcome(200, finish, "ok");
  }

  public boolean isOk() {
    return status == 200;
  }
}
