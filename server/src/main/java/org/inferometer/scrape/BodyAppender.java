package org.inferometer.scrape;

import org.inferometer.exposition.Event;
import org.inferometer.exposition.ExpositionParser;
import org.inferometer.exposition.SeriesTextIndex;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.model.Exemplar;
import org.inferometer.model.Labels;
import org.inferometer.model.StalenessMarker;
import org.inferometer.store.AppendOutcome;
import org.inferometer.store.Appender;
import org.jspecify.annotations.Nullable;

/**
 * Appends the samples of one body. In the steady state, in which every series text is known, it
 * allocates nothing per sample. Reused for all bodies of a target. Not thread-safe.
 */
final class BodyAppender {
  /** Samples further in the future are dropped, as in Prometheus. */
  static final long FUTURE_MAX_MS = 10 * 60_000;

  /** The store has no room for the series; asked again at the next scrape. */
  private static final long NO_ROOM = -2;

  private final TargetCache cache;
  private final SampleCounts counts;

  // One body's.
  private SampleLabels labels;
  private boolean honorTimestamps;
  private boolean trackOwnTimestamps;
  private long sampleLimit;
  private @Nullable NativeHistogram histogram;
  private HistogramLimits histogramLimits;
  private long scrape;
  private long scrapeTimeMs;
  private long appended;
  private int textsSeen;

  BodyAppender(TargetCache cache, SampleCounts counts, Target target) {
    this.cache = cache;
    this.counts = counts;
    this.labels = new SampleLabels(target);
    this.histogramLimits = new HistogramLimits(target.config().histograms());
    settings(target);
  }

  /** Takes other settings, between bodies. */
  void settings(Target target) {
    labels = new SampleLabels(target);
    histogramLimits = new HistogramLimits(target.config().histograms());
    honorTimestamps = target.config().honorTimestamps();
    trackOwnTimestamps = target.config().trackTimestampsStaleness();
    sampleLimit = target.config().limits().sample();
  }

  /**
   * Appends all samples that the parser finds, and then the ends of series that are gone.
   *
   * @throws ScrapeException if the scrape fails; the appender is to be rolled back
   */
  void append(ExpositionParser parser, MetadataBook metadata, Appender into, long timeMs)
      throws ScrapeException {
    scrape = cache.begin();
    scrapeTimeMs = timeMs;
    appended = 0;
    textsSeen = 0;
    metadata.begin();
    for (Event event = parser.next(); event != Event.END; event = parser.next()) {
      switch (event) {
        case SERIES -> {
          histogram = null;
          sample(parser, into);
        }
        case HISTOGRAM -> {
          histogram = parser.histogram();
          sample(parser, into);
        }
        case HELP, TYPE, UNIT -> metadata.line(parser);
        case BAD_LINE -> counts.badLines++;
        case END -> {}
      }
    }
    if (sampleLimit > 0 && appended > sampleLimit) {
      throw new ScrapeException(
          FailureReason.SAMPLE_LIMIT,
          "sample limit exceeded",
          "The target sent "
              + appended
              + " samples, more than the sample_limit of "
              + sampleLimit
              + ".");
    }
  }

  /** After a body that was taken: ends what it didn't have. */
  void finish(Appender into) {
    cache.series().finish(scrape, ref -> into.append(ref, scrapeTimeMs, StalenessMarker.VALUE));
    cache.finish(textsSeen);
  }

  /** Instead of a body: ends all series of the last one. */
  void fail(Appender into, long timeMs) {
    cache.series().fail(ref -> into.append(ref, timeMs, StalenessMarker.VALUE));
    cache.fail();
  }

  private void sample(ExpositionParser parser, Appender into) throws ScrapeException {
    counts.scraped++;
    SeriesTextIndex texts = cache.texts();
    int text =
        texts.find(parser.raw(), parser.rawStart(), parser.rawEnd(), parser.seriesKeyFlags());
    long series = text == SeriesTextIndex.NONE ? newText(parser, into) : known(texts, text);
    if (series == TargetCache.DROPPED) {
      return;
    }
    counts.added++;
    if (series == NO_ROOM) {
      counts.noRoom++;
      return;
    }
    value(parser, into, (int) series);
  }

