package org.inferometer.query;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.promql.Expr;
import org.jspecify.annotations.Nullable;

/**
 * Which info series {@code info()} looks at, and which of their labels it takes: what its second
 * argument says.
 *
 * @param names matchers of the metric name, at least one of them positive
 * @param labels matchers of other labels; those labels are taken, or all if there is no matcher
 */
record InfoSelector(List<Matcher> names, List<Matcher> labels) {
  /** What is meant when nothing is said of the metric name. */
  private static final Matcher TARGET_INFO = Matcher.equal(Labels.NAME, "target_info");

  /** What is meant as well when only names not to look at are given. */
  private static final Matcher ANY_INFO = new Matcher(Matcher.Type.REGEX, Labels.NAME, ".+_info");

  InfoSelector {
    names = List.copyOf(names);
    labels = List.copyOf(labels);
  }

  /**
   * @param written the second argument; null if there is none
   */
  static InfoSelector of(Expr.@Nullable VectorSelector written) {
    List<Matcher> matchers = written == null ? List.of() : written.matchers();
    List<Matcher> names = new ArrayList<>();
    List<Matcher> labels = new ArrayList<>();
    for (Matcher matcher : matchers) {
      (matcher.name().equals(Labels.NAME) ? names : labels).add(matcher);
    }
    if (names.isEmpty()) {
      names.add(TARGET_INFO);
    } else if (names.stream().noneMatch(Matcher::isPositive)) {
      names.add(ANY_INFO);
    }
    return new InfoSelector(names, labels);
  }

  List<Matcher> matchers() {
    List<Matcher> all = new ArrayList<>(names);
    all.addAll(labels);
    return all;
  }

  /** Whether a series with these labels is an info series itself. */
  boolean isInfo(Labels series) {
    return names.stream().allMatch(matcher -> matcher.matches(series));
  }

  boolean takes(String label) {
    return !EngineNames.isOfMetric(label)
        && (labels.isEmpty() || labels.stream().anyMatch(m -> m.name().equals(label)));
  }

  /** Whether a series goes without an info series that matches. */
  boolean isRequired() {
    return !labels.stream().allMatch(Matcher::matchesEmpty);
  }
}
