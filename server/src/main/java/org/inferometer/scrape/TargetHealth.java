package org.inferometer.scrape;

import java.util.Locale;

/** How the last scrape of a target went. */
public enum TargetHealth {
  UP,
  DOWN,
  /** Not scraped yet. */
  UNKNOWN;

  /** The word in the HTTP API. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
