package org.inferometer.scrape;

import java.util.List;
import java.util.Map;
import org.inferometer.config.ScrapeConfig;
import org.inferometer.model.MetricMetadata;
import org.inferometer.store.Appender;
import org.inferometer.store.StoreException;
import org.inferometer.time.Pacer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scrapes one target, turn by turn, until it is stopped. Everything runs on the loop's own thread
 * but {@code view}, {@code metadata}, {@code adopt}, {@code retire} and {@code shutDown}, which any
 * thread may call.
 *
 * <p>A loop that is retired goes on for two intervals and a tenth: then it writes, with the time of
 * the scrape that it missed first, that its series ended. If the target has come back meanwhile,
 * the store refuses these, as they are older. Source: prometheus/prometheus, {@code
 * scrape/scrape.go}, {@code endOfRunStaleness}.
 */
final class ScrapeLoop implements Pacer.Task {
  private static final Logger LOG = LoggerFactory.getLogger(ScrapeLoop.class);
  private static final long NANOS_PER_MS = 1_000_000;

  /** A scrape that is at most so late counts as on time. */
  private static final long TOLERANCE_MAX_MS = 2;

  private enum Phase {
    /** Before the first scrape. */
    NEW,
    /** The first scrape was at once; the next one begins the regular ones. */
    AT_ONCE,
    REGULAR,
    /** Retired; the next regular scrape would have been now. */
    RETIRED,
    MISSED_ONE,
    MISSED_TWO,
  }

  private final ScrapeContext context;
  private final TargetCache cache;
  private final SampleCounts counts = new SampleCounts();
  private final PageReader reader;
  private final PathProbe probe;
  private Target target;
  private Fetcher.Client client;
  private ReportSeries report;
  private Phase phase = Phase.NEW;
  private long nextTickNanos;
  private long alignedMs;
  private long lastScrapeMs;
  private long missedMs;
  private int bodyLength;
  private String contentType = "";
  private @Nullable FailureReason toldReason;

  private volatile @Nullable Target adopted;
  private volatile boolean retired;
  private volatile boolean done;
  private volatile @Nullable ScrapeException forced;
  private volatile TargetView view;
  private volatile Pacer.@Nullable Running running;

  ScrapeLoop(ScrapeContext context, Target target) {
    this.context = context;
    this.target = target;
    this.probe = new PathProbe(context.ticker());
    this.cache = new TargetCache(context.seed());
    this.reader = new PageReader(target, cache, counts, context.seed());
    this.client = context.fetcher().client(target);
    this.report = new ReportSeries(target.labels(), cache.series());
    this.view = unscraped(target);
  }

  // ------------------------------------------------------------------------------ any thread

  void start() {
    boolean atOnce = target.config().firstScrapeAtOnce();
    long delay = atOnce ? 0 : target.untilNextScrapeNanos(context.clock().nowMs());
    running = context.pacer().start("scrape " + target.url(), delay, this);
  }

  TargetView view() {
    return view;
  }

  Map<String, MetricMetadata> metadata() {
    return reader.metadata().families();
  }

  /** Takes other settings for the same target, from the next turn on. */
  void adopt(Target changed) {
    adopted = changed;
  }

  /** Makes every scrape fail, or none any more. */
  void force(@Nullable ScrapeException failure) {
    forced = failure;
  }

  /** Ends after writing that the series ended. */
  void retire() {
    retired = true;
  }

  /** Whether it was retired and has ended. */
  boolean isDone() {
    return done;
  }

  /** Ends at once and writes nothing more. */
  void shutDown() {
    Pacer.Running task = running;
    if (task != null) {
      task.stop();
    }
    client.close();
  }

  // -------------------------------------------------------------------------------- the turn

