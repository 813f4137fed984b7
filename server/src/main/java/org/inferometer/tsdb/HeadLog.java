package org.inferometer.tsdb;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.model.Exemplar;
import org.inferometer.store.SampleColumns;
import org.inferometer.tsdb.chunk.StoredChunk;
import org.inferometer.tsdb.wal.CheckpointFilter;
import org.inferometer.tsdb.wal.Wal;
import org.inferometer.tsdb.wal.WalDamage;
import org.inferometer.tsdb.wal.WalReader;
import org.inferometer.tsdb.wal.WalRecord;
import org.inferometer.tsdb.wal.WalSamples;
import org.jspecify.annotations.Nullable;

/**
 * The logs of a durable head. Samples go to {@code wal} if they are newer than all that the log has
 * of their series, and else to {@code wbl}, the log of late ones, which is read behind the other.
 *
 * <p>One commit at a time writes and then changes memory, both under {@link #lock}, so that memory
 * and logs tell of everything in the same order: whichever of two samples of the same time was
 * first here is also the first when the logs are read. Lock order: that of dropping, this, the
 * index's, a series.
 */
final class HeadLog {
  static final String WAL = "wal";
  static final String WBL = "wbl";

  private final HeadFiles files;
  private final ReentrantLock lock = new ReentrantLock();
  private final Wal wal;
  private @Nullable Wal wbl;
  private final Batch inOrder = new Batch();
  private final Batch late = new Batch();
  private final List<HeadSeries> firsts = new ArrayList<>();
  private final AtomicLong failures = new AtomicLong();
  private volatile String trouble = "";

  /** Samples before this are late: they are, or are about to be, in blocks. */
  private volatile long lateBeforeMs;

  /** The earliest sample in the log of late ones, or earlier. */
  private long lateMinMs;

  /** References that no series has any more, with what may still use them. */
  private final Map<Long, Gone> gone = new HashMap<>();

  /** Late samples since a cut began, which its blocks don't have. */
  private final List<LateSample> tracked = new ArrayList<>();

  private boolean isTracking;

  /**
   * @param segment the last one with records that use it
   * @param maxMs no sample of it is later
   */
  record Gone(int segment, long maxMs) {}

  /** A sample that is in no block. */
  record LateSample(
      HeadSeries series, long timestampMs, double value, @Nullable NativeHistogram histogram) {}

  /** What is written to one log at once. */
  private static final class Batch {
    private final List<WalRecord.NewSeries> series = new ArrayList<>();
    private final WalSamples floats = new WalSamples();
    private final List<WalRecord.HistogramSample> histograms = new ArrayList<>();
    private final List<WalRecord.SeriesExemplar> exemplars = new ArrayList<>();

    void clear() {
      series.clear();
      floats.clear();
      histograms.clear();
      exemplars.clear();
    }

    void add(long ref, long timestampMs, double value, @Nullable NativeHistogram histogram) {
      if (histogram == null) {
        floats.add(ref, timestampMs, value);
      } else {
        histograms.add(new WalRecord.HistogramSample(ref, timestampMs, histogram));
      }
    }

    boolean hasSamples() {
      return floats.size() > 0 || !histograms.isEmpty();
    }

    List<WalRecord> records() {
      List<WalRecord> records = new ArrayList<>(4);
      if (!series.isEmpty()) {
        records.add(new WalRecord.Series(series));
      }
      if (floats.size() > 0) {
        records.add(new WalRecord.Samples(floats));
      }
      if (!histograms.isEmpty()) {
        records.add(new WalRecord.Histograms(histograms));
      }
      if (!exemplars.isEmpty()) {
        records.add(new WalRecord.Exemplars(exemplars));
      }
      return records;
    }
  }

  /**
   * Opens the logs behind what was read of them.
   *
   * @param lateBeforeMs samples before this are in blocks
   * @param lateMinMs the earliest sample in the log of late ones; the largest number for none
   */
  HeadLog(HeadFiles files, long lateBeforeMs, long lateMinMs) throws IOException {
    this.files = files;
    this.lateBeforeMs = lateBeforeMs;
    this.lateMinMs = lateMinMs;
    wal = Wal.open(files.disk(), folder(WAL), files.wal());
    if (!files.disk().list(folder(WBL)).isEmpty()) {
      lateLog();
    }
  }

