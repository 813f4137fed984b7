package org.inferometer.tsdb;

import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The postings of one label name by value. One thread changes it at a time; any thread reads. */
final class LabelIndex {
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

  int valueCount() {
    return postingsByValue.size();
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
