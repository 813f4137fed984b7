package org.inferometer.model;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.model.ValueTest.Glob;
import org.jspecify.annotations.Nullable;

/**
 * Recognises regular expressions that are alternations of literals and {@code .*} or {@code .+}, in
 * groups or not, as nearly all in dashboards are. Answers only where it is sure: what it recognises
 * is valid RE2 with the meaning told; on anything else it gives up.
 *
 * <p>Grammar: {@code alternation = sequence ('|' sequence)*}; {@code sequence = '^'? item* '$'?};
 * {@code item = letter | '\' punctuation | '.*' | '.+' | '(' '?:'? alternation ')'}. Groups are
 * multiplied out.
 */
final class RegexShape {
  /** The most globs an expression with gaps is multiplied out to; beyond, the automaton wins. */
  private static final int GLOBS_MAX = 64;

  /** The most literals an expression is multiplied out to: they are looked up, not tried. */
  private static final int LITERALS_MAX = 50_000;

  /** Deeper nesting than people write. */
  private static final int DEPTH_MAX = 8;

  private static final String META = "\\.+*?()|[]{}^$";

  private final String regex;
  private int position;
  private boolean gaveUp;

  private RegexShape(String regex) {
    this.regex = regex;
  }

  /** The globs whose union the expression is, or null if it isn't of that shape. */
  static @Nullable List<Glob> globs(String regex) {
    RegexShape shape = new RegexShape(regex);
    List<Partial> alternatives = shape.alternation(0);
    if (shape.gaveUp || shape.position < regex.length()) {
      return null;
    }
    int limit = alternatives.stream().allMatch(Partial::isLiteral) ? LITERALS_MAX : GLOBS_MAX;
    return alternatives.size() > limit ? null : alternatives.stream().map(Partial::toGlob).toList();
  }

  /** A glob in the making: its finished pieces and gaps, and the text of the piece at its end. */
  private record Partial(List<String> pieces, List<Boolean> filled, String tail) {
    static final Partial EMPTY = new Partial(List.of(), List.of(), "");

    boolean isLiteral() {
      return filled.isEmpty();
    }

    Glob toGlob() {
      List<String> all = new ArrayList<>(pieces);
      all.add(tail);
      return new Glob(List.copyOf(all), filled);
    }

    Partial withText(String text) {
      return new Partial(pieces, filled, tail + text);
    }

    /** Null for two gaps side by side that want more than one character together. */
    @Nullable Partial withGap(boolean isFilled) {
      List<String> newPieces = new ArrayList<>(pieces);
      List<Boolean> newFilled = new ArrayList<>(filled);
      if (tail.isEmpty() && !filled.isEmpty()) {
        boolean previous = newFilled.removeLast();
        if (previous && isFilled) {
          return null;
        }
        newFilled.add(previous || isFilled);
      } else {
        newPieces.add(tail);
        newFilled.add(isFilled);
      }
      return new Partial(List.copyOf(newPieces), List.copyOf(newFilled), "");
    }

    @Nullable Partial then(Partial next) {
      Partial joined = this;
      for (int i = 0; i < next.filled.size() && joined != null; i++) {
        joined = joined.withText(next.pieces.get(i)).withGap(next.filled.get(i));
      }
      return joined == null ? null : joined.withText(next.tail);
    }
  }

  private List<Partial> giveUp() {
    gaveUp = true;
    return List.of();
  }

  private boolean at(char c) {
    return position < regex.length() && regex.charAt(position) == c;
  }

  private List<Partial> alternation(int depth) {
    List<Partial> alternatives = new ArrayList<>();
    while (!gaveUp) {
      alternatives.addAll(sequence(depth));
      if (!at('|')) {
        break;
      }
      position++;
      if (alternatives.size() > LITERALS_MAX) {
        return giveUp();
      }
    }
    return alternatives;
  }

  private List<Partial> sequence(int depth) {
    // Both ends are anchored anyway; inside a group an anchor may stand in the middle of the text.
    if (depth == 0 && at('^')) {
      position++;
    }
    List<Partial> soFar = List.of(Partial.EMPTY);
    while (!gaveUp && position < regex.length() && !at('|') && !at(')')) {
      if (depth == 0 && at('$') && isSequenceEnd(position + 1)) {
        position++;
        break;
      }
      soFar = item(soFar, depth);
    }
    return soFar;
  }

  private boolean isSequenceEnd(int index) {
    return index == regex.length() || regex.charAt(index) == '|';
  }

  private List<Partial> item(List<Partial> soFar, int depth) {
    char c = regex.charAt(position);
    if (c == '.') {
      return gap(soFar);
    }
    if (c == '(') {
      return group(soFar, depth);
    }
    String literal = literal();
    if (gaveUp || isRepeated()) {
      return giveUp();
    }
    return soFar.stream().map(partial -> partial.withText(literal)).toList();
  }

  /** A run of letters that nothing repeats, or one escaped character. */
  private String literal() {
    char c = regex.charAt(position);
    if (c == '\\') {
      return escaped();
    }
    int start = position;
    while (position < regex.length() && isPlain(regex.charAt(position))) {
      position++;
    }
    if (position - start > 1 && isRepeated()) {
      position--;
    }
    if (position == start) {
      gaveUp = true;
    }
    return regex.substring(start, position);
  }

  private String escaped() {
    if (position + 1 >= regex.length() || !isPunctuation(regex.charAt(position + 1))) {
      gaveUp = true;
      return "";
    }
    position += 2;
    return regex.substring(position - 1, position);
  }

  /** Surrogates are left to the library: half a pair must not match inside a whole one. */
  private static boolean isPlain(char c) {
    return META.indexOf(c) < 0 && !Character.isSurrogate(c);
  }

  private static boolean isPunctuation(char c) {
    return c > ' ' && c < 0x7f && !Character.isLetterOrDigit(c);
  }

  private boolean isRepeated() {
    return at('*') || at('+') || at('?') || at('{');
  }

  private List<Partial> gap(List<Partial> soFar) {
    position++;
    if (!at('*') && !at('+')) {
      return giveUp();
    }
    boolean isFilled = at('+');
    position++;
    if (at('?')) { // prefers the shorter match, which is the same when the whole must match
      position++;
    }
    if (isRepeated()) {
      return giveUp();
    }
    return each(soFar, partial -> partial.withGap(isFilled));
  }

  private List<Partial> group(List<Partial> soFar, int depth) {
    position++;
    if (at('?')) {
      if (!regex.startsWith("?:", position)) {
        return giveUp();
      }
      position += 2;
    }
    List<Partial> inner = depth == DEPTH_MAX ? giveUp() : alternation(depth + 1);
    if (gaveUp || !at(')')) {
      return giveUp();
    }
    position++;
    if (isRepeated() || (long) soFar.size() * inner.size() > LITERALS_MAX) {
      return giveUp();
    }
    return product(soFar, inner);
  }

  private List<Partial> product(List<Partial> soFar, List<Partial> inner) {
    List<Partial> joined = new ArrayList<>(soFar.size() * inner.size());
    for (Partial next : inner) {
      joined.addAll(each(soFar, partial -> partial.then(next)));
    }
    return joined;
  }

  /** One step of a sequence on every alternative; gives up if the step does on any. */
  private interface Step {
    @Nullable Partial apply(Partial partial);
  }

  private List<Partial> each(List<Partial> soFar, Step step) {
    List<Partial> next = new ArrayList<>(soFar.size());
    for (Partial partial : soFar) {
      Partial stepped = step.apply(partial);
      if (stepped == null) {
        return giveUp();
      }
      next.add(stepped);
    }
    return next;
  }
}