  private Path folder(String name) {
    return files.folder().resolve(name);
  }

  /** Made when it is needed first: most heads have no late samples. */
  private Wal lateLog() throws IOException {
    Wal log = wbl;
    if (log == null) {
      log = Wal.open(files.disk(), folder(WBL), files.wal());
      wbl = log;
    }
    return log;
  }

  void lock() {
    lock.lock();
  }

  void unlock() {
    lock.unlock();
  }

  /** Samples before this are late. */
  long lateBeforeMs() {
    return lateBeforeMs;
  }

  // What a commit does, under the lock: clear, add all, write, then change memory.

  void clear() {
    inOrder.clear();
    late.clear();
    firsts.clear();
  }

  /**
   * Adds a sample to what is written next; returns whether it is late. A late one that memory won't
   * take isn't written: else it would come up once the one before it is in a block.
   */
  boolean add(
      HeadSeries series,
      long timestampMs,
      double value,
      @Nullable NativeHistogram histogram,
      SampleColumns scratch) {
    introduce(series);
    boolean isLate = timestampMs < lateBeforeMs || !series.isInOrder(timestampMs);
    if (isLate) {
      if (series.takes(timestampMs, value, histogram, scratch)) {
        late.add(series.id(), timestampMs, value, histogram);
        lateMinMs = Math.min(lateMinMs, timestampMs);
      }
    } else {
      series.noteLogged(timestampMs);
      inOrder.add(series.id(), timestampMs, value, histogram);
    }
    return isLate;
  }

  /** The mark is taken back if the record can't be written. */
  private void introduce(HeadSeries series) {
    if (!series.isLogged()) {
      series.setLogged(true);
      firsts.add(series);
      inOrder.series.add(new WalRecord.NewSeries(series.id(), series.labels()));
    }
  }

  /** Adds an exemplar to what is written next. */
  void add(HeadSeries series, Exemplar exemplar) {
    introduce(series);
    inOrder.exemplars.add(new WalRecord.SeriesExemplar(series.id(), exemplar));
  }

  /**
   * Writes what was added.
   *
   * @return false if the late samples couldn't be written, but all others were
   * @throws IOException if nothing was written that counts
   */
  boolean write() throws IOException {
    writeInOrder();
    try {
      if (late.hasSamples()) {
        lateLog().log(late.records());
      }
      trouble = "";
      return true;
    } catch (IOException e) {
      noteFailure(e);
      if (!inOrder.hasSamples()) {
        throw e;
      }
      return false;
    }
  }

  private void writeInOrder() throws IOException {
    List<WalRecord> records = inOrder.records();
    if (records.isEmpty()) {
      return;
    }
    try {
      wal.log(records);
    } catch (IOException e) {
      firsts.forEach(series -> series.setLogged(false));
      noteFailure(e);
      throw e;
    }
  }

  private void noteFailure(IOException e) {
    failures.incrementAndGet();
    trouble = "can't write the log: " + e.getMessage();
  }

  /** Notes that memory has a sample now that a running cut may have missed. */
  void committed(
      HeadSeries series, long timestampMs, double value, @Nullable NativeHistogram histogram) {
    if (isTracking && timestampMs < lateBeforeMs) {
      tracked.add(new LateSample(series, timestampMs, value, histogram));
    }
  }

  /** Writes deletions, to the log of late samples first: read last, it makes them complete. */
  void delete(List<WalRecord.Deletion> deletions) throws IOException {
    List<WalRecord> records = List.of(new WalRecord.Tombstones(deletions));
    try {
      lateLog().log(records);
    } catch (IOException e) {
      noteFailure(e);
      throw e;
    }
    for (WalRecord.Deletion deletion : deletions) {
      lateMinMs = Math.min(lateMinMs, deletion.minMs());
      tracked.removeIf(
          sample ->
              sample.series.id() == deletion.ref()
                  && deletion.minMs() <= sample.timestampMs
                  && sample.timestampMs <= deletion.maxMs());
    }
  }

