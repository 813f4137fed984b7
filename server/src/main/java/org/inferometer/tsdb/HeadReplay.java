package org.inferometer.tsdb;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.model.Labels;
import org.inferometer.model.MetricMetadata;
import org.inferometer.model.StalenessMarker;
import org.inferometer.store.StoreException;
import org.inferometer.tsdb.wal.WalDamage;
import org.inferometer.tsdb.wal.WalReader;
import org.inferometer.tsdb.wal.WalRecord;
import org.inferometer.tsdb.wal.WalSamples;
import org.jspecify.annotations.Nullable;

/**
 * Reads the logs of a head into its series: the calling thread decodes, makes series and spreads
 * samples over shards by series; a thread for each shard puts them in, in the order of the log.
 *
 * <p>A deletion hides what came before it in its log. One in {@code wal} that was written by us has
 * its double in {@code wbl}, where it stands among the late samples; a {@code wbl} without any was
 * written by Prometheus, for which a deletion also hides what comes later.
 */
final class HeadReplay implements AutoCloseable {
  private final SeriesIndex index;
  private final HeadFiles files;
  private final long blocksEndMs;
  private final ExemplarRing exemplars;
  private final Map<String, MetricMetadata> metadata;
  private final ReplayShard[] shards;
  private final Runnable onProgress;

  /** Series by other references than their own. */
  private final Map<Long, HeadSeries> aliases = new HashMap<>();

  private final List<WalRecord.Deletion> deletions = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();
  private int idMax;
  private long readBytes;
  private long lateMinMs = Long.MAX_VALUE;
  private boolean hasLateDeletions;
  private boolean isDamaged;
  private long strayExemplars;

  /**
   * @param shards a power of two of them
   * @param onProgress called now and then between samples, to make room
   */
  HeadReplay(
      SeriesIndex index,
      HeadFiles files,
      long blocksEndMs,
      ExemplarRing exemplars,
      Map<String, MetricMetadata> metadata,
      ReplayShard[] shards,
      Runnable onProgress) {
    this.index = index;
    this.files = files;
    this.blocksEndMs = blocksEndMs;
    this.exemplars = exemplars;
    this.metadata = metadata;
    this.shards = shards;
    this.onProgress = onProgress;
  }

  /** Reads both logs; afterwards all is in the series. */
  void run() throws IOException {
    read(HeadLog.WAL, false);
    read(HeadLog.WBL, true);
    if (lateMinMs < Long.MAX_VALUE && !hasLateDeletions) {
      deletions.forEach(this::hideFromBlocksEnd);
    }
    for (ReplayShard shard : shards) {
      shard.finish();
    }
    index.endRestore(idMax);
    long strays = strayExemplars;
    for (ReplayShard shard : shards) {
      strays += shard.strays();
    }
    if (strays > 0) {
      isDamaged = true;
      problems.add(
          files.folder()
              + ": the logs have "
              + strays
              + " entries of series that they don't introduce: these are lost");
    }
  }

  private void hideFromBlocksEnd(WalRecord.Deletion deletion) {
    if (deletion.maxMs() >= blocksEndMs) {
      delete(
          new WalRecord.Deletion(
              deletion.ref(), Math.max(blocksEndMs, deletion.minMs()), deletion.maxMs()));
    }
  }

  private void read(String name, boolean isLate) throws IOException {
    Path folder = files.folder().resolve(name);
    WalDamage damage;
    try (WalReader in = WalReader.open(files.disk(), folder)) {
      for (WalRecord record = in.next(); record != null; record = in.next()) {
        take(record, isLate);
      }
      damage = in.damage();
      readBytes += in.readBytes();
    }
    if (damage != null) {
      if (damage.isForeign() && !files.isReadOnly()) {
        throw new StoreException(
            "%s: offset %d: %s; nothing was changed. With --read-only the blocks can be read"
                .formatted(damage.file(), damage.offset(), damage.says()));
      }
      isDamaged |= !damage.isTail();
      problems.add(sentence(damage));
      if (!files.isReadOnly()) {
        WalReader.repair(files.disk(), folder, damage);
      }
    }
  }

  private static String sentence(WalDamage damage) {
    String place = "%s: offset %d: %s; ".formatted(damage.file(), damage.offset(), damage.says());
    return damage.isTail()
        ? place + "a last write wasn't finished, its " + damage.lostBytes() + " bytes are lost"
        : place + damage.lostBytes() + " bytes from there on are lost";
  }

