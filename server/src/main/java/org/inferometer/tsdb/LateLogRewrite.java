package org.inferometer.tsdb;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.io.Disk;
import org.inferometer.store.SampleColumns;
import org.inferometer.tsdb.chunk.StoredChunk;
import org.inferometer.tsdb.wal.Wal;
import org.inferometer.tsdb.wal.WalDamage;
import org.inferometer.tsdb.wal.WalReader;
import org.inferometer.tsdb.wal.WalRecord;
import org.inferometer.tsdb.wal.WalSamples;

/**
 * Writes the log of late samples anew once the head was cut: what memory still has from before the
 * cut, and of the old log what isn't before it.
 */
final class LateLogRewrite {
  private final Disk disk;
  private final Path folder;
  private final Wal log;
  private final long cutMs;
  private final LogBatch batch = new LogBatch();

  LateLogRewrite(Disk disk, Path folder, Wal log, long cutMs) {
    this.disk = disk;
    this.folder = folder;
    this.log = log;
    this.cutMs = cutMs;
  }

  /**
   * Writes, and removes the old segments.
   *
   * @param kept the series that have samples before the cut
   * @return the earliest time in the log; the largest number for none
   * @throws IOException if the log is as it was
   */
  long run(List<HeadSeries> kept) throws IOException {
    int segment = log.cutSegment();
    try {
      return rewrite(kept, segment);
    } catch (IOException | RuntimeException e) {
      takeBack(segment, e);
      throw e;
    }
  }

  /** The old records go once the new ones last. */
  private long rewrite(List<HeadSeries> kept, int segment) throws IOException {
    try (WalReader old = WalReader.open(disk, folder)) {
      long minMs = Long.MAX_VALUE;
      SampleColumns columns = new SampleColumns();
      for (HeadSeries series : kept) {
        copyBefore(series, columns);
        minMs = Math.min(minMs, series.minMs());
      }
      for (WalRecord record = old.next(); record != null; record = old.next()) {
        minMs = Math.min(minMs, copyFrom(record));
      }
      WalDamage damage = old.damage();
      if (damage != null) {
        throw new IOException(
            "%s: offset %d: %s".formatted(damage.file(), damage.offset(), damage.says()));
      }
      log.sync();
      log.removeBefore(segment);
      return minMs;
    }
  }

  /** A copy that isn't whole would be copied, too, by the next try. */
  private void takeBack(int segment, Exception failure) {
    try {
      log.emptyFrom(segment);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  private void copyBefore(HeadSeries series, SampleColumns columns) throws IOException {
    columns.clear();
    for (StoredChunk chunk : series.chunks(Long.MIN_VALUE, cutMs)) {
      chunk.read(Long.MIN_VALUE, cutMs - 1, columns);
    }
    batch.clear();
    for (int i = 0; i < columns.size(); i++) {
      batch.add(series.id(), columns.timestampMs(i), columns.value(i), columns.histogram(i));
    }
    log.log(batch.records());
  }

  /** Copies what isn't before a time; returns the earliest time of it. */
  private long copyFrom(WalRecord record) throws IOException {
    batch.clear();
    long minMs = Long.MAX_VALUE;
    switch (record) {
      case WalRecord.Samples(WalSamples floats) -> {
        for (int i = 0; i < floats.size(); i++) {
          if (floats.timestampMs(i) >= cutMs) {
            batch.add(floats.ref(i), floats.timestampMs(i), floats.value(i), null);
            minMs = Math.min(minMs, floats.timestampMs(i));
          }
        }
      }
      case WalRecord.Histograms(List<WalRecord.HistogramSample> entries) -> {
        for (WalRecord.HistogramSample entry : entries) {
          if (entry.timestampMs() >= cutMs) {
            batch.add(entry);
            minMs = Math.min(minMs, entry.timestampMs());
          }
        }
      }
      case WalRecord.Tombstones(List<WalRecord.Deletion> entries) -> {
        List<WalRecord.Deletion> left = from(entries);
        if (!left.isEmpty()) {
          log.log(List.of(new WalRecord.Tombstones(left)));
          minMs = cutMs;
        }
      }
      case WalRecord.Series s -> {}
      case WalRecord.Exemplars e -> {}
      case WalRecord.Metadata m -> {}
      case WalRecord.Other o -> {}
    }
    if (batch.hasSamples()) {
      log.log(batch.records());
    }
    return minMs;
  }

  private List<WalRecord.Deletion> from(List<WalRecord.Deletion> deletions) {
    return deletions.stream()
        .filter(d -> d.maxMs() >= cutMs)
        .map(d -> new WalRecord.Deletion(d.ref(), Math.max(d.minMs(), cutMs), d.maxMs()))
        .toList();
  }
}
