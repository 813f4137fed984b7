package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.inferometer.config.Config;
import org.inferometer.config.ConfigFile;
import org.inferometer.config.ScrapeConfig;
import org.inferometer.simulator.scenario.Fault;
import org.inferometer.simulator.scenario.Faults;
import org.inferometer.simulator.scenario.Scenario;
import org.inferometer.simulator.scenario.Scenarios;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoPlanTest {
  private static DemoPlan plan(
      @Nullable String scenario, @Nullable String fault, @Nullable String history) {
    return DemoPlan.of(new DemoArguments(scenario, fault, "127.0.0.1:0", history, 1, null, false));
  }

  @Test
  void nothingGiven_isTheDemosFleetWithHalfAnHour() {
    DemoPlan plan = plan(null, null, null);
    assertThat(plan.scenario().name()).isEqualTo("demo");
    assertThat(plan.historyMs()).isEqualTo(1_800_000);
    assertThat(plan.atOnce()).isNull();
    assertThat(plan.faults())
        .hasSizeGreaterThan(15)
        .isEqualTo(Faults.builtIn().of(plan.scenario()));
  }

  @Test
  void scenarioWithTrouble_showsItsFirstFiveMinutes() {
    Scenario slow = Scenarios.builtIn().get("slow-replica");
    assertThat(plan("slow-replica", null, null).historyMs())
        .isEqualTo(slow.truth().startNs() / 1_000_000 + 300_000);
    assertThat(plan("slow-replica", null, "12m").historyMs()).isEqualTo(720_000);
  }

  @Test
  void faultsId_isAFaultOfTheDemosFleet() {
    for (Fault fault : Faults.builtIn().of(Scenarios.builtIn().get(DemoPlan.OWN))) {
      DemoPlan given = plan(null, fault.id(), null);
      assertThat(given.atOnce()).isEqualTo(fault);
      if (!Scenarios.builtIn().has(fault.id())) {
        assertThat(plan(fault.id(), null, null)).isEqualTo(given);
      }
    }
  }

  @Test
  void ownFile_isAScenario(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("mine.yaml");
    String truth = "truth: {cause: healthy, layer: none, says: All is well.}\n";
    Files.writeString(file, "extends: demo\ntitle: Mine\n" + truth);
    assertThat(plan(file.toString(), null, null).scenario().title()).isEqualTo("Mine");
    Files.writeString(file, "extends: demo\ntitel: Mine\n" + truth);
    assertThatExceptionOfType(CommandException.class)
        .isThrownBy(() -> plan(file.toString(), null, null))
        .withMessageContaining("mine.yaml:2:");
  }

  @Test
  void whatThereIsnt_isRefusedWithWhatThereIs() {
    assertThatExceptionOfType(CommandException.class)
        .isThrownBy(() -> plan("nonsense", null, null))
        .withMessageContaining("simulate --list");
    assertThatExceptionOfType(CommandException.class)
        .isThrownBy(() -> plan(null, "nonsense", null))
        .withMessageContaining("thermal-throttle");
    for (String history : new String[] {"5s", "25h", "soon"}) {
      assertThatExceptionOfType(CommandException.class)
          .isThrownBy(() -> plan(null, null, history))
          .withMessageContaining("--history: expected");
    }
  }

  @Test
  void config_isOneThatCanBeRead() throws Exception {
    Scenario demo = Scenarios.builtIn().get(DemoPlan.OWN);
    String text =
        DemoConfig.of(
            demo,
            List.of(
                new DemoConfig.Endpoint(
                    "engine", "/metrics", "127.0.0.1:41000", "qwen-0.sim:8000", Map.of()),
                new DemoConfig.Endpoint(
                    "engine", "/metrics", "127.0.0.1:41001", "qwen-1.sim:8000", Map.of()),
                new DemoConfig.Endpoint(
                    "gpu", "/metrics", "127.0.0.1:41002", "qwen-0.sim:9400", Map.of())));
    Config config =
        ConfigFile.parse("demo.yml", text.getBytes(StandardCharsets.UTF_8), Path.of(""));
    assertThat(config.notes()).isEmpty();
    assertThat(config.scrapeConfigs())
        .extracting(ScrapeConfig::jobName)
        .containsExactly("engine", "gpu");
    ScrapeConfig engines = config.scrapeConfigs().getFirst();
    assertThat(engines.intervalMs()).isEqualTo(DemoConfig.INTERVAL_MS);
    assertThat(engines.targets().getLast().labels())
        .isEqualTo(Map.of("instance", "qwen-1.sim:8000"));
    demo.fleet()
        .replicas()
        .forEach(
            group ->
                assertThat(
                        Objects.requireNonNull(config.slos().get(group.servedName()))
                            .success())
                    .hasValue(0.99));
    assertThat(
            ConfigFile.parse(
                    "demo.yml",
                    DemoConfig.of(demo, List.of()).getBytes(StandardCharsets.UTF_8),
                    Path.of(""))
                .scrapeConfigs())
        .isEmpty();
  }

  @Test
  void page_isOpenedWhereThereIsADesktopOnly() {
    assertThat(Desktop.opener("Linux", Map.of())).isNull();
    assertThat(Desktop.opener("Linux", Map.of("DISPLAY", ":0"))).isEqualTo("xdg-open");
    assertThat(Desktop.opener("Linux", Map.of("WAYLAND_DISPLAY", "wayland-0"))).isNotNull();
    assertThat(Desktop.opener("Mac OS X", Map.of())).isEqualTo("open");
    assertThat(Desktop.opener("Mac OS X", Map.of("SSH_CONNECTION", "a b"))).isNull();
    assertThat(Desktop.opener("FreeBSD", Map.of("DISPLAY", ":0"))).isNull();
  }
}
