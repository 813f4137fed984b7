package org.inferometer.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.signals.Catalogue;
import org.inferometer.signals.Signal;
import org.junit.jupiter.api.Test;

/** What is asked for is what something reads; -Dinferometer.golden=write writes the list anew. */
class AskedSignalsTest {
  private static final List<Path> READERS =
      List.of(
          Path.of("src/main/java/org/inferometer/diagnosis"),
          Path.of("src/main/resources/diagnosis"));
  private static final Path LIST = Path.of("src/main/resources/diagnosis/signals.txt");
  private static final Pattern WORD = Pattern.compile("[a-z][a-z0-9_]+");

  @Test
  void signals_allThatAreReadAreAskedFor() throws IOException {
    Set<String> words = new TreeSet<>();
    for (Path file : readers()) {
      WORD.matcher(Files.readString(file)).results().map(MatchResult::group).forEach(words::add);
    }
    String read =
        Catalogue.builtIn().signals().stream()
            .map(Signal::name)
            .filter(words::contains)
            .collect(Collectors.joining("\n", "", "\n"));
    if ("write".equals(System.getProperty("inferometer.golden"))) {
      Files.writeString(LIST, read);
    }
    assertThat(Files.readString(LIST))
        .as("%s (rerun with -Dinferometer.golden=write and review)", LIST)
        .isEqualTo(read);
  }

  private static List<Path> readers() throws IOException {
    List<Path> files = new ArrayList<>();
    for (Path folder : READERS) {
      try (Stream<Path> all = Files.walk(folder)) {
        all.filter(Files::isRegularFile).filter(file -> !file.equals(LIST)).forEach(files::add);
      }
    }
    return files;
  }
}
