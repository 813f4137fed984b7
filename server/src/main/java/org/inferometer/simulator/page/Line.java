package org.inferometer.simulator.page;

import java.util.Arrays;

/**
 * One line of a page: what stands before its number, and the text of the number as long as that
 * stays. Not thread-safe.
 */
final class Line {
  private final byte[] prefix;
  private final NumberText numbers;
  private double last = Double.NaN;
  private byte[] lastText = {};

  Line(byte[] prefix, NumberText numbers) {
    this.prefix = prefix;
    this.numbers = numbers;
  }

  void write(double value, Bytes out) {
    out.add(prefix);
    if (value == Math.rint(value) && Math.abs(value) < 1e6) {
      // Writing the digits is no slower than remembering them; and 0 isn't -0.
      numbers.write(value, out);
    } else if (value == last) {
      out.add(lastText);
    } else {
      int start = out.length();
      numbers.write(value, out);
      last = value;
      lastText = Arrays.copyOfRange(out.array(), start, out.length());
    }
    out.add('\n');
  }
}
