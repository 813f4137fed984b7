package org.inferometer.simulator.page;

import java.util.List;
import java.util.function.Supplier;
import org.inferometer.simulator.measure.Distribution;

/** The lines of a histogram. */
final class HistogramSeries implements Series {
  /** In which order a client writes the parts of a histogram. */
  enum Order {
    BUCKETS_COUNT_SUM,
    BUCKETS_SUM_COUNT,
    SUM_BUCKETS_COUNT,
    SUM_COUNT_BUCKETS
  }

  /**
   * Its lines.
   *
   * @param buckets the last one's bound is +Inf
   */
  record Lines(Line[] buckets, Line sum, Line count) {}

  private final Lines lines;
  private final Order order;
  private final double[] bounds;
  private final double scale;
  private final Supplier<List<Distribution>> distributions;

  HistogramSeries(
      Lines lines,
      Order order,
      double[] bounds,
      double scale,
      Supplier<List<Distribution>> distributions) {
    this.lines = lines;
    this.order = order;
    this.bounds = bounds;
    this.scale = scale;
    this.distributions = distributions;
  }

  @Override
  public boolean hasMoved(long nowNs) {
    return distributions.get().stream().anyMatch(one -> one.count() > 0);
  }

  @Override
  public void write(Bytes out, long nowNs) {
    List<Distribution> all = distributions.get();
    switch (order) {
      case BUCKETS_COUNT_SUM -> {
        buckets(all, out);
        count(all, out);
        sum(all, out);
      }
      case BUCKETS_SUM_COUNT -> {
        buckets(all, out);
        sum(all, out);
        count(all, out);
      }
      case SUM_BUCKETS_COUNT -> {
        sum(all, out);
        buckets(all, out);
        count(all, out);
      }
      case SUM_COUNT_BUCKETS -> {
        sum(all, out);
        count(all, out);
        buckets(all, out);
      }
    }
  }

  private void buckets(List<Distribution> all, Bytes out) {
    long[] cumulative = new long[bounds.length + 1];
    for (Distribution one : all) {
      add(one, cumulative);
    }
    for (int i = 0; i < cumulative.length; i++) {
      lines.buckets()[i].write((double) cumulative[i], out);
    }
  }

  /** Adds what lies at or below each bound; a distribution may have finer edges than are shown. */
  private void add(Distribution one, long[] cumulative) {
    long below = 0;
    int edge = 0;
    for (int i = 0; i < bounds.length; i++) {
      double bound = bounds[i] / scale;
      while (one.edge(edge) < bound) {
        below += one.inBucket(edge++);
      }
      if (one.edge(edge) != bound) {
        throw new IllegalStateException(
            "expected an edge at " + bound + ": take the edges of the page's form");
      }
      below += one.inBucket(edge++);
      cumulative[i] += below;
    }
    cumulative[bounds.length] += one.count();
  }

  private void count(List<Distribution> all, Bytes out) {
    long count = 0;
    for (Distribution one : all) {
      count += one.count();
    }
    lines.count().write((double) count, out);
  }

  private void sum(List<Distribution> all, Bytes out) {
    double sum = 0;
    for (Distribution one : all) {
      sum += one.sum();
    }
    lines.sum().write(sum * scale, out);
  }
}
