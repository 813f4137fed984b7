package org.inferometer.scrape;

/** What became of the samples of one scrape. Not thread-safe. */
final class SampleCounts {
  int scraped;

  /** Left after relabeling, duplicates and those over the limit too. */
  int added;

  int seriesAdded;
  int duplicates;
  int outOfOrder;
  int outOfBounds;
  int noRoom;
  int badLines;

  void clear() {
    scraped = 0;
    added = 0;
    seriesAdded = 0;
    duplicates = 0;
    outOfOrder = 0;
    outOfBounds = 0;
    noRoom = 0;
    badLines = 0;
  }
}
