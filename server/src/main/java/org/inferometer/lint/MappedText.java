package org.inferometer.lint;

import java.util.Arrays;

/**
 * Text that was taken out of a file, and for each of its characters the place in the file that it
 * came from, through as many layers of quoting as there were.
 *
 * @param text what is read
 * @param origin for each character the offset in the file of the first character that it came from,
 *     and one more for the end
 * @param exact whether a character of the text stands in the file as itself wherever it is a
 *     letter, digit or bracket, so that the file can be edited through it
 */
record MappedText(String text, int[] origin, boolean exact) {
  MappedText {
    if (origin.length != text.length() + 1) {
      throw new IllegalArgumentException("expected a place for each character and the end");
    }
  }

  /** A whole file. */
  static MappedText ofFile(String text) {
    int[] origin = new int[text.length() + 1];
    Arrays.setAll(origin, i -> i);
    return new MappedText(text, origin, true);
  }

  /** Text whose characters all came from one place. */
  MappedText inexact(String decoded, int start) {
    int[] places = new int[decoded.length() + 1];
    Arrays.fill(places, origin[start]);
    return new MappedText(decoded, places, false);
  }

  MappedText part(int start, int end) {
    return new MappedText(
        text.substring(start, end), Arrays.copyOfRange(origin, start, end + 1), exact);
  }

  /** The same text with something else written over it, character by character. */
  MappedText masked(String sameLength) {
    return new MappedText(sameLength, origin, exact);
  }

  /** Puts text together from characters of another. */
  static final class Builder {
    private final MappedText from;
    private final StringBuilder text = new StringBuilder();
    private int[] origin = new int[64];

    Builder(MappedText from) {
      this.from = from;
    }

    /** Adds a character that came from an offset in the other text. */
    Builder add(char c, int offset) {
      if (text.length() == origin.length) {
        origin = Arrays.copyOf(origin, origin.length * 2);
      }
      origin[text.length()] = from.origin()[offset];
      text.append(c);
      return this;
    }

    Builder add(String chars, int offset) {
      for (int i = 0; i < chars.length(); i++) {
        add(chars.charAt(i), offset);
      }
      return this;
    }

    /** Takes characters over as they are. */
    Builder copy(int start, int end) {
      for (int i = start; i < end; i++) {
        add(from.text().charAt(i), i);
      }
      return this;
    }

    int length() {
      return text.length();
    }

    char last() {
      return text.charAt(text.length() - 1);
    }

    void cut(int length) {
      text.setLength(length);
    }

    /**
     * @param end offset in the other text where it ends
     */
    MappedText build(int end) {
      int[] places = Arrays.copyOf(origin, text.length() + 1);
      places[text.length()] = from.origin()[end];
      return new MappedText(text.toString(), places, from.exact());
    }
  }

  // Records compare arrays by identity; nothing compares these.
  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }

  @Override
  public String toString() {
    return text;
  }
}
