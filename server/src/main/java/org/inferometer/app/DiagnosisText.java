package org.inferometer.app;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.inferometer.app.Table.Align;
import org.inferometer.diagnosis.Diagnosis;
import org.inferometer.diagnosis.LayerLine;
import org.inferometer.diagnosis.PathStep;
import org.inferometer.diagnosis.Report;
import org.inferometer.diagnosis.RuledOut;
import org.inferometer.diagnosis.Verdict;
import org.inferometer.diagnosis.finding.Action;
import org.inferometer.diagnosis.finding.Evidence;

/** Diagnoses as text for a terminal: what matters at 3 a.m. first. Nothing in it is obeyed. */
final class DiagnosisText {
  private static final int NAME_LENGTH_MAX = 40;
  private static final int NAME_LENGTH_MIN = 12;
  private static final int LAYER_LENGTH_MAX = 10;
  private static final String INDENT = "  ";

  private final Console console;
  private final List<String> lines = new ArrayList<>();

  DiagnosisText(Console console) {
    this.console = console;
  }

  List<String> lines(Report report) {
    if (report.services().isEmpty()) {
      add(report.whole());
    }
    for (Diagnosis one : report.services()) {
      if (!lines.isEmpty()) {
        lines.add("");
        lines.add("");
      }
      add(one);
    }
    return lines;
  }

  private void add(Diagnosis one) {
    verdict(one);
    felt(one.layers());
    one.verdicts().forEach(verdict -> verdict(verdict, one));
    layers(one.layers());
    path(one.path());
    ruledOut(one.ruledOut());
    list("What changed", DiagnosisWords.changed(one));
    list("What can't be trusted or isn't measured", DiagnosisWords.telemetry(one));
    actions(one.verdicts());
  }

  // ----------------------------------------------------------------------------------- the verdict

  private void verdict(Diagnosis one) {
    String service = one.service() == null ? "" : Printable.shortened(one.service(), 60) + ": ";
    lines.add(console.bold(service + DiagnosisWords.state(one)));
    wrapped("", "", one.summary());
    wrapped("", "", DiagnosisWords.stretch(one));
    one.verdicts().stream()
        .flatMap(verdict -> verdict.next().stream())
        .findFirst()
        .ifPresent(action -> wrapped("First: ", "       ", action.action()));
  }

  /** What users feel, from whoever stands nearest to them, without comment. */
  private void felt(List<LayerLine> layers) {
    List<LayerLine> felt = layers.stream().filter(DiagnosisWords::isFelt).toList();
    if (!felt.isEmpty()) {
      heading("What users feel");
      table(lineTable(felt), felt, _ -> "");
    }
  }

  private void layers(List<LayerLine> layers) {
    if (layers.isEmpty()) {
      return;
    }
    heading("The same requests, layer by layer");
    table(
        lineTable(layers),
        layers,
        line -> (line.of() == null ? "" : line.of() + ": ") + line.says());
  }

  private static Table lineTable(List<LayerLine> layers) {
    return fitting(
        length -> {
          Table drawn = columns();
          for (LayerLine line : layers) {
            drawn.row(
                List.of(
                    name(line.layer(), LAYER_LENGTH_MAX),
                    name(line.signal(), length),
                    DiagnosisWords.value(line.unit(), line.value()),
                    DiagnosisWords.value(line.unit(), line.baseline())));
          }
          return drawn;
        });
  }

  private void verdict(Verdict verdict, Diagnosis one) {
    lines.add("");
    lines.add(console.bold(Printable.shortened(DiagnosisWords.heading(verdict), Wrapping.WIDTH)));
    wrapped(INDENT, INDENT, DiagnosisWords.place(verdict, one.window()));
    if (!verdict.finding().says().equals(one.summary())) {
      wrapped(INDENT, INDENT, verdict.finding().says());
    }
    String effect = DiagnosisWords.effect(verdict.finding().effect());
    if (!effect.isEmpty()) {
      wrapped(INDENT, INDENT, effect);
    }
    evidence("For it", verdict.finding().evidence());
    evidence("Against it", verdict.finding().against());
  }

