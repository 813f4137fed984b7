package org.inferometer.app;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.inferometer.model.Labels;
import org.inferometer.tsdb.block.Block;
import org.inferometer.tsdb.chunk.Chunk;
import org.inferometer.tsdb.chunk.SeriesChunks;
import org.inferometer.tsdb.chunk.StoredChunk;

/**
 * Which labels of a block make it large, by the figures of {@code promtool tsdb analyze}.
 *
 * <p>A series takes part in churn by the share of the block's time that it isn't there; the shares
 * of the series with a label, or a label pair, are added up. Not thread-safe.
 */
final class BlockAnalysis {
  /** How many tenths of {@link Chunk#SAMPLES_MAX} a chunk may have, from above 0 to 1. */
  private static final int FILL_STEPS = 10;

  private final long durationMs;
  private final Map<String, NameFigures> names = new TreeMap<>();
  private final long[] chunksByFill = new long[FILL_STEPS];
  private long series;
  private long pairEntries;

  /** A name or pair and its figure. */
  record Item(String key, long count) {}

  /** Of a label name. */
  private static final class NameFigures {
    private final Map<String, PairFigures> byValue = new HashMap<>();
    private long absentMs;
  }

  /** Of a label pair. */
  private static final class PairFigures {
    private long series;
    private long absentMs;
  }

  BlockAnalysis(long durationMs) {
    this.durationMs = durationMs;
  }

  /**
   * Looks at all series of a block.
   *
   * @param extended whether chunks are counted by how full they are, for which all are read
   */
  static BlockAnalysis of(Block block, boolean extended) {
    BlockAnalysis analysis = new BlockAnalysis(block.meta().maxMs() - block.meta().minMs());
    Iterator<SeriesChunks> all = block.series(Long.MIN_VALUE, Long.MAX_VALUE);
    while (all.hasNext()) {
      SeriesChunks next = all.next();
      analysis.add(next.labels(), next.chunks());
      if (extended) {
        analysis.addFill(next.chunks());
      }
    }
    return analysis;
  }

  void add(Labels labels, List<? extends StoredChunk> chunks) {
    if (chunks.isEmpty()) {
      return;
    }
    long absentMs = durationMs - (chunks.getLast().maxMs() - chunks.getFirst().minMs());
    series++;
    pairEntries += labels.size();
    labels.forEach(
        (name, value) -> {
          NameFigures ofName = names.computeIfAbsent(name, _ -> new NameFigures());
          ofName.absentMs += absentMs;
          PairFigures ofPair = ofName.byValue.computeIfAbsent(value, _ -> new PairFigures());
          ofPair.absentMs += absentMs;
          ofPair.series++;
        });
  }

  void addFill(List<? extends StoredChunk> chunks) {
    for (StoredChunk chunk : chunks) {
      int size = Math.clamp(chunk.load().size(), 1, Chunk.SAMPLES_MAX);
      chunksByFill[(size * FILL_STEPS - 1) / Chunk.SAMPLES_MAX]++;
    }
  }

  long series() {
    return series;
  }

  long labelNames() {
    return names.size();
  }

  long pairs() {
    return names.values().stream().mapToLong(n -> n.byValue.size()).sum();
  }

  /** Label pairs of all series, those of each series counted. */
  long pairEntries() {
    return pairEntries;
  }

  /** Chunks with up to a tenth, two tenths, ... of the samples of a full one. */
  long[] chunksByFill() {
    return chunksByFill.clone();
  }

  List<Item> pairsByChurn(int limit) {
    return top(pairItems(p -> (long) ((double) p.absentMs / durationMs)), limit);
  }

  List<Item> namesByChurn(int limit) {
    return top(nameItems(n -> (long) ((double) n.absentMs / durationMs)), limit);
  }

  List<Item> pairsBySeries(int limit) {
    return top(pairItems(p -> p.series), limit);
  }

  /** By the bytes of their values, each counted once. */
  List<Item> namesByValueBytes(int limit) {
    return top(
        nameItems(
            n ->
                n.byValue.keySet().stream()
                    .mapToLong(value -> value.getBytes(StandardCharsets.UTF_8).length)
                    .sum()),
        limit);
  }

  List<Item> namesByValues(int limit) {
    return top(nameItems(n -> n.byValue.size()), limit);
  }

  List<Item> metricsBySeries(int limit) {
    List<Item> items = new ArrayList<>();
    NameFigures metrics = names.getOrDefault(Labels.NAME, new NameFigures());
    metrics.byValue.forEach((value, pair) -> items.add(new Item(value, pair.series)));
    return top(items, limit);
  }

  private List<Item> nameItems(java.util.function.ToLongFunction<NameFigures> figure) {
    List<Item> items = new ArrayList<>();
    names.forEach((name, ofName) -> items.add(new Item(name, figure.applyAsLong(ofName))));
    return items;
  }

  private List<Item> pairItems(java.util.function.ToLongFunction<PairFigures> figure) {
    List<Item> items = new ArrayList<>();
    names.forEach(
        (name, ofName) ->
            ofName.byValue.forEach(
                (value, pair) ->
                    items.add(new Item(name + "=" + value, figure.applyAsLong(pair)))));
    return items;
  }

  /** The largest first, of equal ones by name. */
  private static List<Item> top(List<Item> items, int limit) {
    return items.stream()
        .sorted(Comparator.comparingLong(Item::count).reversed().thenComparing(Item::key))
        .limit(limit)
        .toList();
  }
}