  @Override
  public long turn() throws InterruptedException {
    adopt();
    return switch (retired && phase.compareTo(Phase.RETIRED) < 0 ? retirement() : phase) {
      case NEW -> target.config().firstScrapeAtOnce() ? atOnce() : regular(true);
      case AT_ONCE -> regular(true);
      case REGULAR -> regular(false);
      case RETIRED -> {
        missedMs = context.clock().nowMs();
        phase = Phase.MISSED_ONE;
        yield intervalNanos();
      }
      case MISSED_ONE -> {
        phase = Phase.MISSED_TWO;
        yield intervalNanos() / 10;
      }
      case MISSED_TWO -> {
        writeEnds();
        done = true;
        yield Pacer.DONE;
      }
    };
  }

  private Phase retirement() {
    client.close();
    client.release();
    phase = Phase.RETIRED;
    if (lastScrapeMs == 0) {
      // Nothing was ever written, so nothing ends; the report series aren't known to the store.
      phase = Phase.MISSED_TWO;
    }
    return phase;
  }

  private void adopt() {
    Target changed = adopted;
    if (changed == null) {
      return;
    }
    adopted = null;
    Target before = target;
    target = changed;
    client.close();
    client.release();
    client = context.fetcher().client(changed);
    cache.forgetTexts();
    reader.settings(changed);
    if (before.intervalMs() != changed.intervalMs() && phase == Phase.REGULAR) {
      phase = Phase.AT_ONCE;
    }
  }

  private long intervalNanos() {
    return target.intervalMs() * NANOS_PER_MS;
  }

  private long atOnce() throws InterruptedException {
    scrape(context.clock().nowMs());
    phase = Phase.AT_ONCE;
    return target.untilNextScrapeNanos(context.clock().nowMs());
  }

  private long regular(boolean first) throws InterruptedException {
    long now = context.clock().nowMs();
    if (first) {
      alignedMs = now;
      nextTickNanos = context.ticker().nanos();
      phase = Phase.REGULAR;
    }
    scrape(aligned(now));
    long nanos = context.ticker().nanos();
    long missed = Math.max(0, (nanos - nextTickNanos) / intervalNanos());
    nextTickNanos += (missed + 1) * intervalNanos();
    return nextTickNanos - nanos;
  }

  /** The regular time of a scrape that is hardly late, so that timestamps compress well. */
  private long aligned(long nowMs) {
    long interval = target.intervalMs();
    long late = nowMs - alignedMs;
    if (late < 0) {
      // The clock was turned back.
      alignedMs = nowMs;
      return nowMs;
    }
    alignedMs += late / interval * interval;
    return nowMs - alignedMs <= Math.min(TOLERANCE_MAX_MS, interval / 100) ? alignedMs : nowMs;
  }

  // ------------------------------------------------------------------------------ the scrape

  private void scrape(long timeMs) throws InterruptedException {
    long startNanos = context.ticker().nanos();
    counts.clear();
    bodyLength = 0;
    contentType = "";
    lastScrapeMs = timeMs;
    Appender appender = context.sink().appender();
    boolean ended = false;
    ScrapeException failure = null;
    try {
      report.begin(appender);
      failure = body(appender, timeMs);
      if (failure != null) {
        appender.rollback();
        ended = true;
        appender = context.sink().appender();
        ended = false;
        report.begin(appender);
        reader.fail(appender, timeMs);
      }
      double seconds = (context.ticker().nanos() - startNanos) / 1e9;
      report.append(appender, timeMs, failure == null, seconds, counts);
      StoreException unstored = commit(appender);
      ended = true;
      publish(timeMs, seconds, failure, unstored);
    } catch (RuntimeException e) {
      LOG.error("scrape of {} failed in the store", target.url(), e);
      publish(timeMs, 0, internal(e), null);
    } finally {
      if (!ended) {
        appender.rollback();
      }
    }
  }

  /**
   * That samples can't be stored is no fault of the target: it counts as scraped.
   *
   * @return why they aren't, or null if they are
   */
  private @Nullable StoreException commit(Appender appender) {
    try {
      appender.commit();
      context.stats().stored();
      return null;
    } catch (StoreException e) {
      context.stats().notStored(e);
      return e;
    }
  }

