package org.inferometer.app;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.inferometer.config.ScrapeConfig;
import org.inferometer.config.TargetGroup;
import org.inferometer.config.Urls;
import org.inferometer.scrape.PageSource;
import org.inferometer.scrape.ScrapeListener;
import org.inferometer.scrape.ScrapeManager;
import org.inferometer.store.Queryable;
import org.inferometer.time.Pacer;
import org.jspecify.annotations.Nullable;

/**
 * Scrapes a snapshot again as its endpoints were scraped, at the same times, with the scraper that
 * serves: so its series are what a server would have stored. Not thread-safe.
 */
final class SnapshotReplay {
  private static final long NANOS_PER_MS = 1_000_000;

  /** Of the scraper's hashes, so that all is the same each time. */
  private static final long HASH_SEED = 1;

  /** The scraper's; held, since its level is forgotten with it. */
  private static final Logger LOG =
      Logger.getLogger(ScrapeManager.class.getPackageName() + ".ScrapeLoop");

  private final Map<String, Pacer.Task> tasks = new LinkedHashMap<>();
  private long nowMs;
  private long nanos;
  private Snapshot.@Nullable Scrape current;

  private SnapshotReplay() {}

  static Queryable of(Snapshot snapshot) {
    RecordedSeries series = new RecordedSeries(snapshot.startMs());
    Level before = LOG.getLevel();
    // What went wrong then is no news now.
    LOG.setLevel(Level.OFF);
    try {
      new SnapshotReplay().run(snapshot, series);
    } finally {
      LOG.setLevel(before);
    }
    return series;
  }

  private void run(Snapshot snapshot, RecordedSeries series) {
    try (ScrapeManager manager =
        new ScrapeManager(
            series,
            (_, _) -> answer(),
            () -> nowMs,
            () -> nanos,
            this::started,
            ScrapeListener.none(),
            HASH_SEED)) {
      List<ScrapeConfig> configs = new ArrayList<>();
      for (int i = 0; i < snapshot.targets().size(); i++) {
        configs.add(config(i, snapshot.targets().get(i)));
      }
      manager.reload(configs);
      for (Snapshot.Scrape scrape : snapshot.scrapes()) {
        scrape(scrape, snapshot.startMs());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw CommandException.failed("interrupted", e);
    }
  }

  /** Names that no label shows: the labels of a target are all given. */
  private static String address(int target) {
    return "target-" + target + ":80";
  }

  private static ScrapeConfig config(int index, Snapshot.Target target) {
    return Urls.scrapeConfig("http://" + address(index) + "/metrics")
        .withTargets(List.of(new TargetGroup(List.of(address(index)), target.labels())))
        .withHonorLabels(target.honorLabels());
  }

  private Pacer.Running started(String name, long delayNanos, Pacer.Task task) {
    tasks.put(name, task);
    return new Pacer.Running() {
      @Override
      public void wake() {}

      @Override
      public void stop() {}
    };
  }

  private void scrape(Snapshot.Scrape scrape, long startMs) throws InterruptedException {
    Pacer.Task task = tasks.get("scrape http://" + address(scrape.target()) + "/metrics");
    if (task == null) {
      throw new IllegalStateException("expected a scrape of target " + scrape.target());
    }
    current = scrape;
    nowMs = scrape.timeMs();
    nanos = Math.max(nanos, (nowMs - startMs) * NANOS_PER_MS);
    task.turn();
  }

  private PageSource.Answer answer() {
    Snapshot.Scrape scrape = current;
    if (scrape == null) {
      throw new IllegalStateException("nobody asks before the first scrape");
    }
    nanos += (long) (scrape.seconds() * 1e9);
    Snapshot.Packed page = scrape.page();
    if (page == null) {
      return scrape.isLate() ? new PageSource.TooLate() : new PageSource.Refused();
    }
    String type = scrape.contentType() == null ? "" : scrape.contentType();
    return new PageSource.Page(page.bytes(), page.length(), type);
  }
}
