package org.inferometer.simulator.live;

import org.inferometer.simulator.event.Dice;

/**
 * What the simulated model says: plain sentences about nothing, each token a word or a full stop.
 * The same content gives the same text for ever, and {@link Tokeniser} takes it apart into the same
 * tokens again.
 */
final class Words {
  /** One sentence, word by word; its kinds of words stand below in this order. */
  private static final String[][] SENTENCE = {
    {"the", "this", "each", "one", "that", "every", "our", "its"},
    {"small", "quick", "calm", "warm", "bright", "steady", "quiet", "plain", "broad", "early"},
    {"river", "server", "garden", "signal", "engine", "harbour", "window", "letter", "queue"},
    {"carries", "finds", "keeps", "moves", "counts", "follows", "holds", "sends", "meets"},
    {"a", "the", "some", "another", "its", "every", "any", "one"},
    {"new", "long", "clear", "light", "heavy", "simple", "round", "green", "second", "open"},
    {"answer", "table", "path", "morning", "number", "story", "bridge", "token", "reason"},
    {"near", "before", "behind", "with", "under", "after", "across", "beside", "through"},
    {"the", "a", "this", "that", "our", "each", "some", "another"},
    {"house", "market", "field", "station", "forest", "lake", "summer", "village", "road"},
    {"."}
  };

  private Words() {}

  /** Token i of the text that a content names, with the space that parts it from the one before. */
  static String piece(long content, int index) {
    int place = index % SENTENCE.length;
    String[] choices = SENTENCE[place];
    long dice = Dice.mix(content + index) >>> 1;
    String word = choices[(int) (dice % choices.length)];
    if (place == SENTENCE.length - 1) {
      return word;
    }
    if (place == 0) {
      word = Character.toUpperCase(word.charAt(0)) + word.substring(1);
    }
    return index == 0 ? word : " " + word;
  }

  /** What stands at tokens {@code from} to {@code to}. */
  static String text(long content, int from, int to) {
    StringBuilder text = new StringBuilder();
    for (int i = from; i < to; i++) {
      text.append(piece(content, i));
    }
    return text.toString();
  }
}
