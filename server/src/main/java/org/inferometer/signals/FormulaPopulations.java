package org.inferometer.signals;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.inferometer.promql.Expr;
import org.inferometer.promql.ParseException;
import org.jspecify.annotations.Nullable;

/** Tells whether the quotients in a formula are sound, by what its signals count. Thread-safe. */
final class FormulaPopulations {
  private final Vocabulary vocabulary;
  private final Map<String, List<Quotient>> known = new ConcurrentHashMap<>();

  FormulaPopulations(Vocabulary vocabulary) {
    this.vocabulary = vocabulary;
  }

  /** The signals on the two sides of a division. */
  record Quotient(Set<Signal> above, Set<Signal> below) {}

  /** The divisions of signals by signals in the formula of a signal; none if it has none. */
  List<Quotient> quotients(Signal signal) {
    return known.computeIfAbsent(signal.name(), name -> find(signal));
  }

  private List<Quotient> find(Signal signal) {
    List<Quotient> quotients = new ArrayList<>();
    if (signal.formula() != null) {
      for (Expr.Binary division : QueryCheck.divisions(sample(signal.formula()))) {
        Quotient quotient = new Quotient(signals(division.left()), signals(division.right()));
        if (!quotient.above().isEmpty() && !quotient.below().isEmpty()) {
          quotients.add(quotient);
        }
      }
    }
    return quotients;
  }

  private static Expr sample(Template formula) {
    try {
      return formula.sample();
    } catch (ParseException e) {
      throw new IllegalStateException("was parsed when it was loaded: " + formula.text(), e);
    }
  }

  private Set<Signal> signals(Expr side) {
    Set<Signal> signals = new LinkedHashSet<>();
    for (Expr.VectorSelector selector : side.selectors()) {
      Signal signal = vocabulary.find(selector.metricName());
      if (signal != null) {
        signals.add(signal);
      }
    }
    return signals;
  }

  /**
   * What is wrong with the quotients in a formula, a sentence, null if nothing is or it is said why
   * they are sound.
   *
   * @param counts what a signal counts, null if that isn't known
   */
  @Nullable String unsound(Signal signal, Function<Signal, @Nullable Population> counts) {
    if (signal.mixes() == null) {
      for (Quotient quotient : quotients(signal)) {
        Set<Population> above = populations(quotient.above(), counts);
        Set<Population> below = populations(quotient.below(), counts);
        if (!above.isEmpty() && !below.isEmpty() && !above.equals(below)) {
          return "Not a sound quotient: "
              + words(quotient.above(), above)
              + ", "
              + words(quotient.below(), below)
              + ".";
        }
      }
    }
    return null;
  }

  private static Set<Population> populations(
      Collection<Signal> signals, Function<Signal, @Nullable Population> counts) {
    Set<Population> all = EnumSet.noneOf(Population.class);
    for (Signal signal : signals) {
      Population population = counts.apply(signal);
      if (population != null) {
        all.add(population);
      }
    }
    return all;
  }

  private static String words(Set<Signal> signals, Set<Population> populations) {
    List<String> titles = signals.stream().map(s -> Phrases.inSentence(s.title())).toList();
    return String.join(" and ", titles)
        + (signals.size() == 1 ? " counts " : " count ")
        + QueryCheck.words(populations);
  }

  /**
   * What is wrong with the quotients in a formula in every dialect that maps all of it; null if it
   * is sound in one, or if that isn't known of any.
   */
  @Nullable String unsoundEverywhere(Signal signal, List<Dialect> dialects) {
    String found = null;
    for (Dialect dialect : dialects) {
      if (vocabulary.parts(signal).stream().allMatch(part -> maps(dialect, part))) {
        String unsound = unsound(signal, dialect);
        if (unsound == null) {
          return null;
        }
        found = dialect.id() + ": " + unsound;
      }
    }
    return found;
  }

  private static boolean maps(Dialect dialect, Signal signal) {
    Mapping mapping = dialect.mappings().get(signal.base());
    return mapping != null && !mapping.alternatives().isEmpty();
  }

  /** Null if some choice of alternatives makes the quotients sound, or may do so. */
  private @Nullable String unsound(Signal signal, Dialect dialect) {
    for (Quotient quotient : quotients(signal)) {
      Set<Population> common = EnumSet.allOf(Population.class);
      List<Signal> signals = new ArrayList<>(quotient.above());
      signals.addAll(quotient.below());
      signals.forEach(one -> common.retainAll(options(dialect, one)));
      if (!common.isEmpty()) {
        return null;
      }
    }
    return unsound(signal, one -> options(dialect, one).iterator().next());
  }

  /** What a signal may count in a dialect; anything if one alternative doesn't say. */
  private static Set<Population> options(Dialect dialect, Signal signal) {
    Set<Population> options = EnumSet.noneOf(Population.class);
    Mapping mapping = dialect.mappings().get(signal.base());
    if (mapping != null) {
      for (Alternative alternative : mapping.alternatives()) {
        if (alternative.counts() == null) {
          return EnumSet.allOf(Population.class);
        }
        options.add(alternative.counts());
      }
    }
    return options;
  }
}
