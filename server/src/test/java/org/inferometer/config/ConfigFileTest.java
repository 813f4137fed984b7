package org.inferometer.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.Stream;
import org.inferometer.Shared;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigFileTest {
  private static Config read(String yaml) throws ConfigException {
    return ConfigFile.parse("f.yml", yaml.getBytes(StandardCharsets.UTF_8), Path.of("/etc/x"));
  }

  private static List<String> problems(String yaml) {
    ConfigException refusal = catchThrowableOfType(ConfigException.class, () -> read(yaml));
    assertThat(refusal).as("a refusal of %s", yaml).isNotNull();
    return refusal.problems().stream().map(Problem::toString).toList();
  }

  private static ScrapeConfig job(String keys) throws ConfigException {
    StringBuilder yaml = new StringBuilder("scrape_configs:\n- job_name: a\n");
    keys.lines().forEach(line -> yaml.append("  ").append(line).append('\n'));
    return read(yaml.toString()).scrapeConfigs().getFirst();
  }

  @Test
  void emptyFile_hasPrometheusDefaults() throws ConfigException {
    for (String yaml : List.of("", "# nothing\n", "global:\nscrape_configs:\n", "{}")) {
      Config config = read(yaml);
      assertThat(config.scrapeConfigs()).isEmpty();
      assertThat(config.evaluationIntervalMs()).isEqualTo(60_000);
      assertThat(config.storage()).isEqualTo(StorageConfig.DEFAULT);
    }
  }

  @Test
  void job_hasPrometheusDefaults() throws ConfigException {
    ScrapeConfig job = job("static_configs: [{targets: ['h:1']}]");
    assertThat(job.intervalMs()).isEqualTo(60_000);
    assertThat(job.timeoutMs()).isEqualTo(10_000);
    assertThat(job.scheme()).isEqualTo("http");
    assertThat(job.metricsPath()).isEqualTo("/metrics");
    assertThat(job.honorLabels()).isFalse();
    assertThat(job.honorTimestamps()).isTrue();
    assertThat(job.trackTimestampsStaleness()).isFalse();
    assertThat(job.compression()).isTrue();
    assertThat(job.fallback()).isEqualTo(ScrapeConfig.Fallback.NONE);
    assertThat(job.auth()).isEqualTo(HttpAuth.NONE);
    assertThat(job.tls()).isEqualTo(TlsConfig.DEFAULT);
    assertThat(job.limits()).isEqualTo(ScrapeLimits.NONE);
    assertThat(job.accept())
        .isEqualTo(
            "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,"
                + "application/openmetrics-text;version=0.0.1;q=0.5,"
                + "text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,"
                + "text/plain;version=0.0.4;q=0.3,*/*;q=0.2");
  }

  @Test
  void job_inheritsFromGlobal() throws ConfigException {
    Config config =
        read(
            """
            global:
              scrape_interval: 5s
              external_labels: {cluster: c, n: 1}
              sample_limit: 7
              body_size_limit: 15MB
            scrape_configs:
            - job_name: a
              sample_limit: 8
            - job_name: b
              scrape_interval: 1h
              scrape_timeout: 1500ms
            """);
    ScrapeConfig a = config.scrapeConfigs().get(0);
    ScrapeConfig b = config.scrapeConfigs().get(1);
    assertThat(config.externalLabels()).isEqualTo(Map.of("cluster", "c", "n", "1"));
    assertThat(List.of(a.intervalMs(), a.timeoutMs(), a.limits().sample()))
        .containsExactly(5_000L, 5_000L, 8L);
    assertThat(List.of(b.intervalMs(), b.timeoutMs(), b.limits().sample()))
        .containsExactly(3_600_000L, 1_500L, 7L);
    assertThat(b.limits().bodySize()).isEqualTo(15L << 20);
  }

  @Test
  void everyKeyOfAJob_isRead() throws ConfigException {
    ScrapeConfig job =
        job(
            """
            scheme: https
            metrics_path: /m
            params: {'match[]': ['{a="b"}', 'c']}
            honor_labels: yes
            honor_timestamps: false
            track_timestamps_staleness: true
            follow_redirects: false
            fallback_scrape_protocol: OpenMetricsText1.0.0
            enable_compression: false
            scrape_protocols: [PrometheusText0.0.4]
            tls_config: {insecure_skip_verify: true, ca_file: ca.pem, server_name: s}
            authorization: {type: Token, credentials_file: t}
            label_limit: 1
            label_name_length_limit: 2
            label_value_length_limit: 3
            target_limit: 4
            keep_dropped_targets: 5
            static_configs:
            - targets: [a:1, '[::1]:2']
              labels: {x: y}
            relabel_configs:
            - {source_labels: [a, b], regex: '(.*)', target_label: c, action: Replace}
            metric_relabel_configs:
            - {regex: go_.*, source_labels: [__name__], action: drop}
            """);
    assertThat(job.params()).isEqualTo(Map.of("match[]", List.of("{a=\"b\"}", "c")));
    assertThat(job.honorLabels()).isTrue();
    assertThat(job.honorTimestamps()).isFalse();
    assertThat(job.trackTimestampsStaleness()).isTrue();
    assertThat(job.followRedirects()).isFalse();
    assertThat(job.fallback()).isEqualTo(ScrapeConfig.Fallback.OPENMETRICS);
    assertThat(job.accept()).isEqualTo("text/plain;version=0.0.4;q=0.6,*/*;q=0.5");
    assertThat(job.tls()).isEqualTo(new TlsConfig(true, Path.of("/etc/x/ca.pem"), "s"));
    assertThat(job.auth())
        .isEqualTo(new HttpAuth.Token("Token", new Secret.FromFile(Path.of("/etc/x/t"))));
    assertThat(job.limits()).isEqualTo(new ScrapeLimits(0, 0, 1, 2, 3, 4, 5));
    assertThat(job.targets())
        .containsExactly(new TargetGroup(List.of("a:1", "[::1]:2"), Map.of("x", "y")));
    assertThat(job.relabelRules().getFirst().action()).isEqualTo(RelabelRule.Action.REPLACE);
    assertThat(job.metricRelabelRules().getFirst().regex()).isEqualTo("go_.*");
  }

  private static final String TEXT_ACCEPT =
      "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,"
          + "application/openmetrics-text;version=0.0.1;q=0.5,"
          + "text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,"
          + "text/plain;version=0.0.4;q=0.3,*/*;q=0.2";

  private static final String PROTOBUF_FIRST =
      "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily"
          + ";encoding=delimited;q=0.6,"
          + "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5,"
          + "application/openmetrics-text;version=0.0.1;q=0.4,"
          + "text/plain;version=1.0.0;escaping=allow-utf-8;q=0.3,"
          + "text/plain;version=0.0.4;q=0.2,*/*;q=0.1";

  @Test
  void histograms_areClassicUnlessAskedFor() throws ConfigException {
    ScrapeConfig job = job("static_configs: [{targets: [a:1]}]");
    assertThat(job.histograms()).isEqualTo(HistogramConfig.CLASSIC);
    assertThat(job.accept()).isEqualTo(TEXT_ACCEPT);
  }

  @Test
  void nativeHistograms_putProtobufFirst() throws ConfigException {
    ScrapeConfig job =
        job(
            """
            scrape_native_histograms: true
            always_scrape_classic_histograms: true
            native_histogram_bucket_limit: 160
            native_histogram_min_bucket_factor: 1.1
            fallback_scrape_protocol: PrometheusProto
            """);
    assertThat(job.histograms()).isEqualTo(new HistogramConfig(true, true, 160, 1.1));
    assertThat(job.fallback()).isEqualTo(ScrapeConfig.Fallback.PROTOBUF);
    assertThat(job.accept()).isEqualTo(PROTOBUF_FIRST);
  }

  @Test
  void protocols_areAskedForInTheirOrder() throws ConfigException {
    ScrapeConfig job =
        job(
            """
            scrape_native_histograms: true
            scrape_protocols: [PrometheusText0.0.4, PrometheusProto]
            """);
    assertThat(job.accept())
        .isEqualTo(
            "text/plain;version=0.0.4;q=0.6,application/vnd.google.protobuf"
                + ";proto=io.prometheus.client.MetricFamily;encoding=delimited;q=0.5,*/*;q=0.4");
  }

  @Test
  void globalHistogramSettings_areDefaults() throws ConfigException {
    List<ScrapeConfig> jobs =
        read("""
        global:
          scrape_native_histograms: true
          native_histogram_bucket_limit: 7
        scrape_configs:
        - job_name: a
        - {job_name: b, scrape_native_histograms: false, scrape_classic_histograms: true}
        """)
            .scrapeConfigs();
    assertThat(jobs.get(0).histograms()).isEqualTo(new HistogramConfig(true, false, 7, 0));
    assertThat(jobs.get(0).accept()).isEqualTo(PROTOBUF_FIRST);
    assertThat(jobs.get(1).histograms()).isEqualTo(new HistogramConfig(false, true, 7, 0));
    assertThat(jobs.get(1).accept()).isEqualTo(TEXT_ACCEPT);
  }

  @Test
  void wrongHistogramSettings_areProblems() {
    assertThat(
            problems(
                """
                scrape_configs:
                - job_name: a
                  scrape_native_histograms: maybe
                  native_histogram_bucket_limit: -1
                  native_histogram_min_bucket_factor: Infinity
                  convert_classic_histograms_to_nhcb: true
                  scrape_protocols: [Protobuf]
                """))
        .hasSize(5);
  }

  @Test
  void plainUrl_asksForEverything() {
    ScrapeConfig scrape = Urls.scrapeConfig("http://h:1");
    assertThat(scrape.histograms()).isEqualTo(HistogramConfig.BOTH);
    assertThat(scrape.accept()).isEqualTo(PROTOBUF_FIRST);
  }

  @Test
  void slosAndStorage_areRead() throws ConfigException {
    Config config =
        read(
            """
            storage: {tsdb: {retention: {time: 1d, size: 2GB}, out_of_order_time_window: 30m}, exemplars: {max_exemplars: 5}}
            inferometer:
              fail_on_bad_line: true
              storage: {series_max: 1000}
              slos:
                "*": {ttft_p95: 500ms, success: 99.9%}
                m/x: {tpot_p95: 50ms, e2e_p95: 10s, success: 0.99}
            """);
    assertThat(config.slos().get("m/x"))
        .isEqualTo(
            new SloConfig(
                OptionalDouble.empty(),
                OptionalDouble.of(0.05),
                OptionalDouble.of(10),
                OptionalDouble.of(0.99)));
    assertThat(config.slos())
        .hasEntrySatisfying("*", slo -> assertThat(slo.success()).hasValue(0.999));
    assertThat(config.storage().retentionMs()).hasValue(86_400_000);
    assertThat(config.storage().retentionBytes()).hasValue(2L << 30);
    assertThat(config.storage().exemplarsMax()).hasValue(5);
    assertThat(config.storage().outOfOrderWindowMs()).hasValue(1_800_000);
    assertThat(config.storage().seriesMax()).hasValue(1000);
  }

  @Test
  void deploymentsAndDialects_areRead() throws ConfigException {
    Config config =
        read(
            """
            inferometer:
              dialects: [own.yaml, /abs/other.yaml]
              deployments:
                "*": {gpu_type: H100}
                m/x: {gpus: 8, gpu_hour_cost: 2.5, max_num_seqs: 256, kv_bytes_per_token: 131072}
            """);
    assertThat(config.dialects())
        .containsExactly(Path.of("/etc/x/own.yaml"), Path.of("/abs/other.yaml"));
    assertThat(config.deployments().get("m/x"))
        .isEqualTo(
            new DeploymentConfig(
                OptionalLong.of(8),
                Optional.empty(),
                OptionalDouble.of(2.5),
                OptionalLong.of(256),
                OptionalLong.of(131072)));
    assertThat(config.deployments())
        .hasEntrySatisfying("*", any -> assertThat(any.gpuType()).hasValue("H100"));
  }

  @Test
  void wrongDeploymentsAndDialects_areRefusedWithTheirPlaces() {
    assertThat(
            problems(
                """
                inferometer:
                  dialects: ["", {a: b}]
                  deployments:
                    m: {gpus: 0, gpu: H100, gpu_hour_cost: -1, kv_bytes_per_token: many}
                """))
        .containsExactlyInAnyOrder(
            "f.yml:2:13: found a list, expected paths to dialect files in dialects",
            "f.yml:2:18: found a mapping, expected a text in dialects",
            "f.yml:4:15: found \"0\", expected a whole number from 1 on for gpus",
            "f.yml:4:44: found \"-1\", expected a number from 0 on for gpu_hour_cost",
            "f.yml:4:68: found \"many\", expected a whole number from 0 on for"
                + " kv_bytes_per_token",
            "f.yml:4:18: found the unknown key \"gpu\" in deployments.m; did you mean gpus?");
  }

  @Test
  void allProblems_areShownAtOnceWithTheirPlaces() {
    assertThat(
            problems(
                """
                global:
                  scrape_intervall: 5s
                  scrape_timeout: 2m
                scrape_configs:
                - job_name: a
                  scheme: htps
                  sample_limit: -1
                  honor_labels: maybe
                  static_configs: {targets: []}
                - job_name: a
                  kubernetes_sd_configs: [{role: pod}]
                  static_configs: [{targets: ['http://u:p@h:1/metrics']}]
                rule_files: [a]
                """))
        .containsExactly(
            "f.yml:2:3: found the unknown key \"scrape_intervall\" in global; did you mean"
                + " scrape_interval?",
            "f.yml:3:19: found \"2m\", expected a scrape_timeout of at most the scrape_interval,"
                + " 1m",
            "f.yml:6:11: found \"htps\", expected one of http, https for scheme; did you mean"
                + " https?",
            "f.yml:7:17: found \"-1\", expected a whole number from 0 on for sample_limit",
            "f.yml:8:17: found \"maybe\", expected true or false for honor_labels",
            "f.yml:9:19: found a mapping, expected a list of mappings for static_configs",
            "f.yml:10:13: found \"a\", expected a job_name that no other job has",
            "f.yml:11:3: found \"kubernetes_sd_configs\", which isn't supported yet",
            "f.yml:12:21: found the target \"http://h:1/metrics\", expected host:port without"
                + " scheme and path; those are scheme and metrics_path of the job",
            "f.yml:13:1: found \"rule_files\", which isn't supported yet");
  }

  @Test
  void whatIsNotYaml_isRefusedWithItsPlace() {
    assertThat(problems("a: [1,\nb: }")).singleElement().asString().startsWith("f.yml:2:");
    assertThat(problems("a: b: c")).singleElement().asString().startsWith("f.yml:1:5: not YAML: ");
    assertThat(problems("global: {}\n---\nglobal: {}"))
        .singleElement()
        .asString()
        .contains("a second document");
    assertThat(problems("- a"))
        .containsExactly(
            "f.yml:1:1: found a list, expected a mapping of keys such as scrape_configs");
    assertThat(problems("global: {}\nglobal: {}"))
        .containsExactly(
            "f.yml:2:1: found the key \"global\" a second time, expected it once; the first is in"
                + " line 1");
    assertThat(problems("global: *x")).singleElement().asString().contains("the alias *x");
    assertThatThrownBy(() -> ConfigFile.parse("f", new byte[] {'a', (byte) 0xff}, Path.of("")))
        .hasMessageContaining("UTF-8");
    assertThatThrownBy(() -> ConfigFile.parse("f", new byte[ConfigFile.BYTES_MAX + 1], Path.of("")))
        .hasMessageContaining("more than 4MB");
  }

  @Test
  void aliasesAndMergeKeys_areRead() throws ConfigException {
    Config config =
        read(
            """
            global: {external_labels: &l {a: b}}
            scrape_configs:
            - &base
              job_name: a
              static_configs: [{targets: [x], labels: *l}]
            - <<: *base
              job_name: b
            """);
    assertThat(config.scrapeConfigs().get(1).targets())
        .isEqualTo(config.scrapeConfigs().get(0).targets());
  }

  @Test
  void bombs_areRefused() {
    StringBuilder laughs = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 10; i++) {
      String ten = ("*a" + (i - 1) + ", ").repeat(10);
      laughs.append("a%d: &a%d [%s]%n".formatted(i, i, ten.substring(0, ten.length() - 2)));
    }
    assertThat(problems(laughs.toString())).singleElement().asString().contains("aliases");
    assertThat(problems("[".repeat(100_000))).singleElement().asString().contains("nesting");
    assertThat(problems("a: ".repeat(2))).singleElement().asString().startsWith("f.yml:1:");
    assertThat(problems("- x\n".repeat(600_000))).singleElement().asString().contains("500000");
  }

  @Test
  void manyProblems_areCounted() {
    List<String> shown = problems("x: 1\n" + numbered(500));
    assertThat(shown).hasSize(Problems.SHOWN_MAX + 1);
    assertThat(shown.getLast()).endsWith("401 more problems");
  }

  private static String numbered(int n) {
    StringBuilder yaml = new StringBuilder();
    for (int i = 0; i < n; i++) {
      yaml.append("key").append(i).append(": 1\n");
    }
    return yaml.toString();
  }

  @Test
  void secrets_areNotPrinted(@TempDir Path folder) throws Exception {
    Files.writeString(folder.resolve("pw"), "hunter3\n");
    String yaml =
        """
        scrape_configs:
        - {job_name: a, basic_auth: {username: u, password: hunter2}}
        - {job_name: b, bearer_token: hunter2}
        - {job_name: c, basic_auth: {username: u, password_file: pw}}
        """;
    Config config = ConfigFile.parse("f", yaml.getBytes(StandardCharsets.UTF_8), folder);
    assertThat(config.toString()).doesNotContain("hunter");
    assertThat(config.scrapeConfigs().get(2).auth())
        .isInstanceOfSatisfying(
            HttpAuth.Basic.class,
            basic -> assertThat(reveal(basic.password())).isEqualTo("hunter3"));
    assertThat(
            problems(
                "scrape_configs: [{job_name: a, bearer_token: hunter2, bearer_token_file: f}]"))
        .noneMatch(problem -> problem.contains("hunter"));
  }

  private static String reveal(Secret secret) {
    try {
      return secret.reveal();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void relabelRules_areCheckedAsPrometheusDoes() {
    assertThat(rule("action: hashmod, target_label: a"))
        .containsExactly("found no modulus for hashmod, expected one above 0");
    assertThat(rule("source_labels: [a]"))
        .containsExactly("found no target_label for replace, expected one");
    assertThat(rule("action: keepequal, target_label: a, regex: b"))
        .containsExactly("found regex for keepequal, which doesn't read it");
    assertThat(rule("action: labeldrop, regex: a, source_labels: [b]"))
        .containsExactly("found source_labels for labeldrop, which doesn't read it");
    assertThat(rule("action: lowercase, target_label: a, replacement: b"))
        .containsExactly("found replacement for lowercase, which doesn't read it");
    assertThat(rule("action: labeldorp, target_label: a"))
        .singleElement()
        .asString()
        .endsWith("did you mean labeldrop?");
    assertThat(rule("regex: '(', target_label: a"))
        .singleElement()
        .asString()
        .startsWith("found \"(\", expected a regular expression of RE2");
  }

  private static List<String> rule(String keys) {
    return problems("scrape_configs: [{job_name: a, relabel_configs: [{" + keys + "}]}]").stream()
        .map(problem -> problem.replaceFirst("^f.yml:1:[0-9]+: ", ""))
        .toList();
  }

  @Test
  void whatHasNoEffect_isNoted() throws ConfigException {
    assertThat(read("runtime: {gogc: 42}").notes())
        .singleElement()
        .hasToString("f.yml:1:11: \"gogc\" has no effect: it tunes Go's memory");
    assertThat(read("rule_files: []\nalerting:\n").notes()).isEmpty();
  }

  @Test
  void realFiles_loadOrSayWhatIsNotSupported() throws IOException {
    Path folder = Shared.path("fixtures/scrape-configs");
    List<Path> files;
    try (Stream<Path> all = Files.list(folder)) {
      files =
          all.filter(f -> f.getFileName().toString().matches("prometheus_.*\\.ya?ml"))
              .sorted()
              .toList();
    }
    assertThat(files).hasSizeGreaterThanOrEqualTo(5);
    for (Path file : files) {
      List<String> problems = new ArrayList<>();
      try {
        assertThat(ConfigFile.load(file, List.of()).scrapeConfigs()).isNotEmpty();
      } catch (ConfigException e) {
        e.problems().forEach(p -> problems.add(p.line() + ":" + p.column() + ": " + p.message()));
      }
      String name = file.getFileName().toString();
      assertThat(problems).as(name).containsExactlyElementsOf(expected(name));
    }
  }

  private static List<String> expected(String file) {
    return switch (file) {
      case "prometheus_vllm-dcgm_cn-vault.yml" ->
          List.of("10:1: found \"rule_files\", which isn't supported yet");
      case "prometheus_conf.good.yml" -> ConfGoodProblems.LIST;
      default -> List.of();
    };
  }

  @Test
  void mutatedFiles_neverDoAnythingButLoadOrBeRefused() throws IOException {
    byte[] seedFile =
        Files.readAllBytes(Shared.path("fixtures/scrape-configs/prometheus_conf.good.yml"));
    long seed = 20260801;
    Random random = new Random(seed);
    int refused = 0;
    for (int i = 0; i < 300; i++) {
      byte[] mutated = mutate(seedFile, random);
      try {
        ConfigFile.parse("f", mutated, Path.of(""));
      } catch (ConfigException e) {
        refused++;
        assertThat(e.problems()).as("seed %d, round %d", seed, i).isNotEmpty();
      }
    }
    assertThat(refused).isBetween(200, 300);
  }

  private static byte[] mutate(byte[] original, Random random) {
    byte[] bytes = original.clone();
    String spice = "[]{}:*&!|>-?#'\"%@`\n\t ,<x0\u00ff";
    for (int n = random.nextInt(6); n >= 0; n--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(3)) {
        case 0 -> bytes[at] = (byte) spice.charAt(random.nextInt(spice.length()));
        case 1 -> bytes = java.util.Arrays.copyOf(bytes, at + 1);
        default -> {
          int to = random.nextInt(bytes.length);
          int length = Math.min(40, bytes.length - Math.max(at, to));
          System.arraycopy(bytes, at, bytes, to, length);
        }
      }
    }
    return bytes;
  }
}
