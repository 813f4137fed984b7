package org.inferometer.scrape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.config.ScrapeConfig;
import org.inferometer.config.Urls;
import org.inferometer.model.Labels;
import org.inferometer.model.MetricMetadata;
import org.inferometer.model.MetricType;
import org.junit.jupiter.api.Test;

class ScrapeManagerTest {
  private final ScrapeWorld world = new ScrapeWorld();

  @Test
  void removedTarget_endsAfterTwoIntervalsAndATenth() {
    world.run("").scrape("a 1\n");
    long first = world.scrapes.getFirst();
    world.manager.reload(List.of());
    assertThat(world.manager.targets()).isEmpty();
    world.time.advance(10_000);
    assertThat(world.values("a")).containsExactly("1");
    world.time.advance(15_000);
    Labels a = Labels.of("__name__", "a", "job", "j", "instance", "h:1");
    assertThat(world.sink.samples(a)).containsExactly(first + ":1", (first + 10_000) + ":stale");
    assertThat(world.values("up")).containsExactly("1", "stale");
    assertThat(world.values("scrape_duration_seconds")).hasSize(2);
    assertThat(world.time.waiting()).isZero();
  }

  @Test
  void targetThatComesBack_winsOverTheEndOfTheFormer() {
    world.run("").scrape("a 1\n");
    world.manager.reload(List.of());
    world.time.advance(100);
    world.run("");
    world.time.advance(40_000);
    assertThat(world.values("a")).doesNotContain("stale").hasSizeGreaterThan(3);
    assertThat(world.values("up")).doesNotContain("stale");
  }

  @Test
  void targetNeverScraped_leavesNothing() {
    world.run("");
    world.manager.reload(List.of());
    world.time.advance(60_000);
    assertThat(world.sink.seriesNames()).isEmpty();
    assertThat(world.time.waiting()).isZero();
  }

  @Test
  void shutdown_writesNothingMore() {
    world.run("").scrape("a 1\n");
    world.manager.close();
    world.time.advance(100_000);
    assertThat(world.values("a")).containsExactly("1");
    assertThat(world.time.waiting()).isZero();
  }

  @Test
  void reload_keepsWhatIsUnchanged() {
    world.run("").scrape("a 1\n");
    world.fetcher.page("http://g:1/metrics", "a 1\n");
    world.manager.reload(
        ScrapeWorld.configs(
            "scrape_configs: [{job_name: j, scrape_interval: 10s, static_configs: [{targets:"
                + " ['h:1', 'g:1']}]}]"));
    world.time.advance(20_000);
    assertThat(world.values("a")).containsExactly("1", "1", "1");
    assertThat(world.values("scrape_series_added")).containsExactly("1", "0", "0");
    assertThat(world.manager.targets()).hasSize(2);
  }

  @Test
  void changedSettings_keepTheSeriesThatStay() {
    world.run("").scrape("a 1\nb 1\n");
    world.manager.reload(
        ScrapeWorld.job(
            "metric_relabel_configs: [{source_labels: [__name__], regex: b, action: drop}]"));
    world.scrape("a 2\nb 2\n");
    assertThat(world.values("a")).containsExactly("1", "2");
    assertThat(world.values("b")).containsExactly("1", "stale");
  }

  @Test
  void changedInterval_isKeptFromTheNextScrapeOn() {
    world.run("").scrape("a 1\n");
    world.manager.reload(
        ScrapeWorld.configs(
            "scrape_configs: [{job_name: j, scrape_interval: 2s, static_configs: [{targets:"
                + " ['h:1']}]}]"));
    world.time.advance(10_000);
    int before = world.scrapes.size();
    world.time.advance(10_000);
    assertThat(world.scrapes).hasSize(before + 5);
  }

  @Test
  void badReload_changesNothing() {
    world.run("").scrape("a 1\n");
    List<ScrapeConfig> twice = new ArrayList<>(List.of(Urls.scrapeConfig("x:1")));
    twice.add(Urls.scrapeConfig("http://x:1/"));
    assertThatThrownBy(() -> world.manager.reload(twice))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("http://x:1");
    world.scrape("a 2\n");
    assertThat(world.values("a")).containsExactly("1", "2");
    assertThat(world.manager.targets()).hasSize(1);
  }

