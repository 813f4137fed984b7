package org.inferometer.signals;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.inferometer.yaml.Fields;
import org.inferometer.yaml.Problems;
import org.inferometer.yaml.YamlNode;

/** Reads the file of the decision matrix. */
final class MatrixFile {
  private final Vocabulary vocabulary;
  private final Problems problems;

  MatrixFile(Vocabulary vocabulary, Problems problems) {
    this.vocabulary = vocabulary;
    this.problems = problems;
  }

  DecisionMatrix read(YamlNode root) {
    Fields file = new Fields(root, "the file", problems);
    List<DecisionMatrix.Input> inputs = new ArrayList<>();
    file.list("inputs").forEach(node -> inputs.add(input(node)));
    Set<String> names = new HashSet<>();
    inputs.forEach(input -> names.add(input.signal()));
    List<DecisionMatrix.Case> cases = new ArrayList<>();
    file.list("states").forEach(node -> cases.add(state(node, names)));
    file.end();
    return new DecisionMatrix(inputs, cases);
  }

  private DecisionMatrix.Input input(YamlNode node) {
    Fields fields = new Fields(node, "an input", problems);
    DecisionMatrix.Input input =
        new DecisionMatrix.Input(
            signal(fields, "signal"),
            fields.has("instead") ? signal(fields, "instead") : null,
            fields.text("words"),
            fields.text("missing"));
    fields.end();
    return input;
  }

  private String signal(Fields fields, String key) {
    String name = fields.text(key);
    if (!name.isEmpty() && vocabulary.find(name) == null) {
      fields.problem(key, "unknown signal \"" + name + "\"");
    }
    return name;
  }

  private DecisionMatrix.Case state(YamlNode node, Set<String> inputs) {
    Fields fields = new Fields(node, "a state", problems);
    List<DecisionMatrix.Condition> when = new ArrayList<>();
    fields.list("when").forEach(item -> when.add(condition(item, inputs)));
    when.removeIf(condition -> !inputs.contains(condition.signal()));
    if (when.isEmpty()) {
      problems.add(node.place(), "a state needs a condition");
    }
    DecisionMatrix.Case one =
        new DecisionMatrix.Case(
            fields.text("id"), fields.text("name"), when, fields.text("says"), fields.text("next"));
    fields.end();
    return one;
  }

  private DecisionMatrix.Condition condition(YamlNode node, Set<String> inputs) {
    Fields fields = new Fields(node, "a condition", problems);
    DecisionMatrix.Condition condition =
        new DecisionMatrix.Condition(
            fields.text("signal"),
            fields.optionalNumber("at_least"),
            fields.optionalNumber("below"),
            fields.text("source"));
    if (!inputs.contains(condition.signal())) {
      fields.problem("signal", "expected one of the inputs, not \"" + condition.signal() + "\"");
    }
    if (condition.atLeast() == null && condition.below() == null) {
      problems.add(node.place(), "a condition needs \"at_least\" or \"below\"");
    }
    fields.end();
    return condition;
  }
}
