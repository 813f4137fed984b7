package org.inferometer.tsdb;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.histogram.ResetHint;
import org.inferometer.model.Labels;
import org.inferometer.model.StalenessMarker;
import org.inferometer.store.AppendOutcome;
import org.inferometer.store.SampleColumns;
import org.inferometer.tsdb.chunk.Chunk;
import org.inferometer.tsdb.chunk.ChunkBuilder;
import org.inferometer.tsdb.chunk.ChunkRuns;
import org.inferometer.tsdb.chunk.CorruptChunkException;
import org.inferometer.tsdb.chunk.FiledChunk;
import org.inferometer.tsdb.chunk.StoredChunk;
import org.jspecify.annotations.Nullable;

/**
 * One series of a head: chunks in ascending time that don't overlap, the last of them open.
 *
 * <p>All state is guarded by the series's monitor, held for single steps only. Readers take a
 * {@link HeadSlice} under it and decode outside: chunks never change, and the array of chunks only
 * grows behind what a slice counts or is replaced by another, but for chunks that give way to the
 * same in a file.
 *
 * <p>A sample that is older than the newest goes to its place: the chunk there is decoded, and
 * encoded again with the sample, in two halves if it was full. That costs some microseconds instead
 * of some nanoseconds, but it is rare, and it leaves nothing for readers to merge: there are never
 * two samples of the same time.
 */
final class HeadSeries {
  /** Commits remembered: about one for each open view. With more, the oldest views see too much. */
  private static final int EARLIER_MAX = 64;

  private static final StoredChunk[] NO_CHUNKS = {};

  private final int id;
  private final Labels labels;
  private StoredChunk[] chunks = NO_CHUNKS;
  private int chunkCount;
  private @Nullable ChunkBuilder open;

  /** Samples that appenders hold for this series; it isn't removed before they are done. */
  private int pendingCount;

  private boolean isRemoved;

  /** The commit that wrote the newest samples, and the time of the first of them. */
  private long commit;

  private long commitFromMs;

  /**
   * No sample in the log is newer, or will be before this grows; guarded by the lock of the log, as
   * is the next.
   */
  private long loggedMs = Long.MIN_VALUE;

  /** Whether the log has it, so that samples may refer to it. */
  private boolean isLogged;

  /** Earlier commits that some view may not see: number, time, number, time, ... */
  private long @Nullable [] earlierCommits;

  HeadSeries(int id, Labels labels) {
    this.id = id;
    this.labels = labels;
  }

  int id() {
    return id;
  }

  Labels labels() {
    return labels;
  }

  /**
   * What would become of a sample; if it would be accepted, the series is kept until {@link
   * #release} or {@link #commit}.
   *
   * @param histogram null for a float sample, of which the value then counts
   * @param newestPendingMs the newest time that the same appender holds for this series, and {@link
   *     Long#MIN_VALUE} if it holds none
   */
  synchronized AppendOutcome reserve(
      long timestampMs,
      double value,
      @Nullable NativeHistogram histogram,
      long newestPendingMs,
      HeadWrite write) {
    if (isRemoved) {
      return AppendOutcome.UNKNOWN_SERIES;
    }
    AppendOutcome outcome;
    try {
      outcome = check(timestampMs, value, histogram, newestPendingMs, write);
    } catch (CorruptChunkException e) {
      outcome = AppendOutcome.NO_ROOM; // its place is in a chunk that can't be read
    }
    if (outcome == AppendOutcome.ACCEPTED) {
      pendingCount++;
    }
    return outcome;
  }

  /** Whether it has left the index, or is about to. */
  synchronized boolean isRemoved() {
    return isRemoved;
  }

  private AppendOutcome check(
      long timestampMs,
      double value,
      @Nullable NativeHistogram histogram,
      long newestPendingMs,
      HeadWrite write) {
    long newestMs = Math.max(newestPendingMs, open == null ? Long.MIN_VALUE : open.maxMs());
    if (timestampMs > newestMs || newestMs == Long.MIN_VALUE) {
      return AppendOutcome.ACCEPTED;
    }
    AppendOutcome same = compareWithStored(timestampMs, value, histogram, write.scratch());
    if (same != AppendOutcome.ACCEPTED) {
      return same;
    }
    // A series that has newer samples didn't end at this time.
    if (write.outOfOrderWindowMs() == 0 || StalenessMarker.is(value)) {
      return AppendOutcome.OUT_OF_ORDER;
    }
    return timestampMs < newestMs - write.outOfOrderWindowMs()
        ? AppendOutcome.TOO_OLD
        : AppendOutcome.ACCEPTED;
  }

