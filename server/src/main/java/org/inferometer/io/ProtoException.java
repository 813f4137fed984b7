package org.inferometer.io;

/** Bytes that aren't a well-formed protobuf message; says at which byte and what was expected. */
public final class ProtoException extends Exception {
  private static final long serialVersionUID = 1L;

  private final int position;

  /**
   * @param position in the array that is read
   */
  public ProtoException(int position, String expected) {
    super("byte " + position + ": expected " + expected);
    this.position = position;
  }

  /** The byte, counted from the start of the array that is read. */
  public int position() {
    return position;
  }
}
