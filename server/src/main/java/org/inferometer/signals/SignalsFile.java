package org.inferometer.signals;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.inferometer.yaml.Fields;
import org.inferometer.yaml.Place;
import org.inferometer.yaml.Problems;
import org.inferometer.yaml.YamlNode;
import org.jspecify.annotations.Nullable;

/** Reads the file that defines the vocabulary. */
final class SignalsFile {
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]*(_[a-z0-9]+)*");

  private final Problems problems;
  private final List<Signal> signals = new ArrayList<>();
  private final Map<Signal, Place> formulas = new LinkedHashMap<>();
  private final Set<String> names = new HashSet<>();

  SignalsFile(Problems problems) {
    this.problems = problems;
  }

  Vocabulary read(YamlNode root) {
    Fields file = new Fields(root, "the file", problems);
    for (YamlNode item : file.list("signals")) {
      readSignal(new Fields(item, "a signal", problems));
    }
    file.end();
    Vocabulary vocabulary = new Vocabulary(signals);
    FormulaCheck check = new FormulaCheck(vocabulary, problems);
    formulas.entrySet().removeIf(entry -> !check.check(entry.getKey(), entry.getValue()));
    return vocabulary;
  }

  /**
   * Complains about formulas, of those that can be read, whose quotients no dialect makes sound.
   */
  void checkPopulations(Vocabulary vocabulary, List<Dialect> dialects) {
    FormulaPopulations populations = new FormulaPopulations(vocabulary);
    formulas.forEach(
        (signal, place) -> {
          String unsound = populations.unsoundEverywhere(signal, dialects);
          if (unsound != null) {
            problems.add(
                place,
                "in every dialect the formula mixes what can't be divided, expected \"mixes\" to"
                    + " say why that is sound; in "
                    + unsound);
          }
        });
  }

  private void readSignal(Fields fields) {
    String name = fields.text("name");
    if (!name.isEmpty() && !NAME.matcher(name).matches()) {
      fields.problem("name", "expected a name such as ttft_mean, not \"" + name + "\"");
    }
    String title = fields.text("title");
    String unit = fields.text("unit");
    if (!unit.isEmpty() && !Signal.isUnit(unit)) {
      fields.problem(
          "unit",
          "expected one of "
              + String.join(", ", Signal.UNITS.stream().sorted().toList())
              + ", or one of them with /s, not \""
              + unit
              + "\"");
    }
    Signal base =
        new Signal(
            name,
            title,
            fields.choice("layer", Layer.class, Layer.REQUEST),
            unit,
            fields.choice("kind", SignalKind.class, SignalKind.GAUGE),
            fields.text("meaning"),
            fields.optionalText("caveat"),
            healthy(fields),
            name,
            null,
            fields.has("formula") ? new Template(fields.text("formula")) : null,
            fields.optionalText("mixes"));
    if (base.formula() != null) {
      formulas.put(base, fields.place("formula"));
    }
    addAll(base, fields);
    fields.end();
  }

  private @Nullable HealthyRange healthy(Fields signal) {
    YamlNode node = signal.optional("healthy");
    if (node == null) {
      return null;
    }
    Fields fields = new Fields(node, "a healthy range", problems);
    HealthyRange range =
        new HealthyRange(
            fields.optionalNumber("low"), fields.optionalNumber("high"), fields.text("source"));
    if (range.low() == null && range.high() == null) {
      problems.add(node.place(), "a healthy range needs \"low\" or \"high\"");
    }
    fields.end();
    return range;
  }

  private void addAll(Signal base, Fields fields) {
    List<Double> quantiles = fields.optionalNumbers("quantiles");
    if ((base.kind() == SignalKind.QUANTILE) == quantiles.isEmpty()) {
      fields.problem("quantiles", "\"quantiles\" goes with kind quantile, and only with it");
    }
    if (quantiles.isEmpty()) {
      add(base, fields);
    }
    for (double quantile : quantiles) {
      if (quantile <= 0 || quantile >= 1) {
        fields.problem("quantiles", "expected numbers between 0 and 1, not " + quantile);
      }
      add(quantile(base, quantile), fields);
    }
  }

  private static Signal quantile(Signal base, double quantile) {
    long percent = Math.round(quantile * 100);
    return new Signal(
        base.name() + "_p" + percent,
        base.title() + ", P" + percent,
        base.layer(),
        base.unit(),
        base.kind(),
        base.meaning(),
        base.caveat(),
        base.healthy(),
        base.name(),
        quantile,
        null,
        null);
  }

  private void add(Signal signal, Fields fields) {
    if (!names.add(signal.name())) {
      fields.problem("name", "signal \"" + signal.name() + "\" is defined twice");
    }
    signals.add(signal);
  }
}
