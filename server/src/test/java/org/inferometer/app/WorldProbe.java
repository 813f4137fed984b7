package org.inferometer.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.inferometer.diagnosis.threshold.ThresholdSource;
import org.inferometer.diagnosis.world.Basis;
import org.inferometer.diagnosis.world.Period;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.inferometer.diagnosis.world.Symptom;
import org.inferometer.diagnosis.world.WorldBuilder;
import org.inferometer.query.QueryException;

/**
 * Shows what worlds stand on and what users feel, some minutes after the onset of each file of a
 * folder: {@code FOLDER [REGEX [MINUTES,... [v]]]}.
 */
final class WorldProbe {
  private static final long WINDOW_MS = 300_000;

  private WorldProbe() {}

  public static void main(String[] args) throws IOException, QueryException {
    List<Path> files;
    try (Stream<Path> found = Files.list(Path.of(args[0]))) {
      files =
          found
              .filter(f -> f.getFileName().toString().matches("(" + args[1] + ")\\.om"))
              .sorted()
              .toList();
    }
    for (Path file : files) {
      DiagnosisProbe.Recorded recorded = DiagnosisProbe.Recorded.of(file);
      String start = recorded.truth.get("start");
      long onset = start == null ? recorded.minMs + 480_000 : Instant.parse(start).toEpochMilli();
      System.out.println(
          "## "
              + file.getFileName()
              + " "
              + recorded.truth.get("cause")
              + " onset "
              + (onset - recorded.minMs) / 1000);
      for (String minute : args[2].split(",")) {
        long at = onset + Math.round(Double.parseDouble(minute) * 60_000);
        if (at <= recorded.maxMs) {
          show(recorded, at, onset, minute, args.length > 3);
        }
      }
    }
  }

  private static void show(
      DiagnosisProbe.Recorded recorded, long at, long onset, String minute, boolean isLong)
      throws QueryException {
    Period period = new Period(at - WINDOW_MS, at);
    long begin = System.nanoTime();
    List<ServiceWorld> worlds =
        new WorldBuilder(recorded.signalsAt(at), ThresholdSource.BUILT_IN)
            .build(new WorldBuilder.Scope(period, null, 12 * WINDOW_MS))
            .services();
    double millis = (System.nanoTime() - begin) / 1e6;
    for (ServiceWorld world : worlds) {
      Basis basis = world.basis();
      System.out.printf(
          "+%-4s %4.0f ms judged %s base %s %s onset %s%n",
          minute,
          millis,
          text(basis.judged(), onset),
          basis.baseline() == null ? "-" : text(basis.baseline(), onset),
          basis.kind() + " " + basis.because(),
          basis.onsetMs() == null ? "-" : (basis.onsetMs() - onset) / 1000);
      StringBuilder symptoms = new StringBuilder();
      for (Symptom s : world.symptoms().all()) {
        symptoms.append(
            " %s%s %s %.3g/%.3g lim %.3g%s;"
                .formatted(
                    s.kind(),
                    s.edge() == null ? "" : "@" + s.edge().replaceAll("/.*", ""),
                    s.reading().signal(),
                    s.reading().value(),
                    s.reading().baseline(),
                    s.limit(),
                    s.isCritical() ? "!" : ""));
      }
      System.out.println("      " + symptoms);
      if (isLong) {
        world.telemetry().forEach(t -> System.out.println("      ! " + t));
        world.happenings().forEach(h -> System.out.println("      * " + h));
        world.changes().forEach(c -> System.out.println("      ~ " + c));
      }
    }
  }

  private static String text(Period period, long onset) {
    return "[" + (period.startMs() - onset) / 1000 + "," + (period.endMs() - onset) / 1000 + "]";
  }
}
