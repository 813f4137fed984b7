package org.inferometer.diagnosis;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.inferometer.io.Bundled;
import org.inferometer.signals.Phrases;
import org.inferometer.yaml.Fields;
import org.inferometer.yaml.Problems;
import org.inferometer.yaml.YamlNode;
import org.jspecify.annotations.Nullable;

/**
 * The questions that a person would ask from the top, each answered by what was measured. It is
 * walked from the same world as checks are run on, and reads none of their findings. Immutable.
 */
final class DecisionTree {
  private static final String PATH = "diagnosis/tree.yaml";

  /** Where an answer leads if nothing can be told. */
  static final String UNTOLD = "untold";

  private final Map<String, Node> nodes;
  private final Node first;

  /**
   * A question.
   *
   * @param measure what answers it, by its name
   * @param threshold what that is held against, null if it brings its own
   * @param then what to do before the next question, or null
   */
  record Node(
      String id,
      String ask,
      String measure,
      @Nullable String threshold,
      Answer yes,
      Answer no,
      Answer unknown,
      List<String> signals,
      @Nullable String run,
      @Nullable String then) {
    Node {
      signals = List.copyOf(signals);
    }
  }

  /**
   * Where an answer leads.
   *
   * @param node the next question, null if it ends
   * @param cause where it ends, null if it goes on or can't be told
   */
  record Answer(@Nullable String node, @Nullable String cause) {}

  /**
   * A way through the tree.
   *
   * @param end the cause it ended in, null if it can't be told
   */
  record Walk(List<PathStep> steps, @Nullable String end) {
    Walk {
      steps = List.copyOf(steps);
    }
  }

  /**
   * A part of the tree that a person begins with.
   *
   * @param first the id of its first question; it has those up to the next runbook's
   */
  record Runbook(String id, String title, String first, String is) {}

  private final List<Runbook> runbooks;

  private DecisionTree(Map<String, Node> nodes, Node first, List<Runbook> runbooks) {
    this.nodes = nodes;
    this.first = first;
    this.runbooks = runbooks;
  }

  List<Runbook> runbooks() {
    return runbooks;
  }

  /** The one that comes with the program; read once. */
  static DecisionTree builtIn() {
    return BuiltIn.TREE;
  }

  private static final class BuiltIn {
    static final DecisionTree TREE = parse(PATH, Bundled.text(PATH));
  }

  Collection<Node> nodes() {
    return nodes.values();
  }

  /** The way that leads from the top by what was measured. */
  Walk walk(ServiceWorld service, Thresholds thresholds) {
    List<PathStep> steps = new ArrayList<>();
    Node node = first;
    while (node != null) {
      TreeMeasure measure = measure(node, service, thresholds);
      double limit = limit(node, measure, thresholds);
      boolean isKnown = !Double.isNaN(measure.value());
      boolean isYes = measure.value() > limit || (isInclusive(node) && measure.value() >= limit);
      Answer answer = isKnown ? (isYes ? node.yes() : node.no()) : node.unknown();
      steps.add(step(node, measure, limit, isKnown, isYes));
      if (answer.node() == null) {
        return new Walk(steps, answer.cause());
      }
      node = nodes.get(answer.node());
    }
    throw new IllegalStateException("the tree leads nowhere");
  }

  /** Shares that are full at their threshold; counts have to be above none. */
  private static boolean isInclusive(Node node) {
    return node.threshold() != null && !node.threshold().equals("tree_none");
  }

  private static TreeMeasure measure(Node node, ServiceWorld service, Thresholds thresholds) {
    var measure = TreeMeasure.ALL.get(node.measure());
    if (measure == null) {
      throw new IllegalStateException("there is no measure " + node.measure());
    }
    return measure.of(service, thresholds);
  }

  private static double limit(Node node, TreeMeasure measure, Thresholds thresholds) {
    Double own = measure.limit();
    String name = node.threshold();
    return own != null ? own : name == null ? 0 : thresholds.get(name);
  }

  private static PathStep step(
      Node node, TreeMeasure measure, double limit, boolean isKnown, boolean isYes) {
    String value =
        isKnown
            ? (isYes ? "Yes" : "No") + ": " + Phrases.value(measure.unit(), measure.value())
            : "It isn't known";
    // "Not above 0" says nothing that the value doesn't.
    boolean hasLimit = isKnown && Double.isFinite(limit) && limit != 0;
    String against =
        hasLimit
            ? (isYes ? ", above " : ", not above ") + Phrases.value(measure.unit(), limit)
            : "";
    return new PathStep(
        node.ask(),
        value + against + ".",
        measure.signal(),
        measure.value(),
        measure.unit(),
        Double.isFinite(limit) ? limit : null);
  }

  /**
   * Reads a tree.
   *
   * @throws IllegalArgumentException with all that is wrong
   */
  static DecisionTree parse(String path, String text) {
    Problems problems = new Problems();
    Fields top = new Fields(YamlNode.parse(path, text), "the file", problems);
    Map<String, Node> nodes = new LinkedHashMap<>();
    Node first = null;
    List<Runbook> runbooks = new ArrayList<>();
    for (YamlNode one : top.optionalList("runbooks")) {
      Fields fields = top.within(one, "a runbook");
      runbooks.add(
          new Runbook(
              fields.text("id"), fields.text("title"), fields.text("first"), fields.text("is")));
      fields.end();
    }
    for (YamlNode one : top.list("nodes")) {
      Node node = node(top.within(one, "a question"));
      nodes.put(node.id(), node);
      first = first == null ? node : first;
    }
    top.end();
    for (Node node : nodes.values()) {
      for (Answer answer : List.of(node.yes(), node.no(), node.unknown())) {
        if (answer.node() != null && !nodes.containsKey(answer.node())) {
          top.problem("nodes", node.id() + " leads to \"" + answer.node() + "\"");
        }
      }
      if (!TreeMeasure.ALL.containsKey(node.measure())) {
        top.problem("nodes", node.id() + " measures \"" + node.measure() + "\"");
      }
    }
    problems.throwIfAny();
    if (first == null) {
      throw new IllegalStateException("a tree without a question");
    }
    return new DecisionTree(nodes, first, List.copyOf(runbooks));
  }

  private static Node node(Fields fields) {
    Answer no = answer(fields, "no");
    Node node =
        new Node(
            fields.text("id"),
            fields.text("ask"),
            fields.text("measure"),
            fields.optionalText("above"),
            answer(fields, "yes"),
            no,
            fields.has("unknown") ? answer(fields, "unknown") : no,
            fields.optionalTexts("signals"),
            fields.optionalText("run"),
            fields.optionalText("then"));
    fields.end();
    return node;
  }

  private static Answer answer(Fields fields, String key) {
    YamlNode node = fields.optional(key);
    if (node instanceof YamlNode.Mapping mapping) {
      Fields end = fields.within(mapping, "an end");
      Answer answer = new Answer(null, end.text("cause"));
      end.end();
      return answer;
    }
    String next = fields.text(key);
    return new Answer(next.equals(UNTOLD) ? null : next, null);
  }
}
