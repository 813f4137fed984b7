package org.inferometer.diagnosis.world;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.Symptom.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Tells what users feel: against the goals that were set, the baseline, or what is common. A
 * quantile that may be the same as before as far as its bucket can tell isn't worse, nor is one of
 * few requests, nor one that its mean contradicts.
 */
final class SymptomReader {
  private final Thresholds thresholds;
  private final long judgedMs;
  private final @Nullable Period baseline;
  private final SymptomChance chance;

  /** Each request has one pace; where more are counted, they are those of tokens. */
  private static final double GAPS_OF_A_REQUEST = 2;

  /** The usual length of a window. */
  private static final long JUDGED_MS = 300_000;

  SymptomReader(Thresholds thresholds) {
    this(thresholds, JUDGED_MS);
  }

  SymptomReader(Thresholds thresholds, long judgedMs) {
    this(thresholds, judgedMs, null);
  }

  /**
   * @param judgedMs how long what is judged lasts
   * @param baseline what it is compared with, null if that isn't known
   */
  SymptomReader(Thresholds thresholds, long judgedMs, @Nullable Period baseline) {
    this.thresholds = thresholds;
    this.judgedMs = judgedMs;
    this.baseline = baseline;
    this.chance = new SymptomChance(thresholds, judgedMs);
  }

  Symptoms read(Readings engine, List<EdgeWorld> edges) {
    List<Symptom> all = new ArrayList<>();
    SymptomAsked asked = new SymptomAsked(engine, baseline);
    add(all, engine, asked, null);
    boolean isCalm = all.isEmpty();
    for (EdgeWorld edge : edges) {
      // What stands before several engines tells of all at once: one that is well has no part.
      if (!isCalm || !isOfOthers(edge)) {
        add(all, edge.readings(), asked, edge.id());
      }
    }
    all.sort(
        Comparator.comparing((Symptom s) -> s.kind() == Kind.TRAFFIC)
            .thenComparingDouble(s -> -s.reading().value() / s.limit()));
    return new Symptoms(all);
  }

  /** Whether another engine behind it is the one that is slow or fails. */
  private boolean isOfOthers(EdgeWorld edge) {
    List<Symptom> theirs = new ArrayList<>();
    edge.others().forEach(other -> add(theirs, other, new SymptomAsked(other, baseline), null));
    return theirs.stream().anyMatch(symptom -> symptom.kind() != Kind.TRAFFIC);
  }

  private void add(
      List<Symptom> all, Readings readings, SymptomAsked asked, @Nullable String edge) {
    LatencyKind.ALL.forEach(latency -> addIfThere(all, latency(latency, readings, asked, edge)));
    if (!readings.get("tpot_p95").isKnown() && !readings.get("tpot_mean").isKnown()) {
      LatencyKind.PACES.stream()
          .filter(pace -> readings.get(pace.quantile()).isKnown())
          .filter(pace -> edge == null || !asked.tellsPace(pace.quantile()))
          .findFirst()
          .ifPresent(pace -> addIfThere(all, latency(pace, readings, asked, edge)));
    }
    addIfThere(all, failures(readings, edge));
    addIfThere(all, traffic(readings, edge));
  }

  private static void addIfThere(List<Symptom> all, @Nullable Symptom symptom) {
    if (symptom != null) {
      all.add(symptom);
    }
  }

  private @Nullable Symptom latency(
      LatencyKind kind, Readings readings, SymptomAsked asked, @Nullable String edge) {
    Reading quantile = readings.get(kind.quantile());
    Reading mean = kind.mean() == null ? null : readings.get(kind.mean());
    Symptom missed = goal(kind, quantile, edge);
    if (missed == null && mean != null) {
      missed = goal(kind, mean, edge);
    }
    boolean hasGoal = quantile.goal() != null || (mean != null && mean.goal() != null);
    if (missed != null || hasGoal || isReadAtOnce(kind, asked)) {
      return missed;
    }
    boolean isOfGaps = mean != null && isOfGaps(quantile, mean, readings);
    Latencies latencies = new Latencies(quantile, mean, isOfGaps);
    Symptom worse = worse(kind, latencies, asked, edge);
    Symptom beyond = absolute(kind, latencies.pace(), asked, edge);
    if (worse == null) {
      return beyond;
    }
    // What was bad before and is half as bad again is no less critical for that.
    return beyond != null && beyond.isCritical() ? worse.critical() : worse;
  }

