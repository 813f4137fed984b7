package org.inferometer.tsdb;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Function;
import org.inferometer.model.Labels;
import org.jspecify.annotations.Nullable;

/**
 * Walks several sequences in label order at once: each step gives what all of them have of the next
 * label set, in the order of the sequences. They are few, so each step looks at all of them.
 */
final class LabelsMerge<T> implements Iterator<List<T>> {
  private final List<? extends Iterator<? extends T>> sources;
  private final Function<T, Labels> labelsOf;
  private final List<@Nullable T> heads = new ArrayList<>();
  private int live;

  LabelsMerge(List<? extends Iterator<? extends T>> sources, Function<T, Labels> labelsOf) {
    this.sources = sources;
    this.labelsOf = labelsOf;
    for (int i = 0; i < sources.size(); i++) {
      heads.add(null);
      advance(i);
      live += heads.get(i) == null ? 0 : 1;
    }
  }

  private void advance(int place) {
    Iterator<? extends T> source = sources.get(place);
    heads.set(place, source.hasNext() ? source.next() : null);
  }

  @Override
  public boolean hasNext() {
    return live > 0;
  }

  @Override
  public List<T> next() {
    List<T> same = new ArrayList<>(2);
    List<Integer> places = new ArrayList<>(2);
    for (int i = 0; i < heads.size(); i++) {
      T head = heads.get(i);
      int order = head == null ? 1 : order(head, same);
      if (head != null && order <= 0) {
        if (order < 0) {
          same.clear();
          places.clear();
        }
        same.add(head);
        places.add(i);
      }
    }
    if (same.isEmpty()) {
      throw new NoSuchElementException();
    }
    for (int place : places) {
      advance(place);
      live -= heads.get(place) == null ? 1 : 0;
    }
    return same;
  }

  /** How labels compare with the smallest so far. */
  private int order(T head, List<T> smallest) {
    return smallest.isEmpty()
        ? -1
        : labelsOf.apply(head).compareTo(labelsOf.apply(smallest.getFirst()));
  }
}