  /** The same for those who read only the first log for deletions, as Prometheus does. */
  void deleteForOthers(List<WalRecord.Deletion> deletions) throws IOException {
    wal.log(List.of(new WalRecord.Tombstones(deletions)));
  }

  // Cutting.

  /** From now on samples before a time are late, and tracked until the cut is done. */
  void beginCut(long toMs) {
    lateBeforeMs = Math.max(lateBeforeMs, toMs);
    isTracking = true;
  }

  /**
   * Takes what came meanwhile before a time.
   *
   * @param goesOn whether tracking goes on, for another cut
   */
  List<LateSample> takeTracked(long beforeMs, boolean goesOn) {
    isTracking = goesOn;
    List<LateSample> taken = tracked.stream().filter(s -> s.timestampMs < beforeMs).toList();
    tracked.removeIf(sample -> !goesOn || sample.timestampMs < beforeMs);
    return taken;
  }

  /**
   * Writes the log of late samples anew with what isn't in blocks; under the lock, once memory is
   * cut.
   *
   * @param cutMs what is before is in blocks, but for what memory still has
   */
  void rewriteLate(long cutMs, SeriesIndex index) throws IOException {
    boolean isOnlyNew = lateMinMs >= cutMs;
    List<HeadSeries> kept = index.all().stream().filter(series -> series.minMs() < cutMs).toList();
    if (isOnlyNew && kept.isEmpty()) {
      return;
    }
    Wal log = lateLog();
    int segment = log.cutSegment();
    try {
      rewriteLate(cutMs, kept, log, segment);
    } catch (IOException | RuntimeException e) {
      takeBack(log, segment, e);
      throw e;
    }
  }

  /** The old records go once the new ones last. */
  private void rewriteLate(long cutMs, List<HeadSeries> kept, Wal log, int segment)
      throws IOException {
    try (WalReader old = WalReader.open(files.disk(), folder(WBL))) {
      long minMs = Long.MAX_VALUE;
      SampleColumns columns = new SampleColumns();
      for (HeadSeries series : kept) {
        copyBefore(series, cutMs, columns, log);
        minMs = Math.min(minMs, series.minMs());
      }
      for (WalRecord record = old.next(); record != null; record = old.next()) {
        minMs = Math.min(minMs, copyFrom(record, cutMs, log));
      }
      WalDamage damage = old.damage();
      if (damage != null) {
        throw new IOException(
            "%s: offset %d: %s".formatted(damage.file(), damage.offset(), damage.says()));
      }
      log.sync();
      log.removeBefore(segment);
      lateMinMs = minMs;
    }
  }

