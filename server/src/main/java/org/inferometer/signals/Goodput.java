package org.inferometer.signals;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.inferometer.model.FloatFormat;
import org.jspecify.annotations.Nullable;

/** Finds how much of a service's work met the goals that were set for it. Thread-safe. */
final class Goodput {
  static final String SHARE = "goodput_share";
  static final String RATE = "goodput";
  static final String TOKENS = "goodput_tokens";
  static final List<String> SIGNALS = List.of(SHARE, RATE, TOKENS);

  /** What goals are about that every single request can meet or miss. */
  private static final List<String> BASES = List.of("ttft", "tpot", "e2e");

  private static final String REQUESTS = "request_rate";
  private static final String SUCCESS = "completed_share";
  private static final String OUTPUT = "output_token_rate";

  private static final String BOUNDS =
      "Between two bounds, since histograms don't tell which request was slow at what: at least what"
          + " is left if every goal is missed by others, at most the goal that most miss (Fréchet"
          + " 1935, Hoeffding 1940).";

  private final Vocabulary vocabulary;
  private final Resolver resolver;

  Goodput(Vocabulary vocabulary, Resolver resolver) {
    this.vocabulary = vocabulary;
    this.resolver = resolver;
  }

  Resolution resolve(Binding binding, Signal signal) {
    return signal.name().equals(TOKENS) ? tokens(binding) : bounds(binding, signal);
  }

  /** Goals help only where something tells whether they are met. */
  private Resolution.Absent noGoals(Binding binding) {
    boolean measured =
        vocabulary.signals().stream()
            .filter(signal -> BASES.contains(signal.base()))
            .anyMatch(signal -> buckets(binding, signal) != null);
    return measured
        ? new Resolution.Absent(
            Absence.FACT,
            "No goals are set for its latencies.",
            "Set goals under inferometer.slos.")
        : Resolution.Absent.of(Absence.ENGINE, NO_HISTOGRAM);
  }

  private static final String NO_HISTOGRAM = "There is no histogram of what goals would be about.";

  private Resolution bounds(Binding binding, Signal signal) {
    List<Resolution.Goal> goals = goals(binding);
    if (goals.isEmpty()) {
      return noGoals(binding);
    }
    Resolution.Found rate = null;
    if (signal.name().equals(RATE)) {
      switch (resolve(binding, REQUESTS)) {
        case Resolution.Found found -> rate = found;
        case Resolution other -> {
          return other;
        }
      }
    }
    Resolution.Found success =
        resolve(binding, SUCCESS) instanceof Resolution.Found found ? found : null;
    if (goals.stream().allMatch(goal -> goal.buckets() == null)) {
      return Resolution.Absent.of(Absence.ENGINE, NO_HISTOGRAM);
    }
    return bounded(goals, success, rate);
  }

  private static Resolution.Bounded bounded(
      List<Resolution.Goal> goals,
      Resolution.@Nullable Found success,
      Resolution.@Nullable Found rate) {
    Quality quality = Quality.DERIVED;
    List<String> goalWords = new ArrayList<>();
    Set<String> notes = new LinkedHashSet<>();
    for (Resolution.Goal goal : goals) {
      goalWords.add(words(goal));
      if (goal.buckets() != null) {
        quality = Resolver.worse(quality, goal.buckets().quality());
        Resolver.addIfPresent(notes, goal.buckets().reason());
      }
    }
    List<String> sentences = new ArrayList<>(List.of(BOUNDS));
    sentences.add("Goals: " + String.join(", ", goalWords) + ".");
    sentences.add(
        success == null
            ? "Requests that failed are not left out, since the engine doesn't tell their share."
            : "Only requests that ended with a full answer count.");
    sentences.addAll(notes);
    return new Resolution.Bounded(goals, success, rate, quality, String.join(" ", sentences));
  }

