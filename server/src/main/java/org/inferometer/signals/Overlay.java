package org.inferometer.signals;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.inferometer.yaml.Place;
import org.inferometer.yaml.YamlNode;
import org.jspecify.annotations.Nullable;

/**
 * A dialect file of the user's over the built-in one of the same id. A key of the head stands in
 * place of the built-in one, what is listed comes before what is listed there; a signal and a trap
 * stand in place of the built-in ones of the same name. Nodes keep their places, so that what is
 * wrong is told where the user wrote it.
 */
final class Overlay {
  /** What a file of the user's says of families, read apart from the rest. */
  private static final Set<String> OF_FAMILIES = Set.of("families", "mistakes", "names_of");

  /** Lists of the head that are added to. */
  private static final Set<String> ADDED_TO = Set.of("identify", "covers", "copies");

  /** What the items of a list are named by, where one stands in place of another. */
  private static final Map<String, String> NAMED_BY = Map.of("signals", "signal", "traps", "trap");

  private Overlay() {}

  /** The id of the dialect that a file is about, "" if it doesn't say. */
  static String id(YamlNode root) {
    return text(YamlNode.find(root, "dialect"), "id");
  }

  private static String text(@Nullable YamlNode node, String key) {
    return YamlNode.find(node, key) instanceof YamlNode.Scalar scalar ? scalar.text() : "";
  }

  /** What a file says of families, as files of families say it. */
  static YamlNode families(YamlNode root) {
    YamlNode id = new YamlNode.Scalar(id(root), root.place());
    List<YamlNode.Entry> entries = new ArrayList<>();
    entries.add(new YamlNode.Entry("dialect", root.place(), id));
    boolean listed = false;
    for (YamlNode.Entry entry : entries(root)) {
      if (OF_FAMILIES.contains(entry.key())) {
        entries.add(entry);
        listed |= entry.key().equals("families");
      }
    }
    if (!listed) {
      entries.add(emptyList("families", root.place()));
    }
    return new YamlNode.Mapping(entries, root.place());
  }

  /** A file of the user's without what it says of families; what it may leave out is filled in. */
  static YamlNode dialect(YamlNode root) {
    List<YamlNode.Entry> entries = new ArrayList<>();
    boolean listed = false;
    for (YamlNode.Entry entry : entries(root)) {
      if (!OF_FAMILIES.contains(entry.key())) {
        entries.add(entry);
        listed |= entry.key().equals("signals");
      }
    }
    if (!listed) {
      entries.add(emptyList("signals", root.place()));
    }
    return root instanceof YamlNode.Mapping ? new YamlNode.Mapping(entries, root.place()) : root;
  }

  private static YamlNode.Entry emptyList(String key, Place place) {
    return new YamlNode.Entry(key, place, new YamlNode.Sequence(List.of(), place));
  }

  private static List<YamlNode.Entry> entries(YamlNode node) {
    return node instanceof YamlNode.Mapping mapping ? mapping.entries() : List.of();
  }

  /** The built-in file with the user's over it. */
  static YamlNode over(YamlNode builtIn, YamlNode own) {
    return merged(
        builtIn,
        own,
        (key, base, other) ->
            key.equals("dialect") ? merged(base, other, Overlay::head) : list(key, base, other));
  }

  private static YamlNode head(String key, YamlNode base, YamlNode own) {
    return ADDED_TO.contains(key) ? list(key, base, own) : own;
  }

  private interface Rule {
    YamlNode of(String key, YamlNode base, YamlNode own);
  }

  private static YamlNode merged(YamlNode base, YamlNode own, Rule rule) {
    if (!(own instanceof YamlNode.Mapping)) {
      return own; // the reader says what is wrong with it
    }
    Map<String, YamlNode.Entry> merged = new LinkedHashMap<>();
    entries(base).forEach(entry -> merged.put(entry.key(), entry));
    for (YamlNode.Entry entry : entries(own)) {
      YamlNode.Entry before = merged.get(entry.key());
      YamlNode value =
          before == null ? entry.value() : rule.of(entry.key(), before.value(), entry.value());
      merged.put(entry.key(), new YamlNode.Entry(entry.key(), entry.place(), value));
    }
    return new YamlNode.Mapping(List.copyOf(merged.values()), own.place());
  }

  private static YamlNode list(String key, YamlNode base, YamlNode own) {
    if (!(base instanceof YamlNode.Sequence before) || !(own instanceof YamlNode.Sequence after)) {
      return own;
    }
    List<YamlNode> items = new ArrayList<>(after.items());
    String name = NAMED_BY.get(key);
    for (YamlNode item : before.items()) {
      boolean replaced =
          name != null
              && after.items().stream().anyMatch(o -> text(o, name).equals(text(item, name)));
      if (!replaced) {
        items.add(item);
      }
    }
    return new YamlNode.Sequence(items, own.place());
  }
}
