package org.inferometer.benchmarks.exposition;

import java.util.concurrent.TimeUnit;
import org.inferometer.exposition.Event;
import org.inferometer.exposition.ExpositionParser;
import org.inferometer.exposition.Format;
import org.inferometer.exposition.Mode;
import org.inferometer.exposition.SeriesTextIndex;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Samples read per second and core: by the parser alone, and with each series looked up. */
@State(Scope.Thread)
@BenchmarkMode(org.openjdk.jmh.annotations.Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@SuppressWarnings("NullAway.Init")
public class ParseBenchmark {
  /** What {@link ServingPage} has with {@link #ENGINES} engines: 8 histograms, 4 gauges. */
  private static final int SAMPLES = 7200;

  private static final int ENGINES = 40;

  @Param({"TEXT", "OPENMETRICS", "PROTOBUF"})
  public Format format;

  private byte[] page;
  private ExpositionParser parser;
  private SeriesTextIndex index;

  @Setup
  public void prepare() {
    ServingPage made = new ServingPage(format, ENGINES);
    if (made.samples() != SAMPLES) {
      throw new IllegalStateException(made.samples() + " samples");
    }
    page = made.bytes();
    parser = ExpositionParser.of(format, Mode.TOLERANT);
    index = new SeriesTextIndex(100_000, 1 << 24, 1);
  }

  @Benchmark
  @OperationsPerInvocation(SAMPLES)
  public double parse() {
    parser.reset(page, page.length);
    double sum = 0;
    for (Event event = parser.next(); event != Event.END; event = parser.next()) {
      if (event == Event.SERIES) {
        sum += parser.value();
      }
    }
    return sum;
  }

  @Benchmark
  @OperationsPerInvocation(SAMPLES)
  public double parseAndFind() {
    parser.reset(page, page.length);
    double sum = 0;
    for (Event event = parser.next(); event != Event.END; event = parser.next()) {
      if (event == Event.SERIES) {
        sum += parser.value() + find();
      }
    }
    return sum;
  }

  private int find() {
    int start = parser.rawStart();
    int end = parser.rawEnd();
    int flags = parser.seriesKeyFlags();
    int id = index.find(parser.raw(), start, end, flags);
    return id == SeriesTextIndex.NONE ? index.add(parser.raw(), start, end, flags) : id;
  }
}
