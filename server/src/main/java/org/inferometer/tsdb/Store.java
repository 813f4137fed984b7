package org.inferometer.tsdb;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.inferometer.io.Disk;
import org.inferometer.io.NotThereYet;
import org.inferometer.model.ExemplarSeries;
import org.inferometer.model.Matcher;
import org.inferometer.store.Appender;
import org.inferometer.store.ExemplarSource;
import org.inferometer.store.Querier;
import org.inferometer.store.Queryable;
import org.inferometer.store.SampleSink;
import org.inferometer.time.WallClock;
import org.inferometer.tsdb.block.BlockMeta;

/**
 * A durable store in a directory of Prometheus's formats: a head with its logs, and blocks.
 * Thread-safe. {@link #maintain} wants to be called every half minute or so; it cuts blocks from
 * the head, compacts and removes what is too old.
 */
public final class Store implements SampleSink, Queryable, ExemplarSource, AutoCloseable {
  private Store() {}

  /**
   * Opens a directory, which is made if it isn't there, and reads its logs.
   *
   * @param log takes what the operator should know: repairs, what was lost, blocks set aside
   * @throws org.inferometer.store.StoreException if the directory isn't one of a store, another
   *     process has it, or it can't be read; nothing in it was changed then
   */
  public static Store open(StoreOptions options, Disk disk, WallClock clock, Consumer<String> log) {
    return NotThereYet.now();
  }

  /**
   * @throws org.inferometer.store.StoreException if the store is read only
   */
  @Override
  public Appender appender() {
    return NotThereYet.now();
  }

  @Override
  public Querier querier(long minMs, long maxMs) {
    return NotThereYet.now();
  }

  @Override
  public List<ExemplarSeries> exemplars(List<List<Matcher>> selections, long minMs, long maxMs) {
    return NotThereYet.now();
  }

  /** Does what is due. Failures are told to the log and in {@link #stats}, and tried again. */
  public void maintain(long nowMs) {
    NotThereYet.now();
  }

  public HeadStats headStats() {
    return NotThereYet.now();
  }

  public HeadCardinality cardinality(int limit) {
    return NotThereYet.now();
  }

  public StoreStats stats() {
    return NotThereYet.now();
  }

  /** The open blocks by time. */
  public List<BlockMeta> blocks() {
    return NotThereYet.now();
  }

  /** Deletes the samples of the series that pass, ends included. */
  public void delete(List<Matcher> matchers, long minMs, long maxMs) {
    NotThereYet.now();
  }

  /** Writes anew the blocks of which samples are deleted, without these. */
  public void cleanTombstones() {
    NotThereYet.now();
  }

  /**
   * Writes a copy of all blocks, and of the head as a block, to a folder in {@code snapshots}.
   *
   * @param withoutHead whether the head is left out
   * @return the folder
   */
  public Path snapshot(boolean withoutHead) {
    return NotThereYet.now();
  }

  /** Ends cleanly: what was committed lasts. */
  @Override
  public void close() {
    NotThereYet.now();
  }
}
