package org.inferometer.app;

import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import org.inferometer.exposition.ExpositionWriter;
import org.inferometer.model.Labels;
import org.inferometer.model.MetricType;

/** Counts the looks that come by themselves. Thread-safe. */
final class DiagnosisStats {
  /** Upper bounds in seconds of the buckets that durations are counted in. */
  private static final double[] BOUNDS = {0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30};

  private static final double NANOS_PER_SECOND = 1e9;

  private final LongAdder[] buckets = new LongAdder[BOUNDS.length + 1];
  private final LongAdder nanos = new LongAdder();
  private final LongAdder skipped = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder unstored = new LongAdder();

  DiagnosisStats() {
    Arrays.setAll(buckets, _ -> new LongAdder());
  }

  void took(long durationNanos) {
    double seconds = durationNanos / NANOS_PER_SECOND;
    int bucket = 0;
    while (bucket < BOUNDS.length && seconds > BOUNDS[bucket]) {
      bucket++;
    }
    buckets[bucket].increment();
    nanos.add(durationNanos);
  }

  void skipped(long looks) {
    skipped.add(looks);
  }

  void failed() {
    failed.increment();
  }

  void unstored(long samples) {
    unstored.add(samples);
  }

  long looks() {
    return Arrays.stream(buckets).mapToLong(LongAdder::sum).sum();
  }

  long skips() {
    return skipped.sum();
  }

  long failures() {
    return failed.sum();
  }

  void write(ExpositionWriter page, int held) {
    page.family(
            "inferometer_diagnosis_duration_seconds",
            MetricType.HISTOGRAM,
            "How long looking for causes took, all services together.",
            "seconds")
        .histogram(
            Labels.EMPTY,
            BOUNDS,
            Arrays.stream(buckets).mapToLong(LongAdder::sum).toArray(),
            nanos.sum() / NANOS_PER_SECOND);
    SelfMetrics.counter(
        page,
        "inferometer_diagnosis_skipped",
        "Looks left out since the one before took too long.",
        "",
        skipped.sum());
    SelfMetrics.counter(
        page, "inferometer_diagnosis_failures", "Looks that came to nothing.", "", failed.sum());
    SelfMetrics.counter(
        page,
        "inferometer_diagnosis_unstored_samples",
        "Samples about findings that the store didn't take.",
        "",
        unstored.sum());
    SelfMetrics.gauge(
        page, "inferometer_diagnosis_findings", "Findings that hold now.", "", (long) held);
  }
}
