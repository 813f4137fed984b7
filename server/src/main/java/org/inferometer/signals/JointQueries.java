package org.inferometer.signals;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.promql.Expr;
import org.inferometer.promql.ParseException;
import org.inferometer.promql.Parser;
import org.inferometer.promql.ValueType;
import org.inferometer.query.QueryException;
import org.jspecify.annotations.Nullable;

/**
 * Asks once what plans ask alike of several services that are one target each, as exporters of GPUs
 * and machines are: split by target, from which each gets what is its own. Thread-safe.
 */
final class JointQueries {
  /** Targets in one query, whose text names each several times. */
  private static final int TARGETS_MAX = 100;

  private static final List<ServiceKind> KINDS = List.of(ServiceKind.GPU, ServiceKind.HOST);

  private final ColumnQueries queries;

  JointQueries(ColumnQueries queries) {
    this.queries = queries;
  }

  /**
   * What is asked alike.
   *
   * @param shape the text without the target
   */
  private record Alike(String shape, List<String> by, long windowMs) {}

  /** A query of one target among those that are asked alike. */
  private record Part(SignalPlan.Values plan, Target target) {}

  /** A query for several parts. */
  private record Joint(String text, List<Part> parts) {}

  /**
   * The outcomes of all queries of plans, by their texts.
   *
   * @throws QueryException if the source can't answer at all, or it was given up
   */
  Map<String, ColumnQueries.Outcome> run(List<SignalPlan> plans, SignalBatch times)
      throws QueryException {
    List<Joint> joints = joints(plans);
    Set<String> single = new LinkedHashSet<>();
    plans.forEach(plan -> single.addAll(plan.queries()));
    joints.forEach(joint -> joint.parts().forEach(part -> single.remove(part.plan().query())));
    Set<String> texts = new LinkedHashSet<>(single);
    joints.forEach(joint -> texts.add(joint.text()));
    Map<String, ColumnQueries.Outcome> outcomes = new HashMap<>(queries.run(texts, times));
    Set<String> again = new LinkedHashSet<>();
    for (Joint joint : joints) {
      ColumnQueries.Outcome outcome = outcomes.remove(joint.text());
      if (outcome instanceof ColumnQueries.Outcome.Columns columns) {
        outcomes.putAll(parts(joint, columns.series()));
      } else {
        // What fails for one may be right for the others.
        joint.parts().forEach(part -> again.add(part.plan().query()));
      }
    }
    outcomes.putAll(queries.run(again, times));
    return outcomes;
  }

  private static Map<String, ColumnQueries.Outcome> parts(
      Joint joint, List<ColumnQueries.Column> columns) {
    Map<Target, List<ColumnQueries.Column>> byTarget = new HashMap<>();
    for (ColumnQueries.Column column : columns) {
      byTarget.computeIfAbsent(Target.of(column.labels()), _ -> new ArrayList<>()).add(column);
    }
    Map<String, ColumnQueries.Outcome> outcomes = new HashMap<>();
    for (Part part : joint.parts()) {
      Set<String> added = added(part.plan());
      List<ColumnQueries.Column> own =
          byTarget.getOrDefault(part.target(), List.of()).stream()
              .map(one -> without(added, one))
              .toList();
      outcomes.put(part.plan().query(), new ColumnQueries.Outcome.Columns(own));
    }
    return outcomes;
  }

  private static ColumnQueries.Column without(Set<String> names, ColumnQueries.Column column) {
    Labels labels = names.isEmpty() ? column.labels() : column.labels().without(names);
    return new ColumnQueries.Column(labels, column.values());
  }

  private static List<Joint> joints(List<SignalPlan> plans) {
    Map<Alike, Map<String, Part>> groups = new LinkedHashMap<>();
    for (SignalPlan plan : plans) {
      if (plan instanceof SignalPlan.Values values && isOneOfMany(values.question().binding())) {
        Target target = values.question().binding().members().getFirst().target();
        Alike alike = new Alike(shape(values), values.values().by(), values.values().windowMs());
        groups
            .computeIfAbsent(alike, _ -> new LinkedHashMap<>())
            .put(values.query(), new Part(values, target));
      }
    }
    List<Joint> joints = new ArrayList<>();
    groups.values().forEach(group -> add(List.copyOf(group.values()), joints));
    return joints;
  }

  private static boolean isOneOfMany(Binding binding) {
    return KINDS.contains(binding.kind()) && binding.members().size() == 1;
  }

  private static String shape(SignalPlan.Values plan) {
    return plan.query().replace(Template.matchers(plan.question().binding().targets()), "");
  }

  private static void add(List<Part> alike, List<Joint> to) {
    for (int from = 0; from < alike.size(); from += TARGETS_MAX) {
      List<Part> parts = alike.subList(from, Math.min(alike.size(), from + TARGETS_MAX));
      Joint joint = parts.size() > 1 ? joint(parts) : null;
      if (joint != null) {
        to.add(joint);
      }
    }
  }

  /** One query for all, or null if its parts might differ from what they are by themselves. */
  private static @Nullable Joint joint(List<Part> parts) {
    SignalPlan.Values plan = parts.getFirst().plan();
    Binding binding = plan.question().binding();
    if (!isAsAlone(plan, split(plan, binding.targets()))) {
      return null;
    }
    String text = split(plan, Target.matchers(parts.stream().map(Part::target).toList()));
    boolean isOfAll = !text.contains(Template.matchers(binding.targets()));
    return isOfAll ? new Joint(text, parts) : null;
  }

  /** What a plan would ask of some targets, split by them. */
  private static String split(SignalPlan.Values plan, List<Matcher> targets) {
    Set<String> by = new LinkedHashSet<>(plan.values().by());
    by.addAll(Target.LABELS);
    Template.Values values =
        plan.question().binding().values(targets, List.copyOf(by), plan.values().windowMs());
    return plan.found().promql().of(values);
  }

  private static boolean isAsAlone(SignalPlan.Values plan, String split) {
    try {
      Expr apart = Parser.parse(split);
      return apart.type() == ValueType.INSTANT_VECTOR
          && TargetSplit.isApart(apart)
          && TargetSplit.drops(Parser.parse(plan.query()), added(plan));
    } catch (ParseException e) {
      return false;
    }
  }

  /** The labels by which a joint query is split and its parts aren't. */
  private static Set<String> added(SignalPlan.Values plan) {
    Set<String> added = new LinkedHashSet<>(Target.LABELS);
    added.removeAll(plan.values().by());
    return added;
  }
}
