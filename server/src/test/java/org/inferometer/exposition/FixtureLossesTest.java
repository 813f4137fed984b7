package org.inferometer.exposition;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.Shared;
import org.junit.jupiter.api.Test;

/**
 * Every real page that is at hand, and the lines that tolerant reading loses, against a list that
 * was reviewed by people: each line on it is one that can't be read.
 */
class FixtureLossesTest {
  @Test
  void losses_areTheReviewedOnes() throws IOException {
    StringBuilder losses = new StringBuilder();
    for (String folder : List.of("metrics", "gpu", "exposition")) {
      for (Path file : pages(Shared.path("fixtures/" + folder))) {
        append(losses, Shared.path("fixtures").relativize(file).toString(), file);
      }
    }
    assertThat(losses.toString()).isEqualTo(golden());
  }

  private static void append(StringBuilder losses, String name, Path file) throws IOException {
    byte[] body = Files.readAllBytes(file);
    String end = Utf8.decode(body, Math.max(0, body.length - 8), body.length);
    Format format = end.strip().endsWith("# EOF") ? Format.OPENMETRICS : Format.TEXT;
    Bodies.Outcome outcome = Bodies.read(format, Mode.TOLERANT, body);
    List<BadLine> bad = outcome.badLines();
    losses.append(
        "%s: %s, %d samples, %d lines lost\n"
            .formatted(name, format, outcome.samples().size(), bad.size()));
    for (BadLine line : bad) {
      losses.append("  %d:%d %s\n".formatted(line.line(), line.column(), line.reason()));
    }
  }

  private static List<Path> pages(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      List<Path> pages = new ArrayList<>();
      files
          .filter(Files::isRegularFile)
          .filter(f -> !f.endsWith("PROVENANCE.tsv"))
          .forEach(pages::add);
      pages.sort(null);
      return pages;
    }
  }

  /** Read from the source tree, where a reviewer edits it. */
  private static String golden() throws IOException {
    Path file = Path.of("src/test/resources/org/inferometer/exposition/losses.golden.txt");
    return Files.readAllLines(file).stream()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line + "\n")
        .collect(Collectors.joining());
  }
}
