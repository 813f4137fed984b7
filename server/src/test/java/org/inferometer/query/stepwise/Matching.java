package org.inferometer.query.stepwise;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.inferometer.model.Labels;
import org.inferometer.promql.BinaryOp;
import org.inferometer.promql.Expr;
import org.inferometer.promql.Expr.Cardinality;
import org.jspecify.annotations.Nullable;

/** A binary operation between two instant vectors. */
final class Matching {
  private final Expr.Binary operation;
  private final Expr.VectorMatching matching;
  private final Names names;
  private final Noise noise;

  Matching(Expr.Binary operation, Names names, Noise noise) {
    this.operation = operation;
    this.matching = Objects.requireNonNull(operation.matching());
    this.names = names;
    this.noise = noise;
  }

  List<Element> of(List<Element> left, List<Element> right) {
    return switch (operation.op()) {
      case AND -> having(left, groups(right).keySet(), true);
      case UNLESS -> having(left, groups(right).keySet(), false);
      case OR -> {
        List<Element> all = new ArrayList<>(left);
        all.addAll(having(right, groups(left).keySet(), false));
        yield all;
      }
      default ->
          matching.cardinality() == Cardinality.ONE_TO_MANY
              ? pairs(right, left, matching.fillRight(), matching.fillLeft())
              : pairs(left, right, matching.fillLeft(), matching.fillRight());
    };
  }

  private List<Element> having(List<Element> elements, Set<Labels> groups, boolean wanted) {
    return elements.stream().filter(e -> groups.contains(group(e)) == wanted).toList();
  }

  private Labels group(Element element) {
    return matching.on()
        ? element.labels().only(matching.labels())
        : Names.withoutName(element.labels().without(matching.labels()));
  }

  private Map<Labels, List<Element>> groups(List<Element> elements) {
    Map<Labels, List<Element>> groups = new LinkedHashMap<>();
    elements.forEach(e -> groups.computeIfAbsent(group(e), g -> new ArrayList<>()).add(e));
    return groups;
  }

  /**
   * @param many the side that may have several elements in a group, if the cardinality allows
   * @param fillMany value of elements that it lacks, may be null
   */
  private List<Element> pairs(
      List<Element> many, List<Element> one, @Nullable Double fillMany, @Nullable Double fillOne) {
    if (nothingCanMatch(many, one, fillMany != null || fillOne != null)) {
      return List.of();
    }
    Map<Labels, List<Element>> manyByGroup = groups(many);
    Map<Labels, List<Element>> oneByGroup = groups(one);
    if (oneByGroup.values().stream().anyMatch(g -> g.size() > 1)) {
      throw new EvaluationError("found duplicate series for the match group");
    }
    List<Element> results = new ArrayList<>();
    manyByGroup.forEach(
        (group, members) -> {
          List<Element> partner = oneByGroup.get(group);
          if (partner != null) {
            results.addAll(group(members, partner.getFirst()));
          } else if (fillOne != null) {
            results.addAll(group(members, new Element(group, fillOne)));
          }
        });
    oneByGroup.forEach(
        (group, partner) -> {
          if (fillMany != null && !manyByGroup.containsKey(group)) {
            results.addAll(group(List.of(new Element(group, fillMany)), partner.getFirst()));
          }
        });
    return results;
  }

  private static boolean nothingCanMatch(List<Element> many, List<Element> one, boolean filled) {
    return filled ? many.isEmpty() && one.isEmpty() : many.isEmpty() || one.isEmpty();
  }

  /** All members of one match group with their one partner. */
  private List<Element> group(List<Element> members, Element partner) {
    if (matching.cardinality() == Cardinality.ONE_TO_ONE && members.size() > 1) {
      throw new EvaluationError("multiple matches for labels: many-to-one matching");
    }
    List<Element> results = new ArrayList<>();
    Set<Labels> seen = new HashSet<>();
    for (Element member : members) {
      Labels labels = resultLabels(member.labels(), partner.labels());
      if (!seen.add(dropsNameAtOnce() ? Names.withoutName(labels) : labels)) {
        throw new EvaluationError("multiple matches for labels: grouping labels");
      }
      result(member, partner, labels, results);
    }
    return results;
  }

  private boolean dropsNameAtOnce() {
    return operation.returnBool() && !names.areDelayed();
  }

  private void result(Element member, Element partner, Labels labels, List<Element> results) {
    boolean swapped = matching.cardinality() == Cardinality.ONE_TO_MANY;
    double x = swapped ? partner.value() : member.value();
    double y = swapped ? member.value() : partner.value();
    BinaryOp op = operation.op();
    if (!op.isComparison()) {
      results.add(new Element(labels, Operators.arithmetic(op, x, y, noise)));
    } else if (operation.returnBool()) {
      results.add(names.drop(new Element(labels, Operators.holds(op, x, y) ? 1 : 0)));
    } else if (Operators.holds(op, x, y)) {
      results.add(new Element(labels, x, member.dropsName()));
    }
  }

  private Labels resultLabels(Labels many, Labels one) {
    Labels labels = operation.op().isComparison() ? many : Names.withoutName(many);
    if (matching.cardinality() == Cardinality.ONE_TO_ONE) {
      labels = matching.on() ? labels.only(matching.labels()) : labels.without(matching.labels());
    }
    for (String name : matching.include()) {
      labels = labels.with(name, one.get(name));
    }
    return labels;
  }
}