  /** Whether answers are over before their reader could tell at which pace they came. */
  private boolean isReadAtOnce(LatencyKind kind, SymptomAsked asked) {
    boolean isPace = kind.kind() == Kind.TPOT || kind.kind() == Kind.ITL_TAIL;
    return isPace && asked.answerSeconds() < thresholds.get("symptom_e2e_rise");
  }

  /** Whatever it was before: a goal is a goal. */
  private @Nullable Symptom goal(LatencyKind kind, Reading reading, @Nullable String edge) {
    Double goal = reading.goal();
    if (goal == null || !reading.isKnown() || chance.isOfFew(reading)) {
      return null;
    }
    double limit = goal * thresholds.get("symptom_goal_factor");
    boolean isSurely = !(reading.low() < goal) || reading.value() > 2 * limit;
    if (!(reading.value() > limit) || !isSurely) {
      return null;
    }
    double critical = goal * thresholds.get("symptom_critical_factor");
    return new Symptom(kind.kind(), reading, edge, limit, "its goal", reading.value() > critical);
  }

  /**
   * What tells of one kind.
   *
   * @param isOfGaps whether the quantile is that of single tokens
   */
  private record Latencies(Reading quantile, @Nullable Reading mean, boolean isOfGaps) {
    /** What is held against common limits. */
    Reading pace() {
      return isOfGaps && mean != null ? mean : quantile;
    }
  }

  private @Nullable Symptom worse(
      LatencyKind kind, Latencies latencies, SymptomAsked asked, @Nullable String edge) {
    boolean isTail = kind.kind() == Kind.ITL_TAIL;
    double factor = thresholds.get(isTail ? "symptom_tail_factor" : "symptom_baseline_factor");
    double rise = thresholds.get(kind.rise());
    Reading quantile = latencies.quantile();
    Reading mean = latencies.mean();
    boolean isQuantile =
        isRisen(quantile, asked.before(quantile), factor, rise)
            && !chance.isTailOfFew(quantile)
            && !SymptomChance.isSameBucket(quantile)
            && isBorneOut(latencies, asked, rise);
    boolean isMean =
        mean != null
            && isRisen(mean, asked.before(mean), factor, rise)
            && !chance.isOfFew(quantile)
            && !isWithinTail(quantile, mean);
    Reading told = isQuantile ? quantile : isMean ? mean : null;
    if (told == null || isUnfelt(kind, quantile.isKnown() ? quantile : told)) {
      return null;
    }
    double before = asked.before(told);
    double limit = Math.max(before * factor, before + rise);
    boolean isCritical = told.ratio() > factor * thresholds.get("symptom_critical_factor");
    return new Symptom(kind.kind(), told, edge, limit, "what it was before", isCritical);
  }

  /** Whether it is, or may be as far as its bucket tells, below what anybody feels. */
  private boolean isUnfelt(LatencyKind kind, Reading reading) {
    if (kind.least() == null) {
      return false;
    }
    double least = thresholds.get(kind.least());
    return reading.value() < least
        || (kind.kind() == Kind.TTFT && !SymptomChance.isSurelyRisen(reading, 0, least));
  }

  /**
   * Whether the tail is where it was and the usual request is still faster than the tail surely was
   * before, whatever its bucket hides: nobody waits as some didn't already.
   */
  private boolean isWithinTail(Reading quantile, Reading mean) {
    double low = quantile.detail().baselineLow();
    double surely = Double.isNaN(low) ? quantile.baseline() : low;
    return quantile.ratio() < 1
        || (quantile.ratio() < thresholds.get("symptom_mean_factor") && mean.value() < surely);
  }

