package org.inferometer.simulator.page;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.inferometer.yaml.Fields;
import org.inferometer.yaml.Problems;
import org.inferometer.yaml.YamlException;
import org.inferometer.yaml.YamlNode;
import org.jspecify.annotations.Nullable;

/** Reads a page file; all that is wrong with it is told at once, by place. */
final class PageReader {
  /** More than any page has, and few enough that a wrong file does no harm. */
  private static final int FAMILIES_MAX = 2000;

  private static final int LENGTH_MAX = 4 << 20;

  private final Problems problems = new Problems();

  static PageFile read(String file, String text) {
    if (text.length() > LENGTH_MAX) {
      throw new YamlException(
          List.of(file + ":1:1: expected " + LENGTH_MAX + " characters at most"));
    }
    PageReader reader = new PageReader();
    PageFile page = reader.page(YamlNode.parse(file, text));
    reader.problems.throwIfAny();
    return page;
  }

  private PageFile page(YamlNode node) {
    Fields fields = new Fields(node, "a page", problems);
    String id = fields.text("page");
    Map<String, String> styles = wordOrMap(fields, "style");
    styles.forEach((frontend, style) -> constant(fields, "style", Style.class, style));
    List<PageFile.ContentType> types = new ArrayList<>();
    for (YamlNode item : fields.optionalList("content_types")) {
      types.add(contentType(item));
    }
    List<String> created = fields.optionalTexts("created");
    List<String> order = fields.optionalTexts("order");
    Map<String, String> facts = texts(fields, "facts");
    List<PageFile.KindLabels> labels = labels(fields.optional("labels"));
    List<PageFile.Bounds> bounds = new ArrayList<>();
    for (YamlNode item : fields.optionalList("bounds")) {
      bounds.add(bounds(item));
    }
    List<YamlNode> items = fields.list("families");
    if (items.size() > FAMILIES_MAX) {
      fields.problem("families", "expected " + FAMILIES_MAX + " families at most");
      items = List.of();
    }
    List<Family> families = new ArrayList<>();
    for (YamlNode item : items) {
      families.add(new FamilyReader(problems, bounds).read(item));
    }
    fields.end();
    checkFrontends(styles.keySet(), families);
    return new PageFile(id, styles, types, created, order, facts, labels, bounds, families);
  }

  /** Where each front end has its style, no other can be meant. */
  private void checkFrontends(Set<String> known, List<Family> families) {
    for (Family family : families) {
      for (String frontend : family.scope().frontends()) {
        if (!known.contains("") && !known.contains(frontend)) {
          problems.add(
              family.place(),
              family.name() + " names the front end \"" + frontend + "\", which has no style");
        }
      }
    }
  }

  private PageFile.ContentType contentType(YamlNode node) {
    Fields fields = new Fields(node, "a content type", problems);
    String text = fields.text("type");
    Scope scope = Scope.read(fields);
    fields.end();
    return new PageFile.ContentType(text, scope);
  }

  private PageFile.Bounds bounds(YamlNode node) {
    Fields fields = new Fields(node, "bounds", problems);
    String name = fields.text("name");
    List<Double> edges = fields.optionalNumbers("edges");
    if (!fields.has("edges")) {
      problems.add(fields.place(), "\"edges\" is missing in bounds");
    }
    FamilyReader.checkRising(fields, "edges", edges);
    Scope scope = Scope.read(fields);
    fields.end();
    return new PageFile.Bounds(name, edges, scope);
  }

  /** One word for all front ends, or one for each. */
  private Map<String, String> wordOrMap(Fields fields, String key) {
    if (!fields.has(key)) {
      fields.text(key);
      return Map.of();
    }
    YamlNode node = fields.optional(key);
    return node instanceof YamlNode.Scalar scalar ? Map.of("", scalar.text()) : texts(fields, key);
  }

  private void constant(Fields fields, String key, Class<? extends Enum<?>> type, String text) {
    List<String> names = new ArrayList<>();
    for (Enum<?> constant : type.getEnumConstants()) {
      names.add(constant.name().toLowerCase(Locale.ROOT));
    }
    if (!names.contains(text)) {
      fields.problem(key, "expected one of " + String.join(", ", names) + ", not \"" + text + "\"");
    }
  }

  /** A mapping of kinds to their labels, or a list of such with the releases they hold in. */
  private List<PageFile.KindLabels> labels(@Nullable YamlNode node) {
    List<PageFile.KindLabels> labels = new ArrayList<>();
    if (node instanceof YamlNode.Sequence sequence) {
      for (YamlNode item : sequence.items()) {
        Fields fields = new Fields(item, "the labels of subjects", problems);
        labels(fields, Scope.read(fields), labels);
      }
    } else if (node != null) {
      Fields fields = new Fields(node, "the labels of subjects", problems);
      labels(fields, new Scope(null, null, List.of()), labels);
    }
    return labels;
  }

  private void labels(Fields fields, Scope scope, List<PageFile.KindLabels> labels) {
    for (SubjectKind kind : SubjectKind.values()) {
      String word = kind.name().toLowerCase(Locale.ROOT);
      if (fields.has(word)) {
        labels.add(new PageFile.KindLabels(word, texts(fields, word), scope));
      }
    }
    fields.end();
  }

  private Map<String, String> texts(Fields fields, String key) {
    return texts(fields.optional(key), key, problems);
  }

  /** A mapping of text to text, in its order. */
  static Map<String, String> texts(@Nullable YamlNode node, String key, Problems problems) {
    Map<String, String> texts = new LinkedHashMap<>();
    if (node == null) {
      return texts;
    }
    if (!(node instanceof YamlNode.Mapping mapping)) {
      problems.add(
          node.place(), "expected a mapping for \"" + key + "\", not " + YamlNode.describe(node));
      return texts;
    }
    for (YamlNode.Entry entry : mapping.entries()) {
      if (!(entry.value() instanceof YamlNode.Scalar scalar)) {
        problems.add(
            entry.value().place(), "expected text, not " + YamlNode.describe(entry.value()));
      } else if (texts.put(entry.key(), scalar.text()) != null) {
        problems.add(entry.place(), "\"" + entry.key() + "\" stands twice in \"" + key + "\"");
      }
    }
    return texts;
  }
}
