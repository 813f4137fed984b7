package org.inferometer.app;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.inferometer.diagnosis.Diagnosis;
import org.inferometer.diagnosis.LayerLine;
import org.inferometer.diagnosis.PathStep;
import org.inferometer.diagnosis.Report;
import org.inferometer.diagnosis.Verdict;
import org.inferometer.diagnosis.finding.Action;
import org.inferometer.diagnosis.finding.Evidence;
import org.jspecify.annotations.Nullable;

/** Diagnoses as Markdown for a ticket. What comes from outside can't be taken for markup. */
final class DiagnosisMarkdown {
  private static final Pattern MARKUP = Pattern.compile("[\\\\`*_{}\\[\\]<>#|~!&@]");

  private final List<String> lines = new ArrayList<>();

  private DiagnosisMarkdown() {}

  static List<String> lines(Report report) {
    DiagnosisMarkdown markdown = new DiagnosisMarkdown();
    List<Diagnosis> all = report.services().isEmpty() ? List.of(report.whole()) : report.services();
    all.forEach(markdown::add);
    return markdown.lines;
  }

  private void add(Diagnosis one) {
    String service = one.service() == null ? "" : text(one.service()) + ": ";
    paragraph("# " + service + DiagnosisWords.state(one));
    paragraph("**" + text(one.summary()) + "**");
    paragraph(text(DiagnosisWords.stretch(one)));
    one.verdicts().forEach(verdict -> verdict(verdict, one));
    actions(one.verdicts());
    layers(one.layers());
    path(one.path());
    list("Ruled out", DiagnosisWords.ruledOut(one.ruledOut(), false));
    list("Can't be told", DiagnosisWords.ruledOut(one.ruledOut(), true));
    list("What changed", DiagnosisWords.changed(one));
    list("What can't be trusted or isn't measured", DiagnosisWords.telemetry(one));
  }

  private void layers(List<LayerLine> layers) {
    if (layers.isEmpty()) {
      return;
    }
    paragraph("## The same requests, layer by layer");
    row("Layer", "Signal", "Of", "Now", "Before", "");
    row("---", "---", "---", "--:", "--:", "---");
    for (LayerLine line : layers) {
      row(
          text(line.layer()),
          codeCell(line.signal()),
          text(line.of()),
          text(DiagnosisWords.value(line.unit(), line.value())),
          text(DiagnosisWords.value(line.unit(), line.baseline())),
          text(line.says()));
    }
    lines.add("");
  }

  private void verdict(Verdict verdict, Diagnosis one) {
    paragraph("## " + text(DiagnosisWords.heading(verdict)));
    paragraph(text(DiagnosisWords.place(verdict, one.window())));
    if (!verdict.finding().says().equals(one.summary())) {
      paragraph(text(verdict.finding().says()));
    }
    paragraph(text(DiagnosisWords.effect(verdict.finding().effect())));
    evidence("For it", verdict.finding().evidence());
    evidence("Against it", verdict.finding().against());
  }

  private void evidence(String title, List<Evidence> all) {
    if (all.isEmpty()) {
      return;
    }
    paragraph("### " + title);
    row("Layer", "Signal", "Now", "Before", "Threshold", "");
    row("---", "---", "--:", "--:", "--:", "---");
    for (Evidence fact : all) {
      String of = fact.of() == null ? "" : fact.of() + ": ";
      row(
          text(fact.layer()),
          codeCell(fact.signal()),
          text(DiagnosisWords.value(fact.unit(), fact.value())),
          text(DiagnosisWords.value(fact.unit(), fact.baseline())),
          text(DiagnosisWords.value(fact.unit(), fact.threshold())),
          text(of + fact.says()));
    }
    lines.add("");
    all.stream()
        .filter(fact -> fact.query() != null)
        .forEach(fact -> lines.add("- " + code(fact.signal()) + ": " + code(fact.query())));
    lines.add("");
  }

  private void actions(List<Verdict> verdicts) {
    List<Action> all = verdicts.stream().flatMap(verdict -> verdict.next().stream()).toList();
    if (all.isEmpty()) {
      return;
    }
    paragraph("## What to do now");
    for (int i = 0; i < all.size(); i++) {
      Action action = all.get(i);
      lines.add((i + 1) + ". **" + text(action.action()) + "**");
      detail("Why", text(action.why()));
      detail("Expect", text(action.expect()));
      detail("Risk", text(action.risk()));
      detail("Confirm", code(action.confirm()));
    }
    lines.add("");
  }

  private void detail(String word, String text) {
    if (!text.isEmpty()) {
      lines.add("   - " + word + ": " + text);
    }
  }

  private void path(List<PathStep> path) {
    if (path.isEmpty()) {
      return;
    }
    paragraph("## How it was found");
    for (int i = 0; i < path.size(); i++) {
      PathStep step = path.get(i);
      lines.add((i + 1) + ". " + text(step.question()) + " " + text(DiagnosisWords.answer(step)));
    }
    lines.add("");
  }

  private void list(String title, List<String> all) {
    if (all.isEmpty()) {
      return;
    }
    paragraph("## " + title);
    all.forEach(one -> lines.add("- " + text(one)));
    lines.add("");
  }

  /** Code in a cell, where a bar would end it. */
  private static String codeCell(String text) {
    return code(text).replace("|", "\\|");
  }

  private void row(String... cells) {
    lines.add("| " + String.join(" | ", cells) + " |");
  }

  private void paragraph(String text) {
    if (!text.isEmpty()) {
      lines.add(text);
      lines.add("");
    }
  }

  /** Markup is shown as it is. */
  static String text(@Nullable String text) {
    if (text == null) {
      return "";
    }
    String plain = Printable.of(text.replaceAll("\\s+", " ").strip());
    // An address isn't made a link, since it may be anybody's.
    return MARKUP.matcher(plain).replaceAll("\\\\$0").replace("://", "\\://");
  }

  /** Code, in more backticks than it has itself. */
  static String code(@Nullable String text) {
    if (text == null || text.isBlank()) {
      return "";
    }
    String plain = Printable.of(text.replaceAll("\\s+", " ").strip());
    String fence = "`";
    while (plain.contains(fence)) {
      fence += "`";
    }
    String space = fence.length() > 1 ? " " : "";
    return fence + space + plain + space + fence;
  }
}
