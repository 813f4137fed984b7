package org.inferometer.check;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.inferometer.promql.ParseException;
import org.inferometer.promql.Parser;
import org.inferometer.signals.BucketOption;
import org.inferometer.signals.DialectProfile;
import org.inferometer.signals.Families;
import org.inferometer.signals.Phrases;
import org.inferometer.signals.Signal;
import org.jspecify.annotations.Nullable;

/** Holds the bucket edges of one part against goals, or against where its quantiles are. */
final class BucketCheck {
  /** Edges this far off, as a share of the goal, are good enough for alerting on it. */
  private static final double GOOD = 0.1;

  /** Without a goal one bucket's width is told from here on. */
  private static final double FAIR = 0.25;

  /** The quantile that is looked at where no goal says another. */
  private static final double USUAL = 0.95;

  /** What users feel; other histograms are looked at only where a goal is set. */
  private static final Set<String> USUAL_BASES = Set.of("ttft", "tpot", "itl", "e2e");

  private static final MathContext DIGITS = new MathContext(6);

  private final Families families;
  private final @Nullable DialectProfile profile;
  private final ParsedPage page;

  BucketCheck(Families families, @Nullable DialectProfile profile, ParsedPage page) {
    this.families = families;
    this.profile = profile;
    this.page = page;
  }

  /**
   * One view for each histogram that matters.
   *
   * @param goals by signal
   */
  List<BucketView> views(List<Part.Feed> feeds, Map<String, Double> goals) {
    List<BucketView> views = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (Part.Feed feed : feeds) {
      Signal signal = feed.signal();
      Double quantile = signal.quantile();
      Double goal = goals.get(signal.name());
      String metric = quantile == null ? null : bucketMetric(feed.query());
      if (quantile == null || metric == null || !signal.unit().equals("seconds")) {
        continue;
      }
      boolean usual = quantile == USUAL && USUAL_BASES.contains(signal.base());
      if ((goal != null || usual) && seen.add(metric + " " + goal)) {
        views.add(view(feed, quantile, metric, goal));
      }
    }
    return views;
  }

  /** The metric whose buckets a query reads, or null. */
  private static @Nullable String bucketMetric(@Nullable String query) {
    if (query == null || !query.startsWith("histogram_quantile(")) {
      return null;
    }
    try {
      return Parser.parse(query).selectors().stream()
          .map(selector -> selector.metricName())
          .filter(name -> name.endsWith("_bucket"))
          .findFirst()
          .orElse(null);
    } catch (ParseException e) {
      return null;
    }
  }

  private double scale(String metric) {
    for (Families.Match match : families.find(metric)) {
      switch (match.family().unit()) {
        case "milliseconds" -> {
          return 1e-3;
        }
        case "microseconds" -> {
          return 1e-6;
        }
        case "nanoseconds" -> {
          return 1e-9;
        }
        default -> {}
      }
    }
    return 1;
  }

  private BucketView view(Part.Feed feed, double quantile, String metric, @Nullable Double goal) {
    Edges edges = Edges.of(page, metric, scale(metric));
    double now = feed.values().isEmpty() ? Double.NaN : feed.values().getFirst().value();
    double value = Double.isNaN(now) ? edges.quantile(quantile) : now;
    double at = goal == null ? value : goal;
    double low = Double.isNaN(at) ? Double.NaN : edges.below(at);
    double high = Double.isNaN(at) ? Double.NaN : edges.above(at);
    boolean beyond =
        goal == null
            && (Double.isNaN(now)
                ? edges.shareBeyond() > 1 - quantile
                : Double.isInfinite(feed.values().getFirst().high()));
    double error = Math.max(high - at, at - low) / at;
    if (goal != null && Math.abs(high - goal) < 1e-9 * goal) {
      error = 0;
    }
    BucketView.Verdict verdict =
        verdict(edges, at, low, beyond ? Double.POSITIVE_INFINITY : high, error, goal);
    return new BucketView(
        feed.signal().name(),
        metric,
        edges.edges(),
        goal,
        value,
        low,
        beyond ? Double.POSITIVE_INFINITY : high,
        Double.isFinite(error) ? error : Double.NaN,
        verdict,
        says(feed.signal(), verdict, edges, goal, at, low, high, error)
            + (goal == null || option(feed.signal()) != null ? "" : unset(verdict, low, high)),
        goal == null ? null : line(feed.signal(), edges, goal),
        option(feed.signal()) == null ? null : since(feed.signal()));
  }

