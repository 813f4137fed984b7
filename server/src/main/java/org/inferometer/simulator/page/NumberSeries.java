package org.inferometer.simulator.page;

/** A series of one line. */
final class NumberSeries implements Series {
  private final Line line;
  private final Source source;

  NumberSeries(byte[] prefix, Source source, NumberText numbers) {
    this.line = new Line(prefix, numbers);
    this.source = source;
  }

  @Override
  public boolean hasMoved(long nowNs) {
    return source.number(nowNs) != 0;
  }

  @Override
  public void write(Bytes out, long nowNs) {
    line.write(source.number(nowNs), out);
  }
}
