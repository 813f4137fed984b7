package org.inferometer.model;

import com.google.re2j.Pattern;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** How a regular expression is tested against the whole of a value. Thread-safe. */
sealed interface ValueTest {
  boolean matches(String value);

  /** The expression's cheapest test with the same answers. */
  static ValueTest of(String regex) {
    List<Glob> globs = RegexShape.globs(regex);
    if (globs == null) {
      return new Memoised(Regex.compile(regex));
    }
    if (globs.stream().allMatch(Glob::isLiteral)) {
      return new AnyOf(
          globs.stream()
              .map(glob -> glob.pieces().getFirst())
              .collect(Collectors.toUnmodifiableSet()));
    }
    return globs.size() == 1 ? globs.getFirst() : new AnyGlob(List.copyOf(globs));
  }

  /** An alternation of literals. */
  record AnyOf(Set<String> literals) implements ValueTest {
    @Override
    public boolean matches(String value) {
      return literals.contains(value);
    }
  }

  /** An alternation of globs. */
  record AnyGlob(List<Glob> globs) implements ValueTest {
    @Override
    public boolean matches(String value) {
      for (int i = 0; i < globs.size(); i++) {
        if (globs.get(i).matches(value)) {
          return true;
        }
      }
      return false;
    }
  }

  /**
   * Literal pieces with gaps between them that anything fills: {@code .*}, or {@code .+} where the
   * gap isn't empty.
   *
   * @param pieces one more than gaps; any may be empty
   * @param filled by gap, whether it takes one character at least
   */
  record Glob(List<String> pieces, List<Boolean> filled) implements ValueTest {
    boolean isLiteral() {
      return filled.isEmpty();
    }

    /** Taking each piece at its first place leaves the most for the rest, so no way is missed. */
    @Override
    public boolean matches(String value) {
      String first = pieces.getFirst();
      if (filled.isEmpty()) {
        return value.equals(first);
      }
      if (!value.startsWith(first)) {
        return false;
      }
      int position = first.length();
      int gaps = filled.size();
      for (int i = 0; i < gaps - 1; i++) {
        String piece = pieces.get(i + 1);
        int found = value.indexOf(piece, position + gapMin(i));
        // Java finds the empty text at the end when asked to look behind the end.
        if (found < position + gapMin(i)) {
          return false;
        }
        position = found + piece.length();
      }
      String last = pieces.get(gaps);
      return position + gapMin(gaps - 1) + last.length() <= value.length() && value.endsWith(last);
    }

    private int gapMin(int gap) {
      return filled.get(gap) ? 1 : 0;
    }
  }

  /** Any other expression, with answers kept for the values seen first. */
  final class Memoised implements ValueTest {
    /** Answers kept in an expression; label values that recur are far fewer as a rule. */
    private static final int ANSWERS_MAX = 4_096;

    /** Longer values aren't kept, so that what is kept stays within a megabyte or so. */
    private static final int VALUE_LENGTH_MAX = 128;

    private final Pattern pattern;
    private final ConcurrentHashMap<String, Boolean> answers = new ConcurrentHashMap<>();
    private final AtomicInteger answerCount = new AtomicInteger();

    Memoised(Pattern pattern) {
      this.pattern = pattern;
    }

    @Override
    public boolean matches(String value) {
      Boolean known = answers.get(value);
      if (known != null) {
        return known;
      }
      boolean answer = pattern.matches(value);
      if (value.length() <= VALUE_LENGTH_MAX && answerCount.get() < ANSWERS_MAX) {
        answerCount.incrementAndGet();
        answers.put(value, answer);
      }
      return answer;
    }
  }
}
