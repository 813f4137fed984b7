package org.inferometer.api;

import java.util.List;
import org.inferometer.model.Matcher;
import org.inferometer.promql.Expr;
import org.inferometer.promql.ParseException;
import org.inferometer.promql.Parser;

/** Reads a series selector such as {@code up{job="a"}}. */
@FunctionalInterface
public interface SelectorReader {
  List<Matcher> read(String selector) throws ParseException;

  /** A reader of PromQL's instant selectors without modifiers. */
  static SelectorReader promql() {
    return text -> {
      Expr expr = Parser.parse(text);
      if (expr instanceof Expr.VectorSelector selector
          && selector.shift().equals(Expr.TimeShift.NONE)
          && selector.extension() == Expr.RangeExtension.NONE) {
        return selector.matchers();
      }
      throw new ParseException(
          text, expr.span(), "expected a series selector such as up{job=\"a\"}");
    };
  }
}
