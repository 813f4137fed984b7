package org.inferometer.tsdb;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.inferometer.io.Disk;
import org.inferometer.model.Labels;
import org.inferometer.time.WallClock;
import org.inferometer.tsdb.block.BlockMeta;
import org.inferometer.tsdb.block.BlockWriter;
import org.inferometer.tsdb.block.Ulid;

/**
 * Makes blocks of samples from elsewhere, which may come in any order. Not thread-safe.
 *
 * <pre>
 *   add: by stretch of time                 finish: a stretch at a time
 *
 *   00:00 [memory] -- when full --> file    sort by series and time, as many series at once
 *   02:00 [memory] -- when full --> file    as fit into memory --> block in the staging folder
 *   04:00 [memory] -- when full --> file
 *                                           all there: every block gets its place
 * </pre>
 *
 * <p>Memory holds the labels of all series and a bounded number of samples. What isn't finished
 * lies in one folder whose name says so; it is removed by {@link #close}, or else at the next start
 * of a server.
 */
public final class BlockImport implements AutoCloseable {
  /** More blocks than 20 years have are taken for a mistake in timestamps. */
  public static final int BLOCKS_MAX = 100_000;

  /**
   * A head takes the end of the blocks that came in order for its own begin, and drops from its log
   * what is before: an import that reaches into the head's time mustn't cause that.
   */
  private static final List<String> CAME_LATE = List.of(BlockMeta.FROM_OUT_OF_ORDER);

  private final Disk disk;
  private final Path folder;
  private final Path staging;
  private final UlidSource ulids;
  private final long blockMs;
  private final long memoryBytes;

  private final Map<Labels, Integer> ids = new HashMap<>();
  private final List<Labels> series = new ArrayList<>();
  private final TreeMap<Long, UnsortedSamples> stretches = new TreeMap<>();
  private final List<Path> published = new ArrayList<>();
  private UnsortedSamples last;
  private long lastStartMs = Long.MIN_VALUE;
  private long bufferBytes;
  private boolean isFinished;

  /**
   * @param folder the data directory, which is made if it isn't there
   * @param blockMs how much time a block spans; blocks begin at multiples of it
   * @param memoryBytes how much samples may take in memory
   */
  public BlockImport(
      Disk disk,
      Path folder,
      WallClock clock,
      RandomGenerator random,
      long blockMs,
      long memoryBytes) {
    this.disk = disk;
    this.folder = folder;
    this.ulids = new UlidSource(clock, random);
    this.staging = folder.resolve(ulids.next() + BlockWriter.CREATING_SUFFIX);
    this.blockMs = blockMs;
    this.memoryBytes = memoryBytes;
    this.last = new UnsortedSamples(disk, staging, 0);
  }

  /**
   * What became of it.
   *
   * @param samples in the blocks
   * @param repeated samples that were there before in the same import, with the same value
   * @param contradicting samples that were there before with another value, which was kept
   */
  public record Outcome(
      long samples, long series, long repeated, long contradicting, List<BlockMeta> blocks) {
    public Outcome {
      blocks = List.copyOf(blocks);
    }
  }

  /** Is told how far {@link #finish} is. */
  public interface Progress {
    void at(long samplesDone, long samplesTotal);
  }

  /** The number of a series for {@link #add}. */
  public int series(Labels labels) {
    Integer id = ids.putIfAbsent(labels, series.size());
    if (id != null) {
      return id;
    }
    series.add(labels);
    return series.size() - 1;
  }

  public int seriesCount() {
    return series.size();
  }

  /**
   * Adds a sample.
   *
   * @return whether it was taken: there are at most {@value #BLOCKS_MAX} blocks
   */
  public boolean add(int seriesId, long timestampMs, double value) throws IOException {
    long startMs = timestampMs - Math.floorMod(timestampMs, blockMs);
    if (startMs != lastStartMs) {
      if (stretches.size() == BLOCKS_MAX && !stretches.containsKey(startMs)) {
        return false;
      }
      last = stretches.computeIfAbsent(startMs, this::stretch);
      lastStartMs = startMs;
    }
    int before = last.bufferBytes();
    last.add(seriesId, timestampMs, value);
    bufferBytes += last.bufferBytes() - before;
    if (bufferBytes > memoryBytes) {
      spill();
    }
    return true;
  }

  private UnsortedSamples stretch(long startMs) {
    return new UnsortedSamples(disk, staging.resolve(startMs + ".samples"), startMs);
  }

  private void spill() throws IOException {
    disk.createFolders(staging);
    for (UnsortedSamples samples : stretches.values()) {
      samples.spill();
    }
    bufferBytes = 0;
  }

  /**
   * Writes the blocks and then makes them visible. If it fails, none is.
   *
   * @throws IOException if they can't be written
   */
  public Outcome finish(Progress progress) throws IOException {
    if (stretches.isEmpty()) {
      return new Outcome(0, 0, 0, 0, List.of());
    }
    disk.createFolders(staging);
    long total = stretches.values().stream().mapToLong(UnsortedSamples::size).sum();
    progress.at(0, total);
    BlockImportPass pass = new BlockImportPass(series, inLabelOrder(), memoryBytes);
    List<BlockMeta> blocks = new ArrayList<>();
    long done = 0;
    for (UnsortedSamples samples : stretches.values()) {
      done += samples.size();
      blocks.add(write(samples, pass));
      samples.clear();
      progress.at(done, total);
    }
    publish(blocks);
    isFinished = true;
    long samples = total - pass.repeated() - pass.contradicting();
    return new Outcome(samples, series.size(), pass.repeated(), pass.contradicting(), blocks);
  }

  private int[] inLabelOrder() {
    return ids.entrySet().stream()
        .sorted(Map.Entry.comparingByKey(Comparator.naturalOrder()))
        .mapToInt(Map.Entry::getValue)
        .toArray();
  }

  private BlockMeta write(UnsortedSamples samples, BlockImportPass pass) throws IOException {
    Ulid ulid = ulids.next();
    BlockMeta meta = BlockWriter.ofHead(ulid, samples.minMs(), samples.maxMs() + 1, CAME_LATE);
    try (BlockWriter writer = new BlockWriter(disk, staging, ulid)) {
      pass.write(samples, writer);
      BlockMeta written = writer.finish(meta);
      if (written == null) {
        throw new IllegalStateException("expected a sample from " + samples.minMs() + " on");
      }
      return written;
    }
  }

  /** Before, all of them last where they are; so the names are all that can be missing after. */
  private void publish(List<BlockMeta> blocks) throws IOException {
    for (BlockMeta block : blocks) {
      String name = block.ulid().toString();
      disk.rename(staging.resolve(name), folder.resolve(name));
      published.add(folder.resolve(name));
    }
    disk.syncFolder(folder);
    disk.delete(staging);
  }

  /** Removes what was written, unless it was finished. */
  @Override
  public void close() throws IOException {
    if (isFinished) {
      return;
    }
    for (Path block : published) {
      disk.delete(block);
    }
    disk.delete(staging);
  }
}
