package org.inferometer.signals;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.inferometer.promql.Expr;
import org.inferometer.promql.ParseException;
import org.inferometer.yaml.Place;
import org.inferometer.yaml.Problems;
import org.jspecify.annotations.Nullable;

/** Checks that formulas name signals that there are, and that none leads back to itself. */
final class FormulaCheck {
  private final Vocabulary vocabulary;
  private final Problems problems;

  FormulaCheck(Vocabulary vocabulary, Problems problems) {
    this.vocabulary = vocabulary;
    this.problems = problems;
  }

  /** Complains about what is wrong with the formula of a signal; tells whether all is well. */
  boolean check(Signal signal, Place place) {
    int before = problems.count();
    if (signal.formula() != null) {
      check(signal, signal.formula(), place, before);
    }
    return problems.count() == before;
  }

  private void check(Signal signal, Template formula, Place place, int before) {
    try {
      Expr expr = formula.sample();
      checkRanges(expr, place);
      expr.selectors().forEach(selector -> check(selector, place));
      if (problems.count() == before) {
        checkDepth(signal, place);
      }
    } catch (IllegalArgumentException e) {
      problems.add(place, e.getMessage() + ", in " + formula.text());
    } catch (ParseException e) {
      problems.add(place, "not PromQL: " + e.getMessage() + ", in " + formula.text());
    }
  }

  /** What a signal is over time isn't known to a query at one time. */
  private void checkRanges(Expr expr, Place place) {
    if (expr instanceof Expr.MatrixSelector) {
      problems.add(place, "expected signals without a range in a formula");
    }
    expr.children().forEach(child -> checkRanges(child, place));
  }

  private void check(Expr.VectorSelector selector, Place place) {
    String name = selector.metricName();
    if (name.equals(TargetScan.UP)) {
      return;
    }
    if (vocabulary.find(name) == null) {
      problems.add(place, "unknown signal \"" + name + "\" in a formula" + didYouMean(name));
    }
    String unexpected = Formula.unexpected(selector);
    if (unexpected != null) {
      problems.add(place, "expected " + unexpected);
    }
  }

  private String didYouMean(String name) {
    return vocabulary.isQuantile(name)
        ? ", expected one of its quantiles such as "
            + vocabulary.signals().stream()
                .filter(signal -> signal.base().equals(name))
                .map(Signal::name)
                .findFirst()
                .orElseThrow()
        : NearestName.hint(name, vocabulary.signals().stream().map(Signal::name).toList());
  }

  private void checkDepth(Signal signal, Place place) {
    List<String> path = longest(signal, new LinkedHashSet<>());
    if (path == null) {
      return;
    }
    boolean cycle = path.indexOf(path.getLast()) < path.size() - 1;
    problems.add(
        place,
        cycle
            ? "the formula leads back to itself: " + String.join(" -> ", path)
            : "formulas nest deeper than " + Formula.DEPTH_MAX + ": " + String.join(" -> ", path));
  }

  /** A path of names that ends where it was before or is too long, null if there is none. */
  private @Nullable List<String> longest(Signal signal, Set<String> open) {
    if (open.contains(signal.name()) || open.size() > Formula.DEPTH_MAX) {
      List<String> path = new ArrayList<>(open);
      path.add(signal.name());
      return path;
    }
    open.add(signal.name());
    for (Signal part : vocabulary.parts(signal)) {
      List<String> path = longest(part, open);
      if (path != null) {
        return path;
      }
    }
    open.remove(signal.name());
    return null;
  }
}
