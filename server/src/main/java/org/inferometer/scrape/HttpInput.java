package org.inferometer.scrape;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * The bytes that come over one connection: lines of the head first, then the body. Not thread-safe.
 */
final class HttpInput {
  private final InputStream in;
  private final byte[] buffer = new byte[16 * 1024];
  private int position;
  private int limit;
  private long total;

  HttpInput(InputStream in) {
    this.in = in;
  }

  /** How many bytes came over the connection so far. */
  long total() {
    return total;
  }

  /** The next byte without taking it, or -1 at the end. */
  int peek() throws IOException {
    return fill() ? buffer[position] & 0xff : -1;
  }

  private boolean fill() throws IOException {
    if (position < limit) {
      return true;
    }
    int n = in.read(buffer, 0, buffer.length);
    position = 0;
    limit = Math.max(0, n);
    total += limit;
    return n > 0;
  }

  /**
   * A line without its end.
   *
   * @param lengthMax of the line
   * @throws HttpHead.Malformed if it is longer
   * @throws EOFException if the connection ends in it
   */
  String line(int lengthMax) throws IOException {
    StringBuilder line = new StringBuilder(64);
    while (true) {
      if (!fill()) {
        throw new EOFException();
      }
      int end = position;
      while (end < limit && buffer[end] != '\n') {
        end++;
      }
      if (line.length() + end - position > lengthMax) {
        throw new HttpHead.Malformed("a line of more than " + lengthMax + " bytes");
      }
      line.append(new String(buffer, position, end - position, StandardCharsets.ISO_8859_1));
      boolean whole = end < limit;
      position = whole ? end + 1 : end;
      if (whole) {
        int length = line.length();
        return length > 0 && line.charAt(length - 1) == '\r'
            ? line.substring(0, length - 1)
            : line.toString();
      }
    }
  }

  /** Some bytes, at most so many; -1 at the end of the connection. */
  int read(byte[] into, int offset, int count) throws IOException {
    if (count == 0) {
      return 0;
    }
    if (!fill()) {
      return -1;
    }
    int n = Math.min(count, limit - position);
    System.arraycopy(buffer, position, into, offset, n);
    position += n;
    return n;
  }
}
