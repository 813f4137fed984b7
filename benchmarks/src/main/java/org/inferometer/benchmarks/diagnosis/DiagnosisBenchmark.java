package org.inferometer.benchmarks.diagnosis;

import java.util.concurrent.TimeUnit;
import org.inferometer.diagnosis.Diagnoser;
import org.inferometer.diagnosis.Report;
import org.inferometer.query.QueryException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long one diagnosis takes: 30 replicas with their GPUs, hosts, gateway and clients, a window
 * of five minutes after an hour of scrapes every 15 s in the head.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 5)
@Measurement(iterations = 5, time = 5)
@Fork(1)
public class DiagnosisBenchmark {
  private static final long WINDOW_MS = 300_000;

  private final LoadedFleet fleet = LoadedFleet.thirty();
  private final Diagnoser diagnoser = fleet.diagnoser();

  @TearDown
  public void close() {
    fleet.close();
  }

  @Benchmark
  public Report diagnose() throws QueryException {
    return diagnoser.diagnose(Diagnoser.Request.of(fleet.endMs(), WINDOW_MS));
  }
}