  /** Whether a sample of that time is there, and with the same bits. */
  private AppendOutcome compareWithStored(
      long timestampMs, double value, @Nullable NativeHistogram histogram, SampleColumns scratch) {
    if (open != null && timestampMs == open.maxMs()) {
      return same(open.endsWith(value, histogram));
    }
    int place = firstChunkEndingAtOrAfter(timestampMs);
    StoredChunk chunk = place > chunkCount ? null : chunkAt(place);
    if (chunk == null || timestampMs < chunk.minMs()) {
      return AppendOutcome.ACCEPTED;
    }
    scratch.clear();
    chunk.read(timestampMs, timestampMs, scratch);
    return scratch.size() == 0
        ? AppendOutcome.ACCEPTED
        : same(isSame(scratch.value(0), scratch.histogram(0), value, histogram));
  }

  /** Whether two samples are the same: floats bit for bit, histograms but for what hints say. */
  static boolean isSame(
      double aValue, @Nullable NativeHistogram a, double bValue, @Nullable NativeHistogram b) {
    if (a == null && b == null) {
      return Double.doubleToRawLongBits(aValue) == Double.doubleToRawLongBits(bValue);
    }
    return a != null && b != null && a.sameAs(b);
  }

  private static AppendOutcome same(boolean isSame) {
    return isSame ? AppendOutcome.SAME : AppendOutcome.DUPLICATE;
  }

  /** The index of a chunk, that of the open one being {@link #chunkCount}; one more for none. */
  private int firstChunkEndingAtOrAfter(long timestampMs) {
    int low = 0;
    int high = chunkCount;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (chunks[middle].maxMs() < timestampMs) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low == chunkCount && (open == null || open.maxMs() < timestampMs) ? low + 1 : low;
  }

  private @Nullable StoredChunk chunkAt(int index) {
    if (index < chunkCount) {
      return chunks[index];
    }
    return open == null ? null : open.view();
  }

  /** Gives up samples that {@link #reserve} accepted. */
  synchronized void release() {
    pendingCount--;
  }

  /**
   * Writes a sample that {@link #reserve} accepted. Another appender may have been first at the
   * same time; then it is told as {@code SAME} or {@code DUPLICATE} and not written.
   */
  synchronized AppendOutcome commit(
      long timestampMs, double value, @Nullable NativeHistogram histogram, HeadWrite write) {
    pendingCount--;
    return put(timestampMs, value, histogram, write);
  }

  /** The same for one that wasn't reserved, since the log has it already. */
  synchronized AppendOutcome restore(
      long timestampMs, double value, @Nullable NativeHistogram histogram, HeadWrite write) {
    loggedMs = Math.max(loggedMs, timestampMs);
    return put(timestampMs, value, histogram, write);
  }

  /** The same for many of its samples; returns how many were accepted. */
  synchronized int restore(SampleRun run, HeadWrite write) {
    int accepted = 0;
    for (int i = 0; i < run.size(); ) {
      int appended = appendFloats(run, i, write);
      if (appended > 0) {
        accepted += appended;
        i += appended;
      } else {
        AppendOutcome outcome = put(run.timestampMs(i), run.value(i), run.histogram(i), write);
        accepted += outcome == AppendOutcome.ACCEPTED ? 1 : 0;
        loggedMs = Math.max(loggedMs, run.timestampMs(i));
        i++;
      }
    }
    return accepted;
  }

  /** Appends what the open chunk takes at once. */
  private int appendFloats(SampleRun run, int from, HeadWrite write) {
    ChunkBuilder last = open;
    if (last == null || run.hasHistograms()) {
      return 0;
    }
    int before = last.memoryBytes();
    long endMs = write.rangeEndMs(last.minMs());
    int count = last.append(run.timestampsMs(), run.values(), from, run.size(), endMs);
    if (count > 0) {
      write.changeChunks(0, last.memoryBytes() - before);
      loggedMs = Math.max(loggedMs, last.maxMs());
      noteCommit(run.timestampMs(from), write.commit());
    }
    return count;
  }

