package org.inferometer.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ConfigWriterTest {
  private static Config read(String yaml) throws ConfigException {
    return ConfigFile.parse("f.yml", yaml.getBytes(StandardCharsets.UTF_8), Path.of("/etc/x"));
  }

  private static final String EVERYTHING =
      """
      global:
        evaluation_interval: 15s
        external_labels: {cluster: "on", n: "1"}
      storage:
        tsdb:
          retention: {time: 1d12h, size: 1536MB}
          out_of_order_time_window: 10m
        exemplars: {max_exemplars: 1000}
      inferometer:
        fail_on_bad_line: true
        storage: {series_max: 1000}
        slos:
          "*": {ttft_p95: 1s500ms, success: 0.99}
          llama: {tpot_p95: 50ms, e2e_p95: 1m}
        deployments:
          llama: {gpus: 8, gpu_type: H100, gpu_hour_cost: 2.5, max_num_seqs: 256, kv_bytes_per_token: 131072}
        diagnosis: {enabled: false, interval: 10s, window: 1m, thresholds: {a: 0.5}, services: {"x y": {thresholds: {b: 2}}}}
        dialects: [/etc/own.yaml]
      scrape_configs:
      - job_name: "a: b # c"
        scrape_interval: 5s
        scrape_timeout: 1s
        scrape_protocols: [PrometheusText0.0.4, OpenMetricsText1.0.0]
        fallback_scrape_protocol: OpenMetricsText0.0.1
        scrape_native_histograms: true
        always_scrape_classic_histograms: true
        native_histogram_bucket_limit: 160
        native_histogram_min_bucket_factor: 1.1
        scheme: https
        metrics_path: /x y
        params: {"match[]": ['{a="b"}', "yes"]}
        honor_labels: true
        honor_timestamps: false
        track_timestamps_staleness: true
        follow_redirects: false
        enable_compression: false
        basic_auth: {username_file: u, password_file: /p}
        tls_config: {ca_file: ca.pem, server_name: n, insecure_skip_verify: true}
        body_size_limit: 15MB
        sample_limit: 1
        label_limit: 2
        label_name_length_limit: 3
        label_value_length_limit: 4
        target_limit: 5
        keep_dropped_targets: 6
        relabel_configs:
        - {source_labels: [a, b], separator: "", regex: 'x(.*)\\d', target_label: c, replacement: "$1\\n"}
        - {source_labels: [a], modulus: 18446744073709551615, target_label: c, action: hashmod}
        - {regex: "no", action: labeldrop}
        - {source_labels: [a], target_label: b, action: keepequal}
        metric_relabel_configs:
        - {source_labels: [__name__], regex: up, action: drop}
        static_configs:
        - targets: ["h:1", "[::1]:2"]
          labels: {x: "null", y: "1.5"}
        - targets: []
      - job_name: b
        authorization: {type: Token, credentials_file: c}
      """;

  @Test
  void whatIsWritten_readsAsTheSameConfig() throws ConfigException {
    Config config = read(EVERYTHING);
    String written = ConfigWriter.write(config);
    assertThat(read(written)).as(written).isEqualTo(config);
    assertThat(ConfigWriter.write(read(written))).isEqualTo(written);
  }

  @Test
  void emptyConfig_isWritten() throws ConfigException {
    assertThat(ConfigWriter.write(read("")))
        .isEqualTo("global:\n  evaluation_interval: 1m\nscrape_configs: []\n");
  }

  @Test
  void secrets_areNotShown() throws ConfigException {
    String written =
        ConfigWriter.write(
            read(
                """
                scrape_configs:
                - job_name: a
                  basic_auth: {username: hidden1, password: hidden2}
                - job_name: b
                  authorization: {credentials: hidden3}
                - job_name: c
                  bearer_token: hidden4
                """));
    assertThat(written)
        .doesNotContain("hidden")
        .contains("username: <secret>", "password: <secret>", "credentials: <secret>");
  }

  @Test
  void plainUrls_areJobsWhoseTargetsCarryTheJobLabel() throws ConfigException {
    Config urls =
        read("")
            .withScrapeConfigs(
                List.of(
                    Urls.scrapeConfig("http://user:hidden@h:1/m?a=b"), Urls.scrapeConfig("h:2")));
    String written = ConfigWriter.write(urls);
    assertThat(written).doesNotContain("hidden");
    List<ScrapeConfig> jobs = read(written).scrapeConfigs();
    assertThat(jobs)
        .extracting(ScrapeConfig::jobName)
        .containsExactly("http://h:1/m?a=b", "http://h:2");
    assertThat(jobs.getFirst().params()).isEqualTo(Map.of("a", List.of("b")));
    assertThat(jobs.getLast().targets())
        .containsExactly(new TargetGroup(List.of("h:2"), Map.of("job", "url")));
  }

  /** Whatever texts stand in it, YAML's own words and signs among them. */
  @Test
  void anyTexts_surviveWritingAndReading() throws ConfigException {
    List<String> pieces =
        List.of(
            "a",
            "é",
            "😀",
            " ",
            "#",
            ": ",
            ":",
            "- ",
            "'",
            "\"",
            "\\",
            "\n",
            "\t",
            "{",
            "}",
            "[",
            "]",
            ",",
            "&",
            "*",
            "!",
            "|",
            ">",
            "%",
            "@",
            "`",
            "null",
            "true",
            "on",
            "~",
            "0x1f",
            "1e3",
            ".5",
            "2001-01-01",
            "=",
            "<<",
            "?",
            "$1",
            "\r",
            "\u0001",
            "\u2028");
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 2_000; i++) {
      List<String> texts = new ArrayList<>();
      for (int j = 0; j < 3; j++) {
        texts.add(
            random
                .ints(random.nextInt(1, 5), 0, pieces.size())
                .mapToObj(pieces::get)
                .collect(Collectors.joining()));
      }
      Map<String, String> labels = Map.of("k" + texts.get(0), texts.get(1), "x", texts.get(2));
      ScrapeConfig job =
          Urls.scrapeConfig("h:1").withTargets(List.of(new TargetGroup(List.of("h:1"), labels)));
      String written = ConfigWriter.write(read("").withScrapeConfigs(List.of(job)));
      Map<String, String> expected = new java.util.HashMap<>(labels);
      expected.putIfAbsent("job", "url");
      assertThat(read(written).scrapeConfigs().getFirst().targets())
          .as(written)
          .containsExactly(new TargetGroup(List.of("h:1"), expected));
    }
  }
}