  private static BucketView.Verdict verdict(
      Edges edges, double at, double low, double high, double error, @Nullable Double goal) {
    if (edges.isCut()) {
      return BucketView.Verdict.CUT;
    }
    if (Double.isNaN(at)) {
      return BucketView.Verdict.EMPTY;
    }
    if (Double.isInfinite(high)) {
      return BucketView.Verdict.BEYOND;
    }
    if (error <= (goal == null ? FAIR : GOOD)) {
      return BucketView.Verdict.OK;
    }
    return low <= 0 ? BucketView.Verdict.FIRST : BucketView.Verdict.WIDE;
  }

  private static String says(
      Signal signal,
      BucketView.Verdict verdict,
      Edges edges,
      @Nullable Double goal,
      double at,
      double low,
      double high,
      double error) {
    String title = Phrases.inSentence(signal.title());
    String where = goal == null ? "where it lies, " + seconds(at) : "your goal of " + seconds(at);
    return switch (verdict) {
      case OK ->
          goal != null && error == 0
              ? "Your goal of " + seconds(at) + " for " + title + " is a bucket edge: exact."
              : "The edges around " + where + ", tell " + title + " within " + percent(error) + ".";
      case WIDE ->
          "No bucket edge of "
              + title
              + " between "
              + seconds(low)
              + " and "
              + seconds(high)
              + ", around "
              + where
              + ": a value there can be off by "
              + percent(error)
              + ".";
      case FIRST ->
          "The first bucket edge of "
              + title
              + " is "
              + seconds(high)
              + ", above "
              + where
              + ": all that one sees is \"under "
              + seconds(high)
              + "\".";
      case BEYOND ->
          edges.edges().isEmpty()
              ? "The histogram of " + title + " has no finite bucket edge."
              : "The last bucket edge of "
                  + title
                  + " is "
                  + seconds(edges.edges().getLast())
                  + (goal == null ? ", and it lies above that" : ", below " + where)
                  + ": all that one sees is \"over "
                  + seconds(edges.edges().getLast())
                  + "\".";
      case CUT ->
          "The histogram of " + title + " has no bucket up to infinity: no quantile can be told.";
      case EMPTY -> "Nothing observed yet for " + title + ".";
    };
  }

  private static String seconds(double value) {
    return Phrases.value("seconds", value);
  }

  private static String percent(double ratio) {
    return Math.round(ratio * 100) + " %";
  }

  private @Nullable BucketOption option(Signal signal) {
    return profile == null
        ? null
        : profile.buckets().stream()
            .filter(option -> option.signals().contains(signal.base()))
            .findFirst()
            .orElse(null);
  }

  private @Nullable String since(Signal signal) {
    BucketOption option = option(signal);
    return option == null ? null : option.since();
  }

  /** What to set for edges around a goal, or null if nothing can be set. */
  private @Nullable String line(Signal signal, Edges edges, double goal) {
    BucketOption option = option(signal);
    if (option == null) {
      return null;
    }
    List<Double> wanted = edges.proposed(goal);
    return option
        .line()
        .replace("{edges}", joined(wanted, option.scale(), ","))
        .replace("{edges_spaced}", joined(wanted, option.scale(), " "));
  }

  private static String joined(List<Double> edges, double scale, String separator) {
    return edges.stream().map(edge -> number(edge * scale)).collect(Collectors.joining(separator));
  }

  static String number(double value) {
    return new BigDecimal(value).round(DIGITS).stripTrailingZeros().toPlainString();
  }

  /** Whether the release is too old for the option that changes a histogram's edges. */
  static boolean isTooOld(Part part, BucketView view) {
    return view.since() != null && part.version() != null && part.version().isBefore(view.since());
  }

  /** What there is to do about a histogram's edges; null if nothing can be done. */
  static @Nullable Finding finding(Part part, BucketView view) {
    boolean isOff =
        switch (view.verdict()) {
          // What is cut is told of all histograms at once.
          case OK, EMPTY, CUT -> false;
          case WIDE, FIRST, BEYOND -> true;
        };
    if (!isOff || view.fix() == null) {
      return null;
    }
    String old =
        isTooOld(part, view)
            ? " They can be set since " + part.engine().title() + " " + view.since() + "."
            : "";
    return Finding.of("bucket-edges", Weight.BLIND, view.says() + old, view.fix());
  }

  /** Of edges that are off a goal and can't be set: which goals they would tell. */
  private static String unset(BucketView.Verdict verdict, double low, double high) {
    return switch (verdict) {
      case OK, CUT, EMPTY -> "";
      case WIDE ->
          " They can't be set; a goal of "
              + seconds(low)
              + " or "
              + seconds(high)
              + " would be told exactly.";
      case FIRST -> " They can't be set; a goal of " + seconds(high) + " would be told exactly.";
      case BEYOND -> " They can't be set.";
    };
  }
}
