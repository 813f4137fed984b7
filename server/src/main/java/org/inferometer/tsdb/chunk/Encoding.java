package org.inferometer.tsdb.chunk;

/** How a chunk's samples are written, by the number that stands for it in files. */
public enum Encoding {
  XOR(1),
  HISTOGRAM(2),
  FLOAT_HISTOGRAM(3);

  private final byte number;

  Encoding(int number) {
    this.number = (byte) number;
  }

  public byte number() {
    return number;
  }

  /**
   * @throws CorruptChunkException if no encoding has that number
   */
  public static Encoding ofNumber(int number) {
    return switch (number) {
      case 1 -> XOR;
      case 2 -> HISTOGRAM;
      case 3 -> FLOAT_HISTOGRAM;
      default ->
          throw new CorruptChunkException("expected a chunk encoding of 1 to 3, got " + number);
    };
  }
}
