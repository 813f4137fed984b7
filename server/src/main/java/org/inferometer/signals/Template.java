package org.inferometer.signals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.model.Names;
import org.inferometer.promql.Expr;
import org.inferometer.promql.ParseException;
import org.inferometer.promql.Parser;
import org.jspecify.annotations.Nullable;

/**
 * PromQL with placeholders: {@code $scope} and {@code $targets} inside braces for matchers, {@code
 * $window} inside brackets for the rate window, {@code $by} at the start of a grouping for the
 * labels that the caller splits by, and calls that read labels or facts (see {@link TemplateCall}).
 *
 * @param text with the placeholders
 */
record Template(String text) {
  /** All are filled in one pass, so that nothing in a label's value is taken for one. */
  private static final Pattern PLACEHOLDER =
      Pattern.compile(TemplateCall.FORM.pattern() + "|\\$(scope|targets|window|by, |by)");

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
   * @param known what its targets expose and what was told of it
   */
  record Values(
      List<Matcher> scope, List<Matcher> targets, List<String> by, long windowMs, Known known) {
    /** Values of a target of which nothing else is known. */
    Values(List<Matcher> scope, List<Matcher> targets, List<String> by, long windowMs) {
      this(scope, targets, by, windowMs, Known.NOTHING);
    }

    /** The same split by other labels. */
    Values with(List<String> otherBy) {
      return otherBy.equals(by) ? this : new Values(scope, targets, otherBy, windowMs, known);
    }
  }

  /** Filled for one target, whatever it serves. */
  String ofTarget(String job, String instance, long windowMs) {
    List<Matcher> matchers = new Target(job, instance).matchers();
    return render(new Values(matchers, matchers, List.of(), windowMs));
  }

  String render(Values values) {
    StringBuilder out = new StringBuilder();
    java.util.regex.Matcher found = PLACEHOLDER.matcher(text);
    int from = 0;
    for (int at = text.indexOf('$'); at >= 0; at = text.indexOf('$', Math.max(from, at + 1))) {
      if (found.region(at, text.length()).lookingAt()) {
        out.append(text, from, at).append(fill(found, values));
        from = found.end();
      }
    }
    return out.append(text, from, text.length()).toString();
  }

  private static String fill(MatchResult found, Values values) {
    String by = values.by().stream().map(Template::labelName).collect(Collectors.joining(", "));
    return switch (found.group(3)) {
      case null -> TemplateCall.read(found).render(values);
      case "scope" -> matchers(values.scope());
      case "targets" -> matchers(values.targets());
      case "window" -> duration(values.windowMs());
      case "by, " -> by.isEmpty() ? "" : by + ", ";
      case "by" -> by;
      default -> throw new IllegalStateException("no placeholder: " + found.group());
    };
  }

  static String matchers(List<Matcher> matchers) {
    return String.join(",", matchers.stream().map(Matcher::toString).toList());
  }

  private static String labelName(String name) {
    return Names.isLegacyLabelName(name) ? name : Names.quote(name);
  }

  private static String duration(long ms) {
    return ms % 1000 == 0 ? ms / 1000 + "s" : ms + "ms";
  }

  /**
   * The calls in it, in order.
   *
   * @throws IllegalArgumentException if one isn't as it should be, saying what was expected
   */
  List<TemplateCall> calls() {
    return TemplateCall.isIn(text)
        ? TemplateCall.FORM.matcher(text).results().map(TemplateCall::read).toList()
        : List.of();
  }

  /** What keeps it from becoming PromQL for a service, null if nothing does. */
  TemplateCall.@Nullable Missing missing(Known known) {
    for (TemplateCall call : calls()) {
      TemplateCall.Missing missing = call.missing(known);
      if (missing != null) {
        return missing;
      }
    }
    return null;
  }

  /** What the facts in it rest on where nobody told them, in sentences. */
  List<String> assumptions(Known known) {
    List<String> sentences = new ArrayList<>();
    for (TemplateCall call : calls()) {
      Known.Told told = call.told(known);
      if (told != null && told.because() != null) {
        sentences.add(told.because());
      }
    }
    return sentences;
  }

  /**
   * What it becomes for some service.
   *
   * @throws ParseException if it isn't PromQL once the placeholders are filled
   * @throws IllegalArgumentException if a call isn't as it should be, saying what was expected
   */
  Expr sample() throws ParseException {
    Known known = new Known(List.of(sampleFacts()), Map.of());
    Values some = SAMPLE;
    return Parser.parse(
        render(new Values(some.scope(), some.targets(), some.by(), some.windowMs(), known)));
  }

  /** A target on which every call finds a number. */
  private TargetFacts sampleFacts() {
    List<Labels> rows = new ArrayList<>();
    for (TemplateCall call : calls()) {
      if (call.metric() != null) {
        Labels.Builder row = new Labels.Builder();
        row.set(Labels.NAME, call.metric());
        call.labels().forEach(label -> row.set(label, "1"));
        rows.add(row.build());
      }
    }
    return TargetFacts.of(new Target("a", "a"), rows);
  }

  /**
   * The metric names that it reads, sorted; "" for a selector that names none.
   *
   * @throws ParseException if it isn't PromQL once the placeholders are filled
   */
  List<String> metricNames() throws ParseException {
    TreeSet<String> names = new TreeSet<>();
    sample().selectors().forEach(selector -> names.add(selector.metricName()));
    return List.copyOf(names);
  }
}
