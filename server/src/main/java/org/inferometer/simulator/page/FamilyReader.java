package org.inferometer.simulator.page;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.inferometer.simulator.measure.Measures;
import org.inferometer.simulator.measure.Quantity;
import org.inferometer.simulator.measure.Quantity.Kind;
import org.inferometer.yaml.Fields;
import org.inferometer.yaml.Problems;
import org.inferometer.yaml.YamlNode;
import org.jspecify.annotations.Nullable;

/** Reads one family of a page file. */
final class FamilyReader {
  private static final Pattern NAME = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*");
  private static final Pattern LABEL = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_]*");
  private static final Pattern TERM =
      Pattern.compile("([a-z0-9_]+)(?:\\[([^\\[\\]]+)]|\\.(count|sum))?");

  private final Problems problems;
  private final List<PageFile.Bounds> bounds;
  private SubjectKind of = SubjectKind.ENGINE;
  private Family.Type type = Family.Type.GAUGE;
  private List<String> label = List.of();

  FamilyReader(Problems problems, List<PageFile.Bounds> bounds) {
    this.problems = problems;
    this.bounds = bounds;
  }

  Family read(YamlNode node) {
    Fields fields = new Fields(node, "a family", problems);
    String name = fields.text("name");
    if (!name.isEmpty() && !NAME.matcher(name).matches()) {
      fields.problem("name", "expected the name of a metric, not \"" + name + "\"");
    }
    type = fields.choice("type", Family.Type.class, Family.Type.GAUGE);
    of = fields.choice("of", SubjectKind.class, SubjectKind.ENGINE);
    label = labelNames(fields);
    String help = fields.has("help") ? help(fields) : "";
    Family.Seed seed = seed(fields);
    Double scale = fields.optionalNumber("scale");
    String bucketName = bucketName(fields);
    Family family =
        new Family(
            node.place(),
            name,
            type,
            help,
            of,
            rows(fields),
            label,
            PageReader.texts(fields.optional("words"), "words", problems),
            seed,
            fields.has("subject_labels") ? fields.optionalTexts("subject_labels") : null,
            bucketName,
            ownBounds(fields, bucketName),
            scale == null ? 1 : scale,
            fields.optionalText("per"),
            fields.optionalText("needs"),
            fields.optionalTexts("never"),
            Scope.read(fields),
            fields.optionalText("when"),
            flag(fields, "created", true),
            flag(fields, "remember", false),
            flag(fields, "lazy", false),
            fields.has("number") ? fields.choice("number", NumberText.class, NumberText.GO) : null);
    fields.end();
    return family;
  }

  /** May be empty, as some pages have it. */
  private String help(Fields fields) {
    if (fields.optional("help") instanceof YamlNode.Scalar scalar) {
      return scalar.text();
    }
    fields.optionalText("help");
    return "";
  }

  private boolean flag(Fields fields, String key, boolean byDefault) {
    String text = fields.optionalText(key);
    if (text == null) {
      return byDefault;
    }
    if (!text.equals("true") && !text.equals("false")) {
      fields.problem(key, "expected true or false, not \"" + text + "\"");
    }
    return text.equals("true");
  }

  private List<String> labelNames(Fields fields) {
    List<String> names = new ArrayList<>();
    if (fields.optional("label") instanceof YamlNode.Scalar one) {
      names.add(one.text());
    } else {
      names.addAll(fields.optionalTexts("label"));
    }
    for (String name : names) {
      checkLabel(fields, "label", name);
    }
    return names;
  }

  private static void checkLabel(Fields fields, String key, String name) {
    if (!LABEL.matcher(name).matches()) {
      fields.problem(key, "expected the name of a label, not \"" + name + "\"");
    }
  }

  private static Family.Seed seed(Fields fields) {
    if (fields.optional("seed") instanceof YamlNode.Scalar scalar) {
      if (scalar.text().startsWith("$")) {
        return new Family.Seed(List.of(), scalar.text().substring(1));
      }
      fields.problem("seed", "expected a list, or a fact such as $speculation");
      return Family.Seed.NONE;
    }
    return new Family.Seed(fields.optionalTexts("seed"), null);
  }

  private @Nullable String bucketName(Fields fields) {
    boolean isNamed = fields.optional("buckets") instanceof YamlNode.Scalar;
    if (fields.has("buckets") != (type == Family.Type.HISTOGRAM)) {
      fields.problem(
          "buckets",
          type == Family.Type.HISTOGRAM
              ? "expected \"buckets\" of a histogram"
              : "only a histogram has \"buckets\"");
    }
    if (!isNamed) {
      return null;
    }
    String name = fields.text("buckets");
    if (!GeneratedBounds.isName(name)
        && bounds.stream().noneMatch(one -> one.name().equals(name))) {
      fields.problem("buckets", "no bounds of the page are called \"" + name + "\"");
    }
    return name;
  }

  private static List<Double> ownBounds(Fields fields, @Nullable String name) {
    if (name != null || !fields.has("buckets")) {
      return List.of();
    }
    List<Double> edges = fields.optionalNumbers("buckets");
    checkRising(fields, "buckets", edges);
    return edges;
  }

  static void checkRising(Fields fields, String key, List<Double> edges) {
    for (int i = 1; i < edges.size(); i++) {
      if (edges.get(i) <= edges.get(i - 1)) {
        fields.problem(key, "expected rising bounds, but " + edges.get(i) + " comes too late");
        return;
      }
    }
  }

  private List<Family.Row> rows(Fields fields) {
    if (!fields.has("rows")) {
      return List.of(row(fields));
    }
    if (fields.has("value")) {
      fields.problem("value", "expected either \"value\" or \"rows\"");
    }
    List<Family.Row> rows = new ArrayList<>();
    for (YamlNode item : fields.list("rows")) {
      Fields row = new Fields(item, "a row", problems);
      rows.add(row(row));
      row.end();
    }
    return rows;
  }

  private Family.Row row(Fields fields) {
    Map<String, String> labels = PageReader.texts(fields.optional("labels"), "labels", problems);
    for (Map.Entry<String, String> entry : labels.entrySet()) {
      checkLabel(fields, "labels", entry.getKey());
      if (entry.getValue().startsWith(PageFile.JOIN)) {
        String id = entry.getValue().substring(PageFile.JOIN.length());
        Quantity joined = quantity(fields, "labels", id);
        if (joined != null && joined.kind() != Kind.GAUGES) {
          fields.problem("labels", id + " has no labels that could be joined");
        }
      }
    }
    Value value = value(fields, "value");
    Value count = fields.has("count") ? value(fields, "count") : null;
    checkKind(fields, value, count);
    return new Family.Row(value, count, labels);
  }

  private void checkKind(Fields fields, Value value, @Nullable Value count) {
    Kind kind = value instanceof Value.Measured measured ? measured.quantity().kind() : Kind.GAUGE;
    boolean isDistribution = kind == Kind.DISTRIBUTION || kind == Kind.DISTRIBUTIONS;
    if (type == Family.Type.HISTOGRAM && !isDistribution) {
      fields.problem("value", "expected a distribution, for a histogram");
    }
    if (type == Family.Type.SUMMARY && !isDistribution && count == null) {
      fields.problem("value", "expected a distribution for a summary, or \"count\"");
    }
    if ((type == Family.Type.GAUGE || type == Family.Type.COUNTER || type == Family.Type.UNTYPED)
        && isDistribution) {
      fields.problem("value", "a distribution can be a histogram or a summary only");
    }
    if (Measures.isLabelled(kind) && label.isEmpty()) {
      fields.problem("value", "expected \"label\", for a quantity with labels");
    }
    if (!Measures.isLabelled(kind) && !label.isEmpty()) {
      fields.problem("label", "a quantity without labels has no \"label\"");
    }
  }

  private Value value(Fields fields, String key) {
    YamlNode node = fields.optional(key);
    if (node instanceof YamlNode.Mapping) {
      return formula(new Fields(node, "a formula", problems));
    }
    String text = fields.text(key);
    if (text.startsWith("fact:")) {
      return new Value.Fact(text.substring("fact:".length()));
    }
    if (text.equals("clock:start")) {
      return new Value.Start();
    }
    if (text.equals("clock:now")) {
      return new Value.Now();
    }
    if (!text.isEmpty() && (Character.isDigit(text.charAt(0)) || text.charAt(0) == '-')) {
      return new Value.Fixed(fields.number(key));
    }
    Quantity quantity = text.isEmpty() ? null : quantity(fields, key, text);
    return quantity == null ? new Value.Fixed(0) : new Value.Measured(quantity);
  }

  private Value formula(Fields fields) {
    List<Value.Term> sum = terms(fields, "sum");
    if (sum.isEmpty()) {
      fields.problem("sum", "expected \"sum\", with a quantity at least");
    }
    Value formula =
        new Value.Formula(
            sum,
            terms(fields, "less"),
            terms(fields, "over"),
            flag(fields, "rise", false),
            flag(fields, "per_second", false),
            flag(fields, "keeps", false));
    fields.end();
    return formula;
  }

  private List<Value.Term> terms(Fields fields, String key) {
    List<Value.Term> terms = new ArrayList<>();
    for (String text : fields.optionalTexts(key)) {
      Matcher matcher = TERM.matcher(text);
      Quantity quantity = matcher.matches() ? quantity(fields, key, matcher.group(1)) : null;
      if (quantity != null) {
        Value.Term term = new Value.Term(quantity, part(matcher.group(3)), matcher.group(2));
        checkTerm(fields, key, text, term);
        terms.add(term);
      } else if (!matcher.matches()) {
        fields.problem(key, "expected a quantity, not \"" + text + "\"");
      }
    }
    return terms;
  }

  private static void checkTerm(Fields fields, String key, String text, Value.Term term) {
    Kind kind = term.quantity().kind();
    boolean isDistribution = kind == Kind.DISTRIBUTION || kind == Kind.DISTRIBUTIONS;
    if (isDistribution == (term.part() == Value.Part.ALL)
        || (term.label() != null && kind != Kind.COUNTERS && kind != Kind.GAUGES)) {
      fields.problem(key, "that part of its quantity isn't there: \"" + text + "\"");
    }
  }

  private static Value.Part part(@Nullable String word) {
    return word == null ? Value.Part.ALL : Value.Part.valueOf(word.toUpperCase(Locale.ROOT));
  }

  private @Nullable Quantity quantity(Fields fields, String key, String id) {
    Quantity found = of.find(id);
    if (found == null) {
      fields.problem(
          key,
          "expected a quantity of "
              + of.name().toLowerCase(Locale.ROOT)
              + ", a number, fact:NAME, clock:start or clock:now, not \""
              + id
              + "\"");
    }
    return found;
  }
}
