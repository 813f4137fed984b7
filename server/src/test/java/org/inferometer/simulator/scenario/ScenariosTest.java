package org.inferometer.simulator.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.inferometer.simulator.scenario.Scenario.Truth;
import org.inferometer.yaml.YamlException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScenariosTest {
  private static final Scenarios BUILT_IN = Scenarios.builtIn();

  private static List<Scenario> all() {
    return BUILT_IN.names().stream().map(BUILT_IN::get).toList();
  }

  @Test
  void everyListedScenario_isRead() {
    assertThat(BUILT_IN.names()).doesNotHaveDuplicates().hasSizeGreaterThan(4);
    List<String> wrong = new ArrayList<>();
    for (String name : BUILT_IN.names()) {
      try {
        BUILT_IN.get(name);
      } catch (YamlException e) {
        wrong.add(String.valueOf(e.getMessage()));
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void list_hasEveryFileOfTheFolder() throws IOException {
    Path folder = Path.of("src/main/resources/simulator/scenarios");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(
              files
                  .map(file -> file.getFileName().toString())
                  .filter(file -> file.endsWith(".yaml"))
                  .map(file -> file.replace(".yaml", "")))
          .containsExactlyInAnyOrderElementsOf(BUILT_IN.names());
    }
  }

  @Test
  void entries_haveTitlesOfTheirOwn() {
    assertThat(BUILT_IN.entries()).extracting(Scenarios.Entry::title).doesNotHaveDuplicates();
    assertThat(BUILT_IN.entries()).allSatisfy(entry -> assertThat(entry.cause()).isIn(Causes.ALL));
  }

  @Test
  void truths_areConsistent() {
    Set<String> names = new HashSet<>(BUILT_IN.names());
    for (Scenario scenario : all()) {
      Truth truth = scenario.truth();
      assertThat(truth.follows()).as(scenario.name()).doesNotContain(truth.cause());
      assertThat(truth.looksLike()).as(scenario.name()).isNotEqualTo(truth.cause());
      assertThat(truth.startNs()).as(scenario.name()).isLessThan(scenario.durationNs());
      if (Causes.isFine(truth.cause())) {
        assertThat(truth.scope()).as(scenario.name()).isNull();
        assertThat(truth.follows()).as(scenario.name()).isEmpty();
      }
      String twin = truth.twinOf();
      if (twin != null) {
        assertThat(twin).as(scenario.name()).isIn(names).isNotEqualTo(scenario.name());
        assertThat(Causes.isFine(truth.cause())).as(scenario.name() + " is a twin").isTrue();
      }
    }
  }

  @Test
  void everyCause_hasAScenarioAndOneThatOnlyLooksLikeIt() {
    Map<String, String> causes = new HashMap<>();
    Set<String> withTwin = new HashSet<>();
    BUILT_IN.entries().forEach(entry -> causes.put(entry.name(), entry.cause()));
    for (Scenario scenario : all()) {
      String twin = scenario.truth().twinOf();
      if (twin != null) {
        withTwin.add(String.valueOf(causes.get(twin)));
      }
    }
    assertThat(causes.values()).containsAll(Causes.ALL);
    assertThat(withTwin).containsAll(Causes.ALL);
  }

  @Test
  void truth_beginsWithAnEventOrAtTheBeginning() {
    for (Scenario scenario : all()) {
      long start = scenario.truth().startNs();
      if (start > 0) {
        assertThat(
                scenario.events().stream()
                    .flatMap(event -> Stream.of(event.atNs(), event.atNs() + event.forNs())))
            .as(scenario.name())
            .contains(start);
      }
    }
  }

  @Test
  void fileOfAUser_extendsWhatStandsBesideItAndWhatComesWithTheProgram(@TempDir Path folder)
      throws IOException {
    Files.writeString(
        folder.resolve("base.yaml"),
        """
        extends: healthy
        title: base
        duration: 2m
        truth: {cause: healthy, layer: none, says: fine}
        """);
    Path mine = folder.resolve("mine.yaml");
    Files.writeString(
        mine,
        """
        extends: base
        title: mine
        fleet: {replicas: [{name: qwen, count: 1}]}
        truth: {cause: healthy, layer: none, says: fine}
        """);
    Scenario scenario = BUILT_IN.read(mine);
    assertThat(scenario.name()).isEqualTo("mine");
    assertThat(scenario.durationNs()).isEqualTo(120_000_000_000L);
    assertThat(scenario.fleet().replicas()).hasSize(1);
    assertThat(scenario.fleet().replicas().getFirst().count()).isEqualTo(1);
    assertThat(scenario.fleet().replicas().getFirst().tensorParallel()).isEqualTo(2);
  }

  @Test
  void unknownName_isRefused() {
    assertThatThrownBy(() -> BUILT_IN.get("nothing"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("there is no scenario \"nothing\"");
  }
}
