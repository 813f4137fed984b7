package org.inferometer.simulator.live;

import org.inferometer.simulator.event.Dice;
import org.jspecify.annotations.Nullable;

/**
 * What the simulated model answers to a request: which text, and where it ends unless something
 * cuts it. Everything is known beforehand, stop texts included.
 *
 * @param content names the text
 * @param outputTokens after so many it stops by itself
 * @param maxTokens after so many it is cut
 * @param wholeTokens so many of the tokens that are generated are sent as text; the one that ends
 *     an answer has none, nor has a stop text
 * @param rest what is sent of the token after those
 * @param stopText what ended it, if one of the stop texts did
 */
record Plan(
    long content,
    int outputTokens,
    int maxTokens,
    int wholeTokens,
    String rest,
    @Nullable String stopText) {
  /** Answers of chats: half are shorter than this, and one in forty is five times as long. */
  private static final double TOKENS_MEDIAN = 180;

  private static final double TOKENS_SIGMA = 0.8;
  private static final int TOKENS_MAX = 4096;

  static Plan of(OpenAiRequest request, long content, int maxTokens) {
    int own = request.ignoreEos() ? Integer.MAX_VALUE : Math.max(request.minTokens(), own(content));
    int textTokens = own <= maxTokens ? own - 1 : maxTokens;
    Plan whole = new Plan(content, own, maxTokens, textTokens, "", null);
    return request.stop().isEmpty() ? whole : whole.stoppedBy(request);
  }

  private static int own(long content) {
    double drawn = TOKENS_MEDIAN * Math.exp(TOKENS_SIGMA * Dice.of(content).nextNormal());
    return (int) Math.clamp(drawn, 2, TOKENS_MAX);
  }

  /** The same, ended by the stop text that is complete first, if there is one. */
  private Plan stoppedBy(OpenAiRequest request) {
    String text = Words.text(content, 0, wholeTokens);
    int before = Words.text(content, 0, Math.min(wholeTokens, request.minTokens())).length();
    int end = Integer.MAX_VALUE;
    String found = null;
    for (String stop : request.stop()) {
      int at = text.indexOf(stop, Math.max(0, before - stop.length()));
      if (at >= 0 && at + stop.length() < end) {
        end = at + stop.length();
        found = stop;
      }
    }
    return found == null ? this : endingAt(end - found.length(), end, found);
  }

  /**
   * @param at where the stop text begins
   * @param end where it ends: with the token there, so does the answer
   */
  private Plan endingAt(int at, int end, String stop) {
    int length = 0;
    int tokens = 0;
    int whole = 0;
    String rest = "";
    while (length < end) {
      String piece = Words.piece(content, tokens++);
      if (length + piece.length() <= at) {
        whole = tokens;
      } else if (length < at) {
        rest = piece.substring(0, at - length);
      }
      length += piece.length();
    }
    return new Plan(content, tokens, maxTokens, whole, rest, stop);
  }

  /** How many tokens there will be. */
  int tokens() {
    return Math.min(outputTokens, maxTokens);
  }

  /** The part of the text that is sent when tokens {@code from} to {@code to} have come. */
  String text(int from, int to) {
    String text = Words.text(content, from, Math.min(to, wholeTokens));
    return from <= wholeTokens && to > wholeTokens ? text + rest : text;
  }

  /** The name of an answer: the same prompt and seed give the same. */
  static long contentOf(long promptKey, long seed) {
    return Dice.mix(promptKey ^ Dice.mix(seed));
  }
}
