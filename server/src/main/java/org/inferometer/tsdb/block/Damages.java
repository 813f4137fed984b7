package org.inferometer.tsdb.block;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/** What a querier found damaged, each place once, the first ones in words. Thread-safe. */
final class Damages {
  private static final int SENTENCES_MAX = 20;

  /** Beyond it a place may be counted twice. */
  private static final int KNOWN_MAX = 10_000;

  private final String block;
  private final LongAdder total;
  private final Set<String> places = new LinkedHashSet<>();

  /**
   * @param total counts them over all queriers
   */
  Damages(String block, LongAdder total) {
    this.block = block;
    this.total = total;
  }

  /**
   * Notes a place.
   *
   * @param problem names file and offset
   * @param missing what is missing by it
   */
  synchronized void add(Throwable problem, String missing) {
    String sentence =
        "block %s: %s; %s".formatted(block, String.valueOf(problem.getMessage()), missing);
    if (places.size() >= KNOWN_MAX || places.add(sentence)) {
      total.increment();
    }
  }

  synchronized boolean isEmpty() {
    return places.isEmpty();
  }

  synchronized List<String> sentences() {
    List<String> sentences = new ArrayList<>(places.stream().limit(SENTENCES_MAX).toList());
    if (places.size() > SENTENCES_MAX) {
      sentences.add(
          "block %s: %d more places are damaged".formatted(block, places.size() - SENTENCES_MAX));
    }
    return sentences;
  }
}
