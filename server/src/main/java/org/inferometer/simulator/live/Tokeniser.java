package org.inferometer.simulator.live;

import java.util.Arrays;
import org.inferometer.simulator.event.Dice;

/**
 * Takes text apart into tokens, about as many as real tokenisers find: a short word with the space
 * before it is one, a long word several, and so on. What comes out are hashes of the pieces: equal
 * pieces are equal tokens, and that is all a prefix cache looks at. Not thread-safe.
 */
final class Tokeniser {
  /** English words are mostly shorter; with this there are about 1.3 tokens to a word. */
  private static final int LETTERS_MAX = 8;

  /** Other alphabets have fewer letters to a token. */
  private static final int OTHER_LETTERS_MAX = 3;

  private static final int DIGITS_MAX = 3;
  private static final int SPACES_MAX = 16;

  /** What stands for an image; images of a million pixels or so have about as many. */
  private static final int IMAGE_TOKENS = 1024;

  /** The kinds of characters that stick together. */
  private enum Kind {
    LETTER(LETTERS_MAX),
    OTHER_LETTER(OTHER_LETTERS_MAX),
    DIGIT(DIGITS_MAX),
    SPACE(SPACES_MAX),
    /** Ideographs, signs, emoji: each is one. */
    SINGLE(1);

    private final int max;

    Kind(int max) {
      this.max = max;
    }
  }

  private final int keptMax;
  private long[] tokens = new long[64];
  private int count;

  /**
   * @param keptMax tokens beyond so many are counted and not kept
   */
  Tokeniser(int keptMax) {
    this.keptMax = keptMax;
  }

  /** How many tokens there are. */
  int count() {
    return count;
  }

  /** The tokens so far, but for those beyond what is kept. */
  long[] tokens() {
    return Arrays.copyOf(tokens, Math.min(count, keptMax));
  }

  void text(String text) {
    int at = 0;
    while (at < text.length()) {
      int end = pieceEnd(text, at);
      add(hash(text, at, end));
      at = end;
    }
  }

  /** A token by its number in the vocabulary. */
  void token(long id) {
    add(Dice.mix(id ^ 0x746f6b656eL));
  }

  /** A message begins, as chat templates mark it. */
  void beginMessage(String role) {
    mark(1);
    add(hash(role, 0, role.length()));
    mark(2);
  }

  void endMessage() {
    mark(3);
    mark(2);
  }

  void image(String url) {
    long content = hash(url, 0, url.length());
    for (int i = 0; i < IMAGE_TOKENS; i++) {
      add(Dice.mix(content + i));
    }
  }

  /** What stands between texts and is in none of them. */
  private void mark(int which) {
    add(Dice.mix(0x6d61726bL + which));
  }

  private void add(long token) {
    if (count < keptMax) {
      if (count == tokens.length) {
        tokens = Arrays.copyOf(tokens, Math.min(keptMax, count * 2));
      }
      tokens[count] = token;
    }
    count++;
  }

  /** The token that a piece of text is, if it is one. */
  static long hash(String text, int from, int to) {
    long hash = (long) to - from;
    for (int i = from; i < to; i++) {
      hash = Dice.mix(hash ^ ((long) text.charAt(i) << 8));
    }
    return hash;
  }

  /** One space goes with what follows it, as in real vocabularies. */
  private static int pieceEnd(String text, int from) {
    int start = from;
    if (text.charAt(from) == ' ' && from + 1 < text.length()) {
      Kind next = kind(text.codePointAt(from + 1));
      start += next == Kind.LETTER || next == Kind.OTHER_LETTER ? 1 : 0;
    }
    Kind kind = kind(text.codePointAt(start));
    int end = start;
    int length = 0;
    while (end < text.length() && length < kind.max && kind(text.codePointAt(end)) == kind) {
      end += Character.charCount(text.codePointAt(end));
      length++;
    }
    return end;
  }

  private static Kind kind(int c) {
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
      return Kind.LETTER;
    }
    if (c >= '0' && c <= '9') {
      return Kind.DIGIT;
    }
    if (Character.isWhitespace(c)) {
      return Kind.SPACE;
    }
    return Character.isAlphabetic(c) && !Character.isIdeographic(c)
        ? Kind.OTHER_LETTER
        : Kind.SINGLE;
  }
}
