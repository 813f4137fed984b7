package org.inferometer.simulator.scenario;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.inferometer.yaml.YamlException;
import org.inferometer.yaml.YamlNode;
import org.inferometer.yaml.YamlNode.Entry;
import org.inferometer.yaml.YamlNode.Mapping;
import org.inferometer.yaml.YamlNode.Scalar;
import org.inferometer.yaml.YamlNode.Sequence;
import org.jspecify.annotations.Nullable;

/**
 * Lays a scenario over the one that it extends. Mappings are merged key by key, lists of things
 * that have a name by their names; a mapping that says its law anew replaces the old one, as any
 * other value and list does. Title and truth are each file's own.
 */
final class Extends {
  static final String KEY = "extends";

  private static final Set<String> OWN = Set.of("title", "truth", KEY);

  /** Finds the text of a scenario by its name. */
  @FunctionalInterface
  interface Source {
    @Nullable Text find(String name);
  }

  /**
   * @param file for messages
   */
  record Text(String file, String text) {}

  private final Source source;

  Extends(Source source) {
    this.source = source;
  }

  /**
   * @throws YamlException if what it extends isn't there, isn't readable, or goes in circles
   */
  YamlNode resolve(YamlNode node) {
    return resolve(node, new LinkedHashSet<>());
  }

  private YamlNode resolve(YamlNode node, Set<String> chain) {
    if (!(YamlNode.find(node, KEY) instanceof Scalar name)) {
      return node;
    }
    if (!chain.add(name.text())) {
      throw YamlException.of(
          name.place(), "goes in circles: " + String.join(" -> ", chain) + " -> " + name.text());
    }
    if (chain.size() > Bounds.EXTENDS_MAX) {
      throw YamlException.of(
          name.place(), "more than " + Bounds.EXTENDS_MAX + " scenarios extend one another");
    }
    return over(node, resolve(parse(name), chain));
  }

  private YamlNode parse(Scalar name) {
    Text found = Inputs.isName(name.text()) ? source.find(name.text()) : null;
    if (found == null) {
      throw YamlException.of(name.place(), "there is no scenario \"" + name.text() + "\"");
    }
    return ScenarioFile.parse(found.file(), found.text());
  }

  private static YamlNode over(YamlNode node, YamlNode base) {
    if (!(base instanceof Mapping mapping)) {
      return node;
    }
    List<Entry> inherited =
        mapping.entries().stream().filter(entry -> !OWN.contains(entry.key())).toList();
    return merge(new Mapping(inherited, mapping.place()), node);
  }

  private static YamlNode merge(YamlNode base, YamlNode node) {
    if (base instanceof Mapping under
        && node instanceof Mapping above
        && YamlNode.find(node, "law") == null) {
      return new Mapping(mergeEntries(under.entries(), above.entries()), above.place());
    }
    if (base instanceof Sequence under
        && node instanceof Sequence above
        && areNamed(under)
        && areNamed(above)) {
      return new Sequence(mergeItems(under, above), above.place());
    }
    return node;
  }

  private static List<Entry> mergeEntries(List<Entry> base, List<Entry> entries) {
    Map<String, Entry> merged = new LinkedHashMap<>();
    List<Entry> twice = new ArrayList<>();
    base.forEach(entry -> merged.put(entry.key(), entry));
    Set<String> own = new LinkedHashSet<>();
    for (Entry entry : entries) {
      Entry under = merged.get(entry.key());
      if (!own.add(entry.key())) {
        twice.add(entry);
      } else {
        merged.put(entry.key(), under == null ? entry : merged(under, entry));
      }
    }
    List<Entry> all = new ArrayList<>(merged.values());
    all.addAll(twice); // Told by whoever reads the mapping.
    return all;
  }

  private static Entry merged(Entry under, Entry above) {
    return new Entry(above.key(), above.place(), merge(under.value(), above.value()));
  }

  private static boolean areNamed(Sequence sequence) {
    return !sequence.items().isEmpty()
        && sequence.items().stream().allMatch(item -> name(item) != null);
  }

  private static @Nullable String name(YamlNode node) {
    return YamlNode.find(node, "name") instanceof Scalar name ? name.text() : null;
  }

  private static List<YamlNode> mergeItems(Sequence base, Sequence above) {
    Map<String, YamlNode> merged = new LinkedHashMap<>();
    List<YamlNode> twice = new ArrayList<>();
    base.items().forEach(item -> merged.put(String.valueOf(name(item)), item));
    Set<String> own = new LinkedHashSet<>();
    for (YamlNode item : above.items()) {
      String name = String.valueOf(name(item));
      YamlNode under = merged.get(name);
      if (!own.add(name)) {
        twice.add(item);
      } else {
        merged.put(name, under == null ? item : merge(under, item));
      }
    }
    List<YamlNode> all = new ArrayList<>(merged.values());
    all.addAll(twice);
    return all;
  }
}