  private void take(WalRecord record, boolean isLate) {
    switch (record) {
      case WalRecord.Series(List<WalRecord.NewSeries> entries) -> entries.forEach(this::introduce);
      case WalRecord.Samples(WalSamples samples) -> take(samples, isLate);
      case WalRecord.Histograms(List<WalRecord.HistogramSample> entries) -> {
        for (WalRecord.HistogramSample entry : entries) {
          take(entry, isLate);
        }
      }
      case WalRecord.Tombstones(List<WalRecord.Deletion> entries) -> {
        hasLateDeletions |= isLate;
        (isLate ? List.<WalRecord.Deletion>of() : entries).forEach(deletions::add);
        entries.forEach(this::delete);
      }
      case WalRecord.Exemplars(List<WalRecord.SeriesExemplar> entries) ->
          entries.forEach(this::take);
      case WalRecord.Metadata(List<WalRecord.SeriesMetadata> entries) ->
          entries.forEach(this::take);
      case WalRecord.Other other -> {}
    }
  }

  private void introduce(WalRecord.NewSeries entry) {
    if (entry.ref() <= 0 || entry.ref() > Integer.MAX_VALUE) {
      throw new StoreException(
          "%s: expected references of series from 1 to %d, got %s for %s: another program numbered them"
              .formatted(
                  files.folder().resolve(HeadLog.WAL),
                  Integer.MAX_VALUE,
                  Long.toUnsignedString(entry.ref()),
                  entry.labels()));
    }
    int id = (int) entry.ref();
    idMax = Math.max(idMax, id);
    HeadSeries holder = index.byId(id);
    if (holder != null && !holder.labels().equals(entry.labels())) {
      problems.add(
          "%s: reference %d stands for %s and for %s, which isn't taken"
              .formatted(files.folder(), id, holder.labels(), entry.labels()));
      return;
    }
    HeadSeries series = index.restore(id, entry.labels());
    series.setLogged(true);
    if (series.id() != id) {
      aliases.put(entry.ref(), series);
    }
  }

  private void take(WalSamples samples, boolean isLate) {
    for (int i = 0; i < samples.size(); i++) {
      put(samples.ref(i), samples.timestampMs(i), samples.value(i), null, isLate);
    }
  }

  /** As others write it, the sum tells that the series ended. */
  private void take(WalRecord.HistogramSample entry, boolean isLate) {
    boolean isStale = StalenessMarker.is(entry.histogram().sum());
    put(
        entry.ref(),
        entry.timestampMs(),
        isStale ? StalenessMarker.VALUE : Double.NaN,
        isStale ? null : entry.histogram(),
        isLate);
  }

  private void put(
      long ref,
      long timestampMs,
      double value,
      @Nullable NativeHistogram histogram,
      boolean isLate) {
    if (isLate) {
      lateMinMs = Math.min(lateMinMs, timestampMs);
    } else if (timestampMs < blocksEndMs) {
      return;
    }
    int id = idOf(ref);
    ReplayShard shard = shards[id & (shards.length - 1)];
    if (shard.add(id, timestampMs, value, histogram)) {
      onProgress.run();
    }
  }

  /** The id of the series, if there is one, else one that none has, which may be 0. */
  private int idOf(long ref) {
    if (!aliases.isEmpty()) {
      HeadSeries series = aliases.get(ref);
      if (series != null) {
        return series.id();
      }
    }
    if (ref < 0 || ref > Integer.MAX_VALUE) {
      return 0;
    }
    idMax = Math.max(idMax, (int) ref); // if nobody introduced it, no other series may get it
    return (int) ref;
  }

  private void delete(WalRecord.Deletion deletion) {
    int id = idOf(deletion.ref());
    shards[id & (shards.length - 1)].delete(id, deletion.minMs(), deletion.maxMs());
  }

  private void take(WalRecord.SeriesExemplar entry) {
    Labels labels = labelsOf(entry.ref());
    if (labels == null) {
      strayExemplars++;
    } else {
      exemplars.add(labels, entry.exemplar());
    }
  }

  private void take(WalRecord.SeriesMetadata entry) {
    Labels labels = labelsOf(entry.ref());
    if (labels != null) {
      metadata.put(labels.get(Labels.NAME), entry.metadata());
    }
  }

  private @Nullable Labels labelsOf(long ref) {
    HeadSeries series = byRef(ref);
    return series == null ? null : series.labels();
  }

  /** The series that a reference stands for. */
  @Nullable HeadSeries byRef(long ref) {
    return index.byId(idOf(ref));
  }

  List<String> problems() {
    return problems;
  }

  /** The bytes of both logs. */
  long readBytes() {
    return readBytes;
  }

  long samples() {
    long total = 0;
    for (ReplayShard shard : shards) {
      total += shard.samples();
    }
    return total;
  }

  /** The earliest sample in the log of late ones; the largest number for none. */
  long lateMinMs() {
    return lateMinMs;
  }

  /** Whether more is missing than an unfinished last write. */
  boolean isDamaged() {
    return isDamaged;
  }

  /** Series by other references than their own. */
  Map<Long, HeadSeries> aliases() {
    return aliases;
  }

  /** Ends the threads. */
  @Override
  public void close() {
    for (ReplayShard shard : shards) {
      shard.close();
    }
  }
}
