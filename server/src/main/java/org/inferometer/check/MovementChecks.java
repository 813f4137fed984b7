package org.inferometer.check;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.inferometer.model.Labels;
import org.inferometer.model.MetricType;
import org.inferometer.signals.Catalogue;
import org.inferometer.signals.Families;
import org.inferometer.signals.FamilyType;
import org.inferometer.signals.ServiceKind;
import org.jspecify.annotations.Nullable;

/** What can be wrong with an endpoint, seen on several scrapes of it. */
final class MovementChecks {
  /** Clocks that differ by less can't be told apart by a header cut to the second. */
  private static final long SKEW_MS = 2_000;

  /** From here on log lines and metrics of one event are minutes of searching apart. */
  private static final long SKEW_WRONG_MS = 5_000;

  /** A share of the timeout that a scrape takes when it is at risk. */
  private static final double SLOW_SHARE = 0.5;

  /** In less time a step of a long prompt may be all there is. */
  private static final long STILL_MS_MIN = 3_000;

  /** A counter of a process that restarted doesn't come back so high so soon. */
  private static final int FALLS_MIN = 2;

  private final Catalogue catalogue;
  private final Taken.Scraped taken;
  private final List<Part> parts;

  MovementChecks(Catalogue catalogue, Taken.Scraped taken, List<Part> parts) {
    this.catalogue = catalogue;
    this.taken = taken;
    this.parts = parts;
  }

  /**
   * @param timeoutMs of a scrape
   */
  List<Finding> findings(long timeoutMs) {
    List<Finding> findings = new ArrayList<>();
    if (taken.isMoving()) {
      PageChecks.addIfFound(findings, severalProcesses());
      PageChecks.addIfFound(findings, standsStill());
      PageChecks.addIfFound(findings, slowExporter());
    }
    PageChecks.addIfFound(findings, clockSkew());
    PageChecks.addIfFound(findings, slowScrape(timeoutMs));
    return findings;
  }

  // ------------------------------------------------------------------------ several processes

  /**
   * Counters that fall and come back at least as high as before within seconds: those of a process
   * that restarted begin at nothing and stay low.
   */
  private @Nullable Finding severalProcesses() {
    Set<String> metrics = new TreeSet<>();
    for (Labels labels : taken.first().page().values.keySet()) {
      if (isCounter(labels.metricName()) && fallsAndReturns(labels)) {
        metrics.add(labels.metricName());
      }
    }
    if (metrics.size() < FALLS_MIN) {
      return null;
    }
    return Finding.of(
        "several-processes",
        Weight.WRONG,
        PageChecks.words(metrics.size(), "counter")
            + " went down and up again within seconds, such as "
            + metrics.iterator().next()
            + ": several processes answer in turn behind this port, each with counters of its own."
            + " Every rate of them is wrong.",
        "Scrape each process at a port of its own, or have them share one page\n"
            + "(Python: PROMETHEUS_MULTIPROC_DIR on a fresh directory).");
  }

  private boolean fallsAndReturns(Labels labels) {
    double highest = Double.NEGATIVE_INFINITY;
    double fallenFrom = Double.NaN;
    for (Scrape scrape : taken.scrapes()) {
      Double value = scrape.page().values.get(labels);
      if (value == null || value.isNaN()) {
        continue;
      }
      if (!Double.isNaN(fallenFrom) && value >= fallenFrom) {
        return true;
      }
      if (value < highest && Double.isNaN(fallenFrom)) {
        fallenFrom = highest;
      }
      highest = Math.max(highest, value);
    }
    return false;
  }

  /** By the catalogue, which knows better than the page; else by the page. */
  private boolean isCounter(String metric) {
    List<Families.Match> matches = catalogue.families().find(metric);
    if (!matches.isEmpty()) {
      return matches.stream().allMatch(MovementChecks::isCounter);
    }
    ParsedPage page = taken.first().page();
    MetricType type = page.types.get(page.family(metric));
    return (type == MetricType.COUNTER && !metric.endsWith("_created"))
        || (type == MetricType.HISTOGRAM
            && (metric.endsWith("_bucket") || metric.endsWith("_count")));
  }

  private static boolean isCounter(Families.Match match) {
    return switch (match.part()) {
      case VALUE -> match.family().type() == FamilyType.COUNTER;
      case BUCKET, COUNT -> true;
      case SUM, CREATED -> false;
    };
  }

  // ------------------------------------------------------------------------------ standstill