  private AppendOutcome put(
      long timestampMs, double value, @Nullable NativeHistogram histogram, HeadWrite write) {
    AppendOutcome outcome = AppendOutcome.ACCEPTED;
    if (open == null) {
      open = ChunkBuilder.begin(null, timestampMs, value, histogram);
      write.changeChunks(1, open.memoryBytes());
      noteCommit(timestampMs, write.commit());
    } else if (timestampMs > open.maxMs()) {
      append(open, timestampMs, value, histogram, write);
      noteCommit(timestampMs, write.commit());
    } else {
      outcome = putOlder(timestampMs, value, histogram, write);
    }
    return outcome;
  }

  private AppendOutcome putOlder(
      long timestampMs, double value, @Nullable NativeHistogram histogram, HeadWrite write) {
    try {
      AppendOutcome outcome = compareWithStored(timestampMs, value, histogram, write.scratch());
      if (outcome == AppendOutcome.ACCEPTED) {
        insert(timestampMs, value, histogram, write);
      }
      return outcome;
    } catch (CorruptChunkException e) {
      return AppendOutcome.NO_ROOM; // its place is in a chunk that can't be read
    }
  }

  private void append(
      ChunkBuilder last,
      long timestampMs,
      double value,
      @Nullable NativeHistogram histogram,
      HeadWrite write) {
    int before = last.memoryBytes();
    boolean hasRoom = !last.isFull() && write.sameRange(last.minMs(), timestampMs);
    ChunkBuilder grown = hasRoom ? last.with(timestampMs, value, histogram) : null;
    if (grown != null) {
      open = grown;
      write.changeChunks(0, grown.memoryBytes() - before);
      return;
    }
    Chunk sealed = last.seal();
    pushChunk(sealed);
    ChunkBuilder next = ChunkBuilder.begin(last, timestampMs, value, histogram);
    open = next;
    write.changeChunks(1, sealed.memoryBytes() + next.memoryBytes() - before);
  }

  private void pushChunk(StoredChunk chunk) {
    if (chunkCount == chunks.length) {
      chunks = Arrays.copyOf(chunks, chunkCount + Math.max(2, chunkCount >> 1));
    }
    chunks[chunkCount++] = chunk;
  }

  private void noteCommit(long timestampMs, Isolation.Commit current) {
    if (commit == current.number()) {
      return;
    }
    if (commit >= current.firstUnseen() || earlierCommits != null) {
      keepEarlierCommits(current);
    }
    commit = current.number();
    commitFromMs = timestampMs;
  }

  /** Keeps of the commits so far those that some view may need to know. */
  private void keepEarlierCommits(Isolation.Commit current) {
    long[] old = earlierCommits == null ? new long[0] : earlierCommits;
    long[] kept = new long[old.length + 2];
    int n = 0;
    for (int i = old.length >= 2 * EARLIER_MAX ? 2 : 0; i < old.length; i += 2) {
      n = keep(kept, n, old[i], old[i + 1], current);
    }
    n = keep(kept, n, commit, commitFromMs, current);
    earlierCommits = n == 0 ? null : Arrays.copyOf(kept, n);
  }

  private static int keep(long[] kept, int n, long number, long fromMs, Isolation.Commit current) {
    boolean isNeeded =
        n == 0 ? number >= current.firstUnseen() : current.needs(kept[n - 2], number);
    if (isNeeded) {
      kept[n] = number;
      kept[n + 1] = fromMs;
    }
    return isNeeded ? n + 2 : n;
  }

