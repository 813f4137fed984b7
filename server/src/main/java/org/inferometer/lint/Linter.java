package org.inferometer.lint;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.inferometer.promql.Expr;
import org.inferometer.promql.ParseException;
import org.inferometer.promql.Parser;
import org.inferometer.promql.Span;
import org.inferometer.signals.Catalogue;

/** Judges the queries of files. Thread-safe. */
public final class Linter {
  /** Nobody reads more of a file, and a hostile one shouldn't fill the memory. */
  static final int FINDINGS_MAX = 2000;

  private static final Expr NOTHING = new Expr.NumberLiteral(0, false, Span.NONE);

  private final Catalogue catalogue;
  private final Facts facts = Facts.builtIn();
  private final Map<String, Dialects.Profile> profiles;

  public Linter(Catalogue catalogue) {
    this.catalogue = catalogue;
    this.profiles = Dialects.of(catalogue);
  }

  /** Judges files together: names that rules of one give to series are known in all. */
  public LintReport lint(List<LintFile> files, LintOptions options) {
    LintOptions used = options;
    Set<String> recorded = new HashSet<>();
    for (LintFile file : files) {
      recorded.addAll(file.document().recorded());
      String interval = file.document().scrapeInterval();
      if (interval != null && used.intervalKnownFrom() == null && Spans.parseMs(interval) > 0) {
        used = used.withInterval(Spans.parseMs(interval), file.name());
      }
    }
    Scene.World world =
        new Scene.World(
            new MetricNames(catalogue.families(), facts, recorded), facts, profiles, used);
    return new LintReport(files.stream().map(file -> lint(file, world)).toList(), used);
  }

  private static LintReport.OfFile lint(LintFile file, Scene.World world) {
    LintDocument document = file.document();
    List<Finding> findings = new ArrayList<>();
    List<String> notes = new ArrayList<>(document.notes());
    for (LintQuery query : document.queries()) {
      findings.addAll(lint(document, query, world));
      if (findings.size() > FINDINGS_MAX) {
        notes.add("more than " + FINDINGS_MAX + " findings: the rest of the file wasn't judged");
        break;
      }
    }
    findings.sort(
        Comparator.comparingInt(Finding::line)
            .thenComparingInt(Finding::column)
            .thenComparing(Finding::severity)
            .thenComparing(Finding::rule));
    return new LintReport.OfFile(file.name(), document.queries().size(), notes, findings);
  }

  private static List<Finding> lint(LintDocument document, LintQuery query, Scene.World world) {
    ParseException problem = null;
    List<Variables.Filled> readings = query.variables().readings(query.expr());
    for (Variables.Filled reading : readings) {
      try {
        Expr root = Parser.parse(reading.text().text());
        Scene scene = new Scene(document.file(), query, reading, root, world);
        ExprRules.check(scene);
        return scene.findings();
      } catch (ParseException e) {
        problem = problem == null ? e : problem;
      }
    }
    Scene scene = new Scene(document.file(), query, readings.getFirst(), NOTHING, world);
    if (problem != null && query.kind() != LintQuery.Kind.NAME) {
      unparsed(scene, document, problem);
    }
    return scene.findings();
  }

  private static void unparsed(Scene scene, LintDocument document, ParseException problem) {
    String message = String.valueOf(problem.getMessage());
    String words = message.substring(message.indexOf("parse error: ") + "parse error: ".length());
    if (document.isTemplate()) {
      scene.report(
          LintRule.PARSE_ERROR,
          Severity.HINT,
          problem.span(),
          "not PromQL before the template is rendered: " + words);
    } else {
      String filled =
          scene.filled().filled().isEmpty() ? "" : " (with something put in for the variables)";
      scene.report(
          LintRule.PARSE_ERROR,
          Severity.ERROR,
          problem.span(),
          "not PromQL" + filled + ": " + words);
    }
  }

  /**
   * Corrects what is certain.
   *
   * @return the text of the corrected file; all that isn't corrected stays as it is
   */
  public static Fixed fix(LintFile file, List<Finding> findings) {
    String text = file.document().file().text();
    List<Edit> edits = new ArrayList<>();
    findings.stream()
        .flatMap(finding -> finding.edits().stream())
        .distinct()
        .sorted(Comparator.comparingInt(Edit::start).thenComparingInt(Edit::end))
        .forEach(
            edit -> {
              if (edits.isEmpty() || edit.start() >= edits.getLast().end()) {
                edits.add(edit);
              }
            });
    StringBuilder out = new StringBuilder();
    int done = 0;
    for (Edit edit : edits) {
      out.append(text, done, edit.start()).append(edit.text());
      done = edit.end();
    }
    return new Fixed(out.append(text, done, text.length()).toString(), edits.size());
  }

  /**
   * A corrected file.
   *
   * @param changes how many places were changed
   */
  public record Fixed(String text, int changes) {}
}
