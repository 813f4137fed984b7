package org.inferometer.signals;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.inferometer.yaml.Fields;
import org.inferometer.yaml.Problems;
import org.inferometer.yaml.YamlNode;
import org.jspecify.annotations.Nullable;

/** Reads files that list the metric families of a dialect. */
final class FamilyFile {
  private final Problems problems;
  private final Map<String, Family> families = new LinkedHashMap<>();
  private final List<Families.Mistake> mistakes = new ArrayList<>();
  private final List<Renaming> renamings = new ArrayList<>();

  FamilyFile(Problems problems) {
    this.problems = problems;
  }

  /** Adds what a file lists. */
  void read(YamlNode root) {
    Fields file = new Fields(root, "the file", problems);
    String dialect = file.text("dialect");
    Set<String> names = new HashSet<>();
    file.list("families").forEach(node -> family(dialect, node, names));
    file.optionalList("mistakes").forEach(node -> mistake(dialect, node));
    addRenaming(dialect, file.optional("names_of"));
    file.end();
  }

  private void addRenaming(String dialect, @Nullable YamlNode node) {
    if (node == null) {
      return;
    }
    Fields fields = new Fields(node, "a rule for names", problems);
    renamings.add(
        new Renaming(
            dialect,
            fields.text("dialect"),
            fields.text("prefix"),
            "true".equals(fields.optionalText("others_stay")),
            fields.text("becomes"),
            fields.optionalText("older"),
            fields.optionalText("older_last"),
            "true".equals(fields.optionalText("bare_counters")),
            fields.optionalTexts("labels")));
    fields.end();
  }

  /** The rules by which dialects take the families of others. */
  List<Renaming> renamings() {
    return List.copyOf(renamings);
  }

  /** All that were read, with those that follow by a rule and aren't listed themselves. */
  Families families() {
    List<Family> all = new ArrayList<>(families.values());
    for (Renaming renaming : renamings) {
      Set<String> listed = new HashSet<>();
      of(renaming.dialect()).forEach(family -> listed.add(family.name()));
      for (Family other : of(renaming.of())) {
        renaming.families(other).stream()
            .filter(family -> listed.add(family.name()))
            .forEach(all::add);
      }
    }
    return new Families(all, mistakes);
  }

  private List<Family> of(String dialect) {
    return families.values().stream().filter(family -> family.dialect().equals(dialect)).toList();
  }

  private void family(String dialect, YamlNode node, Set<String> names) {
    Fields fields = new Fields(node, "a family", problems);
    String name = fields.text("name");
    FamilyType type = fields.choice("type", FamilyType.class, FamilyType.GAUGE);
    // A family may have become one of another type under the same name.
    if (!names.add(name + " " + type)) {
      fields.problem("name", "family \"" + name + "\" stands twice");
    }
    // Files of the user's come last and say it anew.
    families.put(
        dialect + " " + name + " " + type,
        new Family(
            dialect,
            name,
            type,
            optionalChoice(fields, "declared", FamilyType.class, FamilyType.GAUGE),
            fields.has("unit") ? fields.text("unit") : "",
            fields.optionalTexts("labels"),
            fields.optionalText("since"),
            fields.optionalText("last"),
            fields.optionalText("now"),
            optionalChoice(fields, "counts", Population.class, Population.MOMENT),
            fields.optionalText("enable"),
            fields.optionalText("note")));
    fields.end();
  }

  private void mistake(String dialect, YamlNode node) {
    Fields fields = new Fields(node, "a mistaken name", problems);
    mistakes.add(
        new Families.Mistake(
            dialect, fields.text("name"), fields.optionalText("means"), fields.text("says")));
    fields.end();
  }

  static <E extends Enum<E>> @Nullable E optionalChoice(
      Fields fields, String key, Class<E> type, E placeholder) {
    return fields.has(key) ? fields.choice(key, type, placeholder) : null;
  }
}
