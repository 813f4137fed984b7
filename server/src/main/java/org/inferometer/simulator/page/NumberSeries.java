package org.inferometer.simulator.page;

/** One line. */
final class NumberSeries implements Series {
  private final byte[] prefix;
  private final Source source;
  private final NumberText numbers;

  NumberSeries(byte[] prefix, Source source, NumberText numbers) {
    this.prefix = prefix;
    this.source = source;
    this.numbers = numbers;
  }

  @Override
  public boolean hasMoved(long nowNs) {
    return source.number(nowNs) != 0;
  }

  @Override
  public void write(Bytes out, long nowNs) {
    out.add(prefix);
    numbers.write(source.number(nowNs), out);
    out.add('\n');
  }
}
