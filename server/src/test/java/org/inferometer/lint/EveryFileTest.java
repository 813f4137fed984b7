package org.inferometer.lint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.inferometer.Shared;
import org.inferometer.signals.Catalogue;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every real dashboard, rule file and configuration, with a reviewed list of what is found. */
class EveryFileTest {
  private static final Path GOLDEN = Path.of("src/test/resources/lint");

  private static final Linter LINTER = new Linter(Catalogue.builtIn());

  @TestFactory
  Stream<DynamicTest> findings_areTheReviewedOnes() {
    return Stream.of("dashboards", "rules", "scrape-configs")
        .flatMap(
            folder ->
                files(Shared.path("fixtures/" + folder))
                    .map(
                        file ->
                            DynamicTest.dynamicTest(
                                file.getFileName().toString(), () -> check(folder, file))));
  }

  static Stream<Path> files(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(f -> !f.getFileName().toString().startsWith("PROVENANCE"))
          .sorted()
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void check(String folder, Path file) throws IOException {
    Path golden = GOLDEN.resolve(folder + "/" + file.getFileName() + ".tsv");
    String found = table(file);
    if ("write".equals(System.getProperty("inferometer.golden"))) {
      Files.createDirectories(golden.toAbsolutePath().getParent());
      Files.writeString(golden, found);
    }
    assertThat(found).isEqualTo(Files.readString(golden));
  }

  private static String table(Path file) throws IOException {
    try {
      LintFile read = LintFile.read(file.getFileName().toString(), Files.readAllBytes(file));
      return table(LINTER.lint(List.of(read), LintOptions.offline()).files().getFirst());
    } catch (LintFileException e) {
      return "refused\t" + e.getMessage() + "\n";
    }
  }

  private static String table(LintReport.OfFile report) {
    StringBuilder out = new StringBuilder("queries\t" + report.queries() + "\n");
    report.notes().forEach(note -> out.append("note\t").append(note).append('\n'));
    for (Finding finding : report.findings()) {
      out.append(
          "%d:%d\t%s\t%s%s\t%s\t%s\n"
              .formatted(
                  finding.line(),
                  finding.column(),
                  finding.severity().word(),
                  finding.rule().id(),
                  finding.isFixable() ? "*" : "",
                  (finding.kind() + " " + finding.name()).replaceAll("\\s+", " "),
                  finding.message().replaceAll("\\s+", " ")));
    }
    return out.toString();
  }
}