  /** A copy that isn't whole would be copied, too, by the next try. */
  private static void takeBack(Wal log, int segment, Exception failure) {
    try {
      log.emptyFrom(segment);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  private void copyBefore(HeadSeries series, long cutMs, SampleColumns columns, Wal to)
      throws IOException {
    columns.clear();
    for (StoredChunk chunk : series.chunks(Long.MIN_VALUE, cutMs)) {
      chunk.read(Long.MIN_VALUE, cutMs - 1, columns);
    }
    late.clear();
    for (int i = 0; i < columns.size(); i++) {
      late.add(series.id(), columns.timestampMs(i), columns.value(i), columns.histogram(i));
    }
    to.log(late.records());
  }

  /** Copies what isn't before a time; returns the earliest time of it. */
  private long copyFrom(WalRecord record, long cutMs, Wal to) throws IOException {
    late.clear();
    long minMs = Long.MAX_VALUE;
    switch (record) {
      case WalRecord.Samples(WalSamples floats) -> {
        for (int i = 0; i < floats.size(); i++) {
          if (floats.timestampMs(i) >= cutMs) {
            late.add(floats.ref(i), floats.timestampMs(i), floats.value(i), null);
            minMs = Math.min(minMs, floats.timestampMs(i));
          }
        }
      }
      case WalRecord.Histograms(List<WalRecord.HistogramSample> entries) -> {
        for (WalRecord.HistogramSample entry : entries) {
          if (entry.timestampMs() >= cutMs) {
            late.histograms.add(entry);
            minMs = Math.min(minMs, entry.timestampMs());
          }
        }
      }
      case WalRecord.Tombstones(List<WalRecord.Deletion> entries) -> {
        List<WalRecord.Deletion> left = from(entries, cutMs);
        if (!left.isEmpty()) {
          to.log(List.of(new WalRecord.Tombstones(left)));
          minMs = cutMs;
        }
      }
      case WalRecord.Series s -> {}
      case WalRecord.Exemplars e -> {}
      case WalRecord.Metadata m -> {}
      case WalRecord.Other o -> {}
    }
    if (late.hasSamples()) {
      to.log(late.records());
    }
    return minMs;
  }

  private static List<WalRecord.Deletion> from(List<WalRecord.Deletion> deletions, long cutMs) {
    return deletions.stream()
        .filter(d -> d.maxMs() >= cutMs)
        .map(d -> new WalRecord.Deletion(d.ref(), Math.max(d.minMs(), cutMs), d.maxMs()))
        .toList();
  }

  /** Writes samples that were found elsewhere; under the lock. */
  void rescue(List<LateSample> samples) throws IOException {
    late.clear();
    for (LateSample sample : samples) {
      late.add(sample.series.id(), sample.timestampMs, sample.value, sample.histogram);
      lateMinMs = Math.min(lateMinMs, sample.timestampMs);
    }
    if (late.hasSamples()) {
      lateLog().log(late.records());
    }
  }

  /** Notes references that no series has any more. */
  synchronized void forget(long ref, long maxMs) {
    gone.put(ref, new Gone(wal.segment(), maxMs));
  }

  /**
   * Makes a checkpoint of the older two thirds of the segments, as Prometheus does.
   *
   * @param index whose series keep their records
   */
  void checkpoint(SeriesIndex index, long cutMs) throws IOException {
    int next = wal.cutSegment();
    int first = firstSegment(next);
    int before = first + (next - first) * 2 / 3;
    if (before > first) {
      checkpoint(before, index, cutMs);
    }
  }

  /** Makes a checkpoint of all: afterwards the log has nothing that only blocks should have. */
  void checkpointAll(SeriesIndex index, long cutMs) throws IOException {
    checkpoint(wal.cutSegment(), index, cutMs);
  }

  private void checkpoint(int before, SeriesIndex index, long cutMs) throws IOException {
    Map<Long, Gone> kept = goneFrom(before, cutMs);
    wal.checkpoint(
        before,
        new CheckpointFilter() {
          @Override
          public boolean keepsSeries(long ref) {
            return index.byId(ref) != null || kept.containsKey(ref);
          }

          @Override
          public long keptFromMs() {
            return cutMs;
          }
        });
  }

  private synchronized Map<Long, Gone> goneFrom(int before, long cutMs) {
    gone.values().removeIf(one -> one.segment() < before && one.maxMs() < cutMs);
    return Map.copyOf(gone);
  }

  private int firstSegment(int most) throws IOException {
    return files.disk().list(folder(WAL)).stream()
        .filter(name -> name.matches("\\d{8,9}"))
        .mapToInt(Integer::parseInt)
        .min()
        .orElse(most);
  }

  void sync() throws IOException {
    wal.sync();
    Wal log = wbl;
    if (log != null) {
      log.sync();
    }
  }

  long sizeBytes() {
    Wal log = wbl;
    return wal.sizeBytes() + (log == null ? 0 : log.sizeBytes());
  }

  /** Commits that couldn't be written. */
  long failures() {
    return failures.get();
  }

  /** Why the last commit couldn't be written; empty if it could. */
  String trouble() {
    return trouble;
  }

  void close() throws IOException {
    Wal log = wbl;
    try (wal) {
      if (log != null) {
        log.close();
      }
    }
  }
}
