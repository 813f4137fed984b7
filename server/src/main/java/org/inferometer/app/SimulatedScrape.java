package org.inferometer.app;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.config.ScrapeConfig;
import org.inferometer.config.TargetGroup;
import org.inferometer.config.Urls;
import org.inferometer.scrape.PageSource;
import org.inferometer.scrape.ScrapeListener;
import org.inferometer.scrape.ScrapeManager;
import org.inferometer.simulator.event.Dice;
import org.inferometer.simulator.fleet.Endpoint;
import org.inferometer.simulator.fleet.Simulation;
import org.inferometer.simulator.knob.Knob;
import org.inferometer.simulator.page.Page;
import org.inferometer.store.SampleSink;
import org.inferometer.time.Pacer;
import org.inferometer.time.SimulatedTime;
import org.jspecify.annotations.Nullable;

/**
 * The scraper before a simulation, in its time: what it stores is what it would store if it had
 * asked over a network. Not thread-safe; the simulation is moved by this only.
 */
final class SimulatedScrape implements AutoCloseable {
  /** Prometheus's default, unless the interval is shorter. */
  private static final long TIMEOUT_MS_MAX = 10_000;

  private static final long NANOS_PER_MS = 1_000_000;

  /** Of the scraper's hashes; nobody here makes collisions. */
  private static final long HASH_SEED = 1;

  private final Simulation simulation;
  private final SimulatedHistory settings;
  private final SimulatedTime time;
  private final ScrapeManager manager;
  private Map<String, Asked> byUrl = Map.of();
  private final Dice dice;
  private final long beganNs;
  private @Nullable List<Endpoint> scraped;

  /** An endpoint, and how late its turns come. */
  private record Asked(Endpoint endpoint, Dice late) {}

  /** Begins at the simulation's present. */
  SimulatedScrape(Simulation simulation, SampleSink sink, SimulatedHistory settings) {
    this.simulation = simulation;
    this.settings = settings;
    this.dice = Dice.of(settings.seed()).stream("scrape");
    this.beganNs = simulation.now();
    this.time = new SimulatedTime(simulation.startMs() + beganNs / NANOS_PER_MS);
    this.manager =
        new ScrapeManager(
            sink, this::ask, time, time, this::start, ScrapeListener.none(), HASH_SEED);
  }

  /** Goes on until a moment of the simulation. */
  void runUntil(long ns) {
    refresh();
    while (time.next() <= ns - beganNs) {
      simulation.runUntil(beganNs + time.next());
      time.step();
      refresh();
    }
    simulation.runUntil(ns);
    time.runUntil(ns - beganNs);
  }

  // -------------------------------------------------------------------------------- the targets

  /** Endpoints that are gone get no more turns; a scrape finds out at the first turn after. */
  private void refresh() {
    List<Endpoint> endpoints = simulation.endpoints();
    if (endpoints.equals(scraped)) {
      return;
    }
    scraped = endpoints;
    Map<String, Asked> known = byUrl;
    byUrl = new LinkedHashMap<>();
    Map<String, List<Endpoint>> jobs = new LinkedHashMap<>();
    for (Endpoint endpoint : endpoints) {
      String url = "http://" + settings.addresses().apply(endpoint) + endpoint.path();
      byUrl.put(url, asked(endpoint, known.get(url)));
      jobs.computeIfAbsent(endpoint.job(), _ -> new ArrayList<>()).add(endpoint);
    }
    manager.reload(jobs.values().stream().map(this::config).toList());
  }

  private Asked asked(Endpoint endpoint, @Nullable Asked known) {
    if (known != null && known.endpoint().equals(endpoint)) {
      return known;
    }
    settings.prepare().accept(endpoint);
    return new Asked(endpoint, dice.stream(endpoint.job() + "/" + endpoint.name()));
  }

  private ScrapeConfig config(List<Endpoint> job) {
    Endpoint first = job.getFirst();
    List<TargetGroup> targets =
        job.stream()
            .map(one -> new TargetGroup(List.of(settings.addresses().apply(one)), one.labels()))
            .toList();
    return Urls.job(
        first.job(),
        settings.intervalMs(),
        Math.min(settings.intervalMs(), TIMEOUT_MS_MAX),
        first.path(),
        targets);
  }

  // --------------------------------------------------------------------------------- one scrape

  /** Turns come late as the endpoint's knob says; the next one is on time again, or late anew. */
  private Pacer.Running start(String name, long delayNanos, Pacer.Task task) {
    String url = name.substring(name.lastIndexOf(' ') + 1);
    return time.start(
        name,
        delayNanos + lateNs(url),
        () -> {
          long next = task.turn();
          return next == Pacer.DONE ? next : next + lateNs(url);
        });
  }

  private long lateNs(String url) {
    Asked asked = byUrl.get(url);
    if (asked == null) {
      return 0;
    }
    long most = asked.endpoint().knobs().nanos(Knob.SCRAPE_JITTER);
    return most == 0 ? 0 : (long) (asked.late().nextDouble() * most);
  }

  private PageSource.Answer ask(String url, long timeoutMs) throws InterruptedException {
    Asked asked = byUrl.get(url);
    if (asked == null) {
      return new PageSource.Refused();
    }
    Endpoint endpoint = asked.endpoint();
    long timeoutNs = timeoutMs * NANOS_PER_MS;
    long delayNs = endpoint.delayNs();
    if (delayNs > timeoutNs) {
      return late(timeoutNs);
    }
    time.pass(delayNs);
    try {
      Page page = endpoint.page();
      return new PageSource.Page(page.body(), page.length(), page.contentType());
    } catch (Endpoint.NoAnswer e) {
      return e.isSlow() ? late(timeoutNs - delayNs) : new PageSource.Refused();
    }
  }

  private PageSource.Answer late(long afterNs) throws InterruptedException {
    time.pass(afterNs);
    return new PageSource.TooLate();
  }

  /** Ends without marking series as ended: whoever scrapes after this goes on with them. */
  @Override
  public void close() {
    manager.close();
    time.close();
  }
}
