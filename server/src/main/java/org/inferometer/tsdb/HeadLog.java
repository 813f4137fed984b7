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
import org.inferometer.tsdb.wal.CheckpointFilter;
import org.inferometer.tsdb.wal.EncodedRecords;
import org.inferometer.tsdb.wal.Wal;
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
  private final LogBatch inOrder = new LogBatch();
  private final LogBatch late = new LogBatch();
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
      inOrder.introduce(series.id(), series.labels());
    }
  }

  /** Adds an exemplar to what is written next. */
  void add(HeadSeries series, Exemplar exemplar) {
    introduce(series);
    inOrder.add(series.id(), exemplar);
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

  // Most batches have floats only, all in order, of series that the log knows. Encoding them is
  // most
  // of the work, and done before the lock is taken.

  /** Encodes floats, without the lock, for {@link #write(EncodedRecords)}. */
  EncodedRecords encode(HeadSeries[] series, long[] timestampsMs, double[] values, int size) {
    EncodedRecords encoded = wal.begin();
    WalSamples floats = encoded.floats();
    for (int i = 0; i < size; i++) {
      floats.add(series[i].id(), timestampsMs[i], values[i]);
    }
    wal.encode(encoded);
    return encoded;
  }

  /**
   * Whether the log knows all series, and no sample is late; then they are noted as logged. Those
   * of one series must be in order among themselves.
   */
  boolean takesInOrder(HeadSeries[] series, long[] timestampsMs, int size) {
    for (int i = 0; i < size; i++) {
      long t = timestampsMs[i];
      if (t < lateBeforeMs || !series[i].isLogged() || !series[i].isInOrder(t)) {
        return false;
      }
    }
    for (int i = 0; i < size; i++) {
      series[i].noteLogged(timestampsMs[i]);
    }
    return true;
  }

  /** Writes what {@link #encode} made and {@link #takesInOrder} allowed. */
  void write(EncodedRecords encoded) throws IOException {
    try {
      wal.log(encoded);
      trouble = "";
    } catch (IOException e) {
      noteFailure(e);
      throw e;
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
    trouble = "can't write the log, samples aren't kept: " + e.getMessage();
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
    lateMinMs = new LateLogRewrite(files.disk(), folder(WBL), lateLog(), cutMs).run(kept);
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
