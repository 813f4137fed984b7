package org.inferometer.acceptance.peers;

import java.util.regex.Pattern;

/**
 * Where Prometheus 3.x, which we follow, says something else than Debian's 2.42 to a random query;
 * what can be left out of the queries is left out there instead.
 */
enum DesignDifference {
  /** 2.42 keeps a start of 0 if a group has one element, whatever it is. */
  DEVIATION_OF_ONE("std(dev|var)\\b(?!_over_time).*", "expected 0\\.0, got NaN"),

  /** 2.42 gives an older sample than the one whose value it gives without {@code timestamp()}. */
  TIMESTAMP_SHIFTED_TWICE("timestamp\\(.*@ (start|end)\\(\\) offset.*", "expected .*, got"),

  /** Several matches are an error since 3.x even where a comparison drops them all. */
  MATCHES_BEFORE_COMPARISON(".*(==|!=|<|>).*", "got error \"multiple matches for labels");

  private final Pattern query;
  private final Pattern difference;

  DesignDifference(String query, String difference) {
    this.query = Pattern.compile(query, Pattern.DOTALL);
    this.difference = Pattern.compile(difference);
  }

  /** Whether the smallest query that shows a difference is about one of these. */
  static boolean explains(String smallestQuery, String difference) {
    for (DesignDifference one : values()) {
      if (one.query.matcher(smallestQuery).matches() && one.difference.matcher(difference).find()) {
        return true;
      }
    }
    return false;
  }
}
