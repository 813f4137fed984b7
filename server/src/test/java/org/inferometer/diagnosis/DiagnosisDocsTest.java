package org.inferometer.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.inferometer.diagnosis.finding.Check;
import org.inferometer.diagnosis.threshold.Threshold;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.signals.Catalogue;
import org.inferometer.signals.Phrases;
import org.inferometer.signals.Signal;
import org.junit.jupiter.api.Test;

/** The pages say what the diagnosis reads; -Dinferometer.golden=write writes them anew. */
class DiagnosisDocsTest {
  private static final Path DOCS = Path.of("../docs");
  private static final Path SOURCES = Path.of("src/main/java/org/inferometer/diagnosis/cause");
  private static final Pattern QUOTED = Pattern.compile("\"([a-z0-9_]+)\"");
  private static final Pattern WORD = Pattern.compile("\\b[A-Z][A-Za-z0-9]+\\b");
  private static final Pattern LINK = Pattern.compile("]\\(([^)#\\s]+)(?:#[^)]*)?\\)");

  @Test
  void causes_arePages() throws IOException {
    check(DOCS.resolve("causes"), new CausePages(DiagnosisDocsTest::link, this::used).pages());
  }

  @Test
  void tree_isRunbooks() throws IOException {
    check(
        DOCS.resolve("runbooks"),
        new Runbooks(Thresholds.builtIn(), DiagnosisDocsTest::link).pages());
  }

  @Test
  void everyThreshold_isOnTheReferencePage() throws IOException {
    StringBuilder table = new StringBuilder("| name | value | unit | where it comes from |\n");
    table.append("|---|---|---|---|\n");
    for (Threshold one : Thresholds.builtIn().all()) {
      table.append(
          "| `%s` | %s | %s | %s |\n"
              .formatted(one.name(), Phrases.number(one.value()), one.unit(), one.source()));
    }
    section("thresholds", table.toString());
  }

  @Test
  void everyFlag_isOnTheReferencePage() throws IOException {
    StringBuilder table = new StringBuilder("| flag | what it is | engines |\n|---|---|---|\n");
    for (Flags.Flag flag : Flags.builtIn().all()) {
      List<String> engines =
          new TreeMap<>(flag.engines())
              .entrySet().stream().map(e -> e.getKey() + " `" + e.getValue().flag() + "`").toList();
      table.append(
          "| %s | %s | %s |\n".formatted(flag.id(), flag.is(), String.join(", ", engines)));
    }
    section("flags", table.toString());
  }

  @Test
  void links_leadToFiles() throws IOException {
    for (String folder : List.of("causes", "runbooks")) {
      try (Stream<Path> files = Files.list(DOCS.resolve(folder))) {
        for (Path file : files.toList()) {
          Matcher links = LINK.matcher(Files.readString(file));
          while (links.find()) {
            assertThat(file.resolveSibling(links.group(1))).as(file.toString()).exists();
          }
        }
      }
    }
  }

  private static void section(String name, String text) throws IOException {
    Path file = DOCS.resolve("reference/diagnosis.md");
    String page = Files.readString(file);
    String begin = "<!-- " + name + " -->\n";
    int from = page.indexOf(begin) + begin.length();
    int to = page.indexOf("<!-- /" + name + " -->");
    if (isWritten()) {
      Files.writeString(file, page.substring(0, from) + text + page.substring(to));
      return;
    }
    assertThat(text)
        .as(file + " (rerun with -Dinferometer.golden=write and review)")
        .isEqualTo(page.substring(from, to));
  }

  private static boolean isWritten() {
    return "write".equals(System.getProperty("inferometer.golden"));
  }

  private static void check(Path folder, Map<String, String> pages) throws IOException {
    for (Map.Entry<String, String> page : pages.entrySet()) {
      Path file = folder.resolve(page.getKey());
      if (isWritten()) {
        Files.createDirectories(folder);
        Files.writeString(file, page.getValue());
      }
      assertThat(page.getValue())
          .as(file + " (rerun with -Dinferometer.golden=write and review)")
          .isEqualTo(Files.readString(file));
    }
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(pages.keySet());
    }
  }

  private static String link(String name) {
    for (Signal signal : Catalogue.builtIn().signals()) {
      if (signal.name().equals(name) || signal.base().equals(name)) {
        String title = signal.title().replaceFirst(", P[0-9.]+$", "");
        return "[%s](../reference/signals/%s.md)"
            .formatted(Phrases.inSentence(title), signal.base());
      }
    }
    throw new IllegalArgumentException("there is no signal " + name);
  }

  /** The thresholds that the source of a cause's check names, with what it is made of. */
  private Collection<Threshold> used(String cause) {
    Map<String, Threshold> used = new LinkedHashMap<>();
    for (Check check : Checks.ALL) {
      if (check.cause().equals(cause)) {
        for (String name : names(check.getClass().getSimpleName())) {
          used.put(name, Thresholds.builtIn().threshold(name));
        }
      }
    }
    return used.values();
  }

  private static Set<String> names(String type) {
    Set<String> names = new LinkedHashSet<>();
    Set<String> seen = new LinkedHashSet<>();
    Deque<String> open = new ArrayDeque<>(List.of(type));
    while (!open.isEmpty()) {
      String next = open.removeFirst();
      Path file = SOURCES.resolve(next + ".java");
      if (!seen.add(next) || !Files.exists(file)) {
        continue;
      }
      String source = source(file);
      QUOTED
          .matcher(source)
          .results()
          .map(found -> found.group(1))
          .filter(Thresholds.builtIn()::has)
          .forEach(names::add);
      WORD.matcher(source).results().map(MatchResult::group).forEach(open::add);
    }
    return names;
  }

  private static String source(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
