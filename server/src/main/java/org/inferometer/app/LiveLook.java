package org.inferometer.app;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.inferometer.check.Pause;
import org.inferometer.config.ScrapeConfig;
import org.inferometer.scrape.HttpFetcher;
import org.inferometer.scrape.TargetProbe;
import org.inferometer.time.Ticker;
import org.inferometer.time.WallClock;

/** Asks the endpoints that a user names for a while, and says who doesn't answer. */
final class LiveLook {
  private static final long FOR_MS_MAX = 3_600_000;

  private final Console console;
  private final WallClock clock;
  private final Ticker ticker;
  private final Pause pause;

  LiveLook(Console console, WallClock clock, Ticker ticker, Pause pause) {
    this.console = console;
    this.clock = clock;
    this.ticker = ticker;
    this.pause = pause;
  }

  /**
   * What they say. A signal ends it early, with what is known by then.
   *
   * @throws CommandException if there are none, or none answers
   */
  Snapshot take(Settings settings, long forMs, List<Snapshot.Extra> extras)
      throws InterruptedException {
    if (forMs > FOR_MS_MAX) {
      throw CommandException.badInput("--for: expected at most 1h");
    }
    List<TargetProbe> probes = new ArrayList<>();
    try (HttpFetcher fetcher = new HttpFetcher(ticker, Version.userAgent())) {
      for (ScrapeConfig scrape : settings.scrapes()) {
        probes.addAll(TargetProbe.of(scrape, fetcher));
      }
      if (probes.isEmpty()) {
        throw CommandException.badInput("expected a URL, or --config FILE with targets");
      }
      SnapshotTaker taker = new SnapshotTaker(console, clock, ticker, pause);
      OsSignals.on("INT", taker::stop);
      OsSignals.on("TERM", taker::stop);
      console.say(
          "Scraping "
              + Amounts.count(probes.size(), "target")
              + " for "
              + Amounts.duration(forMs)
              + "; Ctrl-C ends it early.");
      List<Snapshot.Scrape> scrapes = taker.take(probes, forMs);
      Snapshot snapshot =
          new Snapshot(
              Version.userAgent(),
              SnapshotTaker.targets(probes),
              scrapes,
              settings.goals(),
              settings.facts(),
              Snapshot.thresholds(settings.config().diagnosis()),
              settings.dialects(),
              extras);
      tellFailures(snapshot);
      tellShort(snapshot);
      return snapshot;
    } finally {
      probes.forEach(TargetProbe::close);
    }
  }

  /** Nothing of how long requests take can be seen in one page. */
  private void tellShort(Snapshot snapshot) {
    if (snapshot.scrapes().size() <= snapshot.targets().size()) {
      console.say("every target was scraped once only; rates need two scrapes, so look longer");
    }
  }

  private void tellFailures(Snapshot snapshot) {
    TreeSet<String> failures = new TreeSet<>();
    for (Snapshot.Scrape scrape : snapshot.scrapes()) {
      if (scrape.page() == null) {
        failures.add(snapshot.targets().get(scrape.target()).url() + ": " + scrape.says());
      }
    }
    if (snapshot.pages() == 0) {
      throw CommandException.failed(String.join("\n", failures));
    }
    failures.forEach(console::say);
  }
}
