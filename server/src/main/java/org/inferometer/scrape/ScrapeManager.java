package org.inferometer.scrape;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.inferometer.config.ScrapeConfig;
import org.inferometer.model.MetricMetadata;
import org.inferometer.store.MetadataSource;
import org.inferometer.store.SampleSink;
import org.inferometer.time.Pacer;
import org.inferometer.time.Ticker;
import org.inferometer.time.WallClock;
import org.jspecify.annotations.Nullable;

/**
 * All scraping: one pool a job, one loop a target. Thread-safe. One lock, under which nothing
 * waits.
 */
public final class ScrapeManager implements MetadataSource, AutoCloseable {
  private final ScrapeContext context;
  private final Map<String, ScrapePool> pools = new LinkedHashMap<>();

  /** Loops that have still to write that their series ended. */
  private final List<ScrapeLoop> retiring = new ArrayList<>();

  private boolean closed;

  /**
   * @param seed of hashes, so that targets can't make collisions
   * @param hostName what this machine is called by others, for links
   */
  public ScrapeManager(
      SampleSink sink,
      HttpFetcher fetcher,
      WallClock clock,
      Ticker ticker,
      Pacer pacer,
      ScrapeListener listener,
      long seed,
      String hostName) {
    this(
        new ScrapeContext(
            sink, fetcher, clock, ticker, pacer, new ScrapeStats(), listener, seed, hostName));
  }

  /**
   * One that asks for its pages within this process.
   *
   * @param seed of hashes; with the same one all is the same
   */
  public ScrapeManager(
      SampleSink sink,
      PageSource source,
      WallClock clock,
      Ticker ticker,
      Pacer pacer,
      ScrapeListener listener,
      long seed) {
    this(
        new ScrapeContext(
            sink,
            new HandedFetcher(source),
            clock,
            ticker,
            pacer,
            new ScrapeStats(),
            listener,
            seed,
            "localhost"));
  }

  ScrapeManager(ScrapeContext context) {
    this.context = context;
  }

  /**
   * Scrapes these jobs from now on, and no others. Targets that stay the same run on, those with
   * other settings keep their series. All or nothing.
   *
   * @throws IllegalArgumentException if two have one pool name or a rule can't be used; then
   *     nothing has changed
   */
  public synchronized void reload(List<ScrapeConfig> configs) {
    if (closed) {
      return;
    }
    retiring.removeIf(ScrapeLoop::isDone);
    Map<String, Target.Found> found = new LinkedHashMap<>();
    for (ScrapeConfig config : configs) {
      // Makes every part that can fail before anything is changed.
      new Relabeling(config.metricRelabelRules());
      if (found.put(config.poolName(), Target.of(config)) != null) {
        throw new IllegalArgumentException("two jobs are called \"" + config.poolName() + "\"");
      }
    }
    pools
        .entrySet()
        .removeIf(entry -> retired(entry.getValue(), !found.containsKey(entry.getKey())));
    for (ScrapeConfig config : configs) {
      Target.Found targets = found.get(config.poolName());
      if (targets != null) {
        pools
            .computeIfAbsent(config.poolName(), name -> new ScrapePool(context, retiring::add))
            .apply(config, targets);
      }
    }
  }

  private static boolean retired(ScrapePool pool, boolean gone) {
    if (gone) {
      pool.retire();
    }
    return gone;
  }

  /** Ends all scrapes at once. Series aren't marked as ended: after a restart they go on. */
  @Override
  public synchronized void close() {
    closed = true;
    pools.values().forEach(ScrapePool::shutDown);
    retiring.forEach(ScrapeLoop::shutDown);
    retiring.clear();
    pools.clear();
  }

  private synchronized List<ScrapeLoop> loops() {
    List<ScrapeLoop> loops = new ArrayList<>();
    pools.values().forEach(pool -> pool.loops().forEach(loops::add));
    return loops;
  }

  /** All targets that are scraped, in the order of the jobs. */
  public List<TargetView> targets() {
    return loops().stream().map(ScrapeLoop::view).toList();
  }

  /**
   * Something that asks a target outside of its scrapes; null if no such target is scraped.
   *
   * @param target its {@code instance}, or the URL at which it is scraped
   * @param job "" for any
   */
  public synchronized @Nullable TargetProbe probe(String target, String job, HttpFetcher fetcher) {
    for (ScrapePool pool : pools.values()) {
      for (Target one : pool.targets()) {
        boolean named =
            one.labels().get("instance").equals(target) || one.url().toString().equals(target);
        if (named && (job.isEmpty() || one.labels().get("job").equals(job))) {
          return TargetProbe.of(one, fetcher);
        }
      }
    }
    return null;
  }

  /** Targets that aren't scraped. */
  public synchronized List<DroppedTarget> droppedTargets() {
    return pools.values().stream().flatMap(pool -> pool.dropped().stream()).toList();
  }

  public ScrapeStats stats() {
    return context.stats();
  }

  @Override
  public Map<String, List<MetricMetadata>> metadata() {
    Map<String, List<MetricMetadata>> all = new TreeMap<>();
    for (ScrapeLoop loop : loops()) {
      loop.metadata()
          .forEach(
              (name, metadata) -> {
                List<MetricMetadata> known = all.computeIfAbsent(name, n -> new ArrayList<>());
                if (!known.contains(metadata)) {
                  known.add(metadata);
                }
              });
    }
    return all;
  }

  /** What one target tells, by its labels. Empty if there is no such target. */
  public Map<String, MetricMetadata> metadataOf(TargetView target) {
    for (ScrapeLoop loop : loops()) {
      TargetView view = loop.view();
      if (view.scrapePool().equals(target.scrapePool()) && view.labels().equals(target.labels())) {
        return loop.metadata();
      }
    }
    return Map.of();
  }
}
