package org.inferometer.hardware;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.inferometer.io.Bundled;
import org.inferometer.yaml.Fields;
import org.inferometer.yaml.Problems;
import org.inferometer.yaml.YamlException;
import org.inferometer.yaml.YamlNode;
import org.jspecify.annotations.Nullable;

/**
 * What well-known models are made of, by their ids and by their names on the model hub. A name that
 * isn't listed is never taken for a similar one. Thread-safe.
 */
public final class Models {
  /** Longer names aren't looked at. */
  private static final int NAME_MAX = 200;

  private final List<ModelShape> models;
  private final Map<String, ModelShape> byName;

  private Models(List<ModelShape> models, Map<String, ModelShape> byName) {
    this.models = List.copyOf(models);
    this.byName = Map.copyOf(byName);
  }

  /** Read once, when it is asked for. */
  private static final class BuiltIn {
    static final Models TABLE = load("models.yaml", Bundled.text("hardware/models.yaml"));
  }

  /** What comes with the program. */
  public static Models builtIn() {
    return BuiltIn.TABLE;
  }

  /**
   * Reads a file.
   *
   * @throws YamlException if anything is wrong, with all that is
   */
  static Models load(String file, String text) {
    Problems problems = new Problems();
    Fields root = new Fields(YamlNode.parse(file, text), "the file", problems);
    Map<String, ModelShape> byId = new LinkedHashMap<>();
    Map<String, ModelShape> byName = new LinkedHashMap<>();
    for (YamlNode node : root.list("models")) {
      Fields fields = new Fields(node, "a model", problems);
      List<String> names = fields.optionalTexts("names");
      if (names.isEmpty()) {
        problems.add(node.place(), "\"names\" is missing in a model");
      }
      ModelShape model = model(fields, names.isEmpty() ? "" : names.getFirst());
      fields.end();
      if (!model.id().equals(key(model.id()))) {
        fields.problem("id", "expected an id in lower case, not \"" + model.id() + "\"");
      }
      if (byId.putIfAbsent(model.id(), model) != null) {
        fields.problem("id", "model \"" + model.id() + "\" stands twice");
      }
      addName(fields, byName, model.id(), model);
      names.forEach(name -> addName(fields, byName, name, model));
    }
    root.end();
    problems.throwIfAny();
    return new Models(List.copyOf(byId.values()), byName);
  }

  private static void addName(
      Fields fields, Map<String, ModelShape> byName, String name, ModelShape model) {
    ModelShape other = byName.putIfAbsent(key(name), model);
    if (other != null && !other.id().equals(model.id())) {
      fields.problem("names", "\"" + name + "\" names " + other.id() + " as well");
    }
  }

  private static ModelShape model(Fields fields, String name) {
    double parameters = above0(fields, "parameters");
    boolean mixture = fields.has("active") || fields.has("experts");
    ModelShape model =
        new ModelShape(
            fields.text("id"),
            name,
            whole(fields, "layers"),
            whole(fields, "hidden"),
            whole(fields, "heads"),
            whole(fields, "kv_heads"),
            whole(fields, "head_size"),
            whole(fields, "vocabulary"),
            parameters,
            mixture ? above0(fields, "active") : parameters,
            mixture ? whole(fields, "experts") : 0,
            mixture ? whole(fields, "experts_per_token") : 0,
            whole(fields, "positions"),
            special(fields),
            fields.text("source"));
    check(fields, model);
    return model;
  }

  private static ModelShape.Special special(Fields fields) {
    return new ModelShape.Special(
        isTied(fields),
        fields.has("bytes_per_parameter") ? above0(fields, "bytes_per_parameter") : 2,
        fields.has("kv_latent") ? whole(fields, "kv_latent") : 0,
        fields.has("window") ? whole(fields, "window") : 0,
        fields.has("window_layers") ? whole(fields, "window_layers") : 0);
  }

  private static boolean isTied(Fields fields) {
    String text = fields.optionalText("tied");
    if (text != null && !text.equals("true") && !text.equals("false")) {
      fields.problem("tied", "expected true or false, not \"" + text + "\"");
    }
    return "true".equals(text);
  }

  /** What no model can be, however it is written. */
  private static void check(Fields fields, ModelShape model) {
    if (model.activeParameters() > model.parameters()) {
      fields.problem("active", "more parameters are active than there are");
    }
    if (model.expertsPerToken() > model.experts()) {
      fields.problem("experts_per_token", "a token uses more experts than there are");
    }
    if (model.kvHeads() > model.heads()) {
      fields.problem("kv_heads", "there are more heads of keys and values than of attention");
    }
    if (model.special().windowLayers() > model.layers()) {
      fields.problem("window_layers", "more layers have a window than there are");
    }
    if (model.parameters() > 0 && model.bodyParameters() <= 0) {
      fields.problem("parameters", "the matrices of its vocabulary alone have more parameters");
    }
  }

  private static double above0(Fields fields, String key) {
    double value = fields.number(key);
    if (value <= 0 && fields.has(key)) {
      fields.problem(key, "expected a number above 0, not " + value);
    }
    return value;
  }

  private static int whole(Fields fields, String key) {
    double value = above0(fields, key);
    if (value != Math.rint(value) || value > Integer.MAX_VALUE) {
      fields.problem(key, "expected a whole number, not " + value);
    }
    return (int) value;
  }

  /** All models, in the order of the file. */
  public List<ModelShape> models() {
    return models;
  }

  /**
   * The model of an id or a name.
   *
   * @param name {@code qwen3-32b} or {@code Qwen/Qwen3-32B}, in any case
   * @return null if it isn't listed
   */
  public @Nullable ModelShape find(String name) {
    return name.length() > NAME_MAX ? null : byName.get(key(name));
  }

  private static String key(String name) {
    return name.toLowerCase(Locale.ROOT).strip();
  }
}
