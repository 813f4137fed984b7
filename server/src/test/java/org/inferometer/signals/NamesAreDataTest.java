package org.inferometer.signals;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Names of metrics stand in the signal files, never in code. */
class NamesAreDataTest {
  private static final Pattern WORD = Pattern.compile("[A-Za-z_:][A-Za-z0-9_:]*");

  /** What many programs expose; this one does as well, or gives it as an example. */
  private static final Pattern OF_ANY_PROCESS = Pattern.compile("(process|jvm|go|scrape|http)_.*");

  private final Set<String> names = new TreeSet<>();

  NamesAreDataTest() {
    Catalogue catalogue = Catalogue.builtIn();
    for (String name : catalogue.families().sampleNames()) {
      // A single word such as "name" may stand for anything.
      if (name.chars().filter(c -> c == '_' || c == ':').count() >= 2
          && catalogue.vocabulary().find(name) == null
          && !OF_ANY_PROCESS.matcher(name).matches()) {
        names.add(name);
      }
    }
  }

  @Test
  void codeHasNone() throws IOException {
    assertThat(names).hasSizeGreaterThan(2000);
    assertThat(found(Path.of("src/main/java"), ".java")).isEmpty();
    assertThat(found(Path.of("src/main/resources/ui"), ".js")).isEmpty();
  }

  private List<String> found(Path folder, String suffix) throws IOException {
    List<String> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(one -> one.toString().endsWith(suffix)).toList()) {
        Matcher words = WORD.matcher(Files.readString(file));
        while (words.find()) {
          if (names.contains(words.group())) {
            found.add(file + ": " + words.group());
          }
        }
      }
    }
    return found;
  }
}
