package org.inferometer.io;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The files that come with the program. */
public final class Bundled {
  private Bundled() {}

  /**
   * The text of a file.
   *
   * @param path from the root of the program's files: {@code signals/vllm.yaml}
   * @throws IllegalStateException if there is none
   */
  public static String text(String path) {
    try (InputStream in = Bundled.class.getResourceAsStream("/" + path)) {
      if (in == null) {
        throw new IllegalStateException("the program lacks its file " + path);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
