package org.inferometer.simulator.live;

import java.util.Arrays;
import org.inferometer.simulator.event.Dice;
import org.inferometer.simulator.request.Prompt;

/**
 * A prompt of tokens that came over HTTP, and an answer behind it, perhaps: the answer's tokens are
 * what its text would be taken apart into, so that a conversation's next turn finds them in the
 * prefix cache although it comes as text again.
 */
final class TokenPrompt implements Prompt {
  private final long[] tokens;
  private final long answer;
  private final int answerLength;

  TokenPrompt(long[] tokens) {
    this(tokens, 0, 0);
  }

  private TokenPrompt(long[] tokens, long answer, int answerLength) {
    this.tokens = tokens;
    this.answer = answer;
    this.answerLength = answerLength;
  }

  @Override
  public int length() {
    return Math.addExact(tokens.length, answerLength);
  }

  private long token(int index) {
    return index < tokens.length ? tokens[index] : answerToken(answer, index - tokens.length);
  }

  private static long answerToken(long answer, int index) {
    String piece = Words.piece(answer, index);
    return Tokeniser.hash(piece, 0, piece.length());
  }

  @Override
  public long contentKey(int from, int to) {
    long key = (long) to - from;
    for (int i = from; i < to; i++) {
      key = Dice.mix(key ^ token(i));
    }
    return key;
  }

  @Override
  public Prompt then(long content, int length) {
    if (length < 0) {
      throw new IllegalArgumentException("expected a length from 0 on, not " + length);
    }
    return length == 0 ? this : new TokenPrompt(all(), content, length);
  }

  private long[] all() {
    if (answerLength == 0) {
      return tokens;
    }
    long[] all = Arrays.copyOf(tokens, length());
    for (int i = tokens.length; i < all.length; i++) {
      all[i] = token(i);
    }
    return all;
  }
}
