package org.inferometer.config;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A mapping of a config file while it is read. What is asked for is known; what isn't asked for
 * until {@link #finish} is refused. A wrong value is reported and replaced by the default, so that
 * reading goes on. Not thread-safe.
 */
final class Section {
  private static final List<String> TRUE = List.of("y", "yes", "true", "on");
  private static final List<String> FALSE = List.of("n", "no", "false", "off");

  private final YamlNode node;
  private final String name;
  private final Problems problems;
  private final Problems notes;
  private final Map<String, YamlNode.Entry> entries = new LinkedHashMap<>();
  private final Set<String> known = new LinkedHashSet<>();
  private final Set<String> reported = new LinkedHashSet<>();

  /**
   * @param name what it is called in messages; "" for the whole file
   */
  Section(YamlNode node, String name, Problems problems, Problems notes) {
    this.node = node;
    this.name = name;
    this.problems = problems;
    this.notes = notes;
    switch (node) {
      case YamlNode.Mapping mapping ->
          mapping.entries().forEach(entry -> entries.put(entry.key().text(), entry));
      case YamlNode.Scalar scalar -> {
        if (!scalar.absent()) {
          problems.expected(scalar, "a mapping" + of());
        }
      }
      case YamlNode.Sequence list -> problems.expected(list, "a mapping" + of());
    }
  }

  private String of() {
    return name.isEmpty() ? " of keys such as scrape_configs" : " of the keys of " + name;
  }

  YamlNode node() {
    return node;
  }

  boolean has(String key) {
    return entries.containsKey(key);
  }

  Set<String> keys() {
    return entries.keySet();
  }

  /** Where a key stands, or the section if it isn't there. */
  YamlNode at(String key) {
    YamlNode.Entry entry = entries.get(key);
    return entry == null ? node : entry.key();
  }

  private @Nullable YamlNode value(String key) {
    known.add(key);
    YamlNode.Entry entry = entries.get(key);
    return entry == null ? null : entry.value();
  }

  Section section(String key) {
    YamlNode value = value(key);
    return new Section(
        value == null ? new YamlNode.Scalar(node.line(), node.column(), "", true) : value,
        key,
        problems,
        notes);
  }

  /** The items of a list of mappings. */
  List<Section> sections(String key) {
    return items(key, "a list of mappings").stream()
        .map(item -> new Section(item, key, problems, notes))
        .toList();
  }

  /** The values of a mapping whose keys are free. */
  Map<String, Section> named(String key) {
    Section free = section(key);
    Map<String, Section> named = new LinkedHashMap<>();
    free.entries.forEach(
        (word, entry) ->
            named.put(word, new Section(entry.value(), key + "." + word, problems, notes)));
    return named;
  }

  private List<YamlNode> items(String key, String expected) {
    return switch (value(key)) {
      case null -> List.of();
      case YamlNode.Sequence list -> list.items();
      case YamlNode.Scalar scalar when scalar.absent() -> List.of();
      case YamlNode other -> {
        problems.expected(other, expected + " for " + key);
        yield List.of();
      }
    };
  }

  List<String> strings(String key) {
    List<String> texts = new ArrayList<>();
    for (YamlNode item : items(key, "a list")) {
      if (item instanceof YamlNode.Scalar scalar) {
        texts.add(scalar.absent() ? "" : scalar.text());
      } else {
        problems.expected(item, "a text in " + key);
      }
    }
    return texts;
  }

  /** The places of the items of a list. */
  List<YamlNode> places(String key) {
    return items(key, "a list");
  }

  /** A mapping of free keys to texts. */
  Map<String, String> stringMap(String key) {
    Map<String, String> map = new LinkedHashMap<>();
    section(key)
        .entries
        .forEach(
            (word, entry) -> {
              if (entry.value() instanceof YamlNode.Scalar scalar) {
                map.put(word, scalar.absent() ? "" : scalar.text());
              } else {
                problems.expected(entry.value(), "a text for " + word + " in " + key);
              }
            });
    return map;
  }

  /** A mapping of free keys to lists of texts. */
  Map<String, List<String>> stringListMap(String key) {
    Section free = section(key);
    Map<String, List<String>> map = new LinkedHashMap<>();
    free.entries.keySet().forEach(word -> map.put(word, free.strings(word)));
    return map;
  }

  /** Text if the key is there with a value; a key without one counts as empty text. */
  Optional<String> text(String key) {
    return scalar(key, "a text").map(scalar -> scalar.absent() ? "" : scalar.text());
  }

  String text(String key, String otherwise) {
    return text(key).orElse(otherwise);
  }

  private Optional<YamlNode.Scalar> scalar(String key, String expected) {
    return switch (value(key)) {
      case null -> Optional.empty();
      case YamlNode.Scalar scalar -> Optional.of(scalar);
      case YamlNode other -> {
        problems.expected(other, expected + " for " + key);
        yield Optional.empty();
      }
    };
  }

  /** Text that isn't shown if it is wrong. */
  Optional<Secret> secret(String key) {
    return text(key).map(Secret::of);
  }

  boolean bool(String key, boolean otherwise) {
    Optional<YamlNode.Scalar> scalar = scalar(key, "true or false");
    if (scalar.isEmpty() || scalar.get().absent()) {
      return otherwise;
    }
    String word = scalar.get().text().toLowerCase(Locale.ROOT);
    if (!TRUE.contains(word) && !FALSE.contains(word)) {
      problems.expected(scalar.get(), "true or false for " + key);
      return otherwise;
    }
    return TRUE.contains(word);
  }

  /** One of some words, exactly. */
  String choice(String key, String otherwise, List<String> words) {
    Optional<YamlNode.Scalar> scalar = scalar(key, "a word");
    if (scalar.isEmpty() || scalar.get().absent()) {
      return otherwise;
    }
    String word = scalar.get().text();
    if (!words.contains(word)) {
      problems.expected(
          scalar.get(), "one of " + String.join(", ", words) + " for " + key + meant(word, words));
      return otherwise;
    }
    return word;
  }

  private interface Reading<T> {
    T of(String text);
  }

  private <T> Optional<T> read(String key, String expected, Reading<T> reading) {
    Optional<YamlNode.Scalar> scalar = scalar(key, expected);
    if (scalar.isEmpty() || scalar.get().absent()) {
      return Optional.empty();
    }
    try {
      return Optional.of(reading.of(scalar.get().text()));
    } catch (NumberFormatException e) {
      problems.expected(scalar.get(), expected + " for " + key);
    } catch (IllegalArgumentException e) {
      problems.expected(scalar.get(), e.getMessage() + " for " + key);
    }
    return Optional.empty();
  }

  /** Milliseconds of a duration. */
  Optional<Long> durationMs(String key) {
    return read(key, "a duration such as 15s", Durations::parseMs);
  }

  /** Bytes of a size. */
  Optional<Long> bytes(String key) {
    return read(key, "a size such as 15MB", ByteSizes::parse);
  }

  /** A whole number that isn't negative. */
  Optional<Long> count(String key) {
    return read(
        key,
        "a whole number from 0 on",
        text -> {
          long count = Long.parseLong(text);
          if (count < 0) {
            throw new NumberFormatException();
          }
          return count;
        });
  }

  /** A whole number below 2^64. */
  Optional<Long> unsigned(String key) {
    return read(key, "a whole number from 0 on", Long::parseUnsignedLong);
  }

  /** A number that isn't negative. */
  Optional<Double> number(String key) {
    return read(
        key,
        "a number from 0 on",
        text -> {
          double number = Double.parseDouble(text);
          if (!(number >= 0) || Double.isInfinite(number)) {
            throw new NumberFormatException();
          }
          return number;
        });
  }

  /** A ratio above 0 and at most 1, also written in percent. */
  Optional<Double> ratio(String key) {
    return read(key, "a ratio above 0 and at most 1, such as 0.999 or 99.9%", Section::ratioOf);
  }

  private static double ratioOf(String text) {
    boolean percent = text.endsWith("%");
    String digits = percent ? text.substring(0, text.length() - 1) : text;
    if (!digits.matches("[0-9]{1,9}(\\.[0-9]{0,15})?|\\.[0-9]{1,15}")) {
      throw new NumberFormatException();
    }
    double ratio = new BigDecimal(digits).movePointLeft(percent ? 2 : 0).doubleValue();
    if (!(ratio > 0 && ratio <= 1)) {
      throw new NumberFormatException();
    }
    return ratio;
  }

  // ------------------------------------------------------------------------ what isn't done

  /** Refuses a key of Prometheus if it is there and says something. */
  void unsupported(String key) {
    YamlNode value = value(key);
    if (value != null && !saysNothing(value)) {
      problems.add(at(key), "found \"" + key + "\", which isn't supported yet");
    }
  }

  void unsupported(List<String> keys) {
    keys.forEach(this::unsupported);
  }

  /** Refuses a switch of Prometheus if it is on. */
  void unsupportedIfOn(String key) {
    if (bool(key, false)) {
      problems.add(at(key), "found \"" + key + ": true\", which isn't supported yet");
    }
  }

  /** Accepts a key that changes nothing here, and notes it. */
  void withoutEffect(String key, String because) {
    if (value(key) != null) {
      notes.add(at(key), "\"" + key + "\" has no effect: " + because);
    }
  }

  private static boolean saysNothing(YamlNode value) {
    return switch (value) {
      case YamlNode.Scalar scalar -> scalar.absent();
      case YamlNode.Sequence list -> list.items().isEmpty();
      case YamlNode.Mapping mapping -> mapping.entries().isEmpty();
    };
  }

  /** A problem at a key's name. */
  void problem(String key, String message) {
    problems.add(at(key), message);
  }

  /** A problem at a key's value: what was found there, what was expected. */
  void expected(String key, String expected) {
    YamlNode.Entry entry = entries.get(key);
    problems.expected(entry == null ? node : entry.value(), expected);
  }

  void require(String key) {
    if (entries.get(key) == null || text(key, "").isEmpty()) {
      problems.add(at(key), "found no " + key + " in " + name + ", expected one");
    }
  }

  /** Refuses what nobody asked for. */
  void finish() {
    entries.forEach(
        (key, entry) -> {
          if (!known.contains(key) && reported.add(key)) {
            problems.add(
                entry.key(),
                "found the unknown key "
                    + entry.key().describe()
                    + (name.isEmpty() ? "" : " in " + name)
                    + meant(key, known));
          }
        });
  }

  private static String meant(String word, Iterable<String> words) {
    List<String> list = new ArrayList<>();
    words.forEach(list::add);
    return NearMiss.of(word, list).map(near -> "; did you mean " + near + "?").orElse("");
  }
}
