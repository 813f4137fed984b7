package org.inferometer.signals;

import org.jspecify.annotations.Nullable;

/**
 * Something that happened to a GPU.
 *
 * @param timeMs when it was first seen
 * @param gpu its number on the machine, or what else names it there
 * @param action what to do about it, null if nothing
 */
public record GpuEvent(
    long timeMs,
    String service,
    String gpu,
    @Nullable String uuid,
    Kind kind,
    String says,
    @Nullable String action) {
  /** What kind of thing happened. */
  public enum Kind {
    XID,
    /** Memory errors that couldn't be corrected. */
    ECC,
    /** Memory rows that were or couldn't be replaced. */
    REMAP,
    /** Counters started anew. */
    RESET,
    /** Its values stopped while its exporter still answers. */
    LOST
  }
}
