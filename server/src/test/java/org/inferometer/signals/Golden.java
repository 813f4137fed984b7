package org.inferometer.signals;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A reviewed text that a test's output must equal; -Dinferometer.golden=write writes it anew. */
final class Golden {
  private Golden() {}

  static void check(Path file, String actual) {
    try {
      if ("write".equals(System.getProperty("inferometer.golden"))) {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.writeString(file, actual);
      }
      assertThat(actual)
          .as(file + " (rerun with -Dinferometer.golden=write and review)")
          .isEqualTo(Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
