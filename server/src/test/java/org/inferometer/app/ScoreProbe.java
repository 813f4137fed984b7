package org.inferometer.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.inferometer.diagnosis.Diagnosis;
import org.inferometer.diagnosis.Verdict;
import org.inferometer.query.QueryException;

/**
 * Diagnoses all series files of a folder whose names match, some minutes after the onset of what
 * they are about, and sets the verdicts against their truth: {@code FOLDER [REGEX [MINUTES,...]]}.
 */
final class ScoreProbe {
  private static final long WINDOW_MS = 300_000;

  private ScoreProbe() {}

  public static void main(String[] args) throws IOException, QueryException {
    String regex = args.length > 1 ? args[1] : ".*";
    String[] minutes = (args.length > 2 ? args[2] : "5").split(",");
    int right = 0;
    int all = 0;
    List<Path> files;
    try (Stream<Path> found = Files.list(Path.of(args[0]))) {
      files =
          found.filter(f -> f.getFileName().toString().matches(regex + "\\.om")).sorted().toList();
    }
    for (Path file : files) {
      DiagnosisProbe.Recorded recorded = DiagnosisProbe.Recorded.of(file);
      String cause = String.valueOf(recorded.truth.get("cause"));
      String start = recorded.truth.get("start");
      long onset = start == null ? recorded.minMs + 480_000 : Instant.parse(start).toEpochMilli();
      for (String minute : minutes) {
        long at = onset + Math.round(Double.parseDouble(minute) * 60_000);
        if (at > recorded.maxMs) {
          continue;
        }
        StringBuilder told = new StringBuilder();
        String first = null;
        for (Diagnosis one : recorded.diagnose(at, WINDOW_MS)) {
          told.append(" ").append(one.state().id()).append("[");
          for (Verdict verdict : one.verdicts()) {
            first = first == null ? verdict.cause() : first;
            told.append(
                "%s %.2f%s; "
                    .formatted(
                        verdict.cause(),
                        verdict.finding().confidence(),
                        verdict.follows() == null ? "" : " < " + verdict.follows()));
          }
          told.append("]");
          first = first == null ? one.state().id() : first;
        }
        all++;
        boolean isRight = cause.equals(first);
        right += isRight ? 1 : 0;
        System.out.printf(
            "%s %-32s +%-4s %-22s%s%n",
            isRight ? "ok   " : "WRONG",
            file.getFileName().toString().replace(".om", ""),
            minute,
            cause,
            told);
      }
    }
    System.out.println(right + " of " + all);
  }
}
