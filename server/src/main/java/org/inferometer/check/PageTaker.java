package org.inferometer.check;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.exposition.Format;
import org.inferometer.exposition.NotExposition;
import org.inferometer.scrape.TargetProbe;
import org.inferometer.time.WallClock;
import org.jspecify.annotations.Nullable;

/**
 * Finds an endpoint's metrics and scrapes them a few times. Several quick scrapes show processes
 * that answer in turn; the last one comes later, so that counters have moved. Thread-safe.
 */
final class PageTaker {
  /** Quick scrapes after the first. */
  private static final int QUICK = 3;

  private static final long QUICK_MS = 300;

  /** A page that takes longer than this isn't asked for in quick succession. */
  private static final double QUICK_SECONDS_MAX = 0.5;

  private static final int QUICK_BYTES_MAX = 4 << 20;

  private final RefusedPage refused;
  private final WallClock clock;
  private final Pause pause;
  private final long waitMs;

  /**
   * @param waitMs from the first to the last scrape
   */
  PageTaker(RefusedPage refused, WallClock clock, Pause pause, long waitMs) {
    this.refused = refused;
    this.clock = clock;
    this.pause = pause;
    this.waitMs = waitMs;
  }

  /** A page, or what to say of what came instead. */
  private record Reading(@Nullable Scrape scrape, @Nullable Finding finding, boolean isReached) {}

  Taken take(Endpoint endpoint) throws InterruptedException {
    List<Finding> findings = new ArrayList<>();
    boolean reached = false;
    for (String path : endpoint.paths()) {
      TargetProbe.Answer answer = endpoint.fetch(path);
      Reading reading = read(endpoint, answer);
      reached |= reading.isReached();
      if (reading.finding() != null && findings.isEmpty()) {
        findings.add(reading.finding());
      }
      if (reading.scrape() != null) {
        return more(endpoint, path, answer.url(), reading.scrape(), findings);
      }
      if (!reading.isReached()) {
        break;
      }
    }
    return new Taken.Nothing(reached, findings);
  }

  private Taken more(
      Endpoint endpoint, String path, String url, Scrape first, List<Finding> findings)
      throws InterruptedException {
    List<Finding> all = new ArrayList<>(findings);
    if (!path.equals(endpoint.paths().getFirst())) {
      all.add(
          Finding.of(
              "other-path",
              Weight.WRONG,
              "The metrics are at another path than the one given.",
              url));
    }
    List<Scrape> scrapes = new ArrayList<>(List.of(first));
    if (endpoint.isLive()) {
      boolean quick = first.seconds() < QUICK_SECONDS_MAX && first.bytes() < QUICK_BYTES_MAX;
      for (int i = 0; quick && i < QUICK; i++) {
        pause.pause(Math.min(QUICK_MS, waitMs / (QUICK + 1)));
        again(endpoint, path, scrapes, all);
      }
      pause.pause(Math.max(1, first.timeMs() + waitMs - clock.nowMs()));
      again(endpoint, path, scrapes, all);
    }
    return new Taken.Scraped(url, scrapes, all);
  }

  private void again(Endpoint endpoint, String path, List<Scrape> scrapes, List<Finding> findings)
      throws InterruptedException {
    Reading reading = read(endpoint, endpoint.fetch(path));
    Scrape scrape = reading.scrape();
    if (scrape == null) {
      Finding finding = reading.finding();
      findings.add(
          Finding.of(
              "unsteady",
              Weight.WRONG,
              "It gave metrics once and then didn't: " + (finding == null ? "" : finding.says()),
              null));
    } else if (scrape.timeMs() > scrapes.getLast().timeMs()) {
      scrapes.add(scrape);
    }
  }

  private Reading read(Endpoint endpoint, TargetProbe.Answer answer) {
    return switch (answer) {
      case TargetProbe.Failure failure ->
          new Reading(null, refused.failure(failure), RefusedPage.isReached(failure.reason()));
      case TargetProbe.Page page -> read(endpoint, page);
    };
  }

  private Reading read(Endpoint endpoint, TargetProbe.Page page) {
    long timeMs = clock.nowMs();
    Format format =
        switch (Format.of(page.contentType())) {
          case Format.Answer.Supported supported -> supported.format();
          case Format.Answer.Unsupported ignored -> endpoint.fallback();
        };
    ParsedPage parsed = ParsedPage.read(endpoint, format, page.body());
    if (parsed.samples > 0) {
      return new Reading(scrape(timeMs, parsed, page), null, true);
    }
    String unquoted = RefusedPage.unquoted(page.body());
    if (unquoted != null) {
      byte[] body = unquoted.getBytes(java.nio.charset.StandardCharsets.UTF_8);
      ParsedPage inner = ParsedPage.read(endpoint, Format.TEXT, body);
      if (inner.samples > 0) {
        return new Reading(scrape(timeMs, inner, page), RefusedPage.jsonString(), true);
      }
    }
    String explained = NotExposition.explain(page.body(), page.body().length).orElse(null);
    return new Reading(null, refused.page(page.body(), explained, parsed), true);
  }

  private static Scrape scrape(long timeMs, ParsedPage parsed, TargetProbe.Page page) {
    String type = page.contentType() == null ? "" : page.contentType();
    return new Scrape(timeMs, parsed, type, page.dateMs(), page.seconds(), page.body().length);
  }
}
