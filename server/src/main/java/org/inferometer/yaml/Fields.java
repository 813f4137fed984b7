package org.inferometer.yaml;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.inferometer.model.Version;
import org.jspecify.annotations.Nullable;

/**
 * Reads one mapping key by key. What is missing or wrong becomes a problem and a harmless
 * placeholder; {@link #end} complains about keys that nobody asked for.
 */
public final class Fields {
  private final Problems problems;
  private final String what;
  private final Place place;
  private final Map<String, YamlNode.Entry> entries = new LinkedHashMap<>();
  private final Set<String> known = new LinkedHashSet<>();

  /**
   * @param what the thing described, for messages: "a signal"
   */
  public Fields(YamlNode node, String what, Problems problems) {
    this.problems = problems;
    this.what = what;
    this.place = node.place();
    if (!(node instanceof YamlNode.Mapping mapping)) {
      problems.add(place, "expected " + what + ", a mapping, not " + YamlNode.describe(node));
      return;
    }
    for (YamlNode.Entry entry : mapping.entries()) {
      if (entries.putIfAbsent(entry.key(), entry) != null) {
        problems.add(entry.place(), "\"" + entry.key() + "\" stands twice in " + what);
      }
    }
  }

  /** Reads a mapping that stands within this one; what is wrong there is told with the rest. */
  public Fields within(YamlNode node, String what) {
    return new Fields(node, what, problems);
  }

  public Place place() {
    return place;
  }

  public Place place(String key) {
    YamlNode.Entry entry = entries.get(key);
    return entry == null ? place : entry.value().place();
  }

  public boolean has(String key) {
    known.add(key);
    return entries.containsKey(key);
  }

  public @Nullable YamlNode optional(String key) {
    known.add(key);
    YamlNode.Entry entry = entries.get(key);
    return entry == null ? null : entry.value();
  }

  public @Nullable String optionalText(String key) {
    return switch (optional(key)) {
      case null -> null;
      case YamlNode.Scalar scalar -> textOf(key, scalar);
      case YamlNode.Sequence node -> wrongText(key, node);
      case YamlNode.Mapping node -> wrongText(key, node);
    };
  }

  private @Nullable String textOf(String key, YamlNode.Scalar scalar) {
    if (scalar.text().isBlank()) {
      problems.add(scalar.place(), "\"" + key + "\" of " + what + " is empty");
      return null;
    }
    return scalar.text();
  }

  private @Nullable String wrongText(String key, YamlNode node) {
    problems.add(node.place(), "expected text for \"" + key + "\", not " + YamlNode.describe(node));
    return null;
  }

  public String text(String key) {
    if (!has(key)) {
      missing(key);
      return "";
    }
    String text = optionalText(key);
    return text == null ? "" : text;
  }

  public @Nullable Double optionalNumber(String key) {
    String text = optionalText(key);
    return text == null ? null : parseNumber(text, place(key));
  }

  public double number(String key) {
    String text = text(key);
    Double value = text.isEmpty() ? null : parseNumber(text, place(key));
    return value == null ? 0 : value;
  }

  private @Nullable Double parseNumber(String text, Place at) {
    try {
      double value = Double.parseDouble(text);
      if (Double.isFinite(value)) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Told below, together with numbers that aren't finite.
    }
    problems.add(at, "expected a number, not \"" + text + "\"");
    return null;
  }

  public @Nullable Version optionalVersion(String key) {
    String text = optionalText(key);
    if (text == null) {
      return null;
    }
    if (!Version.isVersion(text)) {
      problems.add(place(key), "expected a release such as 0.10.2, not \"" + text + "\"");
      return null;
    }
    return Version.parse(text);
  }

  /** One of an enum's constants, written in lower case. */
  public <E extends Enum<E>> E choice(String key, Class<E> type, E placeholder) {
    String text = text(key);
    List<String> names = new ArrayList<>();
    for (E constant : type.getEnumConstants()) {
      String name = constant.name().toLowerCase(Locale.ROOT);
      if (name.equals(text)) {
        return constant;
      }
      names.add(name);
    }
    if (!text.isEmpty()) {
      problems.add(
          place(key), "expected one of " + String.join(", ", names) + ", not \"" + text + "\"");
    }
    return placeholder;
  }

  /** The items of a list; none if the key isn't there. */
  public List<YamlNode> optionalList(String key) {
    YamlNode node = optional(key);
    if (node == null) {
      return List.of();
    }
    if (node instanceof YamlNode.Sequence sequence) {
      return sequence.items();
    }
    problems.add(
        node.place(), "expected a list for \"" + key + "\", not " + YamlNode.describe(node));
    return List.of();
  }

  public List<YamlNode> list(String key) {
    if (!has(key)) {
      missing(key);
    }
    return optionalList(key);
  }

  public List<String> optionalTexts(String key) {
    List<String> texts = new ArrayList<>();
    for (YamlNode item : optionalList(key)) {
      if (item instanceof YamlNode.Scalar scalar) {
        texts.add(scalar.text());
      } else {
        problems.add(item.place(), "expected text, not " + YamlNode.describe(item));
      }
    }
    return texts;
  }

  public List<Double> optionalNumbers(String key) {
    List<Double> numbers = new ArrayList<>();
    for (YamlNode item : optionalList(key)) {
      String text = item instanceof YamlNode.Scalar scalar ? scalar.text() : "a list";
      Double value = parseNumber(text, item.place());
      if (value != null) {
        numbers.add(value);
      }
    }
    return numbers;
  }

  public void problem(String key, String problem) {
    problems.add(place(key), problem);
  }

  private void missing(String key) {
    problems.add(place, "\"" + key + "\" is missing in " + what);
  }

  /** Complains about the keys that weren't asked for. */
  public void end() {
    entries.forEach(
        (key, entry) -> {
          if (!known.contains(key)) {
            problems.add(
                entry.place(),
                "unknown key \""
                    + key
                    + "\" in "
                    + what
                    + ", expected one of "
                    + String.join(", ", known));
          }
        });
  }
}
