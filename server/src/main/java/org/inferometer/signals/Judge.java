package org.inferometer.signals;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.inferometer.query.QueryException;
import org.jspecify.annotations.Nullable;

/** Tells how services fare, from their signals and the goals set for them. Thread-safe. */
final class Judge {
  private final Catalogue catalogue;
  private final Resolver resolver;
  private final SignalQueries queries;
  private final Goals goals;

  Judge(Catalogue catalogue, Resolver resolver, SignalQueries queries, Goals goals) {
    this.catalogue = catalogue;
    this.resolver = resolver;
    this.queries = queries;
    this.goals = goals;
  }

  /** A state and what it follows from, in words. */
  record Verdict(State state, String sentence) {}

  /** One thing that was found wrong. */
  private record Finding(State state, String text) {}

  /** The values of a service, or of one replica, by signal name. */
  private record Readings(Map<String, SignalResult> results, Map<String, SignalResult> idle) {
    @Nullable SignalResult find(String signal) {
      return results.get(signal);
    }

    /** Those of one target, of readings split by target. */
    Readings of(Target target) {
      Map<String, SignalResult> own = new LinkedHashMap<>();
      results.forEach((name, result) -> own.put(name, result.of(target)));
      Map<String, SignalResult> ownIdle = new LinkedHashMap<>();
      idle.forEach((name, result) -> ownIdle.put(name, result.of(target)));
      return new Readings(own, ownIdle);
    }

    /** The only or first value of a signal, NaN if there is none. */
    static double first(@Nullable SignalResult result) {
      return result == null || result.series().isEmpty()
          ? Double.NaN
          : result.series().getFirst().values()[0];
    }
  }

  /** The judged views of services, all asked about at once. */
  List<Service> judge(Collection<Binding> bindings, long nowMs) throws QueryException {
    List<SignalQueries.Question> questions = new ArrayList<>();
    for (Binding binding : bindings) {
      questions.addAll(questions(binding, Target.LABELS));
      if (isSeveral(binding)) {
        questions.addAll(questions(binding, List.of()));
      }
    }
    Iterator<SignalResult> results =
        queries.ask(questions, SignalBatch.at(nowMs, List.of())).iterator();
    List<Service> services = new ArrayList<>();
    for (Binding binding : bindings) {
      Readings byTarget = readings(binding, results);
      Readings whole = isSeveral(binding) ? readings(binding, results) : byTarget;
      services.add(
          judge(binding, Relations.of(binding, bindings), new Look(byTarget, whole, nowMs)));
    }
    return services;
  }

  private static boolean isSeveral(Binding binding) {
    return binding.members().size() > 1;
  }

  /** What was read of a service, split by target and as a whole. */
  private record Look(Readings byTarget, Readings whole, long nowMs) {}

  private Service judge(Binding binding, List<Service.Related> related, Look look) {
    List<Service.Replica> replicas = replicas(binding, look.byTarget(), look.nowMs());
    Verdict verdict = verdict(binding, replicas, look);
    List<String> signals = new ArrayList<>();
    List<Service.AbsentSignal> absent = new ArrayList<>();
    if (binding.dialect() != null && binding.dialect().isMapped()) {
      for (Signal signal : catalogue.vocabulary().of(binding.kind())) {
        switch (resolver.resolve(binding, signal)) {
          case Resolution.Found ignored -> signals.add(signal.name());
          case Resolution.Bounded ignored -> signals.add(signal.name());
          case Resolution.Absent no ->
              absent.add(new Service.AbsentSignal(signal.name(), no.why(), no.reason(), no.fix()));
        }
      }
    }
    return new Service(
        binding.id(),
        binding.kind(),
        binding.name(),
        engine(binding.dialect()),
        binding.version(),
        binding.model(),
        verdict.state(),
        verdict.sentence(),
        replicas,
        signals,
        absent,
        related);
  }

  private static Service.Engine engine(@Nullable Dialect dialect) {
    return dialect == null
        ? new Service.Engine("other", "Not recognised")
        : new Service.Engine(dialect.id(), dialect.title());
  }

