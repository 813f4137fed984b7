package org.inferometer.tsdb;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.inferometer.tsdb.index.IdSet;
import org.inferometer.tsdb.index.PostingsSource;
import org.jspecify.annotations.Nullable;

/** The postings of one label name by value. One thread changes it at a time; any thread reads. */
final class LabelIndex implements PostingsSource.LabelPostings {
  private final String name;
  private final ConcurrentHashMap<String, Postings> postingsByValue = new ConcurrentHashMap<>(4);

  LabelIndex(String name) {
    this.name = name;
  }

  /** The name: the one copy that all label sets share. */
  String name() {
    return name;
  }

  @Nullable Postings get(String value) {
    return postingsByValue.get(value);
  }

  Collection<Postings> all() {
    return postingsByValue.values();
  }

  @Override
  public int valueCount() {
    return postingsByValue.size();
  }

  @Override
  public IdSet ids(String value) {
    Postings postings = get(value);
    return postings == null ? IdSet.EMPTY : postings.ids();
  }

  @Override
  public List<IdSet> ids(Predicate<String> wanted) {
    List<IdSet> sets = new ArrayList<>();
    for (Postings postings : all()) {
      if (wanted.test(postings.value())) {
        sets.add(postings.ids());
      }
    }
    return sets;
  }

  boolean isEmpty() {
    return postingsByValue.isEmpty();
  }

  void put(Postings postings) {
    postingsByValue.put(postings.value(), postings);
  }

  void remove(String value) {
    postingsByValue.remove(value);
  }
}
