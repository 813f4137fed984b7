package org.inferometer.tsdb.chunk;

import org.inferometer.histogram.ResetHint;

/**
 * What a chunk of histograms says of its first one against the sample before the chunk, and how
 * that is written and told: a reset that was only seen in the numbers isn't told, so that it is
 * looked for again between the two samples that a query compares.
 */
enum ChunkStart {
  UNKNOWN(0x00, ResetHint.UNKNOWN),
  RESET_SEEN(0x80, ResetHint.UNKNOWN),
  RESET_SAID(0x80, ResetHint.RESET),
  NOT_RESET(0x40, ResetHint.NOT_RESET),
  GAUGE(0xc0, ResetHint.GAUGE);

  private static final int MASK = 0xc0;

  private final int flags;
  private final ResetHint hint;

  ChunkStart(int flags, ResetHint hint) {
    this.flags = flags;
    this.hint = hint;
  }

  byte flags() {
    return (byte) flags;
  }

  /** Of a chunk that was written elsewhere; a reset then counts as said. */
  static ChunkStart ofFlags(byte flags) {
    return switch (flags & MASK) {
      case 0x80 -> RESET_SAID;
      case 0x40 -> NOT_RESET;
      case 0xc0 -> GAUGE;
      default -> UNKNOWN;
    };
  }

  /** The hint of the chunk's first histogram. */
  ResetHint hint() {
    return hint;
  }

  /** The counterpart of {@link #hint}. */
  static ChunkStart ofHint(ResetHint hint) {
    return switch (hint) {
      case UNKNOWN -> UNKNOWN;
      case RESET -> RESET_SAID;
      case NOT_RESET -> NOT_RESET;
      case GAUGE -> GAUGE;
    };
  }

  /** What is left of it when the sample before is another one. */
  ChunkStart withoutPast() {
    return this == GAUGE ? this : UNKNOWN;
  }
}
