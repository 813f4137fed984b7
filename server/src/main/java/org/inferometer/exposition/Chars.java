package org.inferometer.exposition;

/** Which bytes may stand where in names and numbers. */
final class Chars {
  private static final int METRIC = 1;
  private static final int LABEL = 2;
  private static final int START = 4;
  private static final int VALUE_END = 8;

  private static final byte[] CLASS = new byte[256];

  static {
    for (int c = 0; c < 128; c++) {
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
      boolean digit = c >= '0' && c <= '9';
      int bits = letter ? METRIC | LABEL | START : digit ? METRIC | LABEL : 0;
      CLASS[c] = (byte) (c == ':' ? METRIC | START : bits);
    }
    for (char c : new char[] {' ', '\t', '\n', '{', '\0'}) {
      CLASS[c] |= VALUE_END;
    }
  }

  private Chars() {}

  static boolean startsMetric(byte b) {
    return (CLASS[b & 0xff] & START) != 0;
  }

  static boolean startsLabel(byte b) {
    return (CLASS[b & 0xff] & (START | LABEL)) == (START | LABEL);
  }

  static boolean isMetric(byte b) {
    return (CLASS[b & 0xff] & METRIC) != 0;
  }

  static boolean isLabel(byte b) {
    return (CLASS[b & 0xff] & LABEL) != 0;
  }

  /** Whether a byte ends a value in the text format. */
  static boolean endsValue(byte b) {
    return (CLASS[b & 0xff] & VALUE_END) != 0;
  }

  static boolean isBlank(byte b) {
    return b == ' ' || b == '\t';
  }
}
