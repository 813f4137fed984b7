package org.inferometer.signals;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SignalReferenceTest {
  private static final Path INDEX = Path.of("../docs/reference/signals.md");
  private static final Path FOLDER = Path.of("../docs/reference/signals");
  private static final Pattern CODE = Pattern.compile("```promql\\n.*?\\n```", Pattern.DOTALL);
  private static final Pattern LINK = Pattern.compile("]\\(([^)#]+)\\)");

  private final SignalReference reference = new SignalReference(Catalogue.builtIn());

  @Test
  void indexIsCurrent() {
    Golden.check(INDEX, reference.index());
  }

  @Test
  void pagesAreCurrent_andNoOthersAreThere() throws IOException {
    List<String> expected = new ArrayList<>();
    reference
        .pages()
        .forEach(
            (base, text) -> {
              expected.add(base + ".md");
              Golden.check(FOLDER.resolve(base + ".md"), text);
            });
    try (Stream<Path> files = Files.list(FOLDER)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .as("remove what is no signal any more")
          .containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  @Test
  void linksLeadToFiles() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      for (Path file : Stream.concat(files, Stream.of(INDEX)).toList()) {
        Matcher links = LINK.matcher(CODE.matcher(Files.readString(file)).replaceAll(""));
        while (links.find()) {
          assertThat(file.resolveSibling(links.group(1))).as(file.toString()).exists();
        }
      }
    }
  }

  @Test
  void longPromqlIsBrokenAtItsOperators() {
    String sum = "sum by (a) (rate(some_metric_with_a_long_name_total{job=\"x\"}[1m]))";
    assertThat(SignalPage.wrapped(sum)).containsExactly(sum);
    assertThat(SignalPage.wrapped(sum + " / (" + sum + " > 0)"))
        .containsExactly(sum, "  / (" + sum + " > 0)");
  }
}
