package org.inferometer.simulator.page;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.inferometer.simulator.measure.Distribution;
import org.inferometer.simulator.measure.Measures;
import org.inferometer.simulator.measure.Quantity;
import org.jspecify.annotations.Nullable;

/**
 * Subjects that a page doesn't tell apart, such as the processes of one server: their numbers are
 * added.
 */
final class Group {
  final SubjectKind kind;
  final Map<String, String> labels;
  private final Map<String, String> facts;
  private final List<Measures> measures = new ArrayList<>();

  Group(SubjectKind kind, Map<String, String> labels, Map<String, String> facts) {
    this.kind = kind;
    this.labels = labels;
    this.facts = facts;
  }

  /** The subjects of a page, in their order. */
  static List<Group> of(List<Subject> subjects, PageForm form) {
    Map<List<Object>, Group> groups = new LinkedHashMap<>();
    for (Subject subject : subjects) {
      SubjectKind kind = SubjectKind.of(subject);
      Map<String, String> facts = new LinkedHashMap<>(form.facts());
      facts.putAll(subject.labels());
      facts.putAll(subject.facts());
      Map<String, String> labels = labels(subject, facts, form);
      groups
          .computeIfAbsent(List.of(kind, labels), key -> new Group(kind, labels, facts))
          .measures
          .add(subject.measures());
    }
    return List.copyOf(groups.values());
  }

  /**
   * Groups as a family sees them that has some of their labels only: those that it doesn't tell
   * apart are one.
   */
  static List<Group> withLabels(List<Group> groups, Collection<String> names) {
    Map<Map<String, String>, Group> merged = new LinkedHashMap<>();
    for (Group group : groups) {
      Map<String, String> labels = new LinkedHashMap<>(group.labels);
      labels.keySet().retainAll(names);
      merged
          .computeIfAbsent(labels, key -> new Group(group.kind, labels, group.facts))
          .measures
          .addAll(group.measures);
    }
    return List.copyOf(merged.values());
  }

  private static Map<String, String> labels(
      Subject subject, Map<String, String> facts, PageForm form) {
    Map<String, String> asked = form.labels(subject.kind());
    if (asked == null) {
      return subject.labels();
    }
    Map<String, String> labels = new LinkedHashMap<>();
    asked.forEach(
        (name, value) -> {
          if (!value.startsWith("$")) {
            labels.put(name, value);
          } else if (!value.endsWith("?")) {
            labels.put(name, fact(facts, value.substring(1), subject));
          } else if (facts.containsKey(value.substring(1, value.length() - 1))) {
            labels.put(name, fact(facts, value.substring(1, value.length() - 1), subject));
          }
        });
    return labels;
  }

  private static String fact(Map<String, String> facts, String name, Subject subject) {
    String value = facts.get(name);
    if (value == null) {
      throw new IllegalArgumentException(
          "expected a fact " + name + " of the subject " + subject.kind() + " " + subject.labels());
    }
    return value;
  }

  @Nullable String fact(String name) {
    return facts.get(name);
  }

  long startNs() {
    long start = Long.MAX_VALUE;
    for (Measures one : measures) {
      start = Math.min(start, one.startNs());
    }
    return start;
  }

  double value(Quantity quantity) {
    double sum = 0;
    for (int i = 0; i < measures.size(); i++) {
      sum += measures.get(i).value(quantity);
    }
    return sum;
  }

  double value(Quantity quantity, List<String> keys) {
    double sum = 0;
    for (int i = 0; i < measures.size(); i++) {
      for (int k = 0; k < keys.size(); k++) {
        sum += measures.get(i).value(quantity, keys.get(k));
      }
    }
    return sum;
  }

  double allLabels(Quantity quantity) {
    double sum = 0;
    for (Measures one : measures) {
      for (double[] value : one.labelled(quantity).values()) {
        sum += value[0];
      }
    }
    return sum;
  }

  /** The labels that a quantity has, in the order in which they were first seen. */
  Set<String> labels(Quantity quantity) {
    if (measures.size() == 1) {
      return labels(measures.getFirst(), quantity);
    }
    Set<String> all = new LinkedHashSet<>();
    for (Measures one : measures) {
      all.addAll(labels(one, quantity));
    }
    return all;
  }

  private static Set<String> labels(Measures measures, Quantity quantity) {
    return quantity.kind() == Quantity.Kind.DISTRIBUTIONS
        ? measures.labelledDistributions(quantity).keySet()
        : measures.labelled(quantity).keySet();
  }

  List<Distribution> distributions(Quantity quantity) {
    return measures.stream().map(one -> one.distribution(quantity)).toList();
  }

  /** The distributions of some labels of a quantity, as far as they are there. */
  List<Distribution> distributions(Quantity quantity, Collection<String> keys) {
    List<Distribution> all = new ArrayList<>();
    for (Measures one : measures) {
      Map<String, Distribution> ofLabels = one.labelledDistributions(quantity);
      for (String key : keys) {
        Distribution found = ofLabels.get(key);
        if (found != null) {
          all.add(found);
        }
      }
    }
    return all;
  }

  double term(Value.Term term) {
    Quantity quantity = term.quantity();
    return switch (quantity.kind()) {
      case COUNTER, GAUGE -> value(quantity);
      case COUNTERS, GAUGES ->
          term.label() == null ? allLabels(quantity) : value(quantity, List.of(term.label()));
      case DISTRIBUTION -> part(term, distributions(quantity));
      case DISTRIBUTIONS -> part(term, distributions(quantity, labels(quantity)));
    };
  }

  private static double part(Value.Term term, List<Distribution> distributions) {
    double sum = 0;
    for (Distribution one : distributions) {
      sum += term.part() == Value.Part.SUM ? one.sum() : (double) one.count();
    }
    return sum;
  }
}
