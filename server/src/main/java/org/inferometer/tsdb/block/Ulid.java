package org.inferometer.tsdb.block;

/**
 * The name of a block: 48 bits of milliseconds since the epoch and 80 random bits, in 26 characters
 * of Crockford's base 32 that sort by time. See github.com/ulid/spec.
 */
public record Ulid(long high, long low) implements Comparable<Ulid> {
  private static final String ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  private static final int LENGTH = 26;
  private static final int TIME_BITS = 48;

  /** A name from a time and random bits. */
  public static Ulid of(long timeMs, java.util.random.RandomGenerator random) {
    long time = timeMs & ((1L << TIME_BITS) - 1);
    return new Ulid((time << 16) | (random.nextLong() & 0xffff), random.nextLong());
  }

  /** Whether a text is one. */
  public static boolean isUlid(String text) {
    if (text.length() != LENGTH || text.charAt(0) > '7') {
      return false;
    }
    return text.chars().allMatch(c -> ALPHABET.indexOf(c) >= 0);
  }

  /**
   * @throws IllegalArgumentException if it isn't one
   */
  public static Ulid parse(String text) {
    if (!isUlid(text)) {
      throw new IllegalArgumentException(
          "expected a ULID (26 digits and capital letters), got \"" + text + "\"");
    }
    long high = 0;
    long low = 0;
    for (int i = 0; i < LENGTH; i++) {
      high = (high << 5) | (low >>> 59);
      low = (low << 5) | ALPHABET.indexOf(text.charAt(i));
    }
    return new Ulid(high, low);
  }

  /** When it was made, in milliseconds since the epoch. */
  public long timeMs() {
    return high >>> 16;
  }

  @Override
  public int compareTo(Ulid other) {
    int order = Long.compareUnsigned(high, other.high);
    return order != 0 ? order : Long.compareUnsigned(low, other.low);
  }

  @Override
  public String toString() {
    char[] text = new char[LENGTH];
    long upper = high;
    long lower = low;
    for (int i = LENGTH - 1; i >= 0; i--) {
      text[i] = ALPHABET.charAt((int) lower & 31);
      lower = (lower >>> 5) | (upper << 59);
      upper >>>= 5;
    }
    return new String(text);
  }
}
