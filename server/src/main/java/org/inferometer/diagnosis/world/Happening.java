package org.inferometer.diagnosis.world;

import org.jspecify.annotations.Nullable;

/**
 * Something that happened at a moment: a restart, another release, another flag, a replica more.
 *
 * @param timeMs when it was first seen
 * @param instance the replica, or null for the whole service
 * @param name what changed, as its label or signal is called; "" if that says nothing
 * @param from what it was before, or null
 * @param to what it is since, or null
 * @param says a sentence
 */
public record Happening(
    long timeMs,
    Kind kind,
    @Nullable String instance,
    String name,
    @Nullable String from,
    @Nullable String to,
    String says) {
  /** What kind of thing happened. */
  public enum Kind {
    RESTART,
    /** A replica can't be scraped any more. */
    GONE,
    /** A replica is scraped for the first time, or again. */
    CAME,
    /** A flag or a setting has another value. */
    CONFIG,
    VERSION
  }

  /** Whether a replica began or ended, so that requests went elsewhere. */
  public boolean isOfReplica() {
    return kind == Kind.RESTART || kind == Kind.GONE || kind == Kind.CAME;
  }
}
