package org.inferometer.signals;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.yaml.Fields;
import org.inferometer.yaml.Problems;
import org.inferometer.yaml.YamlNode;
import org.jspecify.annotations.Nullable;

/** Reads the file of rules and limits by which services are judged. */
final class JudgementFile {
  private final Vocabulary vocabulary;
  private final Problems problems;

  JudgementFile(Vocabulary vocabulary, Problems problems) {
    this.vocabulary = vocabulary;
    this.problems = problems;
  }

  Judgement read(YamlNode root) {
    Fields file = new Fields(root, "the file", problems);
    Map<String, Double> limits = new HashMap<>();
    file.list("limits").forEach(node -> addLimit(node, limits));
    List<Rule> rules = new ArrayList<>();
    file.list("rules").forEach(node -> addRule(node, rules));
    Map<ServiceKind, List<Signal>> summaries = new EnumMap<>(ServiceKind.class);
    file.list("summaries").forEach(node -> addSummary(node, summaries));
    file.end();
    return new Judgement(
        Math.round(limit(limits, "idle_window_seconds", root) * 1000),
        limit(limits, "goal_degraded_factor", root),
        limit(limits, "goal_critical_factor", root),
        rules,
        summaries);
  }

  private void addLimit(YamlNode node, Map<String, Double> limits) {
    Fields fields = new Fields(node, "a limit", problems);
    limits.put(fields.text("name"), fields.number("value"));
    fields.text("source");
    fields.end();
  }

  private double limit(Map<String, Double> limits, String name, YamlNode root) {
    Double value = limits.get(name);
    if (value == null || value <= 0) {
      problems.add(root.place(), "limit \"" + name + "\" must be there and above 0");
      return 1;
    }
    return value;
  }

  private void addRule(YamlNode node, List<Rule> rules) {
    Fields fields = new Fields(node, "a rule", problems);
    ServiceKind kind = fields.choice("kind", ServiceKind.class, ServiceKind.OTHER);
    Signal signal = signal(fields);
    Double above = fields.optionalNumber("above");
    List<Double> anyOf = fields.optionalNumbers("any_of");
    if ((above == null) == anyOf.isEmpty()) {
      problems.add(node.place(), "a rule needs either \"above\" or \"any_of\"");
    }
    State state = fields.choice("state", State.class, State.DEGRADED);
    String scope = fields.optionalText("scope");
    if (scope != null && !scope.equals("replica")) {
      fields.problem("scope", "expected \"replica\", got \"" + scope + "\"");
    }
    String say = fields.text("say");
    String source = fields.text("source");
    fields.end();
    if (signal != null) {
      rules.add(new Rule(kind, signal, above, anyOf, state, scope != null, say, source));
    }
  }

  private @Nullable Signal signal(Fields fields) {
    String name = fields.text("signal");
    Signal signal = vocabulary.find(name);
    if (signal == null && !name.isEmpty()) {
      fields.problem("signal", "unknown signal \"" + name + "\"");
    }
    return signal;
  }

  private void addSummary(YamlNode node, Map<ServiceKind, List<Signal>> summaries) {
    Fields fields = new Fields(node, "a summary", problems);
    List<Signal> signals = new ArrayList<>();
    for (String name : fields.optionalTexts("signals")) {
      Signal signal = vocabulary.find(name);
      if (signal == null) {
        fields.problem("signals", "unknown signal \"" + name + "\"");
      } else {
        signals.add(signal);
      }
    }
    summaries.put(fields.choice("kind", ServiceKind.class, ServiceKind.OTHER), signals);
    fields.end();
  }
}
