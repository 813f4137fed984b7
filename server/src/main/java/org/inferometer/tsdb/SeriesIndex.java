package org.inferometer.tsdb;

import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.tsdb.index.IdSet;
import org.inferometer.tsdb.index.PostingsSource;
import org.jspecify.annotations.Nullable;

/**
 * All series of a head: by label set, by id, and by label and value. Its keys are the symbol table:
 * every stored label set is made of them, so a name or value is in memory once for each label it
 * occurs in.
 *
 * <p>Reading takes no lock. Making and removing series takes one lock; lock order is this lock,
 * then a series. Ids count up and are never used again, so what is read of an old list of ids is
 * either the same series or none. A series that is being made may be in some lists and not yet in
 * others; readers therefore stop at {@link #publishedId}, which is behind it until all are done.
 */
final class SeriesIndex implements PostingsSource {
  /** Object of a series, its label set, entries in the table and in the map. */
  private static final int SERIES_BYTES = 80 + 24 + 16 + 8 + 48;

  /** Two references and an entry in a list of ids. */
  private static final int PAIR_BYTES = 8 + 5;

  /** A string, its bytes' header, a list of ids and an entry in a map. */
  private static final int SYMBOL_BYTES = 24 + 16 + 24 + 24 + 44;

  private final ReentrantLock changing = new ReentrantLock();
  private final ConcurrentHashMap<Labels, HeadSeries> seriesByLabels = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, LabelIndex> labelsByName = new ConcurrentHashMap<>();
  private final SeriesTable table = new SeriesTable();
  private volatile Postings all = new Postings("");
  private volatile int publishedId;
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicInteger pairCount = new AtomicInteger();

  int seriesCount() {
    return seriesByLabels.size();
  }

  /** How many different pairs of label name and value there are. */
  int pairCount() {
    return pairCount.get();
  }

  /** What it takes in memory, reckoned. */
  long memoryBytes() {
    return bytes.get();
  }

  /** The highest id that all lists know. */
  @Override
  public int publishedId() {
    return publishedId;
  }

  @Override
  public IdSet allIds() {
    return all.ids();
  }

  @Override
  public @Nullable LabelIndex label(String name) {
    return labelsByName.get(name);
  }

  Collection<LabelIndex> labels() {
    return labelsByName.values();
  }

  @Override
  public boolean matches(int id, Matcher matcher) {
    HeadSeries series = byId(id);
    return series != null && matcher.matches(series.labels());
  }

  @Nullable HeadSeries byLabels(Labels labels) {
    return seriesByLabels.get(labels);
  }

  /** The series of an id, or null if it was removed or never was. */
  @Nullable HeadSeries byId(long id) {
    return table.get(id);
  }

  /** All series, in no order. */
  Collection<HeadSeries> all() {
    return Collections.unmodifiableCollection(seriesByLabels.values());
  }

  void forEach(Consumer<HeadSeries> action) {
    seriesByLabels.values().forEach(action);
  }

  /** What a new series with these labels would take, if all its names and values were new. */
  static long memoryBytesMax(Labels labels) {
    long total = SERIES_BYTES;
    for (int i = 0; i < labels.size(); i++) {
      total += PAIR_BYTES + SYMBOL_BYTES + stringBytes(labels.value(i));
    }
    return total;
  }

  /** What removing a series with these labels frees at least, its values being others' as well. */
  static long memoryBytesMin(Labels labels) {
    return SERIES_BYTES + (long) PAIR_BYTES * labels.size();
  }

  private static long stringBytes(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) > 0xff) {
        return 2L * text.length();
      }
    }
    return text.length();
  }

  /**
   * The series of a label set, made if it isn't there.
   *
   * @param hasRoom asked, under the lock, before a series is made
   * @return null if there is no room
   */
  @Nullable HeadSeries getOrCreate(Labels labels, BooleanSupplier hasRoom) {
    changing.lock();
    try {
      HeadSeries present = seriesByLabels.get(labels);
      if (present != null) {
        return present;
      }
      return publishedId == Integer.MAX_VALUE || !hasRoom.getAsBoolean() ? null : create(labels);
    } finally {
      changing.unlock();
    }
  }

  private HeadSeries create(Labels labels) {
    HeadSeries series = add(publishedId + 1, labels);
    list(series);
    publishedId = series.id();
    return series;
  }

  private HeadSeries add(int id, Labels labels) {
    Labels shared = labels.interned(name -> labelIndex(name).name(), this::symbol);
    HeadSeries series = new HeadSeries(id, shared);
    table.put(series);
    seriesByLabels.put(shared, series);
    bytes.addAndGet(memoryBytesMin(shared));
    return series;
  }

  private void list(HeadSeries series) {
    series.labels().forEach((name, value) -> postings(name, value).add(series.id()));
    all.add(series.id());
  }

  /**
   * Puts a series with an id that is known already, or finds the one with these labels. Before
   * {@link #endRestore} it can be found by id and labels only.
   */
  HeadSeries restore(int id, Labels labels) {
    HeadSeries present = seriesByLabels.get(labels);
    return present == null ? add(id, labels) : present;
  }

  /**
   * Makes what was restored known to all lists, which want ascending ids.
   *
   * @param idMax no new series gets this id or a lower one
   */
  void endRestore(int idMax) {
    changing.lock();
    try {
      seriesByLabels.values().stream()
          .sorted(Comparator.comparingInt(HeadSeries::id))
          .forEach(this::list);
      publishedId = idMax;
    } finally {
      changing.unlock();
    }
  }

  private LabelIndex labelIndex(String name) {
    return labelsByName.computeIfAbsent(name, LabelIndex::new);
  }

  private String symbol(String name, String value) {
    return postings(name, value).value();
  }

  private Postings postings(String name, String value) {
    LabelIndex label = labelIndex(name);
    Postings postings = label.get(value);
    if (postings == null) {
      postings = new Postings(value);
      label.put(postings);
      pairCount.incrementAndGet();
      bytes.addAndGet(SYMBOL_BYTES + stringBytes(value));
    }
    return postings;
  }

  /** Removes the series that agree to be removed, and returns them. */
  List<HeadSeries> removeEmpty() {
    changing.lock();
    try {
      List<HeadSeries> removed =
          seriesByLabels.values().stream().filter(HeadSeries::removeIfEmpty).toList();
      if (!removed.isEmpty()) {
        remove(removed);
      }
      return removed;
    } finally {
      changing.unlock();
    }
  }

  private void remove(List<HeadSeries> removed) {
    int[] ids = removed.stream().mapToInt(HeadSeries::id).sorted().toArray();
    Set<Postings> touched = new HashSet<>();
    for (HeadSeries series : removed) {
      seriesByLabels.remove(series.labels(), series);
      table.remove(series);
      series.labels().forEach((name, value) -> touched.add(postings(name, value)));
      bytes.addAndGet(-memoryBytesMin(series.labels()));
    }
    IdSet gone = new IdSet(ids, ids.length);
    labelsByName.values().forEach(label -> removeFrom(label, touched, gone));
    labelsByName.values().removeIf(LabelIndex::isEmpty);
    all = all.without(gone);
  }

  private void removeFrom(LabelIndex label, Set<Postings> touched, IdSet gone) {
    for (Postings postings : label.all()) {
      if (!touched.contains(postings)) {
        continue;
      }
      Postings left = postings.without(gone);
      if (left.size() > 0) {
        label.put(left);
      } else {
        label.remove(postings.value());
        pairCount.decrementAndGet();
        bytes.addAndGet(-SYMBOL_BYTES - stringBytes(postings.value()));
      }
    }
  }
}
