package org.inferometer.scrape;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.inferometer.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counters of all scrapes since the start. Thread-safe. */
public final class ScrapeStats {
  private static final Logger LOG = LoggerFactory.getLogger(ScrapeStats.class);

  private final LongAdder scrapes = new LongAdder();
  private final Map<FailureReason, LongAdder> failures = new EnumMap<>(FailureReason.class);
  private final LongAdder samples = new LongAdder();
  private final LongAdder bodyBytes = new LongAdder();
  private final LongAdder badLines = new LongAdder();
  private final LongAdder duplicates = new LongAdder();
  private final LongAdder outOfOrder = new LongAdder();
  private final LongAdder outOfBounds = new LongAdder();
  private final LongAdder noRoom = new LongAdder();
  private final AtomicLong unstored = new AtomicLong();
  private final AtomicLong unstoredInARow = new AtomicLong();

  public ScrapeStats() {
    for (FailureReason reason : FailureReason.values()) {
      failures.put(reason, new LongAdder());
    }
  }

  void count(SampleCounts counts, long bytes) {
    scrapes.increment();
    bodyBytes.add(bytes);
    samples.add(counts.scraped);
    badLines.add(counts.badLines);
    duplicates.add(counts.duplicates);
    outOfOrder.add(counts.outOfOrder);
    outOfBounds.add(counts.outOfBounds);
    noRoom.add(counts.noRoom);
  }

  /** Told once, however many scrapes of whichever targets it happens to. */
  void notStored(StoreException e) {
    unstored.incrementAndGet();
    if (unstoredInARow.getAndIncrement() == 0) {
      LOG.warn("samples of scrapes aren't stored: {}; scraping goes on", e.getMessage());
    }
  }

  void stored() {
    if (unstoredInARow.get() > 0) {
      long lost = unstoredInARow.getAndSet(0);
      if (lost > 0) {
        LOG.info(
            "samples are stored again; those of {} lost",
            lost == 1 ? "one scrape are" : lost + " scrapes are");
      }
    }
  }

  /** Scrapes whose samples the store couldn't keep. */
  public long unstored() {
    return unstored.get();
  }

  void failed(FailureReason reason) {
    LongAdder adder = failures.get(reason);
    if (adder != null) {
      adder.increment();
    }
  }

  public long scrapes() {
    return scrapes.sum();
  }

  public long failures(FailureReason reason) {
    LongAdder adder = failures.get(reason);
    return adder == null ? 0 : adder.sum();
  }

  public long failures() {
    return failures.values().stream().mapToLong(LongAdder::sum).sum();
  }

  /** Samples parsed. */
  public long samples() {
    return samples.sum();
  }

  /** Uncompressed bytes of bodies. */
  public long bodyBytes() {
    return bodyBytes.sum();
  }

  public long badLines() {
    return badLines.sum();
  }

  /** {@code prometheus_target_scrapes_sample_duplicate_timestamp_total}. */
  public long duplicates() {
    return duplicates.sum();
  }

  /** {@code prometheus_target_scrapes_sample_out_of_order_total}, those that are too old too. */
  public long outOfOrder() {
    return outOfOrder.sum();
  }

  /** {@code prometheus_target_scrapes_sample_out_of_bounds_total}. */
  public long outOfBounds() {
    return outOfBounds.sum();
  }

  /** Samples that the store had no room for. */
  public long noRoom() {
    return noRoom.sum();
  }
}