  /** The replicas, by the service's signals split by target. */
  private List<Service.Replica> replicas(Binding binding, Readings readings, long nowMs) {
    List<Service.Replica> replicas = new ArrayList<>();
    for (Binding.Member member : binding.members()) {
      Target target = member.target();
      Verdict down = down(member, nowMs);
      Verdict verdict = down == null ? values(binding, readings.of(target), false, nowMs) : down;
      replicas.add(
          new Service.Replica(
              target.instance(),
              target.job(),
              member.scraped().labels(),
              verdict.state(),
              verdict.sentence()));
    }
    return replicas;
  }

  private static @Nullable Verdict down(Binding.Member member, long nowMs) {
    TargetHealth health = member.scraped().health();
    String since = Phrases.duration(nowMs - health.sinceMs());
    return switch (health.status()) {
      case UP -> null;
      case DOWN ->
          new Verdict(
              State.DOWN,
              "Scraping fails " + (health.sinceIsExact() ? "for " : "for at least ") + since + ".");
      case SILENT -> new Verdict(State.UNKNOWN, "Not scraped for " + since + ".");
    };
  }

  private Verdict verdict(Binding binding, List<Service.Replica> replicas, Look look) {
    if (replicas.size() == 1) {
      Service.Replica only = replicas.getFirst();
      return new Verdict(only.state(), only.sentence());
    }
    long down = replicas.stream().filter(r -> r.state() == State.DOWN).count();
    if (down == replicas.size()) {
      return new Verdict(State.DOWN, "All " + down + " replicas fail to be scraped.");
    }
    Verdict whole = values(binding, look.whole(), true, look.nowMs());
    if (down == 0) {
      return worst(whole, replicas);
    }
    String sentence =
        down + " of " + replicas.size() + " replicas fail to be scraped. " + whole.sentence();
    State state =
        whole.state().severity() > State.DEGRADED.severity() ? whole.state() : State.DEGRADED;
    return new Verdict(state, sentence);
  }

  /** A service whose sums look well may have one bad replica. */
  private static Verdict worst(Verdict whole, List<Service.Replica> replicas) {
    Service.Replica worst =
        replicas.stream().max(Comparator.comparingInt(r -> r.state().severity())).orElseThrow();
    return worst.state().severity() > whole.state().severity()
        ? new Verdict(worst.state(), worst.instance() + ": " + worst.sentence())
        : whole;
  }

  /**
   * Judges by values alone, as if everything were scraped.
   *
   * @param summed whether the values are those of several replicas together
   */
  private Verdict values(Binding binding, Readings readings, boolean summed, long nowMs) {
    Dialect dialect = binding.dialect();
    if (dialect == null) {
      return new Verdict(State.UNKNOWN, Phrases.sentence(binding.because()) + ".");
    }
    if (!dialect.isMapped()) {
      return new Verdict(
          State.UNKNOWN, dialect.title() + " feeds no signals; its metrics can be queried.");
    }
    Map<String, Double> limits = goals.of(binding.id(), binding.model());
    List<Finding> findings = new ArrayList<>(ruleFindings(binding, readings, summed));
    findings.addAll(goalFindings(limits, readings));
    addIfPresent(findings, stuck(binding, readings, nowMs));
    if (findings.isEmpty()) {
      return calm(binding, readings, nowMs);
    }
    findings.sort(Comparator.comparingInt((Finding f) -> f.state().severity()).reversed());
    Set<String> texts = new LinkedHashSet<>();
    findings.forEach(finding -> texts.add(finding.text()));
    return new Verdict(
        findings.getFirst().state(), Phrases.sentence(String.join("; ", texts)) + ".");
  }

  private static void addIfPresent(List<Finding> findings, @Nullable Finding finding) {
    if (finding != null) {
      findings.add(finding);
    }
  }

  private List<SignalQueries.Question> questions(Binding binding, List<String> by) {
    List<SignalQueries.Question> questions = new ArrayList<>();
    for (Signal signal : judged(binding)) {
      questions.add(new SignalQueries.Question(binding, signal, by, null, null));
    }
    long window = catalogue.judgement().idleWindowMs();
    for (Signal signal : idle(binding)) {
      questions.add(new SignalQueries.Question(binding, signal, by, window, null));
    }
    return questions;
  }

  /** The signals by which an engine is seen to idle. */
  private List<Signal> idle(Binding binding) {
    return binding.kind() == ServiceKind.ENGINE
        ? known(List.of(REQUESTS, PROMPT_TOKENS, OUTPUT_TOKENS))
        : List.of();
  }

