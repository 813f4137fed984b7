package org.inferometer.scrape;

import org.inferometer.exposition.SeriesTextIndex;

/**
 * What a target's scrapes remember: its series, and which text stands for which. Not thread-safe.
 */
final class TargetCache {
  /** The value of a text whose series relabeling dropped. */
  static final long DROPPED = -1;

  /** More texts than these aren't remembered: their labels are parsed each time. */
  private static final int TEXTS_MAX = 1 << 22;

  /** An eighth of the heap: one target's texts must not take the others' room. */
  private static final int TEXT_BYTES_MAX =
      (int) Math.min(1 << 29, Runtime.getRuntime().maxMemory() / 8);

  private static final int SPARE_TEXTS = 10_000;

  private final long seed;
  private SeriesTextIndex texts;
  private final SeriesTable series = new SeriesTable();
  private long scrape;
  private int textsOfLastSuccess;

  /**
   * @param seed of the hashes of texts
   */
  TargetCache(long seed) {
    this.seed = seed;
    this.texts = newTexts();
  }

  private SeriesTextIndex newTexts() {
    return new SeriesTextIndex(TEXTS_MAX, TEXT_BYTES_MAX, seed);
  }

  SeriesTextIndex texts() {
    return texts;
  }

  SeriesTable series() {
    return series;
  }

  /** Begins a scrape: its number, above 0. */
  long begin() {
    return ++scrape;
  }

  /** As the settings changed, the texts may stand for other series. */
  void forgetTexts() {
    texts = newTexts();
  }

  /**
   * Forgets the texts that a scrape that succeeded didn't have.
   *
   * @param seen how many it had
   */
  void finish(int seen) {
    if (seen < texts.size()) {
      texts.removeUnseenSince(scrape, id -> {});
    }
    textsOfLastSuccess = texts.size();
  }

  /** After a scrape that failed: what failing bodies leave behind must not grow without bound. */
  void fail() {
    if (texts.size() > 2L * textsOfLastSuccess + SPARE_TEXTS) {
      forgetTexts();
      series.forgetUntracked();
      textsOfLastSuccess = 0;
    }
  }
}
