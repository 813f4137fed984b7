package org.inferometer.model;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

/**
 * Compiles regular expressions that come from outside: RE2 syntax, a dot matches a newline, and
 * nothing that takes more stack, memory or time to compile than its length suggests.
 *
 * <p>RE2 matches in linear time, but the library expands counted repetitions while compiling (nine
 * characters can become a hundred million instructions) and recurses over what it parsed. So the
 * size of an expression is reckoned first, repetitions multiplied out, and compared with a limit.
 */
public final class Regex {
  /**
   * The largest expression: one a character, {@link #OPERATOR_SIZE} an operator, repetitions
   * multiplied out. Expressions that people write stay under a hundredth of it; a list of a
   * thousand host names with unescaped dots still fits.
   */
  public static final int SIZE_MAX = 100_000;

  /**
   * What an operator or one side of a group counts. The library's matcher recurses once for each
   * that it can pass without reading a character; two thousand of them, the most that fit, stay
   * within half of a small stack.
   */
  private static final int OPERATOR_SIZE = 50;

  /** The deepest nesting of groups; Go's limit as well. */
  public static final int DEPTH_MAX = 1_000;

  /** The longest expression, in characters: a list of two thousand host names fits. */
  public static final int LENGTH_MAX = 65_536;

  /**
   * What a Unicode class such as {@code \\pL} counts: it stands for hundreds of ranges. Also what
   * {@code [:} without its end counts, for which the library searches the rest of the text.
   */
  private static final int UNICODE_CLASS_SIZE = 200;

  private Regex() {}

  /**
   * A pattern whose {@link Pattern#matches} tells whether the whole of a text matches.
   *
   * @throws PatternSyntaxException if the text isn't RE2 syntax or is beyond a limit
   */
  public static Pattern compile(String text) {
    new Sizer(text).check();
    try {
      return Pattern.compile(text, Pattern.DOTALL);
    } catch (PatternSyntaxException e) {
      throw inWordsOfGo(text, e);
    }
  }

  /** What Go's library, and so Prometheus, says of the same mistake. */
  private static PatternSyntaxException inWordsOfGo(String text, PatternSyntaxException problem) {
    // The flag is compiled in as a prefix, which the message would show.
    PatternSyntaxException plain = problem;
    try {
      Pattern.compile(text);
    } catch (PatternSyntaxException e) {
      plain = e;
    }
    if (plain.getDescription().endsWith("internal error")) {
      return new PatternSyntaxException("unexpected )", text);
    }
    boolean placed = String.valueOf(plain.getMessage()).endsWith("`");
    return placed ? plain : new PatternSyntaxException(plain.getDescription(), "");
  }

  /**
   * Reckons the size in one pass. Where it isn't sure how the library reads something, it errs to
   * the larger number; what isn't valid at all is left for the library to refuse.
   */
  private static final class Sizer {
    private final String text;
    private int position;

    /** The size of each open group before its last atom, and of that atom; index is the depth. */
    private final long[] before = new long[DEPTH_MAX + 1];

    private final long[] last = new long[DEPTH_MAX + 1];
    private int depth;

    /** Where the last {@code :]} stands: none is to be looked for after it. */
    private final int lastClassEnd;

    Sizer(String text) {
      this.text = text;
      this.lastClassEnd = text.lastIndexOf(":]");
    }

    void check() {
      if (text.length() > LENGTH_MAX) {
        throw tooLarge("expression too large, longer than " + LENGTH_MAX + " characters");
      }
      while (position < text.length()) {
        step();
        if (before[depth] + last[depth] > SIZE_MAX) {
          throw tooLarge("expression too large");
        }
      }
    }

    private PatternSyntaxException tooLarge(String what) {
      String shown = text.length() <= 64 ? text : text.substring(0, 64) + "...";
      return new PatternSyntaxException(what, shown);
    }

    private void step() {
      char c = text.charAt(position++);
      switch (c) {
        case '(' -> open();
        case ')' -> close();
        case '[' -> skipClass();
        case '\\' -> escape();
        case '*', '+', '?' -> last[depth] += OPERATOR_SIZE;
        case '|' -> atom(OPERATOR_SIZE);
        case '{' ->
            last[depth] = Math.min((last[depth] + OPERATOR_SIZE) * repeatMax(), SIZE_MAX + 1L);
        default -> atom(1);
      }
    }

    private void atom(long size) {
      before[depth] += last[depth];
      last[depth] = size;
    }

    private void open() {
      atom(0);
      if (depth == DEPTH_MAX) {
        throw tooLarge("expression nests too deeply");
      }
      depth++;
      before[depth] = 0;
      last[depth] = 2 * OPERATOR_SIZE;
    }

    private void close() {
      if (depth > 0) {
        long size = before[depth] + last[depth];
        depth--;
        last[depth] = size;
      }
    }

    /** A class counts one for each of its ranges, more for those that stand for many. */
    private void skipClass() {
      long size = 1;
      if (text.startsWith("^", position)) {
        position++;
      }
      if (text.startsWith("]", position)) {
        position++;
      }
      while (position < text.length() && text.charAt(position) != ']') {
        if (text.startsWith("[:", position) && position < lastClassEnd) {
          position = text.indexOf(":]", position) + 2;
        } else {
          boolean isCostly = isUnicodeClass() || text.startsWith("[:", position);
          size += isCostly ? UNICODE_CLASS_SIZE : 1;
          position += text.charAt(position) == '\\' ? 2 : 1;
        }
      }
      position++;
      atom(size);
    }

    private void escape() {
      if (text.startsWith("Q", position)) {
        int end = text.indexOf("\\E", position);
        int stop = end < 0 ? text.length() : end;
        before[depth] += stop - position;
        position = stop + (end < 0 ? 0 : 2);
        atom(1);
      } else {
        position--;
        long size = isUnicodeClass() ? UNICODE_CLASS_SIZE : 1;
        position += 2;
        atom(size);
      }
    }

    private boolean isUnicodeClass() {
      return text.startsWith("\\p", position) || text.startsWith("\\P", position);
    }

    /**
     * The larger bound of {@code n}, {@code n,} or {@code n,m} before a brace; 1 for other text.
     */
    private long repeatMax() {
      int end = text.indexOf('}', position);
      if (end < 0 || end - position > 9) {
        return 1;
      }
      long max = 1;
      long number = 0;
      for (int i = position; i < end; i++) {
        char c = text.charAt(i);
        if (c == ',') {
          number = 0;
        } else if (c >= '0' && c <= '9') {
          number = number * 10 + (c - '0');
          max = Math.max(max, number);
        } else {
          return 1;
        }
      }
      position = end + 1;
      return max;
    }
  }
}