  /** The next results, in the order of the questions. */
  private Readings readings(Binding binding, Iterator<SignalResult> results) {
    return new Readings(
        byName(judged(binding).size(), results), byName(idle(binding).size(), results));
  }

  /** The signals that rules, summaries and goals look at. */
  private Set<Signal> judged(Binding binding) {
    Set<Signal> signals = new LinkedHashSet<>();
    catalogue.judgement().rulesOf(binding.kind()).forEach(rule -> signals.add(rule.signal()));
    signals.addAll(catalogue.judgement().summaries().getOrDefault(binding.kind(), List.of()));
    signals.addAll(known(goals.of(binding.id(), binding.model()).keySet()));
    return signals;
  }

  private List<Signal> known(Collection<String> names) {
    List<Signal> signals = new ArrayList<>();
    for (String name : names) {
      Signal signal = catalogue.vocabulary().find(name);
      if (signal != null) {
        signals.add(signal);
      }
    }
    return signals;
  }

  /** How much of the idle window must have been watched before an engine may be called stuck. */
  private static final double WATCHED_SHARE = 0.9;

  private static final String REQUESTS = "request_rate";
  private static final String PROMPT_TOKENS = "prompt_token_rate";
  private static final String OUTPUT_TOKENS = "output_token_rate";
  private static final String RUNNING = "running";
  private static final String WAITING = "waiting";

