package org.inferometer.simulator.scenario;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.inferometer.model.Version;
import org.inferometer.yaml.Fields;
import org.inferometer.yaml.Place;
import org.inferometer.yaml.Problems;
import org.inferometer.yaml.YamlNode;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one mapping of a scenario, each read within its bounds; what is outside becomes a
 * problem.
 */
final class Inputs {
  /** Names stand in labels, file names and addresses. */
  private static final Pattern NAME = Pattern.compile("[a-z0-9](?:[a-z0-9-]{0,39}[a-z0-9])?");

  /** Titles and sentences. */
  private static final int TEXT_MAX = 1000;

  private final Fields fields;
  private final Problems problems;

  Inputs(YamlNode node, String what, Problems problems) {
    this.fields = new Fields(node, what, problems);
    this.problems = problems;
  }

  Problems problems() {
    return problems;
  }

  static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }

  boolean has(String key) {
    return fields.has(key);
  }

  Place place(String key) {
    return fields.place(key);
  }

  void problem(String key, String problem) {
    fields.problem(key, problem);
  }

  /** What a terminal obeys, or what turns or hides the text after it; lines may end. */
  private static boolean isObeyed(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL -> c != '\n' && c != '\t';
      case Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          true;
      default -> false;
    };
  }

  /** A value that can be taken away by writing {@code null}. */
  @Nullable YamlNode optional(String key) {
    YamlNode node = fields.optional(key);
    return node instanceof YamlNode.Scalar scalar && isNull(scalar.text()) ? null : node;
  }

  private static boolean isNull(String text) {
    return text.equals("null") || text.equals("~");
  }

  YamlNode required(String key) {
    YamlNode node = fields.optional(key);
    if (node == null) {
      fields.text(key); // Tells that it is missing.
      return new YamlNode.Mapping(List.of(), fields.place());
    }
    return node;
  }

  List<YamlNode> list(String key, int countMax) {
    List<YamlNode> items = fields.optionalList(key);
    if (items.size() > countMax) {
      fields.problem(
          key, "expected at most " + countMax + " of \"" + key + "\", not " + items.size());
      return items.subList(0, countMax);
    }
    return items;
  }

  String text(String key) {
    return shortened(key, fields.text(key));
  }

  @Nullable String optionalText(String key) {
    YamlNode node = optional(key);
    String text = node == null ? null : fields.optionalText(key);
    return text == null ? null : shortened(key, text);
  }

  private String shortened(String key, String text) {
    if (text.codePoints().anyMatch(Inputs::isObeyed)) {
      fields.problem(key, "expected no control characters in \"" + key + "\"");
      return "";
    }
    if (text.length() > TEXT_MAX) {
      fields.problem(key, "expected at most " + TEXT_MAX + " characters");
      return text.substring(0, TEXT_MAX);
    }
    return text;
  }

  String name(String key) {
    String text = fields.text(key);
    if (!text.isEmpty() && !isName(text)) {
      fields.problem(
          key,
          "expected a name of small letters, digits and hyphens, 41 at most, not \"" + text + "\"");
      return "";
    }
    return text;
  }

  @Nullable String optionalName(String key) {
    return optional(key) == null ? null : name(key);
  }

  @Nullable String optionalOf(String key, Collection<String> known) {
    String text = optionalText(key);
    if (text == null || known.contains(text)) {
      return text;
    }
    fields.problem(key, notOneOf(text, known));
    return null;
  }

  String of(String key, Collection<String> known, String placeholder) {
    String text = fields.text(key);
    if (known.contains(text)) {
      return text;
    }
    if (!text.isEmpty()) {
      fields.problem(key, notOneOf(text, known));
    }
    return placeholder;
  }

  List<String> texts(String key) {
    return fields.optionalTexts(key);
  }

  List<String> manyOf(String key, Collection<String> known) {
    List<String> texts = fields.optionalTexts(key);
    for (String text : texts) {
      if (!known.contains(text)) {
        fields.problem(key, notOneOf(text, known));
      }
    }
    return texts;
  }

  static String notOneOf(String text, Collection<String> known) {
    return "expected one of " + String.join(", ", known) + ", not \"" + text + "\"";
  }

  <E extends Enum<E>> E choice(String key, Class<E> type, E byDefault) {
    return optional(key) == null ? byDefault : fields.choice(key, type, byDefault);
  }

  @Nullable Boolean optionalFlag(String key) {
    String text = optionalText(key);
    return switch (text) {
      case null -> null;
      case "true" -> true;
      case "false" -> false;
      default -> {
        fields.problem(key, "expected true or false, not \"" + text + "\"");
        yield null;
      }
    };
  }

  boolean flag(String key, boolean byDefault) {
    Boolean value = optionalFlag(key);
    return value == null ? byDefault : value;
  }

  @Nullable Version optionalVersion(String key) {
    return optional(key) == null ? null : fields.optionalVersion(key);
  }

  @Nullable Integer optionalCount(String key, int min, int max) {
    Double value = optionalNumber(key, min, max);
    if (value == null) {
      return null;
    }
    if (value != Math.rint(value)) {
      fields.problem(key, "expected a whole number for \"" + key + "\", not " + value);
    }
    return value.intValue();
  }

  int count(String key, int byDefault, int min, int max) {
    Integer value = optionalCount(key, min, max);
    return value == null ? byDefault : value;
  }

  int count(String key, int min, int max) {
    return isMissing(key) ? min : count(key, min, min, max);
  }

  @Nullable Double optionalNumber(String key, double min, double max) {
    return optional(key) == null ? null : bounded(key, fields.optionalNumber(key), min, max);
  }

  double number(String key, double byDefault, double min, double max) {
    Double value = optionalNumber(key, min, max);
    return value == null ? byDefault : value;
  }

  double number(String key, double min, double max) {
    return isMissing(key) ? min : number(key, min, min, max);
  }

  private @Nullable Double bounded(String key, @Nullable Double value, double min, double max) {
    if (value == null || (value >= min && value <= max)) {
      return value;
    }
    fields.problem(
        key,
        "expected from "
            + plain(min)
            + " to "
            + plain(max)
            + " for \""
            + key
            + "\", not "
            + plain(value));
    return null;
  }

  /** Nanoseconds. */
  long nanos(String key, long byDefault, long min, long max) {
    String text = optionalText(key);
    return text == null ? byDefault : nanosOf(key, text, byDefault, min, max);
  }

  long nanos(String key, long min, long max) {
    return isMissing(key) ? min : nanos(key, min, min, max);
  }

  private long nanosOf(String key, String text, long placeholder, long min, long max) {
    try {
      long nanos = Amounts.nanos(text);
      if (nanos >= min && nanos <= max) {
        return nanos;
      }
      fields.problem(
          key,
          "expected from "
              + Amounts.format(min)
              + " to "
              + Amounts.format(max)
              + " for \""
              + key
              + "\", not "
              + text);
    } catch (IllegalArgumentException e) {
      fields.problem(key, "expected " + e.getMessage() + " for \"" + key + "\", not " + text);
    }
    return placeholder;
  }

  @Nullable Double optionalBytes(String key, double min, double max) {
    String text = optionalText(key);
    if (text == null) {
      return null;
    }
    try {
      return bounded(key, Amounts.bytes(text), min, max);
    } catch (IllegalArgumentException e) {
      fields.problem(key, "expected " + e.getMessage() + " for \"" + key + "\", not " + text);
      return null;
    }
  }

  /** Tells of what is missing. */
  private boolean isMissing(String key) {
    boolean isMissing = !fields.has(key);
    if (isMissing) {
      fields.text(key);
    }
    return isMissing;
  }

  /** A number as a person writes it. */
  static String plain(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? String.valueOf((long) value)
        : String.format(Locale.ROOT, "%s", value);
  }

  void end() {
    fields.end();
  }
}
