package org.inferometer.check;

import org.jspecify.annotations.Nullable;

/**
 * Something about an endpoint's page that someone should know.
 *
 * @param id stable, for programs
 * @param says what is the matter, a sentence or a few
 * @param fix what to paste or to do, perhaps of several lines, or null
 * @param source where this is known from, or null
 */
public record Finding(
    String id, Weight weight, String says, @Nullable String fix, @Nullable String source) {
  static Finding of(String id, Weight weight, String says, @Nullable String fix) {
    return new Finding(id, weight, says, fix, null);
  }

  /** Whether this is what it says to do. */
  boolean tells(@Nullable String what) {
    return fix != null && fix.equals(what);
  }
}
