package org.inferometer.query.stepwise;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.inferometer.model.Labels;
import org.inferometer.promql.AggregateOp;
import org.inferometer.promql.Expr;

/** An aggregation of one instant vector. */
final class Aggregating {
  private final Expr.Aggregate aggregate;
  private final Noise noise;

  Aggregating(Expr.Aggregate aggregate, Noise noise) {
    this.aggregate = aggregate;
    this.noise = noise;
  }

  List<Element> of(List<Element> elements, double parameter) {
    return switch (aggregate.op()) {
      case TOPK, BOTTOMK, LIMITK -> chosen(elements, parameter);
      case LIMIT_RATIO -> throw new UnsupportedOperationException("limit_ratio isn't covered");
      default -> combined(elements, parameter);
    };
  }

  private List<Element> combined(List<Element> elements, double parameter) {
    List<Element> results = new ArrayList<>();
    groups(elements)
        .forEach(
            (group, members) -> {
              double[] values = members.stream().mapToDouble(Element::value).toArray();
              boolean drops = members.getFirst().dropsName();
              if (members.stream().anyMatch(m -> m.dropsName() != drops)) {
                noise.byChance();
              }
              results.add(new Element(group, combined(values, parameter), drops));
            });
    return results;
  }

  private double combined(double[] values, double parameter) {
    return switch (aggregate.op()) {
      case SUM -> Numbers.sum(values, noise);
      case AVG -> Numbers.mean(values, noise);
      case COUNT -> values.length;
      case MIN -> Numbers.least(values);
      case MAX -> Numbers.greatest(values);
      case GROUP -> 1;
      case STDDEV -> Math.sqrt(Numbers.variance(values, noise));
      case STDVAR -> Numbers.variance(values, noise);
      case QUANTILE -> Numbers.quantile(parameter, values, noise);
      case TOPK, BOTTOMK, LIMITK, LIMIT_RATIO, COUNT_VALUES ->
          throw new IllegalArgumentException(aggregate.op().keyword());
    };
  }

  private Labels group(Labels labels, List<String> grouping) {
    return aggregate.without()
        ? Names.withoutName(labels.without(grouping))
        : labels.only(grouping);
  }

  private Map<Labels, List<Element>> groups(List<Element> elements) {
    Map<Labels, List<Element>> groups = new TreeMap<>();
    for (Element element : elements) {
      groups
          .computeIfAbsent(group(element.labels(), aggregate.grouping()), g -> new ArrayList<>())
          .add(element);
    }
    return groups;
  }

  /** How many elements have each value, which becomes a label. */
  List<Element> countValues(List<Element> elements, String label) {
    List<String> grouping = new ArrayList<>(aggregate.grouping());
    if (!aggregate.without()) {
      grouping.add(label);
    }
    Map<Labels, Element> counts = new TreeMap<>();
    for (Element element : elements) {
      Labels labelled = element.labels().with(label, Numbers.plain(element.value()));
      counts.merge(
          group(labelled, grouping),
          new Element(group(labelled, grouping), 1, element.dropsName()),
          (old, one) -> old.withValue(old.value() + 1));
    }
    return List.copyOf(counts.values());
  }

  /** Checked at every step, whether or not there is anything to choose from. */
  static void requireCount(double k) {
    if (Double.isNaN(k)) {
      throw new EvaluationError("Parameter value is NaN");
    }
    if (k >= 0x1p63 || k <= -0x1p63) {
      throw new EvaluationError("Scalar value overflows int64");
    }
  }

  private List<Element> chosen(List<Element> elements, double k) {
    if (k < 1) {
      return List.of();
    }
    List<Element> results = new ArrayList<>();
    for (List<Element> members : groups(elements).values()) {
      members.sort(order());
      int count = (int) Math.min(members.size(), k);
      results.addAll(members.subList(0, count));
      if (count < members.size()) {
        notAmongEquals(members.get(count - 1).value(), members.get(count).value());
      }
    }
    return results;
  }

  private void notAmongEquals(double lastTaken, double firstLeft) {
    boolean bothNan = Double.isNaN(lastTaken) && Double.isNaN(firstLeft);
    if (aggregate.op() == AggregateOp.LIMITK || lastTaken == firstLeft || bothNan) {
      noise.byChance();
    }
  }

  /** NaN last both ways. */
  private Comparator<Element> order() {
    int sign = aggregate.op() == AggregateOp.BOTTOMK ? 1 : -1;
    return Comparator.<Element, Boolean>comparing(e -> Double.isNaN(e.value()))
        .thenComparingDouble(e -> sign * e.value() + 0.0);
  }
}
