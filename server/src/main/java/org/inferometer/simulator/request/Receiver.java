package org.inferometer.simulator.request;

/** Who gets what a request brings. Called at the simulated moment it arrives there. */
public interface Receiver {
  /** Whether it wants to be told of every output, and not of the first alone. */
  boolean wantsEveryToken();

  /** Tokens arrived. The first call is the first token's; later ones come only if wanted. */
  void tokens(Request request, int count);

  /** It ended; nothing comes after. */
  void ended(Request request, Outcome outcome);
}
