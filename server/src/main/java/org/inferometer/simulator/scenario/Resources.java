package org.inferometer.simulator.scenario;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The files of this package that come with the program. */
final class Resources {
  private Resources() {}

  static String text(String file) {
    try (InputStream in = Resources.class.getResourceAsStream("/simulator/" + file)) {
      if (in == null) {
        throw new IllegalStateException("the program lacks its file simulator/" + file);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