  private @Nullable ScrapeException body(Appender appender, long timeMs)
      throws InterruptedException {
    try {
      ScrapeException prepared = forced;
      if (prepared != null) {
        throw prepared;
      }
      probe.fetch(
          target,
          client,
          page -> {
            counts.clear();
            bodyLength = page.length();
            contentType = page.contentType() == null ? "" : page.contentType();
            reader.read(page, appender, timeMs);
          });
      return null;
    } catch (ScrapeException e) {
      return e;
    } catch (RuntimeException e) {
      if (Thread.interrupted()) {
        // It was shut down, and with it what it needs.
        throw new InterruptedException();
      }
      LOG.error("scrape of {} failed", target.url(), e);
      return internal(e);
    }
  }

  private static ScrapeException internal(RuntimeException e) {
    return new ScrapeException(
        FailureReason.INTERNAL,
        "internal error: " + e.getClass().getSimpleName(),
        "Something went wrong in here, not at the target; the log tells more.");
  }

  private void writeEnds() {
    if (lastScrapeMs == 0) {
      return;
    }
    Appender appender = context.sink().appender();
    reader.fail(appender, missedMs);
    report.appendEnds(appender, missedMs);
    StoreException unstored = commit(appender);
    if (unstored != null) {
      LOG.debug("the end of {} isn't stored", target.url(), unstored);
    }
  }

  // -------------------------------------------------------------------------------- the view

  private void publish(
      long timeMs,
      double seconds,
      @Nullable ScrapeException failure,
      @Nullable StoreException unstored) {
    context.stats().count(counts, bodyLength);
    if (failure != null) {
      context.stats().failed(failure.reason());
    }
    TargetView now = view(timeMs, seconds, failure, unstored);
    view = now;
    log(now, failure == null ? null : failure.reason());
    context.listener().onScrape(now, timeMs);
  }

  /** Tells changes only: a target that is down for a day is one line. */
  private void log(TargetView now, @Nullable FailureReason reason) {
    if (reason != null && reason != toldReason) {
      LOG.warn("{} is down: {}", now.scrapeUrl(), now.lastErrorSentence());
    } else if (reason == null && toldReason != null) {
      LOG.info("{} is up again", now.scrapeUrl());
    }
    toldReason = reason;
  }

  private static String error(
      @Nullable ScrapeException failure, @Nullable StoreException unstored) {
    if (failure != null) {
      return failure.error();
    }
    return unstored == null ? "" : "samples not stored: " + unstored.getMessage();
  }

  private static String sentence(
      @Nullable ScrapeException failure, @Nullable StoreException unstored) {
    if (failure != null) {
      return failure.sentence();
    }
    return unstored == null
        ? ""
        : "The target answers, but its samples aren't stored: " + unstored.getMessage() + ".";
  }

  private TargetView view(
      long timeMs,
      double seconds,
      @Nullable ScrapeException failure,
      @Nullable StoreException unstored) {
    TargetUrl url = probe.lastUrl(target);
    return new TargetView(
        target.discovered(),
        target.labels(),
        target.config().poolName(),
        url.toString(),
        context.globalUrl(url),
        failure == null ? TargetHealth.UP : TargetHealth.DOWN,
        error(failure, unstored),
        sentence(failure, unstored),
        timeMs,
        seconds,
        target.intervalMs(),
        target.timeoutMs(),
        counts.badLines,
        reader.badLines(),
        counts.scraped,
        HttpFailure.printable(contentType));
  }

  private TargetView unscraped(Target of) {
    ScrapeConfig config = of.config();
    return new TargetView(
        of.discovered(),
        of.labels(),
        config.poolName(),
        of.url().toString(),
        context.globalUrl(of.url()),
        TargetHealth.UNKNOWN,
        "",
        "",
        0,
        0,
        of.intervalMs(),
        of.timeoutMs(),
        0,
        List.of(),
        0,
        "");
  }
}
