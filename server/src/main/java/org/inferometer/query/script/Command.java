package org.inferometer.query.script;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A step of a script. */
sealed interface Command {
  /** The line it starts on, from 1. */
  int line();

  /** Drops all data. */
  record Clear(int line) implements Command {}

  /**
   * Adds series; value i of a series stands at i times the step.
   *
   * @param customBuckets whether classic histograms are also loaded as native ones
   */
  record Load(int line, long stepMs, boolean customBuckets, List<SeriesLine> series)
      implements Command {}

  /**
   * A query and what it must answer.
   *
   * @param stepMs 0 for an instant query, which is evaluated at {@code startMs}
   */
  record Eval(
      int line, String query, long startMs, long endMs, long stepMs, Expectation expectation)
      implements Command {
    boolean isRange() {
      return stepMs > 0;
    }
  }

  /**
   * What an eval must answer.
   *
   * @param fail how it must fail, null if it must not
   * @param warnings texts that warnings must match; empty if any will do
   * @param scalar the scalar that it must be, null if it must be something else
   * @param string the string that it must be, null if it must be something else
   * @param rangeVector when an instant query must answer a matrix: its times
   */
  record Expectation(
      @Nullable Text fail,
      List<Text> warnings,
      List<Text> infos,
      boolean noWarnings,
      boolean noInfos,
      boolean ordered,
      @Nullable Double scalar,
      @Nullable String string,
      @Nullable Times rangeVector,
      List<SeriesLine> series) {}

  /** Times from start to end by step. */
  record Times(long startMs, long endMs, long stepMs) {}

  /**
   * What a message must be.
   *
   * @param kind how the text is compared
   */
  record Text(Kind kind, String text) {
    enum Kind {
      ANY,
      EQUAL,
      REGEX
    }

    static final Text ANYTHING = new Text(Kind.ANY, "");

    boolean matches(String message) {
      return switch (kind) {
        case ANY -> true;
        case EQUAL -> message.equals(text);
        case REGEX -> com.google.re2j.Pattern.compile(text).matcher(message).find();
      };
    }
  }
}
