package org.inferometer.lint;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A query that stands in a file.
 *
 * @param name of the panel, rule or object that it belongs to
 * @param expr as it stands there, variables included
 * @param variables what is known of the variables in it
 * @param texts what people read beside it: titles, legends, summaries
 * @param unit Grafana's name of the unit that its values are shown in, "" if unknown
 * @param minStep the shortest step that the panel allows, "" if there is none
 * @param holds how long an alert's condition has to hold, null if that isn't written
 * @param threshold the value at which an autoscaler acts, null if there is none
 */
record LintQuery(
    Kind kind,
    String name,
    MappedText expr,
    Variables variables,
    List<String> texts,
    String unit,
    String minStep,
    @Nullable String holds,
    @Nullable Double threshold) {
  LintQuery {
    texts = List.copyOf(texts);
  }

  /** What a query is for. */
  enum Kind {
    PANEL("panel"),
    /** Fills a drop-down; its values aren't looked at. */
    VARIABLE("variable"),
    ANNOTATION("annotation"),
    ALERT("alert"),
    RECORD("record"),
    /** Decides how many replicas there are. */
    SCALER("scaler"),
    /** Series that an adapter offers. */
    SERIES("series"),
    /** No more than a metric's name, which an adapter may have renamed. */
    NAME("metric");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    String word() {
      return word;
    }
  }

  static LintQuery of(Kind kind, String name, MappedText expr) {
    return new LintQuery(kind, name, expr, Variables.NONE, List.of(name), "", "", null, null);
  }

  LintQuery with(Variables known) {
    return new LintQuery(kind, name, expr, known, texts, unit, minStep, holds, threshold);
  }

  /** Whether its value is used, rather than only which series there are. */
  boolean usesValues() {
    return kind != Kind.VARIABLE && kind != Kind.SERIES && kind != Kind.NAME;
  }
}
