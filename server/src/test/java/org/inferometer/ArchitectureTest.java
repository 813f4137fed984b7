package org.inferometer;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Keeps imports going down only, and a few habits that the design leans on. */
class ArchitectureTest {
  /** Each package and the packages it may import, directly. What isn't listed isn't allowed. */
  private static final Map<String, List<String>> MAY_IMPORT =
      Map.ofEntries(
          Map.entry("time", List.of()),
          Map.entry("io", List.of()),
          Map.entry("http", List.of("time")),
          Map.entry("model", List.of()),
          Map.entry("histogram", List.of("model")),
          Map.entry("exposition", List.of("histogram", "io", "model")),
          Map.entry("promql", List.of("model")),
          Map.entry("config", List.of("model")),
          Map.entry("store", List.of("histogram", "model")),
          Map.entry("tsdb", List.of("histogram", "io", "model", "store", "time")),
          Map.entry(
              "scrape", List.of("config", "exposition", "histogram", "model", "store", "time")),
          Map.entry("query", List.of("histogram", "model", "promql", "store", "time")),
          Map.entry("remote", List.of("histogram", "io", "model", "store")),
          Map.entry("yaml", List.of("model")),
          Map.entry("hardware", List.of("yaml")),
          Map.entry("signals", List.of("hardware", "model", "promql", "query", "time", "yaml")),
          Map.entry(
              "simulator", List.of("config", "hardware", "http", "io", "model", "time", "yaml")),
          Map.entry("lint", List.of("config", "model", "promql", "query", "signals", "time")),
          Map.entry(
              "check",
              List.of(
                  "config",
                  "exposition",
                  "histogram",
                  "model",
                  "promql",
                  "query",
                  "scrape",
                  "signals",
                  "store",
                  "time")),
          Map.entry(
              "api",
              List.of(
                  "check",
                  "exposition",
                  "histogram",
                  "http",
                  "model",
                  "promql",
                  "query",
                  "remote",
                  "scrape",
                  "signals",
                  "simulator",
                  "store",
                  "time")),
          Map.entry(
              "app",
              List.of(
                  "api",
                  "check",
                  "config",
                  "exposition",
                  "hardware",
                  "histogram",
                  "io",
                  "lint",
                  "model",
                  "promql",
                  "query",
                  "remote",
                  "scrape",
                  "signals",
                  "simulator",
                  "store",
                  "time",
                  "tsdb",
                  "yaml")));

  private static final String BASE = "org.inferometer";

  private static final JavaClasses PRODUCT =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(BASE);

  @Test
  @DisplayName("imports go down only")
  void importsGoDown() {
    MAY_IMPORT.forEach(
        (name, allowed) -> {
          List<String> forbidden =
              MAY_IMPORT.keySet().stream()
                  .filter(other -> !other.equals(name) && !allowed.contains(other))
                  .map(other -> BASE + "." + other + "..")
                  .toList();
          noClasses()
              .that()
              .resideInAPackage(BASE + "." + name + "..")
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage(forbidden.toArray(String[]::new))
              .allowEmptyShould(true)
              .check(PRODUCT);
        });
  }

  @Test
  void everyPackageIsListed() {
    PRODUCT.stream()
        .map(c -> c.getPackageName())
        .filter(p -> p.startsWith(BASE + "."))
        .map(p -> p.substring(BASE.length() + 1).split("\\.")[0])
        .distinct()
        .forEach(p -> assertThat(MAY_IMPORT).as("package " + p).containsKey(p));
  }

  @Test
  void packagesHaveNoCycles() {
    ArchRule rule =
        slices().matching(BASE + ".(*)..").should().beFreeOfCycles().allowEmptyShould(true);
    rule.check(PRODUCT);
  }

  @Test
  void packagesAreNullMarked() {
    PRODUCT.stream()
        .filter(c -> c.getPackageName().startsWith(BASE + "."))
        .map(c -> c.getPackage())
        .distinct()
        .forEach(
            p ->
                assertThat(p.isAnnotatedWith(NullMarked.class))
                    .as(p.getName() + " is @NullMarked")
                    .isTrue());
  }

  @Test
  @DisplayName("the wall clock and the ticker are read in time only")
  void clockIsReadInTimeOnly() {
    noClasses()
        .that()
        .resideOutsideOfPackage(BASE + ".time..")
        .should()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(java.time.Instant.class, "now")
        .check(PRODUCT);
  }

  @Test
  @DisplayName("standard streams are handed in by app.Main")
  void standardStreamsAreHandedIn() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName(BASE + ".app.Main")
        .should()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .orShould()
        .accessField(System.class, "in")
        .check(PRODUCT);
    classes()
        .that()
        .resideOutsideOfPackage(BASE + ".app..")
        .should()
        .onlyDependOnClassesThat()
        .doNotBelongToAnyOf(PrintStream.class)
        .check(PRODUCT);
  }

  @Test
  void enoughClassesWereSeen() {
    assertThat(PRODUCT.size()).isGreaterThan(600);
  }
}
