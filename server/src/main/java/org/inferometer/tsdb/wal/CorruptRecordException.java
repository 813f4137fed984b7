package org.inferometer.tsdb.wal;

import java.io.IOException;

/** Bytes that aren't a whole record; says what was expected and found. */
final class CorruptRecordException extends IOException {
  private static final long serialVersionUID = 1;

  private final boolean isTail;

  CorruptRecordException(String says) {
    this(says, false);
  }

  /**
   * @param isTail whether it looks like a write that wasn't finished, and nothing comes after
   */
  CorruptRecordException(String says, boolean isTail) {
    super(says);
    this.isTail = isTail;
  }

  CorruptRecordException(String says, Throwable cause) {
    super(says, cause);
    this.isTail = false;
  }

  boolean isTail() {
    return isTail;
  }
}
