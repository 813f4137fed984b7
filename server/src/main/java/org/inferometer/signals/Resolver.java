package org.inferometer.signals;

import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds how signals are asked of services: as the dialect maps them, or by a formula over signals
 * that it maps. Thread-safe.
 */
final class Resolver {
  private final Vocabulary vocabulary;
  private final FormulaPopulations populations;
  private final Goodput goodput;

  Resolver(Vocabulary vocabulary) {
    this.vocabulary = vocabulary;
    this.populations = new FormulaPopulations(vocabulary);
    this.goodput = new Goodput(vocabulary, this);
  }

  Resolution resolve(Binding binding, Signal signal) {
    Dialect dialect = binding.dialect();
    if (dialect == null) {
      return Resolution.Absent.of(Absence.ENGINE, binding.because());
    }
    if (!binding.kind().layers().contains(signal.layer())) {
      return Resolution.Absent.of(Absence.ENGINE, "not a signal of " + dialect.title());
    }
    if (!dialect.isMapped()) {
      return Resolution.Absent.of(Absence.ENGINE, dialect.title() + " feeds no signals");
    }
    Mapping mapping = dialect.mappings().get(signal.base());
    Resolution mapped = mapping == null ? null : mapped(binding, dialect, mapping);
    if (mapping == null && Goodput.SIGNALS.contains(signal.name())) {
      return goodput.resolve(binding, signal);
    }
    if (signal.formula() == null || mapped instanceof Resolution.Found) {
      return mapped == null
          ? Resolution.Absent.of(Absence.ENGINE, dialect.title() + " has nothing for it")
          : mapped;
    }
    Resolution derived = byFormula(binding, signal, signal.formula());
    return mapping == null || !(mapped instanceof Resolution.Absent absent)
        ? derived
        : either(mapping, absent, derived, signal.formula());
  }

  /**
   * Where a dialect says that it lacks a signal, its word stands, unless the formula takes what a
   * user can tell.
   */
  private static Resolution either(
      Mapping mapping, Resolution.Absent absent, Resolution derived, Template formula) {
    boolean takesFacts = !formula.calls().isEmpty();
    if (derived instanceof Resolution.Found) {
      return mapping.alternatives().isEmpty() && !takesFacts ? absent : derived;
    }
    boolean told = absent.why() == Absence.FACT && absent.fix() != null;
    return derived instanceof Resolution.Absent no
            && no.why() == Absence.FACT
            && no.fix() != null
            && !told
        ? new Resolution.Absent(
            Absence.FACT,
            absent.reason() + " " + no.reason(),
            absent.fix() == null
                ? no.fix()
                : absent.fix().replaceFirst("\\.$", "") + ". Or: " + no.fix())
        : absent;
  }

  private static Resolution mapped(Binding binding, Dialect dialect, Mapping mapping) {
    return new MappingResolver(binding, dialect, mapping).resolve();
  }

  private Resolution byFormula(Binding binding, Signal signal, Template formula) {
    Map<String, Resolution.Found> parts = new LinkedHashMap<>();
    for (Signal part : vocabulary.parts(signal)) {
      switch (resolve(binding, part)) {
        case Resolution.Found found -> parts.put(part.name(), found);
        case Resolution.Absent absent -> {
          return absent(part, absent);
        }
        case Resolution.Bounded ignored -> {
          return Resolution.Absent.of(
              Absence.ENGINE, "Of " + Phrases.inSentence(part.title()) + " only bounds are known.");
        }
      }
    }
    String unsound = populations.unsound(signal, part -> counts(parts, part));
    if (unsound != null) {
      return Resolution.Absent.of(Absence.ENGINE, unsound);
    }
    // Told last: it helps to tell a number only if nothing else is missing.
    TemplateCall.Missing missing = formula.missing(binding.known());
    return missing == null
        ? found(binding, signal, formula, parts)
        : new Resolution.Absent(missing.why(), missing.reason(), missing.fix());
  }

  private static @Nullable Population counts(Map<String, Resolution.Found> parts, Signal part) {
    Resolution.Found found = parts.get(part.name());
    return found == null ? null : found.counts();
  }

  /** A part that has a formula itself names what is missing there. */
  private static Resolution absent(Signal part, Resolution.Absent absent) {
    return part.formula() != null
        ? absent
        : new Resolution.Absent(
            absent.why(),
            "It takes " + Phrases.inSentence(part.title()) + ": " + absent.reason(),
            absent.fix());
  }

  private Resolution found(
      Binding binding, Signal signal, Template formula, Map<String, Resolution.Found> parts) {
    Quality quality = signal.mixes() == null ? Quality.DERIVED : Quality.ESTIMATED;
    Set<String> reasons = new LinkedHashSet<>();
    addIfPresent(reasons, signal.mixes());
    List<String> assumptions = formula.assumptions(binding.known());
    reasons.addAll(assumptions);
    String blank = null;
    for (Resolution.Found part : parts.values()) {
      quality = worse(quality, part.quality());
      addIfPresent(reasons, part.reason());
      blank = blank == null ? part.blank() : blank;
    }
    return new Resolution.Found(
        values -> promql(formula, parts, values),
        false,
        assumptions.isEmpty() ? quality : worse(quality, Quality.ESTIMATED),
        common(parts.values()),
        reasons.isEmpty() ? null : String.join(" ", reasons),
        blank);
  }

  static void addIfPresent(Set<String> texts, @Nullable String text) {
    if (text != null) {
      texts.add(text);
    }
  }

  /** What all count, null if they differ or one isn't known. */
  private static @Nullable Population common(Collection<Resolution.Found> parts) {
    Set<Population> all = EnumSet.noneOf(Population.class);
    for (Resolution.Found part : parts) {
      if (part.counts() == null) {
        return null;
      }
      all.add(part.counts());
    }
    return all.size() == 1 ? all.iterator().next() : null;
  }

  static Quality worse(Quality a, Quality b) {
    return a.compareTo(b) >= 0 ? a : b;
  }

  private String promql(
      Template formula, Map<String, Resolution.Found> parts, Template.Values values) {
    return Formula.expand(
        formula.render(values),
        part -> {
          Signal signal = vocabulary.find(part.name());
          Resolution.Found found = parts.get(part.name());
          if (signal == null || found == null) {
            throw new IllegalStateException("not a part of the formula: " + part.name());
          }
          return found.promql(signal, values.with(part.by(values.by())));
        });
  }
}
