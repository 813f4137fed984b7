package org.inferometer.app;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.signals.Catalogue;
import org.inferometer.yaml.YamlException;

/** The user's dialect files, read whole. */
final class DialectFiles {
  /** Ten times the longest built-in one. */
  private static final int BYTES_MAX = 1024 * 1024;

  private DialectFiles() {}

  /**
   * @throws CommandException with all files that can't be read, a line each
   */
  static List<Catalogue.OwnFile> read(List<Path> paths) {
    List<Catalogue.OwnFile> files = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    for (Path path : paths) {
      try {
        files.add(new Catalogue.OwnFile(path.toString(), text(path)));
      } catch (NoSuchFileException e) {
        problems.add(path + ": no such file");
      } catch (CharacterCodingException e) {
        problems.add(path + ": found bytes that aren't UTF-8, expected UTF-8");
      } catch (IOException e) {
        problems.add(path + ": can't be read: " + e.getMessage());
      }
    }
    if (!problems.isEmpty()) {
      throw CommandException.badInput(String.join("\n", problems));
    }
    return files;
  }

  private static String text(Path path) throws IOException {
    try (InputStream in = Files.newInputStream(path)) {
      byte[] bytes = in.readNBytes(BYTES_MAX + 1);
      if (bytes.length > BYTES_MAX) {
        throw new IOException("found more than " + BYTES_MAX + " bytes, expected at most that");
      }
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    }
  }

  /**
   * The vocabulary and the dialects with the user's.
   *
   * @throws CommandException with all that is wrong in them, a line each
   */
  static Catalogue catalogue(List<Catalogue.OwnFile> files) {
    try {
      return files.isEmpty() ? Catalogue.builtIn() : Catalogue.builtInWith(files);
    } catch (YamlException e) {
      throw CommandException.badInput(String.valueOf(e.getMessage()));
    }
  }
}
