package org.inferometer.scrape;

/** Hears of every scrape, after its samples can be read, on the scrape's thread: be quick. */
@FunctionalInterface
public interface ScrapeListener {
  /**
   * @param scrapeTimeMs the timestamp of its samples
   */
  void onScrape(TargetView target, long scrapeTimeMs);

  static ScrapeListener none() {
    return (target, scrapeTimeMs) -> {};
  }
}
