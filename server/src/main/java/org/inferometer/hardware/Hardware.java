package org.inferometer.hardware;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.inferometer.io.Bundled;
import org.inferometer.yaml.Fields;
import org.inferometer.yaml.Problems;
import org.inferometer.yaml.YamlException;
import org.inferometer.yaml.YamlNode;
import org.jspecify.annotations.Nullable;

/**
 * What GPUs can do, by the names that exporters print and people say. A name that isn't listed is
 * never taken for a similar one. Thread-safe.
 */
public final class Hardware {
  /** What makers and exporters put around the name of a model. */
  private static final Pattern MAKER =
      Pattern.compile("\\b(nvidia|amd|intel|instinct|tesla|geforce|radeon|corporation)\\b");

  private static final Pattern SEPARATORS = Pattern.compile("[\\s_-]+");

  /** Longer names aren't looked at. */
  private static final int NAME_MAX = 200;

  private final List<Gpu> gpus;
  private final Map<String, Gpu> byName;

  private Hardware(List<Gpu> gpus, Map<String, Gpu> byName) {
    this.gpus = List.copyOf(gpus);
    this.byName = Map.copyOf(byName);
  }

  /**
   * A model of GPU; what isn't known is null. Rates are peaks without sparsity.
   *
   * @param name as exporters print it
   * @param bf16Flops operations a second in BF16, for one device
   * @param fp8Flops operations a second in FP8, for one device
   * @param bandwidth bytes a second from and to its memory
   * @param memory bytes
   * @param power watts that it may draw by default
   * @param board what only a simulation asks for
   * @param source where the numbers come from
   */
  public record Gpu(
      String id,
      String name,
      @Nullable Double bf16Flops,
      @Nullable Double fp8Flops,
      @Nullable Double bandwidth,
      @Nullable Double memory,
      @Nullable Double power,
      @Nullable Board board,
      String source) {}

  /**
   * The rest of a GPU, as its sensors and its neighbours see it.
   *
   * @param link bytes a second to other GPUs, both directions together; 0 if there is PCIe only
   * @param pcieGeneration of its 16 lanes
   * @param smClock hertz, the highest that a driver sets
   * @param memoryClock hertz
   * @param idle watts with nothing to do
   * @param memory bytes as a driver counts them
   * @param flops operations a second in 16 bits, where there is no BF16
   */
  public record Board(
      double link,
      int pcieGeneration,
      double smClock,
      double memoryClock,
      double idle,
      double memory,
      @Nullable Double flops) {}

  /** Read once, when it is asked for. */
  private static final class BuiltIn {
    static final Hardware TABLE = load("gpus.yaml", Bundled.text("hardware/gpus.yaml"));
  }

  /** What comes with the program. */
  public static Hardware builtIn() {
    return BuiltIn.TABLE;
  }

  /**
   * Reads a file.
   *
   * @throws YamlException if anything is wrong, with all that is
   */
  static Hardware load(String file, String text) {
    Problems problems = new Problems();
    Fields root = new Fields(YamlNode.parse(file, text), "the file", problems);
    Map<String, Gpu> byName = new LinkedHashMap<>();
    Map<String, Gpu> byId = new LinkedHashMap<>();
    for (YamlNode node : root.list("gpus")) {
      Fields fields = new Fields(node, "a GPU", problems);
      List<String> names = fields.optionalTexts("names");
      Gpu gpu = gpu(fields, names.isEmpty() ? "" : names.getFirst());
      fields.end();
      if (names.isEmpty()) {
        problems.add(node.place(), "\"names\" is missing in a GPU");
      }
      if (byId.putIfAbsent(gpu.id(), gpu) != null) {
        fields.problem("id", "GPU \"" + gpu.id() + "\" stands twice");
      }
      byName.putIfAbsent(key(gpu.id()), gpu);
      for (String name : names) {
        Gpu other = byName.putIfAbsent(key(name), gpu);
        if (other != null && !other.equals(gpu)) {
          fields.problem("names", "\"" + name + "\" names " + other.id() + " as well");
        }
      }
    }
    root.end();
    problems.throwIfAny();
    return new Hardware(List.copyOf(byId.values()), byName);
  }

  private static Gpu gpu(Fields fields, String name) {
    return new Gpu(
        fields.text("id"),
        name,
        positive(fields, "bf16_flops"),
        positive(fields, "fp8_flops"),
        positive(fields, "bandwidth"),
        positive(fields, "memory"),
        positive(fields, "power"),
        board(fields),
        fields.text("source"));
  }

  private static @Nullable Board board(Fields gpu) {
    YamlNode node = gpu.optional("board");
    if (node == null) {
      return null;
    }
    Fields fields = gpu.within(node, "a board");
    Double link = positive(fields, "link");
    Board board =
        new Board(
            link == null ? 0 : link,
            (int) needed(fields, "pcie"),
            needed(fields, "sm_clock"),
            needed(fields, "memory_clock"),
            needed(fields, "idle"),
            needed(fields, "memory"),
            positive(fields, "flops"));
    fields.end();
    return board;
  }

  private static double needed(Fields fields, String key) {
    double value = fields.number(key);
    if (value <= 0 && fields.has(key)) {
      fields.problem(key, "expected a number above 0, not " + value);
    }
    return value;
  }

  private static @Nullable Double positive(Fields fields, String key) {
    Double value = fields.optionalNumber(key);
    if (value != null && value <= 0) {
      fields.problem(key, "expected a number above 0, not " + value);
    }
    return value;
  }

  /** All models, in the order of the file. */
  public List<Gpu> gpus() {
    return gpus;
  }

  /**
   * The GPU of a name.
   *
   * @param name its id, or as an exporter prints it ({@code NVIDIA H100 80GB HBM3}), or as people
   *     say it ({@code h100 sxm})
   * @return null if it isn't listed
   */
  public @Nullable Gpu find(String name) {
    return name.length() > NAME_MAX ? null : byName.get(key(name));
  }

  private static String key(String name) {
    String plain = MAKER.matcher(name.toLowerCase(Locale.ROOT)).replaceAll(" ");
    return SEPARATORS.matcher(plain).replaceAll(" ").strip();
  }
}
