package org.inferometer.signals;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.inferometer.promql.BinaryOp;
import org.inferometer.promql.Expr;
import org.inferometer.promql.ParseException;
import org.inferometer.yaml.Place;
import org.inferometer.yaml.Problems;
import org.jspecify.annotations.Nullable;

/** Checks the PromQL of signal files against the families that are known. */
final class QueryCheck {
  private final Families families;
  private final Problems problems;

  QueryCheck(Families families, Problems problems) {
    this.families = families;
    this.problems = problems;
  }

  /** The query as a tree; null if it isn't one, which is told. */
  @Nullable Expr parse(Template template, Place place) {
    if (template.text().isEmpty()) {
      return null;
    }
    try {
      return template.sample();
    } catch (IllegalArgumentException e) {
      problems.add(place, e.getMessage() + ", in " + template.text());
    } catch (ParseException e) {
      problems.add(place, "not PromQL: " + e.getMessage() + ", in " + template.text());
    }
    return null;
  }

  /**
   * The metrics that a target has to expose, each once, sorted; complains about those that no
   * family has. Scrapes leave the others themselves.
   */
  List<String> metrics(Expr query, Place place) {
    Set<String> names = new TreeSet<>();
    for (Expr.VectorSelector selector : query.selectors()) {
      if (TargetFacts.isExposed(selector.metricName())) {
        names.add(selector.metricName());
      }
    }
    names.forEach(name -> exists(name, place));
    return List.copyOf(names);
  }

  /** Complains if no family has a metric. */
  void exists(String metric, Place place) {
    if (families.find(metric).isEmpty()) {
      problems.add(
          place,
          "no family of the families files has the metric \""
              + metric
              + "\""
              + NearestName.hint(metric, families.sampleNames()));
    }
  }

  /** What all metrics of a query count; null if they differ or one of them isn't known. */
  @Nullable Population population(Expr query, String dialect) {
    Set<Population> all = EnumSet.noneOf(Population.class);
    for (Expr.VectorSelector selector : query.selectors()) {
      Population counts = families.counts(selector.metricName(), dialect);
      if (counts == null) {
        return null;
      }
      all.add(counts);
    }
    return all.size() == 1 ? all.iterator().next() : null;
  }

  /** The first division of unlike populations in a query, in words, null if there is none. */
  @Nullable String mixture(Expr query, String dialect) {
    for (Expr.Binary division : divisions(query)) {
      Set<Population> above = populations(division.left(), dialect);
      Set<Population> below = populations(division.right(), dialect);
      boolean known = !above.isEmpty() && !below.isEmpty();
      if (known && !above.equals(below) && !isShare(division.left(), above, below, dialect)) {
        return "divides " + words(above) + " by " + words(below);
      }
    }
    return null;
  }

  /** Whether requests that ended in some way are divided by those that ended in any. */
  private boolean isShare(Expr side, Set<Population> above, Set<Population> below, String dialect) {
    boolean all = below.contains(Population.FINISHED) || below.containsAll(ENDS);
    return all
        && ENDED.containsAll(above)
        && ENDED.containsAll(below)
        && side.selectors().stream()
            .allMatch(selector -> families.isRequests(selector.metricName(), dialect));
  }

  private static final Set<Population> ENDS = Set.of(Population.SUCCEEDED, Population.FAILED);
  private static final Set<Population> ENDED =
      Set.of(Population.SUCCEEDED, Population.FAILED, Population.FINISHED);

  static List<Expr.Binary> divisions(Expr query) {
    List<Expr.Binary> divisions = new ArrayList<>();
    if (query instanceof Expr.Binary binary && binary.op() == BinaryOp.DIVIDE) {
      divisions.add(binary);
    }
    query.children().forEach(child -> divisions.addAll(divisions(child)));
    return divisions;
  }

  private Set<Population> populations(Expr side, String dialect) {
    Set<Population> all = EnumSet.noneOf(Population.class);
    for (Expr.VectorSelector selector : side.selectors()) {
      Population counts = families.counts(selector.metricName(), dialect);
      if (counts != null) {
        all.add(counts);
      }
    }
    return all;
  }

  static String words(Set<Population> populations) {
    return String.join(" and ", populations.stream().map(Population::words).toList());
  }
}
