package org.inferometer.tsdb;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ObjIntConsumer;
import org.inferometer.store.SampleColumns;
import org.inferometer.tsdb.chunk.Chunk;
import org.inferometer.tsdb.chunk.ChunkBuilder;
import org.inferometer.tsdb.chunk.ChunkRuns;
import org.inferometer.tsdb.chunk.CorruptChunkException;
import org.inferometer.tsdb.chunk.Encoding;
import org.inferometer.tsdb.chunk.SampleMerge;
import org.inferometer.tsdb.chunk.SeriesChunks;
import org.inferometer.tsdb.chunk.StoredChunk;
import org.jspecify.annotations.Nullable;

/**
 * Makes one sequence of chunks that don't overlap from those that several blocks have of a series.
 * Not thread-safe.
 *
 * <pre>
 *   block 1   [--a--][--b--]      [--c--]
 *   block 2              [--d--]             [-e-][-f-]
 *   merged    [--a--][--b+d----]  [--c--]    [-e---f--]
 * </pre>
 *
 * <p>Chunks that overlap are decoded, merged and encoded again (b, d). Others are copied as they
 * are (a, c), but for neighbours that are small enough to be one (e, f): what a chunk costs in the
 * index and before its first sample is then paid once. A chunk of histograms says of its first one
 * how it follows on the one before; that is taken out where another one is before it now.
 */
final class ChunkMerge {
  private final int joinedSamplesMax;
  private final ObjIntConsumer<CorruptChunkException> onDamage;
  private final List<Chunk> merged = new ArrayList<>();

  /** The source of the last chunk of {@link #merged}; -1 for several. */
  private int lastSource;

  /** A chunk and which source it is from. */
  private record Piece(Chunk chunk, int source) {}

  /**
   * @param joinedSamplesMax as many samples at most are in a chunk that is made of several; 0 to
   *     leave chunks as they are
   * @param onDamage told of each chunk that can't be read, and of which source it is; the rest is
   *     merged without it
   */
  ChunkMerge(int joinedSamplesMax, ObjIntConsumer<CorruptChunkException> onDamage) {
    this.joinedSamplesMax = joinedSamplesMax;
    this.onDamage = onDamage;
  }

  /**
   * @param sources of one series, the earlier first; of two samples with the same time that of the
   *     first counts; null for a source that doesn't have the series
   */
  List<Chunk> merge(List<? extends @Nullable SeriesChunks> sources) {
    merged.clear();
    lastSource = -1;
    List<Piece> pieces = load(sources);
    int from = 0;
    while (from < pieces.size()) {
      int to = endOfOverlap(pieces, from);
      if (to == from + 1) {
        copy(pieces.get(from));
      } else {
        encode(pieces.subList(from, to));
      }
      from = to;
    }
    return joinedSamplesMax > 0 ? joined() : List.copyOf(merged);
  }

  private List<Piece> load(List<? extends @Nullable SeriesChunks> sources) {
    List<Piece> pieces = new ArrayList<>();
    for (int i = 0; i < sources.size(); i++) {
      SeriesChunks series = sources.get(i);
      if (series != null) {
        for (StoredChunk chunk : series.chunks()) {
          load(chunk, i, pieces);
        }
      }
    }
    pieces.sort(Comparator.comparingLong((Piece p) -> p.chunk().minMs())); // stable
    return pieces;
  }

  private void load(StoredChunk chunk, int source, List<Piece> pieces) {
    try {
      pieces.add(new Piece(chunk.load(), source));
    } catch (CorruptChunkException e) {
      onDamage.accept(e, source);
    }
  }

  private static int endOfOverlap(List<Piece> pieces, int from) {
    long endMs = pieces.get(from).chunk().maxMs();
    int to = from + 1;
    while (to < pieces.size() && pieces.get(to).chunk().minMs() <= endMs) {
      endMs = Math.max(endMs, pieces.get(to).chunk().maxMs());
      to++;
    }
    return to;
  }

  private void copy(Piece piece) {
    boolean isOtherBefore = !merged.isEmpty() && lastSource != piece.source();
    merged.add(isOtherBefore ? piece.chunk().withoutPast() : piece.chunk());
    lastSource = piece.source();
  }

  private void encode(List<Piece> overlapping) {
    List<Piece> bySource = new ArrayList<>(overlapping);
    bySource.sort(Comparator.comparingInt(Piece::source)); // stable
    SampleColumns columns = new SampleColumns();
    for (Piece piece : bySource) {
      int start = columns.size();
      piece.chunk().read(Long.MIN_VALUE, Long.MAX_VALUE, columns);
      SampleMerge.join(columns, 0, start);
    }
    boolean isOtherBefore = !merged.isEmpty();
    for (ChunkBuilder run : ChunkRuns.of(columns)) {
      merged.add(isOtherBefore ? run.seal().withoutPast() : run.seal());
      isOtherBefore = false;
    }
    lastSource = -1;
  }

  private List<Chunk> joined() {
    List<Chunk> joined = new ArrayList<>();
    int from = 0;
    while (from < merged.size()) {
      int to = endOfJoin(from);
      joined.add(to == from + 1 ? merged.get(from) : join(merged.subList(from, to)));
      from = to;
    }
    return joined;
  }

  /** Only floats: a chunk of histograms is as long as it should be, or ends for a reason. */
  private int endOfJoin(int from) {
    int samples = 0;
    int to = from;
    while (to < merged.size() && merged.get(to).encoding() == Encoding.XOR) {
      samples += merged.get(to).size();
      if (samples > joinedSamplesMax) {
        break;
      }
      to++;
    }
    return Math.max(to, from + 1);
  }

  private static Chunk join(List<Chunk> chunks) {
    SampleColumns columns = new SampleColumns();
    chunks.forEach(chunk -> chunk.read(Long.MIN_VALUE, Long.MAX_VALUE, columns));
    ChunkBuilder all = ChunkBuilder.begin(null, columns.timestampMs(0), columns.value(0), null);
    for (int i = 1; i < columns.size(); i++) {
      ChunkBuilder next = all.with(columns.timestampMs(i), columns.value(i), null);
      if (next == null) {
        throw new IllegalStateException("expected floats to fit into one chunk");
      }
      all = next;
    }
    return all.seal();
  }
}