  private long known(SeriesTextIndex texts, int text) {
    if (texts.see(text, scrape)) {
      textsSeen++;
    }
    return texts.value(text);
  }

  private long newText(ExpositionParser parser, Appender into) throws ScrapeException {
    Labels made = labels.of(parser);
    long series = made == null ? TargetCache.DROPPED : series(made, into);
    if (series != NO_ROOM) {
      remember(parser, series);
    }
    return series;
  }

  private long series(Labels made, Appender into) {
    long ref = into.series(made);
    if (ref == Appender.NO_SERIES) {
      return NO_ROOM;
    }
    int found = cache.series().find(ref);
    return found != LongToInt.NONE ? found : cache.series().add(ref);
  }

  private void remember(ExpositionParser parser, long series) {
    SeriesTextIndex texts = cache.texts();
    int text = texts.add(parser.raw(), parser.rawStart(), parser.rawEnd(), parser.seriesKeyFlags());
    if (text != SeriesTextIndex.NONE) {
      texts.setValue(text, series);
      texts.see(text, scrape);
      textsSeen++;
    }
  }

  private void value(ExpositionParser parser, Appender into, int series) throws ScrapeException {
    SeriesTable table = cache.series();
    boolean own = honorTimestamps && parser.hasTimestamp();
    if (table.isReport(series)) {
      // Nobody but the scrape itself says whether a target is up.
      counts.duplicates++;
      return;
    }
    boolean isNew = table.isNew(series);
    if (!table.see(series, scrape) && !own) {
      counts.duplicates++;
      return;
    }
    if (!own || trackOwnTimestamps) {
      table.trackNext(series);
    }
    appended++;
    if (sampleLimit > 0 && appended > sampleLimit) {
      return;
    }
    if (histogram != null) {
      histogram = histogramLimits.apply(histogram, parser);
    }
    long timeMs = own ? parser.timestampMs() : scrapeTimeMs;
    AppendOutcome outcome =
        timeMs > scrapeTimeMs + FUTURE_MAX_MS
            ? AppendOutcome.OUT_OF_BOUNDS
            : append(parser, into, series, timeMs);
    if (isNew && !outcome.isRejection()) {
      counts.seriesAdded++;
    }
    count(outcome);
    if (parser.hasExemplar() && !outcome.isRejection()) {
      exemplar(parser, into, timeMs);
    }
  }

  private void exemplar(ExpositionParser parser, Appender into, long sampleTimeMs)
      throws ScrapeException {
    Labels series = labels.of(parser);
    if (series != null) {
      long timeMs = parser.hasExemplarTimestamp() ? parser.exemplarTimestampMs() : sampleTimeMs;
      into.exemplar(series, new Exemplar(parser.exemplarLabels(), parser.exemplarValue(), timeMs));
    }
  }

  private AppendOutcome append(ExpositionParser parser, Appender into, int series, long timeMs)
      throws ScrapeException {
    SeriesTable table = cache.series();
    AppendOutcome outcome = append(parser, into, table.ref(series), timeMs);
    if (outcome != AppendOutcome.UNKNOWN_SERIES) {
      return outcome;
    }
    Labels made = labels.of(parser);
    long ref = made == null ? Appender.NO_SERIES : into.series(made);
    if (ref == Appender.NO_SERIES) {
      return AppendOutcome.NO_ROOM;
    }
    table.setRef(series, ref);
    return append(parser, into, ref, timeMs);
  }

  private AppendOutcome append(ExpositionParser parser, Appender into, long ref, long timeMs) {
    NativeHistogram made = histogram;
    return made == null ? into.append(ref, timeMs, parser.value()) : into.append(ref, timeMs, made);
  }

  private void count(AppendOutcome outcome) {
    switch (outcome) {
      case ACCEPTED, SAME -> {}
      case DUPLICATE -> counts.duplicates++;
      case OUT_OF_ORDER, TOO_OLD -> counts.outOfOrder++;
      case OUT_OF_BOUNDS -> counts.outOfBounds++;
      case UNKNOWN_SERIES, NO_ROOM -> counts.noRoom++;
    }
  }
}
