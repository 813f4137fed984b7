package org.inferometer.tsdb.wal;

import java.io.IOException;

/** Bytes that aren't a whole record; says what was expected and found. */
final class CorruptRecordException extends IOException {
  private static final long serialVersionUID = 1;

  private final boolean isTail;
  private final boolean isForeign;

  CorruptRecordException(String says) {
    this(says, false);
  }

  /**
   * @param isTail whether it looks like a write that wasn't finished, and nothing comes after
   */
  CorruptRecordException(String says, boolean isTail) {
    this(says, isTail, false);
  }

  private CorruptRecordException(String says, boolean isTail, boolean isForeign) {
    super(says);
    this.isTail = isTail;
    this.isForeign = isForeign;
  }

  /**
   * @param isForeign whether it is whole, but written in a way that isn't understood here
   */
  static CorruptRecordException notUnderstood(String says, boolean isForeign) {
    return new CorruptRecordException(says, false, isForeign);
  }

  CorruptRecordException(String says, Throwable cause) {
    super(says, cause);
    this.isTail = false;
    this.isForeign = false;
  }

  boolean isForeign() {
    return isForeign;
  }

  boolean isTail() {
    return isTail;
  }
}
