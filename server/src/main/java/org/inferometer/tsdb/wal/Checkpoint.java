package org.inferometer.tsdb.wal;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes what is still needed of segments as a folder of segments of its own, which gets its name
 * once all of it lasts.
 */
final class Checkpoint {
  /** So much is written at once. */
  private static final int BATCH_BYTES = 256 * 1024;

  private final WalFolder folder;
  private final WalOptions options;
  private final CheckpointFilter keep;
  private final EncodedRecords batch;

  /** What was told last of a series counts. */
  private final Map<Long, WalRecord.SeriesMetadata> metadata = new LinkedHashMap<>();

  private SegmentWriter segment;

  private Checkpoint(WalFolder folder, WalOptions options, CheckpointFilter keep)
      throws IOException {
    this.folder = folder;
    this.options = options;
    this.keep = keep;
    this.batch = new EncodedRecords(options.compress());
    this.segment = SegmentWriter.create(folder, 0);
  }

  /**
   * Writes the checkpoint of all segments up to a number.
   *
   * @throws IOException also if a record in them isn't whole
   */
  static void write(WalFolder log, int number, WalOptions options, CheckpointFilter keep)
      throws IOException {
    try (WalReader in = WalReader.open(log, number + 1)) {
      write(log, number, options, keep, in);
      WalDamage damage = in.damage();
      if (damage != null) {
        log.removeUnfinished();
        throw new IOException(
            "%s: offset %d: %s".formatted(damage.file(), damage.offset(), damage.says()));
      }
    }
    finish(log, number);
  }

  /** Writes what a reader gives, up to its end or a damage, under the unfinished name. */
  static void write(
      WalFolder log, int number, WalOptions options, CheckpointFilter keep, WalReader in)
      throws IOException {
    Path path = log.unfinishedCheckpoint(number);
    log.disk().delete(path);
    log.disk().createFolders(path);
    new Checkpoint(new WalFolder(log.disk(), path), options, keep).copy(in);
  }

  /** Gives it its name. */
  static void finish(WalFolder log, int number) throws IOException {
    log.disk().rename(log.unfinishedCheckpoint(number), log.checkpoint(number));
    log.disk().syncFolder(log.path());
  }

  private void copy(WalReader in) throws IOException {
    try {
      for (WalRecord next = in.next(); next != null; next = in.next()) {
        add(kept(next));
      }
      add(new WalRecord.Metadata(List.copyOf(metadata.values())));
      writeBatch();
      segment.pad();
      segment.sync();
    } finally {
      segment.close();
    }
  }

  private void add(@Nullable WalRecord next) throws IOException {
    if (next != null) {
      batch.encode(next);
      if (batch.size() >= BATCH_BYTES) {
        writeBatch();
      }
    }
  }

  private void writeBatch() throws IOException {
    int bytes = batch.frame(segment.size());
    if (!segment.hasRoomFor(bytes, options.segmentBytes())) {
      nextSegment();
      bytes = batch.frame(0);
    }
    if (bytes > 0) {
      segment.write(batch.framed(), bytes);
    }
    batch.clear();
  }

  private void nextSegment() throws IOException {
    segment.pad();
    segment.sync();
    segment.close();
    segment = SegmentWriter.create(folder, segment.number() + 1);
  }

  private @Nullable WalRecord kept(WalRecord next) {
    return switch (next) {
      case WalRecord.Series series ->
          new WalRecord.Series(
              series.entries().stream().filter(e -> keep.keepsSeries(e.ref())).toList());
      case WalRecord.Samples samples -> new WalRecord.Samples(kept(samples.samples()));
      case WalRecord.Histograms histograms ->
          new WalRecord.Histograms(
              histograms.entries().stream().filter(e -> keeps(e.ref(), e.timestampMs())).toList());
      case WalRecord.Tombstones stones ->
          new WalRecord.Tombstones(
              stones.entries().stream().filter(e -> keeps(e.ref(), e.maxMs())).toList());
      case WalRecord.Exemplars exemplars ->
          new WalRecord.Exemplars(
              exemplars.entries().stream()
                  .filter(e -> keeps(e.ref(), e.exemplar().timestampMs()))
                  .toList());
      case WalRecord.Metadata told -> {
        told.entries().forEach(this::keepMetadata);
        yield null;
      }
      case WalRecord.Other _ -> null;
    };
  }

  private boolean keeps(long ref, long timestampMs) {
    return timestampMs >= keep.keptFromMs() && keep.keepsSeries(ref);
  }

  private void keepMetadata(WalRecord.SeriesMetadata entry) {
    if (keep.keepsSeries(entry.ref())) {
      metadata.put(entry.ref(), entry);
    }
  }

  private WalSamples kept(WalSamples all) {
    WalSamples kept = new WalSamples();
    for (int i = 0; i < all.size(); i++) {
      if (keeps(all.ref(i), all.timestampMs(i))) {
        kept.add(all.ref(i), all.timestampMs(i), all.value(i));
      }
    }
    return kept;
  }

  /** Removes segments before a number, and checkpoints that are older than one before it. */
  static void removeOld(WalFolder log, int before) throws IOException {
    int newest = log.newestCheckpoint();
    for (int number : log.checkpoints()) {
      if (number < newest) {
        log.disk().delete(log.checkpoint(number));
      }
    }
    for (int number : log.segments()) {
      if (number < before) {
        log.disk().delete(log.segment(number));
      }
    }
    log.disk().syncFolder(log.path());
  }
}