  private void evidence(String title, List<Evidence> all) {
    if (all.isEmpty()) {
      return;
    }
    lines.add("");
    lines.add(INDENT + title);
    Table table =
        fitting(
            length -> {
              Table drawn = columns().column("THRESHOLD", Align.RIGHT);
              for (Evidence fact : all) {
                drawn.row(
                    List.of(
                        name(fact.layer(), LAYER_LENGTH_MAX),
                        name(fact.signal(), length),
                        DiagnosisWords.value(fact.unit(), fact.value()),
                        DiagnosisWords.value(fact.unit(), fact.baseline()),
                        DiagnosisWords.value(fact.unit(), fact.threshold())));
              }
              return drawn;
            });
    table(table, all, fact -> (fact.of() == null ? "" : fact.of() + ": ") + fact.says());
  }

  private static Table columns() {
    return new Table()
        .column("LAYER", Align.LEFT)
        .column("SIGNAL", Align.LEFT)
        .column("NOW", Align.RIGHT)
        .column("BEFORE", Align.RIGHT);
  }

  /** A table whose names of signals are cut so far that it has room. */
  private static Table fitting(IntFunction<Table> drawing) {
    Table table = drawing.apply(NAME_LENGTH_MAX);
    int beyond = table.width() - (Wrapping.WIDTH - INDENT.length());
    return beyond <= 0 ? table : drawing.apply(Math.max(NAME_LENGTH_MIN, NAME_LENGTH_MAX - beyond));
  }

  /** A table with a sentence under each of its rows. */
  private <T> void table(Table table, List<T> rows, Function<T, String> says) {
    List<String> drawn = table.lines();
    lines.add(INDENT + console.dim(drawn.getFirst()));
    for (int i = 0; i < rows.size(); i++) {
      lines.add(INDENT + drawn.get(i + 1));
      if (!says.apply(rows.get(i)).isBlank()) {
        wrapped(INDENT + INDENT + INDENT, INDENT + INDENT + INDENT, says.apply(rows.get(i)));
      }
    }
  }

  // -------------------------------------------------------------------------------------- the rest

  private void path(List<PathStep> path) {
    if (path.isEmpty()) {
      return;
    }
    heading("How it was found");
    for (int i = 0; i < path.size(); i++) {
      PathStep step = path.get(i);
      String number = "%2d. ".formatted(i + 1);
      wrapped(INDENT + number, INDENT + "    ", step.question());
      wrapped(INDENT + "    ", INDENT + "    ", DiagnosisWords.answer(step));
    }
  }

  private void ruledOut(List<RuledOut> all) {
    section("Ruled out", DiagnosisWords.ruledOut(all, false));
    section("Can't be told", DiagnosisWords.ruledOut(all, true));
  }

  private void section(String title, List<String> all) {
    if (!all.isEmpty()) {
      heading(title);
      all.forEach(one -> wrapped(INDENT, INDENT + INDENT, one));
    }
  }

  private void list(String heading, List<String> items) {
    if (!items.isEmpty()) {
      heading(heading);
      items.forEach(item -> wrapped(INDENT, INDENT + INDENT, item));
    }
  }

  private void actions(List<Verdict> verdicts) {
    int number = 1;
    for (Verdict verdict : verdicts) {
      for (Action action : verdict.next()) {
        if (number == 1) {
          heading("What to do now");
        }
        action(number++, action);
      }
    }
  }

  private void action(int number, Action action) {
    String begin = "%2d. ".formatted(number);
    wrapped(INDENT + begin, INDENT + "    ", action.action());
    detail("why", action.why());
    detail("expect", action.expect());
    if (action.risk() != null) {
      detail("risk", action.risk());
    }
    detail("confirm", action.confirm());
  }

  private void detail(String word, String text) {
    if (!text.isBlank()) {
      wrapped(INDENT + "    " + "%-8s ".formatted(word), INDENT + " ".repeat(13), text);
    }
  }

  // --------------------------------------------------------------------------------------- drawing

  private void heading(String title) {
    lines.add("");
    lines.add(console.bold(title));
  }

  private void wrapped(String first, String others, String text) {
    lines.addAll(Wrapping.lines(first, others, Printable.of(text)));
  }

  private static String name(String text, int length) {
    return Printable.shortened(text, length);
  }
}
