package org.inferometer.remote;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.model.Exemplar;
import org.inferometer.model.Labels;
import org.inferometer.model.StalenessMarker;
import org.inferometer.store.AppendOutcome;
import org.inferometer.store.Appender;
import org.jspecify.annotations.Nullable;

/**
 * One write on its way into the store, series by series. What can't be taken is counted, and the
 * first of it kept in words. Not thread-safe.
 */
final class WriteBatch {
  /** Problems that are told: one is usually the same as the next. */
  private static final int PROBLEMS_MAX = 5;

  /** The most labels a series may have; the bound that scraping has too. */
  static final int LABELS_MAX = 1_024;

  /** The most exemplars of one write; the store keeps no more of all series. */
  static final int EXEMPLARS_MAX = 100_000;

  /** Of a series, in a message about it. */
  private static final int SHOWN_MAX = 500;

  /** What of a sample is appended. */
  @FunctionalInterface
  private interface Append {
    AppendOutcome to(long seriesRef);
  }

  private final Appender appender;
  private final List<String> problems = new ArrayList<>();
  private long samples;
  private long histograms;
  private int exemplars;
  private long rejected;
  private long refused;

  private Labels series = Labels.EMPTY;
  private long seriesRef;
  private @Nullable String seriesProblem;

  WriteBatch(Appender appender) {
    this.appender = appender;
  }

  /** Begins a series. If its labels can't be taken, neither can what follows. */
  void series(List<String> namesAndValues) {
    series = Labels.EMPTY;
    seriesRef = Appender.NO_SERIES;
    try {
      series = labels(namesAndValues);
      seriesProblem = series.metricName().isEmpty() ? "no metric name in " + shown() : null;
    } catch (IllegalArgumentException e) {
      seriesProblem = "invalid labels: " + e.getMessage();
    }
  }

  /**
   * Adds a name or a value to a list that is read, unless there are more already than a series may
   * have: a label may be two bytes of a message, and many times that in memory.
   */
  static void collect(String text, List<String> namesAndValues) {
    if (namesAndValues.size() < 2 * LABELS_MAX + 2) {
      namesAndValues.add(text);
    }
  }

  /**
   * @throws IllegalArgumentException if they aren't a label set
   */
  static Labels labels(List<String> namesAndValues) {
    if (namesAndValues.size() > 2 * LABELS_MAX) {
      throw new IllegalArgumentException("expected at most " + LABELS_MAX + " labels");
    }
    Labels.Builder builder = new Labels.Builder();
    for (int i = 0; i < namesAndValues.size(); i += 2) {
      if (namesAndValues.get(i).isEmpty()) {
        throw new IllegalArgumentException("a label name is empty");
      }
      builder.add(namesAndValues.get(i), namesAndValues.get(i + 1));
    }
    return builder.build();
  }

  void sample(long timestampMs, double value) {
    double stored =
        Double.isNaN(value) && !StalenessMarker.is(value) ? StalenessMarker.NORMAL_NAN : value;
    if (append(timestampMs, ref -> appender.append(ref, timestampMs, stored))) {
      samples++;
    }
  }

  void histogram(long timestampMs, NativeHistogram histogram) {
    boolean ends = StalenessMarker.is(histogram.sum());
    Append append =
        ends
            ? ref -> appender.append(ref, timestampMs, StalenessMarker.VALUE)
            : ref -> appender.append(ref, timestampMs, histogram);
    if (append(timestampMs, append)) {
      histograms++;
    }
  }

  void brokenHistogram(@Nullable String problem) {
    rejected++;
    problem(() -> "invalid histogram of " + shown() + ": " + problem);
  }

  private boolean append(long timestampMs, Append append) {
    String broken = seriesProblem;
    if (broken != null) {
      rejected++;
      problem(() -> broken);
      return false;
    }
    AppendOutcome outcome = appended(append);
    if (!outcome.isRejection()) {
      return true;
    }
    if (outcome == AppendOutcome.NO_ROOM || outcome == AppendOutcome.UNKNOWN_SERIES) {
      refused++;
    } else {
      rejected++;
    }
    problem(() -> words(outcome) + ": " + shown() + " at " + Instant.ofEpochMilli(timestampMs));
    return false;
  }

  private AppendOutcome appended(Append append) {
    AppendOutcome outcome = AppendOutcome.UNKNOWN_SERIES;
    for (int tries = 0; outcome == AppendOutcome.UNKNOWN_SERIES && tries < 2; tries++) {
      if (seriesRef == Appender.NO_SERIES || tries > 0) {
        seriesRef = appender.series(series);
      }
      if (seriesRef == Appender.NO_SERIES) {
        return AppendOutcome.NO_ROOM;
      }
      outcome = append.to(seriesRef);
    }
    return outcome;
  }

  private static String words(AppendOutcome outcome) {
    return switch (outcome) {
      case ACCEPTED, SAME -> "taken";
      case DUPLICATE -> "duplicate sample for timestamp";
      case OUT_OF_ORDER -> "out of order sample";
      case TOO_OLD -> "too old sample";
      case OUT_OF_BOUNDS -> "out of bounds";
      case UNKNOWN_SERIES, NO_ROOM -> "no room in the store";
    };
  }

  /** The words are put together only if they are told: there may be millions of problems. */
  private void problem(Supplier<String> text) {
    if (problems.size() < PROBLEMS_MAX) {
      problems.add(text.get());
    }
  }

  private String shown() {
    String whole = series.toString();
    return whole.length() <= SHOWN_MAX ? whole : whole.substring(0, SHOWN_MAX) + "...";
  }

  void exemplar(List<String> namesAndValues, double value, long timestampMs) {
    if (seriesProblem != null) {
      return;
    }
    try {
      add(new Exemplar(labels(namesAndValues), value, timestampMs));
    } catch (IllegalArgumentException e) {
      problem(() -> "invalid exemplar of " + shown() + ": " + e.getMessage());
    }
  }

  /** Has it kept with the samples, if it is one that may be stored. */
  private void add(Exemplar exemplar) {
    if (exemplars == EXEMPLARS_MAX) {
      problem(() -> "more than " + EXEMPLARS_MAX + " exemplars");
    } else if (Exemplar.characters(exemplar.labels()) <= Exemplar.LABEL_CHARACTERS_MAX) {
      appender.exemplar(series, exemplar);
      exemplars++;
    }
  }

  WriteResult commit() {
    appender.commit();
    return new WriteResult(samples, histograms, exemplars, rejected, refused, problems);
  }

  void rollback() {
    appender.rollback();
  }
}
