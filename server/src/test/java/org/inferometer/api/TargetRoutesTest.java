package org.inferometer.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.inferometer.exposition.BadLine;
import org.inferometer.model.Labels;
import org.inferometer.scrape.DroppedTarget;
import org.inferometer.scrape.TargetHealth;
import org.inferometer.scrape.TargetView;
import org.inferometer.signals.Goals;
import org.inferometer.signals.Signals;
import org.inferometer.time.Ticker;
import org.junit.jupiter.api.Test;

class TargetRoutesTest {
  private static final TargetView UP =
      new TargetView(
          Labels.of("__address__", "a:1"),
          Labels.of("instance", "a:1", "job", "j"),
          "http://a:1",
          "http://a:1/metrics",
          "http://host:1/metrics",
          TargetHealth.UP,
          "",
          "",
          1_700_000_000_050L,
          0.25,
          90_000,
          500,
          1,
          List.of(new BadLine(3, 7, "no value", "a number", "x{a=\"b\"}")),
          12,
          "text/plain");

  private static final TargetView DOWN =
      new TargetView(
          Labels.EMPTY,
          Labels.of("instance", "b:1"),
          "p",
          "http://b:1/metrics",
          "http://b:1/metrics",
          TargetHealth.DOWN,
          "connection refused",
          "Nothing listens at b:1.",
          0,
          0,
          15_000,
          10_000,
          0,
          List.of(),
          0,
          "");

  @Test
  void samplesThatArentStored_areSaid() {
    TargetView full =
        new TargetView(
            Labels.EMPTY,
            Labels.EMPTY,
            "p",
            "http://b:1/metrics",
            "http://b:1/metrics",
            TargetHealth.UP,
            "samples not stored: No space left on device",
            "",
            0,
            0,
            15_000,
            10_000,
            0,
            List.of(),
            12,
            "text/plain");
    assertThat(TargetRoutes.sentence(full)).isEqualTo("Up, 12 samples, but these aren't stored.");
  }

  private static TestServer server() {
    Signals signals = new Signals(new FakeQueryService(), () -> 0, Ticker.system(), Goals.NONE);
    return new TestServer(
        new TargetRoutes(
            () -> List.of(UP, DOWN),
            () -> List.of(new DroppedTarget(Labels.of("__address__", "c:1"), "p", "Dropped.")),
            () -> signals));
  }

  @Test
  void targets_areWrittenAsPrometheusDoesAndWithWhatIsKnownOfThem() throws Exception {
    try (TestServer server = server()) {
      assertThat(server.get("/api/v1/targets"))
          .isEqualTo(
              """
              {"status":"success","data":{"activeTargets":[\
              {"discoveredLabels":{"__address__":"a:1"},"labels":{"instance":"a:1","job":"j"},\
              "scrapePool":"http://a:1","scrapeUrl":"http://a:1/metrics",\
              "globalUrl":"http://host:1/metrics","lastError":"",\
              "lastScrape":"2023-11-14T22:13:20.050Z","lastScrapeDuration":0.25,"health":"up",\
              "scrapeInterval":"1m30s","scrapeTimeout":"500ms","inferometer":{\
              "sentence":"Up, 12 samples; 1 line that can't be read was left out.",\
              "kind":"other","title":"","services":[],"badLines":1,"badLineExamples":[{"line":3,"column":7,\
              "reason":"no value, expected a number","text":"x{a=\\"b\\"}"}]}},\
              {"discoveredLabels":{},"labels":{"instance":"b:1"},"scrapePool":"p",\
              "scrapeUrl":"http://b:1/metrics","globalUrl":"http://b:1/metrics",\
              "lastError":"connection refused","lastScrape":"0001-01-01T00:00:00Z",\
              "lastScrapeDuration":0.0,"health":"down","scrapeInterval":"15s",\
              "scrapeTimeout":"10s","inferometer":{"sentence":"Nothing listens at b:1.",\
              "kind":"other","title":"","services":[],"badLines":0,"badLineExamples":[]}}],\
              "droppedTargets":[{"discoveredLabels":{"__address__":"c:1"},"scrapePool":"p",\
              "inferometer":{"sentence":"Dropped."}}],"droppedTargetCounts":{"p":1}}}""");
    }
  }

  @Test
  void state_selectsTheLists() throws Exception {
    try (TestServer server = server()) {
      assertThat(server.get("/api/v1/targets?state=active"))
          .contains("\"scrapePool\":\"http://a:1\"", "\"droppedTargets\":[]");
      assertThat(server.get("/api/v1/targets?state=dropped"))
          .contains("\"activeTargets\":[]", "\"__address__\":\"c:1\"");
    }
  }
}