  @Test
  void targetLimit_failsAllTargetsOfThePool() {
    world.fetcher.page("http://g:1/metrics", "a 1\n");
    world.manager.reload(
        ScrapeWorld.configs(
            "scrape_configs: [{job_name: j, scrape_interval: 10s, target_limit: 1, static_configs:"
                + " [{targets: ['h:1', 'g:1']}]}]"));
    world.scrape("a 1\n");
    assertThat(world.manager.targets())
        .hasSize(2)
        .allSatisfy(t -> assertThat(t.lastErrorSentence()).contains("target_limit"));
    assertThat(world.values("up")).containsExactly("0");
    assertThat(world.fetcher.asked).isEmpty();
    world.manager.reload(ScrapeWorld.job(""));
    world.scrape("a 1\n");
    assertThat(world.values("up")).containsExactly("0", "1");
  }

  @Test
  void droppedTargets_areListedWithTheReason() {
    world.manager.reload(
        ScrapeWorld.configs(
            """
            scrape_configs:
            - job_name: j
              keep_dropped_targets: 2
              static_configs: [{targets: [a, b, c, 'x y', d]}]
              relabel_configs: [{source_labels: [__address__], regex: '[abc]', action: drop}]
            """));
    assertThat(world.manager.droppedTargets()).hasSize(2);
    assertThat(world.manager.droppedTargets().getFirst().reason())
        .isEqualTo("dropped by relabel_configs");
    assertThat(world.manager.targets()).hasSize(1);
  }

  @Test
  void relabeling_makesUrlIntervalAndLabels() {
    world.manager.reload(
        ScrapeWorld.configs(
            """
            scrape_configs:
            - job_name: j
              params: {module: [a, b], x: ['1 2']}
              static_configs: [{targets: [host], labels: {__meta_x: m, env: prod, __tmp: t}}]
              relabel_configs:
              - {source_labels: [__address__], target_label: __param_module}
              - {target_label: __address__, replacement: 'probe:9'}
              - {target_label: __metrics_path__, replacement: '/p q'}
              - {target_label: __scheme__, replacement: https}
              - {target_label: __scrape_interval__, replacement: 30s}
              - {source_labels: [__meta_x], target_label: meta}
            """));
    TargetView view = world.view();
    assertThat(view.scrapeUrl()).isEqualTo("https://probe:9/p%20q?module=host&module=b&x=1%202");
    assertThat(view.labels().toMap())
        .containsOnlyKeys("env", "instance", "job", "meta")
        .containsEntry("instance", "probe:9");
    assertThat(view.intervalMs()).isEqualTo(30_000);
    assertThat(view.discoveredLabels().get("__address__")).isEqualTo("host");
    assertThat(view.health().word()).isEqualTo("unknown");
  }

  @Test
  void localUrls_areShownToOthersByTheHostName() {
    world.manager.reload(List.of(Urls.scrapeConfig("localhost:8000/m")));
    assertThat(world.view().globalUrl()).isEqualTo("http://here:8000/m");
    assertThat(world.view().scrapeUrl()).isEqualTo("http://localhost:8000/m");
  }

  @Test
  void users_areNeverShown() {
    world.manager.reload(List.of(Urls.scrapeConfig("http://someone:hunter2@h:1/m")));
    world.time.advance(10_000);
    assertThat(world.view().toString()).doesNotContain("hunter2").doesNotContain("someone");
  }

  @Test
  void metadata_followsThePages() {
    world.run("").scrape("# HELP a Of a.\n# TYPE a counter\na 1\n");
    assertThat(world.manager.metadata())
        .containsOnlyKeys("a")
        .containsEntry("a", List.of(new MetricMetadata(MetricType.COUNTER, "", "Of a.")));
    world.scrape("# HELP a Of a!\n# TYPE a counter\n# TYPE b gauge\na 1\n");
    assertThat(world.manager.metadata())
        .containsOnlyKeys("a", "b")
        .containsEntry("a", List.of(new MetricMetadata(MetricType.COUNTER, "", "Of a!")));
    assertThat(world.manager.metadataOf(world.view())).containsOnlyKeys("a", "b");
    world.scrape("# TYPE b gauge\nb 1\n");
    assertThat(world.manager.metadata()).containsOnlyKeys("b");
  }

  @Test
  void targets_areSpreadOverTheInterval() {
    StringBuilder hosts = new StringBuilder();
    for (int i = 0; i < 100; i++) {
      hosts.append(i == 0 ? "" : ",").append("h").append(i);
      world.fetcher.page("http://h" + i + "/metrics", "a 1\n");
    }
    world.manager.reload(
        ScrapeWorld.configs(
            "scrape_configs: [{job_name: j, scrape_interval: 10s, static_configs: [{targets: ["
                + hosts
                + "]}]}]"));
    world.time.advance(5_000);
    assertThat(world.scrapes.size()).isBetween(30, 70);
    world.time.advance(5_000);
    assertThat(world.scrapes).hasSize(100);
  }
}
