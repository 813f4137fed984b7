package org.inferometer.diagnosis.threshold;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.io.Bundled;
import org.inferometer.yaml.Fields;
import org.inferometer.yaml.Problems;
import org.inferometer.yaml.YamlNode;

/** All thresholds by name: those that come with the program, some overridden. Immutable. */
public final class Thresholds {
  /** Their files, below {@code diagnosis/thresholds/}. */
  private static final List<String> FILES =
      List.of("world", "symptoms", "engine", "hardware", "outside", "arbiter");

  private final Map<String, Threshold> byName;

  private Thresholds(Map<String, Threshold> byName) {
    this.byName = Collections.unmodifiableMap(byName);
  }

  /** Those that come with the program; read once. */
  public static Thresholds builtIn() {
    return BuiltIn.THRESHOLDS;
  }

  private static final class BuiltIn {
    static final Thresholds THRESHOLDS = read();

    private static Thresholds read() {
      Map<String, Threshold> byName = new LinkedHashMap<>();
      for (String file : FILES) {
        String path = "diagnosis/thresholds/" + file + ".yaml";
        for (Threshold one : parse(path, Bundled.text(path))) {
          if (byName.put(one.name(), one) != null) {
            throw new IllegalStateException(path + ": " + one.name() + " stands there twice");
          }
        }
      }
      return new Thresholds(byName);
    }
  }

  private static List<Threshold> parse(String path, String text) {
    Problems problems = new Problems();
    Fields top = new Fields(YamlNode.parse(path, text), "the file", problems);
    List<Threshold> all = new ArrayList<>();
    for (YamlNode node : top.list("thresholds")) {
      Fields fields = top.within(node, "a threshold");
      all.add(
          new Threshold(
              fields.text("name"),
              fields.number("value"),
              fields.text("unit"),
              fields.text("source")));
      fields.end();
    }
    top.end();
    problems.throwIfAny();
    return all;
  }

  /**
   * The value of a threshold.
   *
   * @throws IllegalArgumentException if there is none of that name
   */
  public double get(String name) {
    return threshold(name).value();
  }

  /**
   * A threshold.
   *
   * @throws IllegalArgumentException if there is none of that name
   */
  public Threshold threshold(String name) {
    Threshold threshold = byName.get(name);
    if (threshold == null) {
      throw new IllegalArgumentException("there is no threshold " + name);
    }
    return threshold;
  }

  public boolean has(String name) {
    return byName.containsKey(name);
  }

  public Collection<Threshold> all() {
    return byName.values();
  }

  /**
   * These with other values for some.
   *
   * @throws IllegalArgumentException if there is none of a name
   */
  public Thresholds with(Map<String, Double> values) {
    Map<String, Threshold> changed = new LinkedHashMap<>(byName);
    values.forEach(
        (name, value) -> {
          Threshold old = threshold(name);
          changed.put(name, new Threshold(name, value, old.unit(), "set by the user"));
        });
    return new Thresholds(changed);
  }
}
