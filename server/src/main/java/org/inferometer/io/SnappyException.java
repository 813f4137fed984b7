package org.inferometer.io;

/** Bytes that aren't a well-formed snappy block; says at which byte and what was expected. */
public final class SnappyException extends Exception {
  private static final long serialVersionUID = 1L;

  SnappyException(int position, String expected) {
    super("byte " + position + ": expected " + expected);
  }
}
