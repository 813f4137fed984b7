package org.inferometer.app;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.diagnosis.Diagnosis;
import org.inferometer.diagnosis.LayerLine;
import org.inferometer.diagnosis.PathStep;
import org.inferometer.diagnosis.Report;
import org.inferometer.diagnosis.Verdict;
import org.inferometer.diagnosis.finding.Action;
import org.inferometer.diagnosis.finding.Evidence;
import org.inferometer.diagnosis.world.Period;
import org.jspecify.annotations.Nullable;

/**
 * Diagnoses as one HTML file that needs nothing else: no scripts, no other files; light or dark as
 * the browser is.
 */
final class DiagnosisHtml {
  private static final String BEGIN =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <title>Diagnosis</title>
      <style>
      :root { color-scheme: light dark; --text: #1c2024; --soft: #60646c; --line: #d9d9e0;
        --back: #fff; --card: #f7f7f9; --bad: #b3261e; --warn: #8a5a00; --good: #1a7f4b;
        --mark: #2563a8; --window: #2563a814; }
      @media (prefers-color-scheme: dark) { :root { --text: #eceef1; --soft: #a4a8b0;
        --line: #3a3e46; --back: #15171b; --card: #1d2026; --bad: #ff8a80; --warn: #e8b45a;
        --good: #63d297; --mark: #7ab3f0; --window: #7ab3f01f; } }
      body { font: 15px/1.5 system-ui, sans-serif; color: var(--text); background: var(--back);
        margin: 0 auto; padding: 1.5rem; max-width: 62rem; overflow-wrap: break-word; }
      h1 { font-size: 1.4rem; margin: 1rem 0 .3rem; } h2 { font-size: 1.1rem; margin: 1.8rem 0 .5rem; }
      h3 { font-size: .95rem; margin: 1rem 0 .3rem; color: var(--soft); }
      .summary { font-size: 1.15rem; margin: .3rem 0; } .soft { color: var(--soft); }
      .critical, .degraded { color: var(--bad); } .cannot-tell { color: var(--warn); }
      .healthy, .no-traffic { color: var(--good); }
      table { border-collapse: collapse; width: 100%; font-size: .9rem; }
      th, td { text-align: left; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line);
        vertical-align: top; } th { color: var(--soft); font-weight: 500; }
      td.number, th.number { text-align: right; font-variant-numeric: tabular-nums;
        white-space: nowrap; }
      code { font: .85em/1.4 ui-monospace, monospace; background: var(--card); padding: .1em .3em;
        border-radius: 3px; overflow-wrap: anywhere; }
      section.verdict { background: var(--card); border: 1px solid var(--line); border-radius: 8px;
        padding: .2rem 1rem 1rem; margin: 1rem 0; }
      section.verdict h2 { margin-top: .8rem; } li { margin: .35rem 0; }
      dl { display: grid; grid-template-columns: 5rem 1fr; gap: .1rem .6rem; margin: .2rem 0 .8rem; }
      dt { color: var(--soft); } dd { margin: 0; }
      svg { display: block; width: 100%; height: auto; max-width: 40rem; }
      svg text { font: 10px system-ui, sans-serif; fill: var(--soft); }
      details summary { cursor: pointer; color: var(--soft); font-size: .85rem; }
      @media (max-width: 40rem) { body { padding: .8rem; } table { display: block; overflow-x: auto; } }
      </style>
      </head>
      <body>
      """;

  private final EvidenceCharts charts;
  private final List<String> lines = new ArrayList<>();

  private DiagnosisHtml(EvidenceCharts charts) {
    this.charts = charts;
  }

  static List<String> lines(Report report, EvidenceCharts charts) {
    DiagnosisHtml html = new DiagnosisHtml(charts);
    html.lines.add(BEGIN.stripTrailing());
    List<Diagnosis> all = report.services().isEmpty() ? List.of(report.whole()) : report.services();
    all.forEach(html::add);
    html.lines.add("</body>");
    html.lines.add("</html>");
    return html.lines;
  }

  private void add(Diagnosis one) {
    String service = one.service() == null ? "" : text(one.service()) + ": ";
    lines.add(
        "<h1>%s<span class=\"%s\">%s</span></h1>"
            .formatted(service, one.state().id(), text(DiagnosisWords.state(one))));
    lines.add("<p class=\"summary\">" + text(one.summary()) + "</p>");
    lines.add("<p class=\"soft\">" + text(DiagnosisWords.stretch(one)) + "</p>");
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
    lines.add("<h2>The same requests, layer by layer</h2>");
    head("Layer", "Signal", "Of", "#Now", "#Before", "");
    for (LayerLine line : layers) {
      row(
          cell(line.layer()),
          code(line.signal()),
          cell(line.of()),
          number(line.unit(), line.value()),
          number(line.unit(), line.baseline()),
          cell(line.says()));
    }
    lines.add("</table>");
  }

  private void verdict(Verdict verdict, Diagnosis one) {
    lines.add("<section class=\"verdict\">");
    lines.add("<h2>" + text(DiagnosisWords.heading(verdict)) + "</h2>");
    lines.add("<p class=\"soft\">" + text(DiagnosisWords.place(verdict, one.window())) + "</p>");
    paragraph(verdict.finding().says());
    paragraph(DiagnosisWords.effect(verdict.finding().effect()));
    evidence("For it", verdict.finding().evidence(), one.window());
    evidence("Against it", verdict.finding().against(), one.window());
    lines.add("</section>");
  }

  private void evidence(String title, List<Evidence> all, Period window) {
    if (all.isEmpty()) {
      return;
    }
    lines.add("<h3>" + title + "</h3>");
    head("Layer", "Signal", "#Now", "#Before", "#Threshold", "");
    for (Evidence fact : all) {
      String of = fact.of() == null ? "" : fact.of() + ": ";
      row(
          cell(fact.layer()),
          code(fact.signal()),
          number(fact.unit(), fact.value()),
          number(fact.unit(), fact.baseline()),
          number(fact.unit(), fact.threshold()),
          cell(of + fact.says()));
      course(fact, window);
    }
    lines.add("</table>");
  }

  /** How it came about, and the query that shows it. */
  private void course(Evidence fact, Period window) {
    if (fact.query() == null) {
      return;
    }
    lines.add("<tr><td colspan=\"6\">");
    var series = charts.byQuery().get(fact.query());
    if (series != null) {
      lines.add(new SvgChart(charts.startMs(), charts.endMs()).draw(fact, series, window));
    }
    lines.add("<details><summary>query</summary><code>" + text(fact.query()) + "</code></details>");
    lines.add("</td></tr>");
  }

  private void actions(List<Verdict> verdicts) {
    List<Action> all = verdicts.stream().flatMap(verdict -> verdict.next().stream()).toList();
    if (all.isEmpty()) {
      return;
    }
    lines.add("<h2>What to do now</h2>");
    lines.add("<ol>");
    for (Action action : all) {
      lines.add("<li><strong>" + text(action.action()) + "</strong>");
      lines.add("<dl>");
      detail("Why", text(action.why()));
      detail("Expect", text(action.expect()));
      detail("Risk", text(action.risk()));
      detail("Confirm", "<code>" + text(action.confirm()) + "</code>");
      lines.add("</dl></li>");
    }
    lines.add("</ol>");
  }

  private void detail(String word, String html) {
    if (!html.isEmpty()) {
      lines.add("<dt>" + word + "</dt><dd>" + html + "</dd>");
    }
  }

  private void path(List<PathStep> path) {
    if (path.isEmpty()) {
      return;
    }
    lines.add("<h2>How it was found</h2>");
    lines.add("<ol>");
    for (PathStep step : path) {
      lines.add(
          "<li>"
              + text(step.question())
              + "<br><strong>"
              + text(DiagnosisWords.answer(step))
              + "</strong></li>");
    }
    lines.add("</ol>");
  }

  private void list(String title, List<String> all) {
    if (all.isEmpty()) {
      return;
    }
    lines.add("<h2>" + text(title) + "</h2>");
    lines.add("<ul>");
    all.forEach(one -> lines.add("<li>" + text(one) + "</li>"));
    lines.add("</ul>");
  }

  // --------------------------------------------------------------------------------------- drawing

  /** Titles of a table's columns; those with # in front are of numbers. */
  private void head(String... titles) {
    StringBuilder row = new StringBuilder("<table><tr>");
    for (String title : titles) {
      boolean isNumber = title.startsWith("#");
      row.append(isNumber ? "<th class=\"number\">" : "<th>")
          .append(text(isNumber ? title.substring(1) : title))
          .append("</th>");
    }
    lines.add(row.append("</tr>").toString());
  }

  private void row(String... cells) {
    lines.add("<tr>" + String.join("", cells) + "</tr>");
  }

  private static String cell(@Nullable String text) {
    return "<td>" + text(text) + "</td>";
  }

  private static String code(String text) {
    return "<td><code>" + text(text) + "</code></td>";
  }

  private static String number(String unit, @Nullable Double value) {
    return "<td class=\"number\">" + text(DiagnosisWords.value(unit, value)) + "</td>";
  }

  private void paragraph(String text) {
    if (!text.isBlank()) {
      lines.add("<p>" + text(text) + "</p>");
    }
  }

  /** Text that a browser shows and doesn't obey. */
  static String text(@Nullable String text) {
    if (text == null) {
      return "";
    }
    return Printable.of(text.replaceAll("\\s+", " "))
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}
