package org.inferometer.query;

import java.util.Locale;
import org.inferometer.promql.Expr;

/** The {@code anchored} and {@code smoothed} modifiers of range selectors. */
final class Extensions {
  private Extensions() {}

  static Abort unsupported(Expr.VectorSelector selector) {
    return Abort.execution(
        "the modifier "
            + selector.extension().name().toLowerCase(Locale.ROOT)
            + " is parsed but not evaluated yet");
  }
}
