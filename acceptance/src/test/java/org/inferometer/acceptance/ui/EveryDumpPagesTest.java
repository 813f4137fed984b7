package org.inferometer.acceptance.ui;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.inferometer.acceptance.Shared;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every dump of every engine, router and exporter as a target, all at one server. */
@ExtendWith(SiteExtension.class)
@TestInstance(Lifecycle.PER_CLASS)
class EveryDumpPagesTest {
  private record Look(Theme theme, int width) {}

  private static final List<Look> LOOKS =
      List.of(
          new Look(Theme.LIGHT, 1280),
          new Look(Theme.DARK, 400),
          new Look(Theme.DARK, 1280),
          new Look(Theme.LIGHT, 400));

  /** Nearly every dump is a service of its own. */
  private static final int FEWEST = 55;

  private final List<LiveDump> dumps = new ArrayList<>();
  private Server server;

  @BeforeAll
  void start(@TempDir Path folder) throws IOException, InterruptedException {
    for (String place : List.of("fixtures/metrics", "fixtures/gpu")) {
      try (Stream<Path> files = Files.list(Shared.path(place))) {
        for (Path file :
            files.filter(path -> !path.toString().endsWith(".tsv")).sorted().toList()) {
          boolean isHost = file.getFileName().toString().startsWith("node_exporter");
          dumps.add(new LiveDump(Files.readAllLines(file), isHost ? 0.0001 : 0.02));
        }
      }
    }
    server = new Server(folder, dumps.stream().map(LiveDump::url).toList());
    server.awaitService("engine");
    server.awaitService("router");
    server.awaitService("host");
  }

  @AfterAll
  void stop() {
    server.close();
    dumps.forEach(LiveDump::close);
  }

  @ParameterizedTest
  @CsvSource({"LIGHT, 1280", "DARK, 1280", "LIGHT, 400", "DARK, 400"})
  void pagesOfAll_open(Theme theme, int width, Chromium chromium) {
    try (Screen screen = chromium.screen(theme, width)) {
      for (String path : List.of("/", "/gpus", "/targets")) {
        screen.open(server.url(path), "tbody tr .mark[data-state]");
        screen.page().waitForTimeout(500);
        screen.assertFits();
        screen.assertAccessible();
        screen.photograph("all-" + path.replace("/", ""));
      }
      screen.assertCalm();
    }
  }

  /** Each service once, in turn in both themes and widths. */
  @Test
  void pageOfEachService_opens(Chromium chromium) throws Exception {
    List<JsonNode> services = services();
    assertThat(services).hasSizeGreaterThan(FEWEST);
    for (int look = 0; look < LOOKS.size(); look++) {
      Look how = LOOKS.get(look);
      try (Screen screen = chromium.screen(how.theme(), how.width())) {
        for (int i = look; i < services.size(); i += LOOKS.size()) {
          visit(screen, services.get(i));
        }
      }
    }
  }

  /** All services, once all dumps were scraped. */
  private List<JsonNode> services() throws Exception {
    List<JsonNode> services = new ArrayList<>();
    for (int i = 0; i < 100 && services.size() <= FEWEST; i++) {
      services.clear();
      server.get("/api/v1/services").get("services").forEach(services::add);
      Thread.sleep(200);
    }
    return services;
  }

  private void visit(Screen screen, JsonNode service) {
    String id = service.get("id").asText();
    String path = URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
    screen.open(server.url("/services/" + path), ".service h1:not(:empty)");
    screen.page().waitForFunction("() => document.querySelector('.sentence').textContent !== ''");
    screen.assertFits();
    screen.assertAccessible();
    assertThat(screen.page().title()).contains(service.get("name").asText());
    screen.assertCalm();
  }
}
