package org.inferometer.app;

import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import java.util.function.Function;
import org.inferometer.simulator.fleet.Endpoint;
import org.inferometer.simulator.fleet.Simulation;
import org.inferometer.store.SampleSink;

/**
 * A stretch of simulated time as the scraper would have seen it, made as fast as it goes.
 *
 * @param addresses host:port of an endpoint; its label {@code instance}
 * @param prepare is given each endpoint before its first scrape: to turn its knobs
 * @param intervalMs from scrape to scrape
 * @param seed of what goes wrong between scraper and endpoints
 */
record SimulatedHistory(
    Function<Endpoint, String> addresses, Consumer<Endpoint> prepare, long intervalMs, long seed) {
  private static final long NANOS_PER_MS = 1_000_000;

  /** How often progress is told, in simulated time. */
  private static final long TOLD_EVERY_NS = 1_000_000_000;

  /** With the addresses that endpoints have when nothing listens. */
  static SimulatedHistory of(long intervalMs, long seed) {
    return new SimulatedHistory(Endpoint::address, _ -> {}, intervalMs, seed);
  }

  /**
   * Goes on with a simulation from where it is, and stores what is scraped meanwhile. Afterwards
   * the simulation stands at that time, and its series haven't ended: whoever scrapes at the same
   * addresses from then on continues them.
   *
   * @param toMs a time of day, not before the simulation's present
   * @param progress is told now and then how much is done, from 0 to 1
   */
  void fill(Simulation simulation, SampleSink into, long toMs, DoubleConsumer progress) {
    long fromNs = simulation.now();
    long toNs = (toMs - simulation.startMs()) * NANOS_PER_MS;
    try (SimulatedScrape scrape = new SimulatedScrape(simulation, into, this)) {
      for (long ns = fromNs; ns < toNs; ns += TOLD_EVERY_NS) {
        progress.accept((double) (ns - fromNs) / (toNs - fromNs));
        scrape.runUntil(Math.min(toNs, ns + TOLD_EVERY_NS));
      }
      progress.accept(1);
    }
  }
}
