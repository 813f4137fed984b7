package org.inferometer.io;

/**
 * Bytes that aren't a well-formed protobuf message; says at which byte and what was expected. It
 * has no stack trace, since it tells about data, and hostile data can make many.
 */
public final class ProtoException extends Exception {
  private static final long serialVersionUID = 1L;

  private final int position;
  private final String expected;

  /**
   * @param position in the array that is read
   */
  public ProtoException(int position, String expected) {
    super(null, null, false, false);
    this.position = position;
    this.expected = expected;
  }

  @Override
  public String getMessage() {
    return "byte " + position + ": expected " + expected;
  }

  /** The byte, counted from the start of the array that is read. */
  public int position() {
    return position;
  }

  /** What should stand there, and what does. */
  public String expected() {
    return expected;
  }
}