  /** Puts a sample that is older than the newest and isn't there into its place. */
  private void insert(
      long timestampMs, double value, @Nullable NativeHistogram histogram, HeadWrite write) {
    int place = firstChunkEndingAtOrAfter(timestampMs);
    StoredChunk chunk = chunkAt(place);
    if (chunk == null) {
      throw new IllegalStateException("expected a newer sample than " + timestampMs);
    }
    SampleColumns columns = write.scratch();
    columns.clear();
    boolean isBefore = timestampMs < chunk.minMs() && !write.sameRange(chunk.minMs(), timestampMs);
    if (isBefore && place > 0 && write.sameRange(chunks[place - 1].minMs(), timestampMs)) {
      place--;
      isBefore = false;
    }
    if (!isBefore) {
      readChunk(place, columns);
    }
    columns.put(timestampMs, value, histogram);
    int next = columns.firstAtOrAfter(timestampMs) + 1;
    // What is known of a sample against the one before doesn't hold when that is another one.
    forget(columns, next - 1, EnumSet.of(ResetHint.NOT_RESET));
    forget(columns, next, EnumSet.of(ResetHint.NOT_RESET, ResetHint.RESET));
    replace(place, isBefore ? place : place + 1, columns, next == columns.size(), write);
  }

  private static void forget(SampleColumns columns, int index, Set<ResetHint> hints) {
    NativeHistogram histogram = index < columns.size() ? columns.histogram(index) : null;
    if (histogram != null && hints.contains(histogram.resetHint())) {
      columns.put(columns.timestampMs(index), histogram.withHint(ResetHint.UNKNOWN));
    }
  }

  private static StoredChunk withoutPast(StoredChunk chunk) {
    return chunk instanceof FiledChunk filed && filed.hasNoPast()
        ? chunk
        : chunk.load().withoutPast();
  }

  private void readChunk(int place, SampleColumns columns) {
    StoredChunk chunk = chunkAt(place);
    if (chunk != null) {
      chunk.read(Long.MIN_VALUE, Long.MAX_VALUE, columns);
    }
  }

  /**
   * Replaces the chunks from an index to before another by those for the given samples.
   *
   * @param endsOtherwise whether the last of these wasn't there before
   */
  private void replace(
      int from, int to, SampleColumns columns, boolean endsOtherwise, HeadWrite write) {
    long before = memoryBytes();
    int countBefore = chunkCount();
    StoredChunk[] tail = to < chunkCount ? Arrays.copyOfRange(chunks, to, chunkCount) : NO_CHUNKS;
    ChunkBuilder last = to > chunkCount ? null : open;
    endWith(from, ChunkRuns.of(columns));
    if (last != null) {
      if (open != null) {
        pushChunk(open.seal());
      }
      for (int i = 0; i < tail.length; i++) {
        pushChunk(i == 0 && endsOtherwise ? withoutPast(tail[i]) : tail[i]);
      }
      if (tail.length == 0 && endsOtherwise) {
        last.forgetPast();
      }
      open = last;
    }
    write.changeChunks(chunkCount() - countBefore, memoryBytes() - before);
  }

  /**
   * Puts runs of samples, the last of them open, behind the first chunks. A slice may count what
   * lies behind these: it keeps its array, and this gets another.
   */
  private void endWith(int chunksKept, List<ChunkBuilder> runs) {
    chunks = Arrays.copyOf(chunks, chunksKept);
    chunkCount = chunksKept;
    open = null;
    for (ChunkBuilder run : runs) {
      if (open != null) {
        pushChunk(open.seal());
      }
      open = run;
    }
  }

  /** The number of chunks, the open one included. */
  private int chunkCount() {
    return chunkCount + (open == null ? 0 : 1);
  }

  private long memoryBytes() {
    long total = open == null ? 0 : open.memoryBytes();
    for (int i = 0; i < chunkCount; i++) {
      total += chunks[i].memoryBytes();
    }
    return total;
  }

  /** Drops the chunks that end before a time. */
  synchronized void truncateBefore(long cutoffMs, HeadWrite write) {
    int dropped = 0;
    long bytes = 0;
    while (dropped < chunkCount && chunks[dropped].maxMs() < cutoffMs) {
      bytes += chunks[dropped++].memoryBytes();
    }
    if (dropped > 0) {
      chunks = Arrays.copyOfRange(chunks, dropped, chunkCount);
      chunkCount -= dropped;
    }
    if (open != null && open.maxMs() < cutoffMs) {
      bytes += open.memoryBytes();
      open = null;
      dropped++;
    }
    write.changeChunks(-dropped, -bytes);
  }

