package org.inferometer.simulator.request;

/**
 * The tokens of a prompt, by identity: what is compared are their contents, never their text.
 * Immutable.
 */
public interface Prompt {
  /** Tokens. */
  int length();

  /**
   * What stands at tokens {@code from} to {@code to}, as a hash: equal for equal tokens, whichever
   * prompt they are of. Both within the length.
   */
  long contentKey(int from, int to);

  /**
   * This prompt, then others' tokens: what a conversation's next turn begins with.
   *
   * @param content names the added tokens; the same name and offset is the same token
   */
  Prompt then(long content, int length);
}
