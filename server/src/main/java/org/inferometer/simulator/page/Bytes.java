package org.inferometer.simulator.page;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes that grow at their end and are written again and again. Not thread-safe. */
final class Bytes {
  private byte[] array;
  private int length;

  Bytes(int capacity) {
    array = new byte[capacity];
  }

  byte[] array() {
    return array;
  }

  int length() {
    return length;
  }

  void clear() {
    length = 0;
  }

  /** Forgets what was added behind a length that it had. */
  void cutTo(int earlier) {
    length = earlier;
  }

  void add(byte[] more) {
    reserve(more.length);
    System.arraycopy(more, 0, array, length, more.length);
    length += more.length;
  }

  void add(char ascii) {
    reserve(1);
    array[length++] = (byte) ascii;
  }

  /** Adds ASCII text. */
  @SuppressWarnings("deprecation") // The one way that copies the low bytes as they are.
  void add(String ascii) {
    int n = ascii.length();
    reserve(n);
    ascii.getBytes(0, n, array, length);
    length += n;
  }

  /** Adds the digits of a number that isn't negative. */
  void addDigits(long number) {
    int digits = 1;
    for (long rest = number; rest >= 10; rest /= 10) {
      digits++;
    }
    reserve(digits);
    long rest = number;
    for (int at = length + digits - 1; at >= length; at--) {
      array[at] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    length += digits;
  }

  private void reserve(int more) {
    if (length + more > array.length) {
      array = Arrays.copyOf(array, Math.max(array.length * 2, length + more));
    }
  }

  @Override
  public String toString() {
    return new String(array, 0, length, StandardCharsets.UTF_8);
  }
}