  /** Drops the chunks of which the first sample's time passes. */
  synchronized void dropChunks(LongPredicate isDropped, HeadWrite write) {
    int countBefore = chunkCount();
    long before = memoryBytes();
    StoredChunk[] kept = new StoredChunk[chunkCount];
    int keptCount = 0;
    for (int i = 0; i < chunkCount; i++) {
      if (!isDropped.test(chunks[i].minMs())) {
        kept[keptCount++] = chunks[i];
      }
    }
    boolean isOpenDropped = open != null && isDropped.test(open.minMs());
    if (keptCount == chunkCount && !isOpenDropped) {
      return;
    }
    chunks = Arrays.copyOf(kept, keptCount);
    chunkCount = keptCount;
    open = isOpenDropped ? null : open;
    write.changeChunks(chunkCount() - countBefore, memoryBytes() - before);
    reopenLast(write);
  }

  /** Drops the samples after a time. */
  synchronized void truncateAfter(long limitMs, HeadWrite write) {
    if (open == null || open.maxMs() <= limitMs) {
      return;
    }
    int countBefore = chunkCount();
    long before = memoryBytes();
    StoredChunk last = open.view();
    int kept = chunkCount;
    while (last.minMs() > limitMs && kept > 0) {
      last = chunks[--kept];
    }
    SampleColumns columns = write.scratch();
    columns.clear();
    last.read(Long.MIN_VALUE, limitMs, columns);
    endWith(kept, ChunkRuns.of(columns));
    write.changeChunks(chunkCount() - countBefore, memoryBytes() - before);
  }

  /** Removes the samples of a stretch of time, ends included. */
  synchronized void delete(long fromMs, long toMs, HeadWrite write) {
    loggedMs = Math.max(loggedMs, Math.min(toMs, maxMs()));
    int first = firstChunkEndingAtOrAfter(fromMs);
    int end = first;
    while (end < chunkCount() && minMsAt(end) <= toMs) {
      end++;
    }
    for (int place = end - 1; place >= first; place--) {
      deleteIn(place, fromMs, toMs, write);
    }
  }

  private long minMsAt(int place) {
    StoredChunk chunk = chunkAt(place);
    return chunk == null ? Long.MAX_VALUE : chunk.minMs();
  }

  /** What can't be read isn't seen either, and stays. */
  private void deleteIn(int place, long fromMs, long toMs, HeadWrite write) {
    SampleColumns columns = write.scratch();
    columns.clear();
    if (!couldRead(place, columns)) {
      return;
    }
    int size = columns.size();
    int from = columns.firstAtOrAfter(fromMs);
    int to = toMs == Long.MAX_VALUE ? size : columns.firstAtOrAfter(toMs + 1);
    if (from < to) {
      columns.remove(from, to);
      forget(columns, from, EnumSet.of(ResetHint.NOT_RESET, ResetHint.RESET));
      replace(place, place + 1, columns, to == size, write);
      reopenLast(write);
    }
  }

  private boolean couldRead(int place, SampleColumns columns) {
    try {
      readChunk(place, columns);
      return true;
    } catch (CorruptChunkException e) {
      return false;
    }
  }

  /** The last chunk is always an open one; one that can't be read goes. */
  private void reopenLast(HeadWrite write) {
    while (open == null && chunkCount > 0) {
      long before = memoryBytes();
      int countBefore = chunkCount;
      write.scratch().clear();
      boolean isReadable = couldRead(chunkCount - 1, write.scratch());
      endWith(chunkCount - 1, isReadable ? ChunkRuns.of(write.scratch()) : List.of());
      write.changeChunks(chunkCount() - countBefore, memoryBytes() - before);
    }
  }

  /** Tells the time of the first sample of each chunk. */
  synchronized void forEachChunkStart(LongConsumer action) {
    for (int i = 0; i < chunkCount; i++) {
      action.accept(chunks[i].minMs());
    }
    if (open != null) {
      action.accept(open.minMs());
    }
  }

  /** Tells of each chunk on the heap that is full. */
  synchronized void forEachSealed(BiConsumer<HeadSeries, Chunk> action) {
    for (int i = 0; i < chunkCount; i++) {
      if (chunks[i] instanceof Chunk chunk) {
        action.accept(this, chunk);
      }
    }
  }

