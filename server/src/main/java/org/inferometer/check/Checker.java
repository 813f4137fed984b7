package org.inferometer.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.model.Labels;
import org.inferometer.query.QueryException;
import org.inferometer.signals.Absence;
import org.inferometer.signals.Catalogue;
import org.inferometer.signals.Facts;
import org.inferometer.signals.Goals;
import org.inferometer.time.Ticker;
import org.inferometer.time.WallClock;

/**
 * Looks at endpoints: scrapes each a few times, finds out what it is, and says what is wrong with
 * it. Thread-safe.
 */
public final class Checker {
  /** From the first to the last scrape, unless said otherwise. */
  public static final long WAIT_MS = 5_000;

  /** Endpoints that are asked at a time. */
  static final int AT_A_TIME = 8;

  /** Signals without which nobody can tell what users feel, or why. */
  public static final Set<String> VITAL =
      Set.of(
          "request_rate",
          "ttft_p95",
          "tpot_p95",
          "itl_p95",
          "e2e_p95",
          "running",
          "waiting",
          "kv_usage",
          "prompt_token_rate",
          "output_token_rate",
          "gpu_util",
          "gpu_memory_used",
          "gpu_power");

  private final Catalogue catalogue;
  private final Set<String> needed;
  private final PartReader parts;
  private final PageTaker pages;
  private final Ticker ticker;

  /**
   * @param waitMs from the first to the last scrape
   */
  public Checker(
      Catalogue catalogue,
      Goals goals,
      Facts facts,
      WallClock clock,
      Ticker ticker,
      Pause pause,
      long waitMs) {
    this.catalogue = catalogue;
    this.needed = catalogue.metricsRead();
    this.parts = new PartReader(catalogue, goals, facts, ticker);
    this.pages = new PageTaker(new RefusedPage(catalogue.profiles()), clock, pause, waitMs);
    this.ticker = ticker;
  }

  /**
   * Looks at several endpoints, some at a time, and closes them.
   *
   * @return their reports, in the same order
   * @throws InterruptedException if the thread is interrupted
   */
  public List<EndpointReport> check(List<? extends Endpoint> endpoints)
      throws InterruptedException {
    Semaphore places = new Semaphore(AT_A_TIME);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<EndpointReport>> tasks = new ArrayList<>();
      for (Endpoint endpoint : endpoints) {
        tasks.add(
            () -> {
              places.acquire();
              try (endpoint) {
                return check(endpoint);
              } finally {
                places.release();
              }
            });
      }
      List<EndpointReport> reports = new ArrayList<>();
      for (Future<EndpointReport> future : threads.invokeAll(tasks)) {
        reports.add(future.get());
      }
      return reports;
    } catch (ExecutionException e) {
      throw new IllegalStateException("a check failed", e.getCause());
    }
  }

  /**
   * Looks at one endpoint, without closing it.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  public EndpointReport check(Endpoint endpoint) throws InterruptedException {
    return switch (pages.take(endpoint)) {
      case Taken.Nothing nothing -> report(endpoint, nothing);
      case Taken.Scraped scraped -> report(endpoint, scraped);
    };
  }

  private static EndpointReport report(Endpoint endpoint, Taken.Nothing nothing) {
    Labels labels = endpoint.labels();
    String what = nothing.isReached() ? "No metrics" : "Can't be reached";
    return new EndpointReport(
        endpoint.target(),
        null,
        labels.get("instance"),
        labels.get("job"),
        nothing.isReached() ? EndpointReport.State.NO_METRICS : EndpointReport.State.UNREACHABLE,
        what,
        List.of(),
        nothing.findings(),
        List.of(),
        null,
        null);
  }

  private EndpointReport report(Endpoint endpoint, Taken.Scraped scraped) {
    World world = new World(endpoint.labels(), scraped, ticker);
    ParsedPage page = scraped.last().page();
    List<Finding> findings = new ArrayList<>(scraped.findings());
    List<Part> found = parts(world, page, findings);
    SeriesView series =
        new SeriesCounter(catalogue, needed, page)
            .view(found.stream().anyMatch(part -> !part.feeds().isEmpty()), endpoint.intervalMs());
    findings.addAll(new PageChecks(page).findings(scraped.last().timeMs()));
    findings.addAll(new MovementChecks(catalogue, scraped, found).findings(endpoint.timeoutMs()));
    // Some traps are looked for by a query as well, which sees less.
    Set<String> told = findings.stream().map(Finding::id).collect(Collectors.toSet());
    new TrapChecks(catalogue, world)
        .findings(found).stream().filter(one -> !told.contains(one.id())).forEach(findings::add);
    findings.addAll(new FamilyChecks(catalogue, page, found).findings());
    findings.addAll(BucketFindings.of(found));
    findings.addAll(missing(found, findings));
    findings.addAll(SeriesCounter.findings(series));
    return report(endpoint, scraped, found, findings, series);
  }

  private List<Part> parts(World world, ParsedPage page, List<Finding> findings) {
    try {
      return parts.read(world, page);
    } catch (QueryException e) {
      findings.add(
          Finding.of(
              "unreadable",
              Weight.BLIND,
              "What it is couldn't be found out: " + e.getMessage(),
              null));
      return List.of();
    }
  }

  /** Vital signals that a setting would bring, unless that is told already. */
  private static List<Finding> missing(List<Part> parts, List<Finding> told) {
    List<Finding> findings = new ArrayList<>();
    for (Part part : parts) {
      for (Part.Lack lack : part.lacks()) {
        List<String> vital = lack.signals().stream().filter(VITAL::contains).toList();
        String fix = lack.fix();
        boolean isSetting = lack.why() == Absence.SETTING || lack.why() == Absence.BROKEN;
        boolean isTold =
            Stream.concat(told.stream(), findings.stream()).anyMatch(f -> f.tells(fix));
        if (isSetting && fix != null && !vital.isEmpty() && !isTold) {
          String says = "It doesn't tell " + String.join(", ", vital) + ": " + lack.reason();
          findings.add(Finding.of("missing-signals", Weight.BLIND, says, fix));
        }
      }
    }
    return findings;
  }

  private static EndpointReport report(
      Endpoint endpoint,
      Taken.Scraped scraped,
      List<Part> parts,
      List<Finding> findings,
      SeriesView series) {
    List<Finding> todo = new ArrayList<>();
    List<Finding> notes = new ArrayList<>();
    findings.forEach(finding -> (finding.weight() == Weight.NOTE ? notes : todo).add(finding));
    todo.sort(Comparator.comparing(Finding::weight));
    ParsedPage page = scraped.last().page();
    Labels labels = endpoint.labels();
    return new EndpointReport(
        endpoint.target(),
        scraped.url(),
        labels.get("instance"),
        labels.get("job"),
        todo.isEmpty() ? EndpointReport.State.OK : EndpointReport.State.TODO,
        Verdicts.of(parts, page, todo.size()),
        parts,
        todo,
        notes,
        series,
        new EndpointReport.ScrapeView(
            scraped.scrapes().size(),
            scraped.apartMs() / 1000.0,
            MovementChecks.slowest(scraped),
            endpoint.timeoutMs() / 1000.0,
            scraped.last().bytes(),
            scraped.last().contentType(),
            page.badLineCount,
            page.badLines.subList(0, Math.min(5, page.badLines.size()))));
  }
}