  private boolean isRisen(Reading reading, double before, double factor, double rise) {
    return reading.value() > before * factor
        && reading.value() - before >= rise
        && !(reading.value() - before
            < thresholds.get("symptom_spreads") * reading.detail().baselineSpread());
  }

  /** Whether the mean rose as well, or no place in a quantile's bucket is near what it was. */
  private boolean isBorneOut(Latencies latencies, SymptomAsked asked, double rise) {
    Reading quantile = latencies.quantile();
    Reading mean = latencies.mean();
    if (mean == null || !mean.isComparable()) {
      return SymptomChance.isSurelyRisen(quantile, asked.before(quantile), rise);
    }
    // Half of what the tail has to rise: a mean moves with part of the requests.
    double least = latencies.isOfGaps() ? rise : rise / 2;
    double before = asked.before(mean);
    return mean.value() >= before * thresholds.get("symptom_mean_factor")
        && mean.value() - before >= least;
  }

  /**
   * Whether what should be the pace of requests is that of single tokens: some of an answer's gaps
   * are long while others make up for it, and what its reader feels is their mean.
   */
  private static boolean isOfGaps(Reading quantile, Reading mean, Readings readings) {
    String signal = quantile.signal();
    double requests = readings.get("ttft_p95").detail().count();
    boolean isOfTokens =
        signal.startsWith("itl_")
            || (signal.startsWith("tpot_")
                && quantile.detail().count() > GAPS_OF_A_REQUEST * requests);
    return isOfTokens && mean.isKnown();
  }

  private @Nullable Symptom absolute(
      LatencyKind kind, Reading quantile, SymptomAsked asked, @Nullable String edge) {
    if (kind.absolute() == null || chance.isOfFew(quantile)) {
      return null;
    }
    double limit = thresholds.get(kind.absolute());
    if (kind.kind() == Kind.TTFT) {
      // The first token of a long prompt takes its time; what is beyond that is felt as waiting.
      limit += asked.prefillSeconds();
    }
    double critical = limit * thresholds.get("symptom_critical_factor");
    return quantile.value() > limit && !(quantile.low() < limit / 2)
        ? new Symptom(
            kind.kind(), quantile, edge, limit, "a common limit", quantile.value() > critical)
        : null;
  }

  /** The worst of what tells that requests fail. */
  private @Nullable Symptom failures(Readings readings, @Nullable String edge) {
    Symptom worst = null;
    double fail = thresholds.get("symptom_failure_share");
    double abort = thresholds.get("symptom_abort_share");
    for (String signal : List.of("error_share", "http_5xx_share", "abort_share")) {
      Reading share = readings.get(signal);
      boolean isAbort = signal.equals("abort_share");
      double limit = isAbort ? abort : fail;
      // Users go away now and then; that is a symptom only if more do than before.
      boolean isUsual = isAbort && share.value() < 2 * share.baselineOr(0);
      boolean isWorse = worst == null || share.value() > worst.reading().value();
      if (share.value() > limit
          && !isUsual
          && isWorse
          && !chance.isByChance(share, limit, readings)) {
        worst =
            new Symptom(
                Kind.FAILURES,
                share,
                edge,
                limit,
                "98 % of requests should succeed",
                share.value() > limit * thresholds.get("symptom_critical_factor"));
      }
    }
    return worst;
  }

  /** Requests stopped coming; fewer of them are no symptom. */
  private @Nullable Symptom traffic(Readings readings, @Nullable String edge) {
    Reading rate = readings.get("request_rate");
    double limit = rate.baseline() * thresholds.get("symptom_traffic_share");
    double requestsBefore = rate.baseline() * judgedMs / 1000;
    boolean isGone =
        rate.isComparable()
            && chance.isSurelyBelow(rate.value(), limit)
            && requestsBefore >= thresholds.get("symptom_requests_min");
    return isGone
        ? new Symptom(Kind.TRAFFIC, rate, edge, limit, "what it was before", false)
        : null;
  }
}
