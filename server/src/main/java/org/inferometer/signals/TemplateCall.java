package org.inferometer.signals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.inferometer.model.FloatFormat;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.model.Names;
import org.jspecify.annotations.Nullable;

/**
 * A part of a template that becomes PromQL by what is known of a service. PromQL can't read a
 * number out of a label, so every value of the label that was seen gets a selector of its own.
 */
sealed interface TemplateCall {
  /** Selectors in one call; a longer union is neither read by anyone nor cheap. */
  int COMBINATIONS_MAX = 50;

  Pattern FORM = Pattern.compile("\\$(label_value|name_count|fact)\\(([^()]*)\\)");

  /** Whether there may be one in a text; most have none. */
  static boolean isIn(String text) {
    return text.contains("$label_value(")
        || text.contains("$name_count(")
        || text.contains("$fact(");
  }

  /** The metric that it reads, null if it reads none. */
  @Nullable String metric();

  /** The labels whose values it looks at. */
  List<String> labels();

  /** What keeps it from becoming PromQL, null if nothing does. */
  @Nullable Missing missing(Known known);

  /** The fact that it takes as it is known, null if it takes none or it isn't. */
  default Known.@Nullable Told told(Known known) {
    return null;
  }

  /** The PromQL, which binds as tightly as a number or a selector does. */
  String render(Template.Values values);

  /** Why a call can't become PromQL. */
  record Missing(Absence why, String reason, @Nullable String fix) {}

  /**
   * Reads the name and the arguments of a call.
   *
   * @param found a match of {@link #FORM}
   * @throws IllegalArgumentException if there is no such call, saying what was expected
   */
  static TemplateCall read(MatchResult found) {
    String name = found.group(1);
    List<String> arguments = List.of(found.group(2).strip().split("\\s*,\\s*", -1));
    String first = arguments.getFirst();
    if (name.equals("fact")) {
      Fact fact = Fact.find(first);
      if (fact == null || arguments.size() > 1) {
        throw unexpected("a fact such as $fact(gpus)", found);
      }
      return new FactValue(fact);
    }
    List<String> labels = arguments.subList(1, arguments.size());
    if (!Names.isLegacyMetricName(first)
        || labels.isEmpty()
        || !labels.stream().allMatch(Names::isLegacyLabelName)) {
      throw unexpected("names of a metric and a label", found);
    }
    if (name.equals("label_value")) {
      return new LabelValue(first, labels);
    }
    if (labels.size() > 1) {
      throw unexpected("one label", found);
    }
    return new NameCount(first, labels.getFirst());
  }

  private static IllegalArgumentException unexpected(String expected, MatchResult found) {
    return new IllegalArgumentException("expected " + expected + ", not " + found.group());
  }

  /** The product of the numbers that labels of a series say. */
  record LabelValue(String metric, List<String> labels) implements TemplateCall {
    private static final Pattern NUMBER =
        Pattern.compile("[-+]?[0-9]{1,30}(\\.[0-9]{0,30})?([eE][-+]?[0-9]{1,3})?");

    public LabelValue {
      labels = List.copyOf(labels);
    }

    @Override
    public @Nullable Missing missing(Known known) {
      return tooFewOrMany(numbers(known).size(), metric, labels);
    }

    @Override
    public String render(Template.Values values) {
      List<String> parts = new ArrayList<>();
      numbers(values.known())
          .forEach(
              (seen, targets) ->
                  parts.add(
                      selector(metric, targets, labels, seen) + " * " + number(product(seen))));
      return "(" + String.join(" or ", parts) + ")";
    }

    private Map<List<String>, Set<Target>> numbers(Known known) {
      Map<List<String>, Set<Target>> numbers = combinations(known, metric, labels);
      numbers.keySet().removeIf(seen -> !Double.isFinite(product(seen)));
      return numbers;
    }

    /** NaN if one of them is no number. */
    private static double product(List<String> values) {
      double product = 1;
      for (String value : values) {
        product *= NUMBER.matcher(value).matches() ? Double.parseDouble(value) : Double.NaN;
      }
      return product;
    }

    private static String number(double value) {
      return FloatFormat.plain(value);
    }
  }

  /**
   * How many names, separated by commas, a label of the newest of several series has. The value of
   * each is the time at which its label was true, and the older ones stay. PromQL can't count, and
   * the label has ever new values; so each bit of the number is found by an expression of its own,
   * and the result is the powers of two that make up the number: they are to be added up. Above
   * {@link #LEAST_OF_MANY} it is a lower bound.
   */
  record NameCount(String metric, String label) implements TemplateCall {
    private static final int BITS = 7;

    private static final int LEAST_OF_MANY = 1 << BITS;

