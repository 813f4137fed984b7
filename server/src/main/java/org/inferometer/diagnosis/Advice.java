package org.inferometer.diagnosis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.io.Bundled;
import org.inferometer.yaml.Fields;
import org.inferometer.yaml.Problems;
import org.inferometer.yaml.YamlNode;
import org.jspecify.annotations.Nullable;

/** What to do about each cause, as data. Immutable. */
final class Advice {
  private static final String PATH = "diagnosis/advice.yaml";

  private final Map<String, List<Item>> byCause;

  /**
   * Something to do.
   *
   * @param action with placeholders in braces
   * @param flag the id of the flag it changes, or null
   * @param propose what computes the new value, or null
   * @param value the new value in words, where it can't be computed, or null
   * @param confirm the signal that shows that it worked, or null
   * @param shows what that signal then does, or null
   * @param run the command that shows it, or null
   */
  record Item(
      String action,
      @Nullable String flag,
      @Nullable String propose,
      @Nullable String value,
      String why,
      String expect,
      @Nullable String risk,
      @Nullable String confirm,
      @Nullable String shows,
      @Nullable String run) {}

  private Advice(Map<String, List<Item>> byCause) {
    this.byCause = byCause;
  }

  /** That which comes with the program; read once. */
  static Advice builtIn() {
    return BuiltIn.ADVICE;
  }

  private static final class BuiltIn {
    static final Advice ADVICE = parse(PATH, Bundled.text(PATH));
  }

  /** The best first. */
  List<Item> of(String cause) {
    return byCause.getOrDefault(cause, List.of());
  }

  /** Whether something, if only nothing, is said of a cause. */
  boolean has(String cause) {
    return byCause.containsKey(cause);
  }

  private static Advice parse(String path, String text) {
    Problems problems = new Problems();
    Fields top = new Fields(YamlNode.parse(path, text), "the file", problems);
    Map<String, List<Item>> byCause = new LinkedHashMap<>();
    for (YamlNode node : top.list("advice")) {
      Fields cause = top.within(node, "the advice for a cause");
      List<Item> items = new ArrayList<>();
      for (YamlNode action : cause.list("actions")) {
        items.add(item(cause.within(action, "an action")));
      }
      byCause.put(cause.text("cause"), List.copyOf(items));
      cause.end();
    }
    top.end();
    problems.throwIfAny();
    return new Advice(byCause);
  }

  private static Item item(Fields fields) {
    Item item =
        new Item(
            fields.text("do"),
            fields.optionalText("flag"),
            fields.optionalText("propose"),
            fields.optionalText("value"),
            fields.text("why"),
            fields.text("expect"),
            fields.optionalText("risk"),
            fields.optionalText("confirm"),
            fields.optionalText("shows"),
            fields.optionalText("run"));
    if (item.confirm() == null && item.run() == null) {
      fields.problem("do", "an action needs a signal or a command that confirms it");
    }
    fields.end();
    return item;
  }
}