  private @Nullable Finding standsStill() {
    if (taken.apartMs() < STILL_MS_MIN) {
      return null;
    }
    for (Part part : parts) {
      double running = running(part);
      boolean stands = part.kind() == ServiceKind.ENGINE && running > 0;
      if (stands && !counters(part.engine().id()).isEmpty() && !moves(part.engine().id(), true)) {
        return Finding.of(
            "stands-still",
            Weight.WRONG,
            Math.round(running)
                + (running == 1 ? " request runs" : " requests run")
                + " by its page, and in "
                + seconds()
                + " no counter of "
                + part.engine().title()
                + " moved: it hangs, its metrics are frozen, or it counts a request only at its"
                + " end. A longer look tells.",
            "inferometer check --wait 60s ...");
      }
    }
    return null;
  }

  private static double running(Part part) {
    return part.feeds().stream()
        .filter(feed -> feed.signal().name().equals("running") && !feed.values().isEmpty())
        .mapToDouble(feed -> feed.values().getFirst().value())
        .findFirst()
        .orElse(0);
  }

  private String seconds() {
    return Math.round(taken.apartMs() / 100.0) / 10.0 + " s";
  }

  /** Whether any value of a dialect's families changed. */
  private boolean moves(String dialect, boolean countersOnly) {
    List<Labels> series = countersOnly ? counters(dialect) : series(dialect);
    return series.stream().anyMatch(this::moves);
  }

  private List<Labels> series(String dialect) {
    return taken.first().page().values.keySet().stream()
        .filter(labels -> own(dialect, labels).findAny().isPresent())
        .toList();
  }

  private List<Labels> counters(String dialect) {
    return taken.first().page().values.keySet().stream()
        .filter(labels -> own(dialect, labels).anyMatch(MovementChecks::isCounter))
        .toList();
  }

  private Stream<Families.Match> own(String dialect, Labels labels) {
    return catalogue.families().find(labels.metricName()).stream()
        .filter(match -> match.family().dialect().equals(dialect));
  }

  private boolean moves(Labels labels) {
    Set<Double> values = new HashSet<>();
    for (Scrape scrape : taken.scrapes()) {
      Double value = scrape.page().values.get(labels);
      values.add(value == null ? Double.NaN : value);
    }
    return values.size() > 1;
  }

  private @Nullable Finding slowExporter() {
    for (Part part : parts) {
      boolean exports =
          switch (part.kind()) {
            case GPU, HOST, CLUSTER -> true;
            case ENGINE, ROUTER, OTHER -> false;
          };
      if (exports && !moves(part.engine().id(), false)) {
        return Finding.of(
            "slow-exporter",
            Weight.NOTE,
            "All values of "
                + part.engine().title()
                + " were the same over "
                + seconds()
                + ": it refreshes more slowly than that, or nothing happens. Scraping faster than"
                + " it refreshes only repeats samples.",
            null);
      }
    }
    return null;
  }

  // ----------------------------------------------------------------------------------- time

  private @Nullable Finding clockSkew() {
    long[] skews =
        taken.scrapes().stream()
            .filter(scrape -> scrape.dateMs() != null)
            .mapToLong(scrape -> skew(scrape))
            .sorted()
            .toArray();
    long skew = skews.length == 0 ? 0 : skews[skews.length / 2];
    if (Math.abs(skew) <= SKEW_MS) {
      return null;
    }
    return Finding.of(
        "clock-skew",
        Math.abs(skew) > SKEW_WRONG_MS ? Weight.WRONG : Weight.NOTE,
        "The endpoint's clock is "
            + Math.round(Math.abs(skew) / 1000.0)
            + " s "
            + (skew > 0 ? "ahead of" : "behind")
            + " this machine's: its logs and its start times don't fit what is scraped.",
        Math.abs(skew) > SKEW_WRONG_MS
            ? "Have both machines set their clocks by NTP, such as with chrony."
            : null);
  }

  /** The header is cut to the second, so half of one is right on average. */
  private static long skew(Scrape scrape) {
    Long date = scrape.dateMs();
    return date == null ? 0 : date + 500 - scrape.timeMs();
  }

  private @Nullable Finding slowScrape(long timeoutMs) {
    double slowest = slowest(taken);
    if (slowest * 1000 <= timeoutMs * SLOW_SHARE) {
      return null;
    }
    return Finding.of(
        "slow-scrape",
        Weight.BLIND,
        "A scrape took "
            + Math.round(slowest * 10) / 10.0
            + " s of a timeout of "
            + timeoutMs / 1000.0
            + " s: under load there will be gaps. An engine serves its metrics from the loop that"
            + " also serves requests.",
        "scrape_timeout: " + Math.max(10, Math.round(slowest * 4)) + "s");
  }

  static double slowest(Taken.Scraped taken) {
    return taken.scrapes().stream().mapToDouble(Scrape::seconds).max().orElse(0);
  }
}
