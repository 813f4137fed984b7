package org.inferometer.tsdb.block;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.model.Utf8Order;
import org.inferometer.store.Querier;
import org.inferometer.store.Series;
import org.inferometer.tsdb.index.IdSet;
import org.inferometer.tsdb.index.SeriesFinder;
import org.jspecify.annotations.Nullable;

/** Reads a stretch of time of a block. What is damaged is passed over and told of. Thread-safe. */
final class BlockQuerier implements Querier {
  private final BlockIndex index;
  private final ChunkFiles chunks;
  private final Tombstones tombstones;
  private final Damages damages;
  private final BlockPostings postings;
  private final long minMs;
  private final long maxMs;

  BlockQuerier(
      BlockIndex index,
      ChunkFiles chunks,
      Tombstones tombstones,
      Damages damages,
      long minMs,
      long maxMs) {
    this.index = index;
    this.chunks = chunks;
    this.tombstones = tombstones;
    this.damages = damages;
    this.minMs = minMs;
    this.maxMs = maxMs;
    postings = new BlockPostings(index, damages);
  }

  @Override
  public List<Series> select(List<Matcher> matchers) {
    IdSet ids = find(matchers);
    List<Series> selected = new ArrayList<>(ids.size());
    boolean isSorted = true;
    Labels last = Labels.EMPTY;
    for (int i = 0; i < ids.size(); i++) {
      if (i > 0 && ids.get(i) == ids.get(i - 1)) {
        continue; // Postings of two values of a label may share a series if they are wrong
      }
      BlockSeries series = series(ids.get(i), matchers);
      if (series != null) {
        isSorted &= last.compareTo(series.labels()) <= 0;
        last = series.labels();
        selected.add(series);
      }
    }
    if (!isSorted) {
      selected.sort(Comparator.comparing(Series::labels));
    }
    return selected;
  }

  private IdSet find(List<Matcher> matchers) {
    return minMs > maxMs ? IdSet.EMPTY : new SeriesFinder(postings).find(matchers);
  }

  private @Nullable BlockSeries series(int id, List<Matcher> matchers) {
    SeriesEntry entry = entry(id);
    if (entry == null
        || entry.minMs() > maxMs
        || entry.maxMs() < minMs
        || !passes(entry, matchers)) {
      return null;
    }
    BlockSeries series =
        new BlockSeries(chunks, damages, entry.labels(), entry, tombstones.of(id), minMs, maxMs);
    return series.hasAny() ? series : null;
  }

  private @Nullable SeriesEntry entry(int id) {
    try {
      return index.series(id);
    } catch (DamageException | InternalError e) { // may come later than the access that failed
      damages.add(e, "a series is missing");
      return null;
    }
  }

  /** The tombstones with the stretch of the series that pass, as far as these have chunks. */
  Tombstones deleted(List<Matcher> matchers) {
    IdSet ids = find(matchers);
    Tombstones.Builder marks = new Tombstones.Builder(tombstones);
    for (int i = 0; i < ids.size(); i++) {
      SeriesEntry entry = entry(ids.get(i));
      if (entry != null
          && entry.minMs() <= maxMs
          && entry.maxMs() >= minMs
          && passes(entry, matchers)) {
        marks.add(ids.get(i), Math.max(minMs, entry.minMs()), Math.min(maxMs, entry.maxMs()));
      }
    }
    return marks.build();
  }

  /** Whether damaged postings let a series through that doesn't pass. */
  private boolean passes(SeriesEntry entry, List<Matcher> matchers) {
    return damages.isEmpty() || matchers.stream().allMatch(m -> m.matches(entry.value(m.name())));
  }

  /** As Prometheus does it: those of all series of the block, without a look at their samples. */
  @Override
  public List<String> labelNames(List<Matcher> matchers) {
    if (minMs > maxMs) {
      return List.of();
    }
    if (matchers.isEmpty()) {
      return index.labelNames();
    }
    BitSet numbers = new BitSet();
    forEachEntry(
        matchers,
        entry -> {
          for (int i = 0; i < entry.labelCount(); i++) {
            numbers.set(entry.nameNumber(i));
          }
        });
    return texts(numbers);
  }

  /** As Prometheus does it: those of all series of the block, without a look at their samples. */
  @Override
  public List<String> labelValues(String name, List<Matcher> matchers) {
    PostingsTable.Label label = index.label(name);
    if (label == null || name.isEmpty() || minMs > maxMs) {
      return List.of();
    }
    if (matchers.isEmpty()) {
      return values(label);
    }
    BitSet numbers = new BitSet();
    forEachEntry(
        matchers,
        entry -> {
          int number = entry.valueNumber(name);
          if (number >= 0) {
            numbers.set(number);
          }
        });
    return texts(numbers);
  }

  private List<String> values(PostingsTable.Label label) {
    List<String> values = new ArrayList<>(label.to() - label.from());
    try {
      for (int i = label.from(); i < label.to(); i++) {
        values.add(index.postingsTable().value(i));
      }
    } catch (DamageException e) {
      damages.add(e, "values of the label %s are missing".formatted(label.name()));
    }
    return values;
  }

  private void forEachEntry(List<Matcher> matchers, Consumer<SeriesEntry> action) {
    IdSet ids = find(matchers);
    for (int i = 0; i < ids.size(); i++) {
      SeriesEntry entry = entry(ids.get(i));
      if (entry != null && passes(entry, matchers)) {
        action.accept(entry);
      }
    }
  }

  private List<String> texts(BitSet numbers) {
    TreeSet<String> texts = new TreeSet<>(Utf8Order.INSTANCE);
    numbers.stream().mapToObj(index.symbols()::get).forEach(texts::add);
    return List.copyOf(texts);
  }

  @Override
  public List<String> warnings() {
    return damages.sentences();
  }

  @Override
  public void close() {}
}
