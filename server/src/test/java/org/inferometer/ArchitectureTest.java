package org.inferometer;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.inferometer.simulator.knob.Knob;
import org.inferometer.simulator.measure.Quantity;
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
          Map.entry("backend", List.of("model", "query")),
          Map.entry("yaml", List.of("model")),
          Map.entry("hardware", List.of("io", "yaml")),
          Map.entry(
              "signals", List.of("hardware", "io", "model", "promql", "query", "time", "yaml")),
          Map.entry(
              "simulator", List.of("config", "hardware", "http", "io", "model", "time", "yaml")),
          Map.entry("lint", List.of("config", "io", "model", "promql", "query", "signals", "time")),
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
          Map.entry("diagnosis", List.of("hardware", "io", "model", "query", "signals", "yaml")),
          Map.entry(
              "api",
              List.of(
                  "check",
                  "diagnosis",
                  "exposition",
                  "histogram",
                  "http",
                  "io",
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
                  "backend",
                  "check",
                  "config",
                  "diagnosis",
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

  /**
   * The same for the parts of the simulator: what all need at the bottom, the fleet that puts parts
   * together and what serves it at the top. Parts know each other no further than is said here.
   */
  private static final Map<String, List<String>> SIMULATOR_MAY_IMPORT =
      Map.ofEntries(
          Map.entry("event", List.of()),
          Map.entry("knob", List.of()),
          Map.entry("measure", List.of()),
          Map.entry("request", List.of("event")),
          Map.entry("page", List.of("measure")),
          Map.entry("scenario", List.of("knob")),
          Map.entry("host", List.of("event", "knob", "measure")),
          Map.entry("engine", List.of("event", "knob", "measure", "request")),
          Map.entry("gpu", List.of("engine", "event", "host", "knob", "measure")),
          Map.entry("workload", List.of("event", "knob", "measure", "request", "scenario")),
          Map.entry(
              "edge", List.of("engine", "event", "host", "knob", "measure", "request", "scenario")),
          Map.entry(
              "fleet",
              List.of(
                  "edge",
                  "engine",
                  "event",
                  "gpu",
                  "host",
                  "knob",
                  "measure",
                  "page",
                  "request",
                  "scenario",
                  "workload")),
          Map.entry(
              "live",
              List.of(
                  "edge",
                  "engine",
                  "event",
                  "fleet",
                  "knob",
                  "measure",
                  "page",
                  "request",
                  "scenario")));

  /** The same for the parts of the diagnosis. */
  private static final Map<String, List<String>> DIAGNOSIS_MAY_IMPORT =
      Map.ofEntries(
          Map.entry("threshold", List.of()),
          Map.entry("world", List.of("threshold")),
          Map.entry("finding", List.of("threshold", "world")),
          Map.entry("cause", List.of("finding", "threshold", "world")),
          Map.entry("watch", List.of("finding", "threshold", "world")));

  private static final String BASE = "org.inferometer";

  private static final String SIMULATOR = BASE + ".simulator";

  private static final String DIAGNOSIS = BASE + ".diagnosis";

  private static final JavaClasses PRODUCT =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(BASE);

  @Test
  @DisplayName("imports go down only")
  void importsGoDown() {
    checkImports(BASE, MAY_IMPORT);
  }

  @Test
  @DisplayName("imports between the parts of the simulator go down only")
  void importsOfTheSimulatorGoDown() {
    checkImports(SIMULATOR, SIMULATOR_MAY_IMPORT);
  }

  @Test
  @DisplayName("imports between the parts of the diagnosis go down only")
  void importsOfTheDiagnosisGoDown() {
    checkImports(DIAGNOSIS, DIAGNOSIS_MAY_IMPORT);
  }

  private static void checkImports(String base, Map<String, List<String>> mayImport) {
    mayImport.forEach(
        (name, allowed) -> {
          List<String> forbidden =
              mayImport.keySet().stream()
                  .filter(other -> !other.equals(name) && !allowed.contains(other))
                  .map(other -> base + "." + other + "..")
                  .toList();
          noClasses()
              .that()
              .resideInAPackage(base + "." + name + "..")
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage(forbidden.toArray(String[]::new))
              .allowEmptyShould(true)
              .check(PRODUCT);
        });
  }

  @Test
  void everyPackageIsListed() {
    checkAllListed(BASE, MAY_IMPORT);
    checkAllListed(SIMULATOR, SIMULATOR_MAY_IMPORT);
    checkAllListed(DIAGNOSIS, DIAGNOSIS_MAY_IMPORT);
  }

  private static void checkAllListed(String base, Map<String, List<String>> mayImport) {
    PRODUCT.stream()
        .map(c -> c.getPackageName())
        .filter(p -> p.startsWith(base + "."))
        .map(p -> p.substring(base.length() + 1).split("\\.")[0])
        .distinct()
        .forEach(p -> assertThat(mayImport).as("package " + p).containsKey(p));
  }

  @Test
  void packagesHaveNoCycles() {
    for (String base : List.of(BASE, SIMULATOR, DIAGNOSIS)) {
      ArchRule rule =
          slices().matching(base + ".(*)..").should().beFreeOfCycles().allowEmptyShould(true);
      rule.check(PRODUCT);
    }
  }

  @Test
  @DisplayName("every knob is read by a part of the simulator, every quantity written by one")
  void knobsAndQuantitiesAreUsed() {
    // The scraper that --out stands for is in app.
    List<String> parts =
        Stream.of(
                "simulator.engine",
                "simulator.gpu",
                "simulator.host",
                "simulator.workload",
                "simulator.edge",
                "simulator.fleet",
                "app")
            .map(part -> BASE + "." + part)
            .toList();
    List<JavaField> constants =
        PRODUCT.stream()
            .filter(c -> c.isEquivalentTo(Knob.class) || c.isAssignableTo(Quantity.class))
            .filter(c -> c.isEnum() && c.getPackageName().matches(".*\\.(knob|measure)"))
            .flatMap(c -> c.getFields().stream())
            .filter(field -> field.getRawType().equals(field.getOwner()))
            .toList();
    assertThat(constants).hasSizeGreaterThan(150);
    assertThat(constants)
        .filteredOn(
            field ->
                field.getAccessesToSelf().stream()
                    .noneMatch(by -> parts.contains(by.getOriginOwner().getPackageName())))
        .isEmpty();
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
