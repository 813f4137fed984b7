package org.inferometer.tsdb;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.inferometer.model.Exemplar;
import org.inferometer.model.ExemplarSeries;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.store.ExemplarSink;
import org.inferometer.store.ExemplarSource;

/**
 * The newest exemplars over all series, in memory: when it is full, each one that is added pushes
 * out the one that was added first. Thread-safe.
 */
public final class ExemplarRing implements ExemplarSink, ExemplarSource {
  /** {@code storage.exemplars.max_exemplars} of Prometheus; 30 MB with the longest labels. */
  public static final int EXEMPLARS_MAX = 100_000;

  private final int capacity;

  /** The owner of each exemplar, the oldest first; both guarded by the monitor. */
  private final ArrayDeque<Owner> order = new ArrayDeque<>();

  private final Map<Labels, Owner> owners = new HashMap<>();

  /** A series with its exemplars, the oldest first. */
  private record Owner(Labels labels, ArrayDeque<Exemplar> exemplars) {
    Owner(Labels labels) {
      this(labels, new ArrayDeque<>(4));
    }

    /**
     * A target sends the same one at each scrape until it has another, without a time of its own
     * perhaps, so that it seems to be of the scrape's.
     */
    boolean isNew(Exemplar exemplar) {
      Exemplar last = exemplars.peekLast();
      return last == null
          || (exemplar.timestampMs() >= last.timestampMs()
              && !(exemplar.labels().equals(last.labels())
                  && Double.compare(exemplar.value(), last.value()) == 0));
    }
  }

  public ExemplarRing() {
    this(EXEMPLARS_MAX);
  }

  ExemplarRing(int capacity) {
    this.capacity = capacity;
  }

  @Override
  public synchronized boolean add(Labels series, Exemplar exemplar) {
    if (Exemplar.characters(exemplar.labels()) > Exemplar.LABEL_CHARACTERS_MAX) {
      return false;
    }
    Owner owner = owners.computeIfAbsent(series, Owner::new);
    if (!owner.isNew(exemplar)) {
      return false;
    }
    owner.exemplars().add(exemplar);
    order.add(owner);
    if (order.size() > capacity) {
      removeOldest();
    }
    return true;
  }

  /** Whether {@link #add} would keep it. */
  synchronized boolean isNew(Labels series, Exemplar exemplar) {
    Owner owner = owners.get(series);
    return Exemplar.characters(exemplar.labels()) <= Exemplar.LABEL_CHARACTERS_MAX
        && (owner == null || owner.isNew(exemplar));
  }

  private void removeOldest() {
    Owner oldest = order.remove();
    oldest.exemplars().remove();
    if (oldest.exemplars().isEmpty()) {
      owners.remove(oldest.labels());
    }
  }

  /** How many are kept. */
  public synchronized int size() {
    return order.size();
  }

  @Override
  public synchronized List<ExemplarSeries> exemplars(
      List<List<Matcher>> selections, long minMs, long maxMs) {
    Map<Labels, ExemplarSeries> found = new TreeMap<>();
    for (Owner owner : owners.values()) {
      if (selections.stream().anyMatch(s -> s.stream().allMatch(m -> m.matches(owner.labels())))) {
        List<Exemplar> within = new ArrayList<>();
        for (Exemplar exemplar : owner.exemplars()) {
          if (exemplar.timestampMs() >= minMs && exemplar.timestampMs() <= maxMs) {
            within.add(exemplar);
          }
        }
        if (!within.isEmpty()) {
          found.put(owner.labels(), new ExemplarSeries(owner.labels(), within));
        }
      }
    }
    return List.copyOf(found.values());
  }
}
