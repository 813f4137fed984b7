package org.inferometer.signals;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.inferometer.model.Labels;
import org.inferometer.model.Names;
import org.inferometer.query.QueryException;
import org.inferometer.query.QueryService;
import org.inferometer.query.QueryService.InstantQuery;
import org.inferometer.query.QueryValue;
import org.inferometer.query.Together;
import org.jspecify.annotations.Nullable;

/**
 * Finds the targets and what each exposes, by queries only. Thread-safe; remembers what a target
 * exposes, so that one that is down is still known for what it was.
 */
final class TargetScan {
  /** The series that every scrape leaves, 1 if it worked. */
  static final String UP = "up";

  /** How far back scrapes are looked at; as far as an instant selector looks. */
  private static final String RECENT = "5m";

  /** How long what a target exposes is believed before it is asked again. */
  private static final long FACTS_FRESH_MS = 10_000;

  /** How long it is believed that what a target isn't now it wasn't before either. */
  private static final long PAST_FRESH_MS = 300_000;

  /** How far back one looks for what a target exposed that exposes nothing now. */
  private static final String LONG_AGO = "1h";

  /** Targets beyond this many are left out; see {@link #targets}. */
  private static final int TARGETS_MAX = 5_000;

  private final QueryService queries;
  private final String identityLabels;
  private final Map<Target, Remembered> remembered = new ConcurrentHashMap<>();
  private final Map<Target, Remembered> past = new ConcurrentHashMap<>();

  private record Remembered(long timeMs, TargetFacts facts) {}

  /** A target with how its scrapes went and the labels that they carry. */
  record Scraped(Target target, Labels labels, TargetHealth health) {}

  TargetScan(QueryService queries, Set<String> identityLabels) {
    this.queries = queries;
    List<String> names = new ArrayList<>(List.of(Labels.NAME));
    names.addAll(identityLabels);
    this.identityLabels =
        String.join(
            ", ",
            names.stream().map(n -> Names.isLegacyLabelName(n) ? n : Names.quote(n)).toList());
  }

  /** The targets scraped lately, sorted, at most {@value #TARGETS_MAX}. */
  List<Scraped> targets(long nowMs) throws QueryException {
    QueryValue value = queries.instant(new InstantQuery(UP + "[" + RECENT + "]", nowMs)).value();
    if (!(value instanceof QueryValue.Matrix matrix)) {
      throw new QueryException(
          QueryException.Kind.INTERNAL, "expected a range vector for " + UP + ", got another type");
    }
    Map<String, Scraped> found = new TreeMap<>();
    for (QueryValue.MatrixSeries series : matrix.series()) {
      Target target = Target.of(series.labels());
      if (series.timestampsMs().length > 0 && found.size() < TARGETS_MAX) {
        TargetHealth health = TargetHealth.of(series.timestampsMs(), series.values(), nowMs);
        found.put(
            target.instance() + "\n" + target.job(), new Scraped(target, series.labels(), health));
      }
    }
    Set<Target> present = new HashSet<>();
    found.values().forEach(scraped -> present.add(scraped.target()));
    remembered.keySet().retainAll(present);
    past.keySet().retainAll(present);
    return List.copyOf(found.values());
  }

  /** What targets expose, in their order. */
  List<TargetFacts> facts(List<Target> targets, long nowMs) throws QueryException {
    List<Together.Question<TargetFacts>> questions = new ArrayList<>();
    targets.forEach(target -> questions.add(() -> facts(target, nowMs)));
    return Together.answers(questions);
  }

  /** What a target exposes, or exposed when it last exposed anything. */
  private TargetFacts facts(Target target, long nowMs) throws QueryException {
    Remembered known = remembered.get(target);
    if (known != null && isFresh(known, nowMs)) {
      return known.facts();
    }
    TargetFacts facts = read(target, selector(target), nowMs);
    if (facts.families().isEmpty()) {
      facts = known != null ? known.facts() : readPast(target, nowMs);
    }
    if (!facts.families().isEmpty()) {
      remembered.put(target, new Remembered(nowMs, facts));
    }
    return facts;
  }

  /** What a target exposed in the last hour, whatever it exposes now; looked for seldom. */
  TargetFacts pastFacts(Target target, long nowMs) throws QueryException {
    Remembered known = past.get(target);
    if (known == null || Math.abs(nowMs - known.timeMs()) >= PAST_FRESH_MS) {
      known = new Remembered(nowMs, readPast(target, nowMs));
      past.put(target, known);
    }
    return known.facts();
  }

  private static boolean isFresh(Remembered known, long nowMs) {
    return nowMs >= known.timeMs() && nowMs - known.timeMs() < FACTS_FRESH_MS;
  }

  private TargetFacts readPast(Target target, long nowMs) throws QueryException {
    return read(target, "last_over_time(" + selector(target) + "[" + LONG_AGO + "])", nowMs);
  }

  private static String selector(Target target) {
    return "{job="
        + Names.quote(target.job())
        + ",instance="
        + Names.quote(target.instance())
        + "}";
  }

  private TargetFacts read(Target target, String vector, long nowMs) throws QueryException {
    String query = "group by (" + identityLabels + ") (" + vector + ")";
    return TargetFacts.of(target, labels(queries.instant(new InstantQuery(query, nowMs)).value()));
  }

  private static List<Labels> labels(@Nullable QueryValue value) {
    return value instanceof QueryValue.Vector vector
        ? vector.elements().stream().map(QueryValue.Element::labels).toList()
        : List.of();
  }
}
