package org.inferometer.signals;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.promql.Expr;
import org.inferometer.promql.ParseException;
import org.inferometer.promql.Parser;
import org.inferometer.promql.Span;
import org.jspecify.annotations.Nullable;

/**
 * PromQL over names of signals: a selector that is named like a signal stands for that signal's own
 * PromQL. With {@code by="instance"} in braces it is split by that label as well.
 */
final class Formula {
  /** The label of the matcher that asks for a split. */
  static final String BY = "by";

  /** Formulas of formulas deeper than this can't be read. */
  static final int DEPTH_MAX = 6;

  private Formula() {}

  /**
   * A signal that a formula names.
   *
   * @param name as written; a signal's, or {@link TargetScan#UP}
   * @param by the label by which this part is split beside what the caller asks for, or null
   */
  record Part(String name, @Nullable String by, Span span) {
    boolean isSignal() {
      return !name.equals(TargetScan.UP);
    }

    /** What this part is split by, given what the whole is. */
    List<String> by(List<String> asked) {
      if (by == null || asked.contains(by)) {
        return asked;
      }
      List<String> both = new ArrayList<>(asked);
      both.add(by);
      return both;
    }
  }

  /**
   * The signals that a formula names, in order; a name may come more than once.
   *
   * @throws ParseException if it isn't PromQL
   */
  static List<Part> parts(Template formula) throws ParseException {
    return parts(formula.sample());
  }

  private static List<Part> parts(Expr expr) {
    return expr.selectors().stream().map(Formula::part).toList();
  }

  private static Part part(Expr.VectorSelector selector) {
    String by = null;
    for (Matcher matcher : selector.matchers()) {
      if (matcher.name().equals(BY)) {
        by = matcher.value();
      }
    }
    return new Part(selector.metricName(), by, selector.span());
  }

  /** What of a selector a formula can't have, as the end of "expected ...", null if all is well. */
  static @Nullable String unexpected(Expr.VectorSelector selector) {
    if (!selector.shift().equals(Expr.TimeShift.NONE)
        || selector.extension() != Expr.RangeExtension.NONE) {
      return "a signal without a shift in time";
    }
    for (Matcher matcher : selector.matchers()) {
      boolean name = matcher.name().equals(Labels.NAME);
      boolean by = matcher.name().equals(BY) && matcher.type() == Matcher.Type.EQUAL;
      if (!name && !by) {
        return "no matcher beside " + BY + "=\"LABEL\" in a formula";
      }
    }
    return null;
  }

  /**
   * A formula with its signals replaced, each in parentheses.
   *
   * @param text without placeholders
   * @param promql of a part
   * @throws IllegalStateException if the text isn't PromQL, which is checked when it is loaded
   */
  static String expand(String text, Function<Part, String> promql) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    StringBuilder out = new StringBuilder();
    int done = 0;
    for (Part part : parsed(text)) {
      if (part.isSignal()) {
        out.append(string(bytes, done, part.span().start()));
        out.append('(').append(promql.apply(part)).append(')');
        done = part.span().end();
      }
    }
    return out.append(string(bytes, done, bytes.length)).toString();
  }

  private static List<Part> parsed(String text) {
    try {
      return parts(Parser.parse(text));
    } catch (ParseException e) {
      throw new IllegalStateException("was parsed when it was loaded: " + text, e);
    }
  }

  /** A span counts bytes. */
  private static String string(byte[] bytes, int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }
}