  /** Puts the same chunk in a file in its place, if it is still there. */
  synchronized boolean replace(Chunk chunk, FiledChunk filed) {
    int place = firstChunkEndingAtOrAfter(chunk.maxMs());
    if (place >= chunkCount || !isIdentical(chunks[place], chunk)) {
      return false;
    }
    chunks[place] = filed;
    return true;
  }

  @SuppressWarnings("ReferenceEquality") // one with the same samples may be another encoding
  private static boolean isIdentical(StoredChunk a, StoredChunk b) {
    return a == b;
  }

  /** The chunks with samples from a time to before another. */
  synchronized List<StoredChunk> chunks(long fromMs, long toMs) {
    List<StoredChunk> found = new ArrayList<>();
    for (int i = firstChunkEndingAtOrAfter(fromMs); i < chunkCount(); i++) {
      StoredChunk chunk = chunkAt(i);
      if (chunk == null || chunk.minMs() >= toMs) {
        break;
      }
      found.add(chunk);
    }
    return found;
  }

  /** Whether no sample of that time is there. */
  synchronized boolean takes(
      long timestampMs, double value, @Nullable NativeHistogram histogram, SampleColumns scratch) {
    try {
      return compareWithStored(timestampMs, value, histogram, scratch) == AppendOutcome.ACCEPTED;
    } catch (CorruptChunkException e) {
      return true; // not now, but once the log is read again
    }
  }

  /** Whether a sample comes after all that the log has of it. */
  boolean isInOrder(long timestampMs) {
    return timestampMs > loggedMs;
  }

  void noteLogged(long timestampMs) {
    loggedMs = Math.max(loggedMs, timestampMs);
  }

  boolean isLogged() {
    return isLogged;
  }

  void setLogged(boolean isSo) {
    isLogged = isSo;
  }

  /** Marks a series without samples as removed; false if it has some or may get some. */
  synchronized boolean removeIfEmpty() {
    if (open == null && pendingCount == 0) {
      isRemoved = true;
    }
    return isRemoved;
  }

  /** Adds each chunk's end and size, the open one's too, and the index's share at the last. */
  synchronized void addTo(DropPlan plan, long indexBytes) {
    for (int i = 0; i < chunkCount; i++) {
      plan.add(chunks[i].maxMs(), chunks[i].memoryBytes());
    }
    if (open != null) {
      plan.add(open.maxMs(), open.memoryBytes() + indexBytes);
    }
  }

  synchronized long minMs() {
    if (chunkCount > 0) {
      return chunks[0].minMs();
    }
    return open == null ? Long.MAX_VALUE : open.minMs();
  }

  synchronized long maxMs() {
    return open == null ? Long.MIN_VALUE : open.maxMs();
  }

  /** What a view sees of a stretch of time; null if that is no sample. */
  @Nullable HeadSlice slice(
      long minMs,
      long maxMs,
      Isolation.View view,
      SampleColumns scratch,
      Consumer<String> warnings) {
    HeadSlice slice = slice(minMs, maxMs, view, warnings);
    return slice == null || slice.isEmpty(scratch) ? null : slice;
  }

  private synchronized @Nullable HeadSlice slice(
      long minMs, long maxMs, Isolation.View view, Consumer<String> warnings) {
    if (open == null || open.maxMs() < minMs) {
      return null;
    }
    long seenMaxMs = Math.min(maxMs, seenMaxMs(view));
    Chunk last = open.minMs() <= seenMaxMs ? open.view() : null;
    return new HeadSlice(labels, chunks, chunkCount, last, minMs, seenMaxMs, warnings);
  }

  private long seenMaxMs(Isolation.View view) {
    long seen = view.sees(commit) ? Long.MAX_VALUE : commitFromMs - 1;
    if (earlierCommits != null) {
      for (int i = 0; i < earlierCommits.length; i += 2) {
        if (!view.sees(earlierCommits[i])) {
          seen = Math.min(seen, earlierCommits[i + 1] - 1);
        }
      }
    }
    return seen;
  }
}