  private static Map<String, SignalResult> byName(int count, Iterator<SignalResult> results) {
    Map<String, SignalResult> byName = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      SignalResult result = results.next();
      byName.put(result.signal(), result);
    }
    return byName;
  }

  private List<Finding> ruleFindings(Binding binding, Readings readings, boolean summed) {
    Map<String, Finding> worst = new LinkedHashMap<>();
    for (Rule rule : catalogue.judgement().rulesOf(binding.kind())) {
      SignalResult result =
          summed && rule.perReplica() ? null : readings.find(rule.signal().name());
      Finding finding = result == null ? null : finding(rule, result);
      if (finding != null) {
        worst.merge(
            rule.signal().name(),
            finding,
            (a, b) -> b.state().severity() > a.state().severity() ? b : a);
      }
    }
    return List.copyOf(worst.values());
  }

  /** What a rule says about the first series for which it holds, and how many more there are. */
  private static @Nullable Finding finding(Rule rule, SignalResult result) {
    List<SignalSeries> hits =
        result.series().stream().filter(series -> rule.holds(series.values()[0])).toList();
    if (hits.isEmpty()) {
      return null;
    }
    SignalSeries first = hits.getFirst();
    String text =
        rule.say()
            .replace("{value}", Phrases.value(result.unit(), first.values()[0]))
            .replace("{which}", Phrases.which(first.labels()));
    return new Finding(
        rule.state(), hits.size() == 1 ? text : text + " (" + (hits.size() - 1) + " more like it)");
  }

  private List<Finding> goalFindings(Map<String, Double> limits, Readings readings) {
    List<Finding> findings = new ArrayList<>();
    limits.forEach(
        (name, goal) -> {
          Signal signal = catalogue.vocabulary().find(name);
          SignalResult result = readings.find(name);
          if (signal != null && result != null && !result.series().isEmpty()) {
            addIfPresent(findings, goalFinding(signal, goal, result.series().getFirst()));
          }
        });
    return findings;
  }

  private @Nullable Finding goalFinding(Signal signal, double goal, SignalSeries series) {
    double value = series.values()[0];
    Judgement judgement = catalogue.judgement();
    boolean mayBeLess = series.side(0) == SignalSeries.Side.BELOW;
    if (mayBeLess || !(value > goal * judgement.goalDegradedFactor())) {
      return null;
    }
    State state = value > goal * judgement.goalCriticalFactor() ? State.CRITICAL : State.DEGRADED;
    String text =
        Phrases.inSentence(signal.title())
            + " "
            + Phrases.readingWithEdges(signal.unit(), series, 0)
            + ", its goal is "
            + Phrases.value(signal.unit(), goal);
    return new Finding(state, text);
  }

  /** Requests inside of the engine and nothing coming out. */
  private @Nullable Finding stuck(Binding binding, Readings readings, long nowMs) {
    double inside = sum(readings, RUNNING, WAITING);
    double tokens = idleSum(readings, PROMPT_TOKENS, OUTPUT_TOKENS);
    // A long prompt alone can keep an engine silent for a while: most of the window must be seen.
    boolean watched =
        watchedMs(binding, nowMs) >= catalogue.judgement().idleWindowMs() * WATCHED_SHARE;
    if (binding.kind() != ServiceKind.ENGINE || !watched || !(inside > 0) || tokens != 0) {
      return null;
    }
    return new Finding(
        State.DEGRADED,
        Phrases.value("requests", inside)
            + " in the engine, yet no token for "
            + Phrases.duration(catalogue.judgement().idleWindowMs())
            + ": it may hang");
  }

  private static double sum(Readings readings, String... names) {
    double sum = 0;
    for (String name : names) {
      sum += Readings.first(readings.find(name));
    }
    return sum;
  }

  private static double idleSum(Readings readings, String... names) {
    double sum = 0;
    for (String name : names) {
      sum += Readings.first(readings.idle().get(name));
    }
    return sum;
  }

  /** The sum of those that have a value, NaN if none has. */
  private static double known(Map<String, SignalResult> results, String... names) {
    double sum = Double.NaN;
    for (String name : names) {
      double value = Readings.first(results.get(name));
      sum = Double.isNaN(sum) ? value : sum + (Double.isNaN(value) ? 0 : value);
    }
    return sum;
  }

  private Verdict calm(Binding binding, Readings readings, long nowMs) {
    if (binding.kind() == ServiceKind.ENGINE) {
      // Engines that tell only one of these can still be seen to work or to idle.
      double inside = known(readings.results(), RUNNING, WAITING);
      double rates = known(readings.idle(), REQUESTS, PROMPT_TOKENS, OUTPUT_TOKENS);
      if (rates == 0 && inside == 0) {
        return new Verdict(
            State.IDLE, "Idle: no requests in the last " + seen(binding, nowMs) + ".");
      }
      if (Double.isNaN(rates) && Double.isNaN(inside)) {
        return new Verdict(State.UNKNOWN, "Too little is known to tell how it fares.");
      }
    }
    String summary = summary(binding, readings);
    return summary.isEmpty()
        ? new Verdict(State.UNKNOWN, "Too little is known to tell how it fares.")
        : new Verdict(State.OK, Phrases.sentence(summary) + ".");
  }

  /** The stretch over which nothing was asked, as far as it was watched. */
  private String seen(Binding binding, long nowMs) {
    return Phrases.duration(
        Math.min(catalogue.judgement().idleWindowMs(), watchedMs(binding, nowMs)));
  }

  private static long watchedMs(Binding binding, long nowMs) {
    long first = nowMs;
    for (Binding.Member member : binding.members()) {
      first = Math.min(first, member.scraped().health().firstMs());
    }
    return nowMs - first;
  }

  private String summary(Binding binding, Readings readings) {
    List<String> parts = new ArrayList<>();
    for (Signal signal :
        catalogue.judgement().summaries().getOrDefault(binding.kind(), List.of())) {
      SignalResult result = readings.find(signal.name());
      if (result != null && !Double.isNaN(Readings.first(result))) {
        parts.add(part(signal, result));
      }
    }
    return String.join(", ", parts);
  }

  private static String part(Signal signal, SignalResult result) {
    String name = Phrases.inSentence(signal.title());
    if (signal.unit().startsWith("requests")) {
      String value = Phrases.number(Readings.first(result));
      String noun = value.equals("1") ? name.replaceFirst("s$", "") : name;
      return value + " " + noun + signal.unit().substring("requests".length());
    }
    if (result.series().size() == 1) {
      return name + " " + Phrases.readingWithEdges(signal.unit(), result.series().getFirst(), 0);
    }
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (SignalSeries series : result.series()) {
      double value = series.values()[0];
      low = Double.isNaN(value) ? low : Math.min(low, value);
      high = Double.isNaN(value) ? high : Math.max(high, value);
    }
    String from = Phrases.value(signal.unit(), low);
    String to = Phrases.value(signal.unit(), high);
    return name + " " + (from.equals(to) ? from : from + " to " + to);
  }
}