    private static final String NAME = "[^,]+";

    private static final String MORE = "(?:" + NAME + ",)";

    /** None: the values that were seen are no matter. */
    @Override
    public List<String> labels() {
      return List.of();
    }

    @Override
    public @Nullable Missing missing(Known known) {
      return targets(known).isEmpty()
          ? new Missing(Absence.BROKEN, "No series of " + metric + " is there.", null)
          : null;
    }

    @Override
    public String render(Template.Values values) {
      String all = metric + "{" + Template.matchers(Target.matchers(targets(values.known()))) + "}";
      String newest =
          "(%s == on (job, instance) group_left () max by (job, instance) (%s)) * 0"
              .formatted(all, all);
      List<String> parts = new ArrayList<>();
      parts.add(newest);
      for (int bit = 0; bit < BITS; bit++) {
        parts.add(part(newest, 1 << bit, withBit(1 << bit)));
      }
      parts.add(part(newest, LEAST_OF_MANY, "%s{%d}.+".formatted(MORE, LEAST_OF_MANY - 1)));
      return "(" + String.join(" or ", parts) + ")";
    }

    private Set<Target> targets(Known known) {
      Set<Target> targets = new LinkedHashSet<>();
      for (TargetFacts facts : known.targets()) {
        if (!facts.rowsOf(metric).isEmpty()) {
          targets.add(facts.target());
        }
      }
      return targets;
    }

    /** Lists with a number of names that has this power of two in it. */
    private static String withBit(int power) {
      return "(?:%s{%d})*%s{%d,%d}%s"
          .formatted(MORE, 2 * power, MORE, power - 1, 2 * power - 2, NAME);
    }

    /** The power of two wherever the names are so, labelled with it. */
    private String part(String newest, int power, String names) {
      String marked =
          "label_replace(%s + %d, \"names\", \"%d\", \"%s\", \"%s\")"
              .formatted(newest, power, power, label, names);
      String mark = "label_replace(vector(1), \"names\", \"%d\", \"\", \"\")".formatted(power);
      return marked + " and on (names) " + mark;
    }
  }

  /** A number that was told. */
  record FactValue(Fact fact) implements TemplateCall {
    @Override
    public @Nullable String metric() {
      return null;
    }

    @Override
    public List<String> labels() {
      return List.of();
    }

    @Override
    public @Nullable Missing missing(Known known) {
      return known.facts().containsKey(fact)
          ? null
          : new Missing(
              Absence.FACT, "It takes " + fact.words() + ", which has to be told.", fact.fix());
    }

    @Override
    public Known.@Nullable Told told(Known known) {
      return known.facts().get(fact);
    }

    /** Of a service split by replica, what belongs to the whole is shared out evenly. */
    @Override
    public String render(Template.Values values) {
      Known.Told told = told(values.known());
      double value = told == null ? 1 : told.value();
      boolean shared = fact == Fact.GPUS && values.by().contains("instance");
      int parts = shared ? Math.max(1, values.known().targets().size()) : 1;
      return FloatFormat.plain(value / parts);
    }
  }

  private static @Nullable Missing tooFewOrMany(int count, String metric, List<String> labels) {
    String where = String.join(" and ", labels) + " of " + metric;
    if (count == 0) {
      return new Missing(Absence.BROKEN, "No number is in " + where + ".", null);
    }
    return count <= COMBINATIONS_MAX
        ? null
        : new Missing(
            Absence.BROKEN,
            "More than "
                + COMBINATIONS_MAX
                + " values of "
                + where
                + " were seen, too many to ask.",
            null);
  }

  /** The values of labels that series of a metric have together, with the targets that say so. */
  private static Map<List<String>, Set<Target>> combinations(
      Known known, String metric, List<String> labels) {
    Map<List<String>, Set<Target>> combinations =
        new TreeMap<>((a, b) -> Arrays.compare(a.toArray(String[]::new), b.toArray(String[]::new)));
    for (TargetFacts facts : known.targets()) {
      for (Labels row : facts.rowsOf(metric)) {
        combinations
            .computeIfAbsent(labels.stream().map(row::get).toList(), seen -> new LinkedHashSet<>())
            .add(facts.target());
      }
    }
    return combinations;
  }

  /** Only the targets that say so: the length of the whole stays that of one list of targets. */
  private static String selector(
      String metric, Set<Target> targets, List<String> labels, List<String> values) {
    List<Matcher> matchers = new ArrayList<>(Target.matchers(targets));
    for (int i = 0; i < labels.size(); i++) {
      matchers.add(Matcher.equal(labels.get(i), values.get(i)));
    }
    return metric + "{" + Template.matchers(matchers) + "}";
  }
}
