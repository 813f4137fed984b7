package org.inferometer.benchmarks.accuracy;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.yaml.Fields;
import org.inferometer.yaml.Problems;
import org.inferometer.yaml.YamlException;
import org.inferometer.yaml.YamlNode;
import org.jspecify.annotations.Nullable;

/**
 * A published measurement: what was run, and what came out.
 *
 * @param source where it stands
 * @param assumptions what the source doesn't say, and how it is taken here
 * @param scenario the text of a scenario, with words in braces that a run replaces
 */
record AccuracyCase(
    String id,
    String title,
    String source,
    List<String> assumptions,
    String scenario,
    List<Run> runs) {

  /** In the order in which the page shows them. */
  static final List<String> IDS =
      List.of(
          "llama-8b-h100",
          "llama-8b-h100-batch192",
          "llama-8b-h100-prefix",
          "qwen3-4b-rtx4500",
          "qwen3-32b-routing",
          "prefill-saturation",
          "power-cap-3090",
          "kv-capacity");

  AccuracyCase {
    assumptions = List.copyOf(assumptions);
    runs = List.copyOf(runs);
  }

  /**
   * One row of a case.
   *
   * @param set what replaces the words of the scenario
   * @param warmup seconds before it is measured
   * @param seconds in which requests are measured
   * @param drains whether requests stop then and what was asked is still answered and counted
   * @param connections that the client opens at most; 0 for no limit
   * @param warmupRate how much faster, or slower, requests come before it is measured; if it isn't
   *     1 all of them are answered before
   * @param knobs turned from the beginning, on all GPUs
   * @param relativeTo the name of a run through which this one's numbers are divided
   * @param published by name of a quantity (see {@link Figure})
   */
  record Run(
      String name,
      Map<String, String> set,
      double warmup,
      double seconds,
      boolean drains,
      int connections,
      double warmupRate,
      Map<String, Double> knobs,
      @Nullable String relativeTo,
      Map<Figure, Double> published) {}

  /** Reads one that comes with the benchmarks. */
  static AccuracyCase builtIn(String id) {
    String file = "accuracy/" + id + ".yaml";
    try (InputStream in = AccuracyCase.class.getResourceAsStream("/" + file)) {
      if (in == null) {
        throw new IllegalArgumentException("there is no case " + id);
      }
      return read(id, file, new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * @throws YamlException if anything is wrong, with all that is
   */
  static AccuracyCase read(String id, String file, String text) {
    Problems problems = new Problems();
    Fields fields = new Fields(YamlNode.parse(file, text), "a case", problems);
    Defaults defaults =
        new Defaults(
            or(fields.optionalNumber("warmup"), 0),
            or(fields.optionalNumber("seconds"), 60),
            !"false".equals(fields.optionalText("drains")),
            (int) or(fields.optionalNumber("connections"), 0));
    List<Run> runs = new ArrayList<>();
    for (YamlNode node : fields.list("runs")) {
      runs.add(run(new Fields(node, "a run", problems), problems, defaults));
    }
    AccuracyCase read =
        new AccuracyCase(
            id,
            fields.text("title"),
            fields.text("source"),
            fields.optionalTexts("assumptions"),
            fields.text("scenario"),
            runs);
    fields.end();
    problems.throwIfAny();
    return read;
  }

  private record Defaults(double warmup, double seconds, boolean drains, int connections) {}

  private static Run run(Fields fields, Problems problems, Defaults defaults) {
    String drains = fields.optionalText("drains");
    Run run =
        new Run(
            fields.text("name"),
            texts(fields.optional("set"), problems),
            or(fields.optionalNumber("warmup"), defaults.warmup()),
            or(fields.optionalNumber("seconds"), defaults.seconds()),
            drains == null ? defaults.drains() : drains.equals("true"),
            (int) or(fields.optionalNumber("connections"), defaults.connections()),
            or(fields.optionalNumber("warmup_rate"), 1),
            numbers(fields.optional("knobs"), problems),
            fields.optionalText("relative_to"),
            published(fields.optional("published"), problems));
    fields.end();
    return run;
  }

  private static double or(@Nullable Double value, double otherwise) {
    return value == null ? otherwise : value;
  }

  private static Map<String, String> texts(@Nullable YamlNode node, Problems problems) {
    Map<String, String> texts = new LinkedHashMap<>();
    if (node instanceof YamlNode.Mapping mapping) {
      for (YamlNode.Entry entry : mapping.entries()) {
        texts.put(entry.key(), entry.value() instanceof YamlNode.Scalar one ? one.text() : "");
      }
    } else if (node != null) {
      problems.add(node.place(), "expected a mapping, not " + YamlNode.describe(node));
    }
    return texts;
  }

  private static Map<String, Double> numbers(@Nullable YamlNode node, Problems problems) {
    Map<String, Double> numbers = new LinkedHashMap<>();
    if (node instanceof YamlNode.Mapping mapping) {
      Fields fields = new Fields(node, "numbers", problems);
      mapping.entries().forEach(entry -> numbers.put(entry.key(), fields.number(entry.key())));
    } else if (node != null) {
      problems.add(node.place(), "expected a mapping, not " + YamlNode.describe(node));
    }
    return numbers;
  }

  private static Map<Figure, Double> published(@Nullable YamlNode node, Problems problems) {
    Map<Figure, Double> published = new LinkedHashMap<>();
    numbers(node, problems)
        .forEach(
            (name, value) -> {
              Figure figure = Figure.find(name);
              if (figure == null && node != null) {
                problems.add(node.place(), "there is no figure \"" + name + "\"");
              } else if (figure != null) {
                published.put(figure, value);
              }
            });
    return published;
  }
}