  /** "time to first token up to 2 s (of requests that got a first token)". */
  private static String words(Resolution.Goal goal) {
    Resolution.Found buckets = goal.buckets();
    String title = goal.signal().title().replaceFirst(", P[0-9]+$", "");
    String of =
        buckets == null
            ? " (not measured)"
            : buckets.counts() == null ? "" : " (of " + buckets.counts().words() + ")";
    return Phrases.inSentence(title)
        + " up to "
        + Phrases.value(goal.signal().unit(), goal.limit())
        + of;
  }

  /** The goals that single requests can meet; of several for one base that of most requests. */
  private List<Resolution.Goal> goals(Binding binding) {
    List<Resolution.Goal> goals = new ArrayList<>();
    for (String base : BASES) {
      Signal chosen = null;
      for (Signal signal : vocabulary.signals()) {
        if (signal.base().equals(base)
            && signal.quantile() != null
            && binding.known().goals().containsKey(signal.name())) {
          chosen = signal; // quantiles come in ascending order
        }
      }
      Double limit = chosen == null ? null : binding.known().goals().get(chosen.name());
      if (chosen != null && limit != null) {
        goals.add(new Resolution.Goal(chosen, limit, buckets(binding, chosen)));
      }
    }
    return goals;
  }

  private Resolution.@Nullable Found buckets(Binding binding, Signal signal) {
    return resolver.resolve(binding, signal) instanceof Resolution.Found found && found.buckets()
        ? found
        : null;
  }

  private Resolution resolve(Binding binding, String name) {
    Signal signal = vocabulary.find(name);
    return signal == null
        ? Resolution.Absent.of(Absence.ENGINE, "There is no signal " + name + ".")
        : resolver.resolve(binding, signal);
  }

  /** The output tokens where every goal holds, as one query. */
  private Resolution tokens(Binding binding) {
    Map<String, Double> limits = binding.known().goals();
    List<Resolution.Goal> goals = new ArrayList<>();
    for (Signal signal : vocabulary.signals()) {
      Double limit = limits.get(signal.name());
      if (limit != null && signal.quantile() != null) {
        Resolution.Found buckets = buckets(binding, signal);
        if (buckets == null) {
          return Resolution.Absent.of(
              Absence.ENGINE,
              "Its goal for " + Phrases.inSentence(signal.title()) + " can't be checked.");
        }
        goals.add(new Resolution.Goal(signal, limit, buckets));
      }
    }
    if (goals.isEmpty()) {
      return noGoals(binding);
    }
    return switch (resolve(binding, OUTPUT)) {
      case Resolution.Found output -> tokens(output, goals);
      case Resolution other -> other;
    };
  }

  private static Resolution.Found tokens(Resolution.Found output, List<Resolution.Goal> goals) {
    Quality quality = Resolver.worse(Quality.DERIVED, output.quality());
    Set<String> reasons = new LinkedHashSet<>();
    Resolver.addIfPresent(reasons, output.reason());
    for (Resolution.Goal goal : goals) {
      if (goal.buckets() != null) {
        quality = Resolver.worse(quality, goal.buckets().quality());
        Resolver.addIfPresent(reasons, goal.buckets().reason());
      }
    }
    return new Resolution.Found(
        values -> tokens(output, goals, values),
        false,
        quality,
        output.counts(),
        reasons.isEmpty() ? null : String.join(" ", reasons),
        "A goal is missed, or no request ended, at all of this time.");
  }

  private static String tokens(
      Resolution.Found output, List<Resolution.Goal> goals, Template.Values values) {
    StringBuilder query = new StringBuilder("(" + output.promql().of(values) + ")");
    for (Resolution.Goal goal : goals) {
      if (goal.buckets() != null) {
        query
            .append(" and (")
            .append(goal.buckets().promql(goal.signal(), values))
            .append(" <= ")
            .append(FloatFormat.plain(goal.limit()))
            .append(')');
      }
    }
    return query.toString();
  }
}
