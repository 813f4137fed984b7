package org.inferometer.signals;

import java.util.List;
import java.util.TreeSet;
import org.inferometer.model.Matcher;
import org.inferometer.model.Names;
import org.inferometer.promql.ParseException;
import org.inferometer.promql.Parser;

/**
 * PromQL with four placeholders: {@code $scope} and {@code $targets} inside braces for matchers,
 * {@code $window} inside brackets for the rate window, and {@code $by} at the start of a grouping
 * for the labels that the caller splits by.
 *
 * @param text with the placeholders
 */
record Template(String text) {
  /** What replaces the placeholders when a template is only checked. */
  static final Values SAMPLE =
      new Values(
          List.of(Matcher.equal("instance", "a")),
          List.of(Matcher.equal("instance", "a")),
          List.of(),
          60_000);

  /**
   * What the placeholders stand for.
   *
   * @param scope matchers of the service: its targets and its model
   * @param targets matchers of its targets alone
   * @param by label names
   */
  record Values(List<Matcher> scope, List<Matcher> targets, List<String> by, long windowMs) {}

  String render(Values values) {
    String by = String.join(", ", values.by().stream().map(Template::labelName).toList());
    return text.replace("$scope", matchers(values.scope()))
        .replace("$targets", matchers(values.targets()))
        .replace("$window", duration(values.windowMs()))
        .replace("$by, ", by.isEmpty() ? "" : by + ", ")
        .replace("$by", by);
  }

  private static String matchers(List<Matcher> matchers) {
    return String.join(",", matchers.stream().map(Matcher::toString).toList());
  }

  private static String labelName(String name) {
    return Names.isLegacyLabelName(name) ? name : Names.quote(name);
  }

  private static String duration(long ms) {
    return ms % 1000 == 0 ? ms / 1000 + "s" : ms + "ms";
  }

  /**
   * The metric names that it reads, sorted.
   *
   * @throws ParseException if it isn't PromQL once the placeholders are filled
   */
  List<String> metricNames() throws ParseException {
    TreeSet<String> names = new TreeSet<>();
    Parser.parse(render(SAMPLE)).selectors().forEach(selector -> names.add(selector.metricName()));
    return List.copyOf(names);
  }
}
