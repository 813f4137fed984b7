package org.inferometer.diagnosis;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.inferometer.diagnosis.DecisionTree.Answer;
import org.inferometer.diagnosis.DecisionTree.Node;
import org.inferometer.diagnosis.DecisionTree.Runbook;
import org.inferometer.diagnosis.threshold.Threshold;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.signals.Phrases;
import org.jspecify.annotations.Nullable;

/**
 * The decision tree as runbooks in Markdown: every step has what to look at, a criterion and where
 * to go next, so that a person without the program walks the same way.
 */
public final class Runbooks {
  private final DecisionTree tree = DecisionTree.builtIn();
  private final Thresholds thresholds;
  private final UnaryOperator<String> signalLink;

  /**
   * @param signalLink writes a link to what is known of a signal
   */
  public Runbooks(Thresholds thresholds, UnaryOperator<String> signalLink) {
    this.thresholds = thresholds;
    this.signalLink = signalLink;
  }

  /** All pages by the name of their file, the index among them. */
  public Map<String, String> pages() {
    Map<String, String> pages = new LinkedHashMap<>();
    StringBuilder index = new StringBuilder("# Runbooks\n\n");
    index.append(
        "The questions of the diagnosis for a person to ask, in its order: each with what to look"
            + " at, a criterion and the next step.\n\n");
    for (Runbook runbook : tree.runbooks()) {
      pages.put(runbook.id() + ".md", page(runbook));
      index.append("- [%s](%s.md): %s\n".formatted(runbook.title(), runbook.id(), runbook.is()));
    }
    pages.put("README.md", index.toString());
    return pages;
  }

  private String page(Runbook runbook) {
    StringBuilder page = new StringBuilder();
    page.append("# ").append(runbook.title()).append("\n\n").append(runbook.is()).append("\n");
    for (Node node : tree.nodes()) {
      if (of(node.id()).equals(runbook)) {
        step(page, runbook, node);
      }
    }
    return page.append("\n[All runbooks](README.md)\n").toString();
  }

  /** The runbook that a question belongs to. */
  private Runbook of(String id) {
    Runbook found = tree.runbooks().getFirst();
    for (Node node : tree.nodes()) {
      for (Runbook runbook : tree.runbooks()) {
        found = runbook.first().equals(node.id()) ? runbook : found;
      }
      if (node.id().equals(id)) {
        return found;
      }
    }
    throw new IllegalArgumentException("there is no question " + id);
  }

  private void step(StringBuilder page, Runbook runbook, Node node) {
    page.append("\n## <a id=\"%s\"></a>%s\n\n".formatted(node.id(), node.ask()));
    if (!node.signals().isEmpty()) {
      List<String> links = node.signals().stream().map(signalLink).toList();
      page.append("Look at ").append(String.join(", ", links)).append(".\n\n");
    }
    if (node.run() != null) {
      page.append("```sh\n").append(node.run()).append("\n```\n\n");
    }
    page.append("- Criterion: ").append(criterion(node)).append("\n");
    page.append("- Yes: ").append(answer(runbook, node.yes())).append("\n");
    page.append("- No: ").append(answer(runbook, node.no())).append("\n");
    if (!node.unknown().equals(node.no())) {
      page.append("- It can't be told: ").append(answer(runbook, node.unknown())).append("\n");
    }
    if (node.then() != null) {
      page.append("\n").append(node.then()).append("\n");
    }
  }

  private String criterion(Node node) {
    String name = node.threshold();
    if (name == null) {
      return "above its goal, or else above its baseline or a common limit";
    }
    Threshold threshold = thresholds.threshold(name);
    return name.equals("tree_none")
        ? "any at all"
        : "%s or more (`%s`). %s".formatted(value(threshold), name, threshold.source());
  }

  private static String value(Threshold threshold) {
    return Phrases.value(threshold.unit(), threshold.value());
  }

  private String answer(Runbook runbook, Answer answer) {
    @Nullable String next = answer.node();
    if (next != null) {
      Runbook other = of(next);
      String ask = node(next).ask();
      String page = other.equals(runbook) ? "" : other.id() + ".md";
      return "[%s](%s#%s)".formatted(ask, page, next);
    }
    String cause = answer.cause();
    return cause == null
        ? "it can't be told from what is measured. Take a snapshot (`inferometer snapshot`) and set"
            + " the layers side by side (`inferometer diagnose`)."
        : "**[%s](../causes/%s.md)**".formatted(Causes.builtIn().get(cause).title(), cause);
  }

  private Node node(String id) {
    return tree.nodes().stream().filter(n -> n.id().equals(id)).findFirst().orElseThrow();
  }
}
