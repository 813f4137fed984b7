package org.inferometer.acceptance;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/**
 * The material that tests read where it lies: real dumps. Named by the system property {@code
 * inferometer.shared}, by default {@code shared} beside the project.
 */
public final class Shared {
  private Shared() {}

  /** A file or folder of it. Without it the test is skipped with one line, but fails in CI. */
  public static Path path(String relative) {
    Path path = Path.of(System.getProperty("inferometer.shared", "../../shared"), relative);
    if (!Files.exists(path)) {
      String message = "needs " + path + " (system property inferometer.shared)";
      if (Boolean.parseBoolean(System.getenv("CI"))) {
        Assertions.fail(message);
      }
      Assumptions.abort(message);
    }
    return path;
  }
}
