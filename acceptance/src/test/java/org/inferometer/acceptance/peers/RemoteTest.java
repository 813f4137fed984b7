package org.inferometer.acceptance.peers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/**
 * Debian's Prometheus scrapes itself, sends its samples to us by remote write, and reads ours by
 * remote read; a second one takes ours over by federation.
 */
@TestInstance(Lifecycle.PER_CLASS)
class RemoteTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final List<AutoCloseable> running = new ArrayList<>();
  private Program ours;
  private Program sender;
  private Program federating;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    Program.installed("prometheus");
    Path config = folder.resolve("ours.yml");
    Files.writeString(config, "global: {external_labels: {kept_by: us}}\nscrape_configs: []\n");
    ours =
        keep(
            Program.inferometer(
                folder,
                List.of("--config", config.toString(), "--web.enable-remote-write-receiver")));
    sender =
        keep(Program.prometheus(Files.createDirectory(folder.resolve("sender")), sending(folder)));
    federating =
        keep(
            Program.prometheus(
                Files.createDirectory(folder.resolve("federating")), federation(folder)));
  }

  private <T extends AutoCloseable> T keep(T resource) {
    running.add(resource);
    return resource;
  }

  /** The sender scrapes our page: what its own port will be isn't known yet. */
  private Path sending(Path folder) throws Exception {
    Path config = folder.resolve("sending.yml");
    Files.writeString(
        config,
        """
        global: {scrape_interval: 1s, scrape_timeout: 1s}
        scrape_configs:
        - job_name: sent
          static_configs: [{targets: ['127.0.0.1:%1$d']}]
        remote_write:
        - url: http://127.0.0.1:%1$d/api/v1/write
          queue_config: {batch_send_deadline: 1s}
        remote_read:
        - url: http://127.0.0.1:%1$d/api/v1/read
          read_recent: true
        """
            .formatted(ours.port()));
    return config;
  }

  private Path federation(Path folder) throws Exception {
    Path config = folder.resolve("federation.yml");
    Files.writeString(
        config,
        """
        global: {scrape_interval: 1s, scrape_timeout: 1s}
        scrape_configs:
        - job_name: federate
          honor_labels: true
          metrics_path: /federate
          params: {"match[]": ['{__name__=~"up|inferometer_.*"}']}
          static_configs: [{targets: ['127.0.0.1:%d']}]
        """
            .formatted(ours.port()));
    return config;
  }

  @AfterAll
  void stop() throws Exception {
    for (AutoCloseable resource : running.reversed()) {
      resource.close();
    }
  }

  private static JsonNode await(Program server, String query) throws Exception {
    for (int i = 0; i < 300; i++) {
      JsonNode answer =
          JSON.readTree(server.get("/api/v1/query", Map.of("query", query, "time", "")));
      assertThat(answer.path("status").asText()).as(answer.toString()).isEqualTo("success");
      if (!answer.path("data").path("result").isEmpty()) {
        return answer.path("data").path("result");
      }
      Thread.sleep(100);
    }
    throw new AssertionError("nothing for " + query + " after 30 s");
  }

  @Test
  void writtenSamples_areOurs() throws Exception {
    JsonNode up = await(ours, "up{job=\"sent\"} == 1");
    assertThat(up.get(0).path("metric").path("instance").asText())
        .isEqualTo("127.0.0.1:" + ours.port());
    await(sender, "prometheus_remote_storage_samples_total > 0 or up");
    String metrics = sender.get("/metrics").body();
    assertThat(metrics)
        .containsPattern("prometheus_remote_storage_samples_failed_total\\{[^}]*} 0\\n")
        .containsPattern("prometheus_remote_storage_samples_dropped_total\\{[^}]*} 0\\n");
  }

  /** Ours come back with our external label, beside the sender's own without. */
  @Test
  void readSamples_areTheSameAsWritten() throws Exception {
    JsonNode read = await(sender, "up{job=\"sent\",kept_by=\"us\"}");
    assertThat(read).hasSize(1);
    await(
        sender,
        "count_over_time(up{kept_by=\"us\"}[10s]) > 2 and ignoring (kept_by)"
            + " (count_over_time(up{kept_by=\"\"}[10s]) > 2)");
  }

  @Test
  void federatedSamples_keepTheirLabels() throws Exception {
    JsonNode up = await(federating, "up{job=\"sent\"}");
    assertThat(up.get(0).path("metric").path("kept_by").asText()).isEqualTo("us");
    assertThat(up.get(0).path("metric").path("instance").asText())
        .isEqualTo("127.0.0.1:" + ours.port());
    await(federating, "inferometer_store_series > 0");
  }
}
