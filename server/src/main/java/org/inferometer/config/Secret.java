package org.inferometer.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A password or token, which prints as {@code <secret>}. */
public sealed interface Secret {
  /** Tokens are below 64 KB; a device file must not be read without end. */
  int BYTES_MAX = 64 * 1024;

  /**
   * The secret itself, to be sent and never shown.
   *
   * @throws IOException if it lies in a file that can't be read; the message names the file only
   */
  String reveal() throws IOException;

  /** A secret that was written in the config. */
  record Inline(String value) implements Secret {
    @Override
    public String reveal() {
      return value;
    }

    @Override
    public String toString() {
      return "<secret>";
    }
  }

  /** A secret in a file that is read at each use, so that it may be rotated. */
  record FromFile(Path path) implements Secret {
    @Override
    public String reveal() throws IOException {
      try (var in = Files.newInputStream(path)) {
        byte[] bytes = in.readNBytes(BYTES_MAX + 1);
        if (bytes.length > BYTES_MAX) {
          throw new IOException("more than 64 KB in the secret's file " + path);
        }
        return new String(bytes, StandardCharsets.UTF_8).strip();
      } catch (IOException e) {
        throw new IOException("can't read the secret's file " + path, e);
      }
    }

    @Override
    public String toString() {
      return "<secret in " + path + ">";
    }
  }

  static Secret of(String value) {
    return new Inline(value);
  }
}
