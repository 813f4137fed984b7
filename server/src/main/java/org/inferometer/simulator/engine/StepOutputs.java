package org.inferometer.simulator.engine;

import org.inferometer.simulator.request.Request;

/** What a step brought, request by request. Valid during the call that hands it over only. */
public interface StepOutputs {
  int count();

  Request request(int index);

  /** New tokens, 0 if it only ended. */
  int tokens(int index);

  /** Whether this was its last output; its {@code finish} says why. */
  boolean isLast(int index);
}
