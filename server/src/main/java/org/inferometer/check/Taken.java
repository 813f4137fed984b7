package org.inferometer.check;

import java.util.List;

/** What came of asking an endpoint. */
sealed interface Taken {
  /** What was found on the way, whatever came of it. */
  List<Finding> findings();

  /**
   * Metrics.
   *
   * @param url where they were found
   * @param scrapes in the order of time, at least one
   */
  record Scraped(String url, List<Scrape> scrapes, List<Finding> findings) implements Taken {
    public Scraped {
      scrapes = List.copyOf(scrapes);
      findings = List.copyOf(findings);
    }

    Scrape first() {
      return scrapes.getFirst();
    }

    Scrape last() {
      return scrapes.getLast();
    }

    /** Whether time passed between them. */
    boolean isMoving() {
      return last().timeMs() > first().timeMs();
    }

    long apartMs() {
      return last().timeMs() - first().timeMs();
    }
  }

  /**
   * No metrics.
   *
   * @param isReached whether anything answered
   */
  record Nothing(boolean isReached, List<Finding> findings) implements Taken {
    public Nothing {
      findings = List.copyOf(findings);
    }
  }
}
