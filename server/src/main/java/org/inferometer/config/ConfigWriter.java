package org.inferometer.config;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.util.StringQuotingChecker;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Writes what a config means as a config file, defaults included and secrets as {@code <secret>}.
 * Reading it again gives the same config but for secrets that don't lie in files, and for what a
 * file can't say: that several paths are tried, and that the first scrape doesn't wait.
 */
public final class ConfigWriter {
  private static final YAMLFactory YAML =
      YAMLFactory.builder()
          .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
          .disable(YAMLGenerator.Feature.SPLIT_LINES)
          .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
          .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
          .stringQuotingChecker(new OddTexts())
          .enable(StreamWriteFeature.AUTO_CLOSE_CONTENT)
          .build();

  private ConfigWriter() {}

  /** Has everything quoted but texts that can't be taken for anything else. */
  private static final class OddTexts extends StringQuotingChecker.Default {
    private static final long serialVersionUID = 1L;
    private static final Pattern PLAIN =
        Pattern.compile("[A-Za-z_/<][A-Za-z0-9_./:<>-]*|(?:[0-9]+(?:ms|[ywdhms]|[KMGTPE]?B))+");

    @Override
    public boolean needToQuoteName(String name) {
      return isOdd(name) || super.needToQuoteName(name);
    }

    @Override
    public boolean needToQuoteValue(String value) {
      return isOdd(value) || super.needToQuoteValue(value);
    }

    private static boolean isOdd(String text) {
      return text.equals("<<") || text.endsWith(":") || !PLAIN.matcher(text).matches();
    }
  }

  public static String write(Config config) {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("global", global(config));
    Map<String, Object> storage = storage(config.storage());
    if (!storage.isEmpty()) {
      root.put("storage", storage);
    }
    Map<String, Object> own = own(config);
    if (!own.isEmpty()) {
      root.put("inferometer", own);
    }
    root.put("scrape_configs", config.scrapeConfigs().stream().map(ConfigWriter::job).toList());
    return yaml(root);
  }

  private static Map<String, Object> global(Config config) {
    Map<String, Object> global = new LinkedHashMap<>();
    global.put("evaluation_interval", Durations.format(config.evaluationIntervalMs()));
    if (!config.externalLabels().isEmpty()) {
      global.put("external_labels", new TreeMap<>(config.externalLabels()));
    }
    return global;
  }

  private static Map<String, Object> storage(StorageConfig storage) {
    Map<String, Object> retention = new LinkedHashMap<>();
    putDuration(retention, "time", storage.retentionMs());
    storage.retentionBytes().ifPresent(bytes -> retention.put("size", ByteSizes.format(bytes)));
    Map<String, Object> tsdb = new LinkedHashMap<>();
    putMap(tsdb, "retention", retention);
    putDuration(tsdb, "out_of_order_time_window", storage.outOfOrderWindowMs());
    Map<String, Object> keys = new LinkedHashMap<>();
    putMap(keys, "tsdb", tsdb);
    storage.exemplarsMax().ifPresent(most -> keys.put("exemplars", Map.of("max_exemplars", most)));
    return keys;
  }

  private static void putMap(Map<String, Object> keys, String key, Map<String, Object> inner) {
    if (!inner.isEmpty()) {
      keys.put(key, inner);
    }
  }

  private static Map<String, Object> own(Config config) {
    Map<String, Object> own = new LinkedHashMap<>();
    if (config.scrapeConfigs().stream().anyMatch(ScrapeConfig::failOnBadLine)) {
      own.put("fail_on_bad_line", true);
    }
    config
        .storage()
        .seriesMax()
        .ifPresent(series -> own.put("storage", Map.of("series_max", series)));
    if (!config.slos().isEmpty()) {
      Map<String, Object> slos = new TreeMap<>();
      config.slos().forEach((model, slo) -> slos.put(model, slo(slo)));
      own.put("slos", slos);
    }
    if (!config.deployments().isEmpty()) {
      Map<String, Object> deployments = new TreeMap<>();
      config.deployments().forEach((model, one) -> deployments.put(model, deployment(one)));
      own.put("deployments", deployments);
    }
    if (!config.diagnosis().equals(DiagnosisConfig.DEFAULT)) {
      own.put("diagnosis", diagnosis(config.diagnosis()));
    }
    if (!config.dialects().isEmpty()) {
      own.put("dialects", config.dialects().stream().map(Path::toString).toList());
    }
    return own;
  }

  private static Map<String, Object> diagnosis(DiagnosisConfig diagnosis) {
    Map<String, Object> keys = new LinkedHashMap<>();
    keys.put("enabled", diagnosis.enabled());
    keys.put("interval", Durations.format(diagnosis.intervalMs()));
    keys.put("window", Durations.format(diagnosis.windowMs()));
    putMap(keys, "thresholds", new TreeMap<>(diagnosis.thresholds()));
    Map<String, Object> services = new TreeMap<>();
    diagnosis
        .services()
        .forEach(
            (service, values) ->
                services.put(service, Map.of("thresholds", new TreeMap<>(values))));
    putMap(keys, "services", services);
    return keys;
  }

  private static Map<String, Object> deployment(DeploymentConfig deployment) {
    Map<String, Object> keys = new LinkedHashMap<>();
    deployment.gpus().ifPresent(count -> keys.put("gpus", count));
    deployment.gpuType().ifPresent(type -> keys.put("gpu_type", type));
    deployment.gpuHourCost().ifPresent(cost -> keys.put("gpu_hour_cost", cost));
    deployment.maxNumSeqs().ifPresent(count -> keys.put("max_num_seqs", count));
    deployment.kvBytesPerToken().ifPresent(count -> keys.put("kv_bytes_per_token", count));
    return keys;
  }

  private static Map<String, Object> slo(SloConfig slo) {
    Map<String, Object> keys = new LinkedHashMap<>();
    putSeconds(keys, "ttft_p95", slo.ttftP95Seconds());
    putSeconds(keys, "tpot_p95", slo.tpotP95Seconds());
    putSeconds(keys, "e2e_p95", slo.e2eP95Seconds());
    slo.success().ifPresent(ratio -> keys.put("success", ratio));
    return keys;
  }

  private static void putSeconds(Map<String, Object> keys, String key, OptionalDouble seconds) {
    seconds.ifPresent(value -> keys.put(key, Durations.format(Math.round(value * 1000))));
  }

  private static void putDuration(Map<String, Object> keys, String key, OptionalLong ms) {
    ms.ifPresent(value -> keys.put(key, Durations.format(value)));
  }

  private static Map<String, Object> job(ScrapeConfig job) {
    Map<String, Object> keys = new LinkedHashMap<>();
    // The name must be unique; of pools that share the label job, each target has it by itself.
    keys.put("job_name", job.poolName());
    keys.put("scrape_interval", Durations.format(job.intervalMs()));
    keys.put("scrape_timeout", Durations.format(job.timeoutMs()));
    List<String> protocols = ScrapeReader.protocols(job.accept());
    if (!protocols.isEmpty()) {
      keys.put("scrape_protocols", protocols);
    }
    fallback(keys, job.fallback());
    histograms(keys, job.histograms());
    keys.put("scheme", job.scheme());
    keys.put("metrics_path", job.metricsPath());
    if (!job.params().isEmpty()) {
      keys.put("params", new TreeMap<>(job.params()));
    }
    keys.put("honor_labels", job.honorLabels());
    keys.put("honor_timestamps", job.honorTimestamps());
    keys.put("track_timestamps_staleness", job.trackTimestampsStaleness());
    keys.put("follow_redirects", job.followRedirects());
    keys.put("enable_compression", job.compression());
    auth(keys, job.auth());
    tls(keys, job.tls());
    limits(keys, job.limits());
    putRules(keys, "relabel_configs", job.relabelRules());
    putRules(keys, "metric_relabel_configs", job.metricRelabelRules());
    boolean sharesName = !job.jobName().equals(job.poolName());
    List<Object> groups = new ArrayList<>();
    job.targets().forEach(group -> groups.add(group(group, sharesName ? job.jobName() : "")));
    keys.put("static_configs", groups);
    return keys;
  }

  private static void fallback(Map<String, Object> keys, ScrapeConfig.Fallback fallback) {
    switch (fallback) {
      case NONE -> {}
      case TEXT -> keys.put("fallback_scrape_protocol", "PrometheusText0.0.4");
      case OPENMETRICS -> keys.put("fallback_scrape_protocol", "OpenMetricsText1.0.0");
      case PROTOBUF -> keys.put("fallback_scrape_protocol", "PrometheusProto");
    }
  }

  private static void histograms(Map<String, Object> keys, HistogramConfig histograms) {
    keys.put("scrape_native_histograms", histograms.scrapeNative());
    keys.put("always_scrape_classic_histograms", histograms.alwaysScrapeClassic());
    if (histograms.bucketLimit() > 0) {
      keys.put("native_histogram_bucket_limit", histograms.bucketLimit());
    }
    if (histograms.minBucketFactor() > 0) {
      keys.put("native_histogram_min_bucket_factor", histograms.minBucketFactor());
    }
  }

  private static void auth(Map<String, Object> keys, HttpAuth auth) {
    Map<String, Object> inner = new LinkedHashMap<>();
    switch (auth) {
      case HttpAuth.Anonymous _ -> {}
      case HttpAuth.Basic(Secret username, Secret password) -> {
        putSecret(inner, "username", username);
        putSecret(inner, "password", password);
        keys.put("basic_auth", inner);
      }
      case HttpAuth.Token(String scheme, Secret credentials) -> {
        inner.put("type", scheme);
        putSecret(inner, "credentials", credentials);
        keys.put("authorization", inner);
      }
    }
  }

  private static void putSecret(Map<String, Object> keys, String key, Secret secret) {
    switch (secret) {
      case Secret.Inline inline -> keys.put(key, inline.toString());
      case Secret.FromFile(var path) -> keys.put(key + "_file", path.toString());
    }
  }

  private static void tls(Map<String, Object> keys, TlsConfig tls) {
    if (tls.equals(TlsConfig.DEFAULT)) {
      return;
    }
    Map<String, Object> inner = new LinkedHashMap<>();
    if (tls.caFile() != null) {
      inner.put("ca_file", tls.caFile().toString());
    }
    if (!tls.serverName().isEmpty()) {
      inner.put("server_name", tls.serverName());
    }
    inner.put("insecure_skip_verify", tls.insecureSkipVerify());
    keys.put("tls_config", inner);
  }

  private static void limits(Map<String, Object> keys, ScrapeLimits limits) {
    if (limits.bodySize() > 0) {
      keys.put("body_size_limit", ByteSizes.format(limits.bodySize()));
    }
    putCount(keys, "sample_limit", limits.sample());
    putCount(keys, "label_limit", limits.label());
    putCount(keys, "label_name_length_limit", limits.labelNameLength());
    putCount(keys, "label_value_length_limit", limits.labelValueLength());
    putCount(keys, "target_limit", limits.target());
    putCount(keys, "keep_dropped_targets", limits.keepDroppedTargets());
  }

  private static void putCount(Map<String, Object> keys, String key, long count) {
    if (count > 0) {
      keys.put(key, count);
    }
  }

  private static void putRules(Map<String, Object> keys, String key, List<RelabelRule> rules) {
    if (!rules.isEmpty()) {
      keys.put(key, rules.stream().map(ConfigWriter::rule).toList());
    }
  }

  /** Defaults are left out: some actions refuse keys that they don't read. */
  private static Map<String, Object> rule(RelabelRule rule) {
    Map<String, Object> keys = new LinkedHashMap<>();
    if (!rule.sourceLabels().isEmpty()) {
      keys.put("source_labels", rule.sourceLabels());
    }
    putText(keys, "separator", rule.separator(), RelabelRule.DEFAULT_SEPARATOR);
    putText(keys, "regex", rule.regex(), RelabelRule.DEFAULT_REGEX);
    if (rule.modulus() != 0) {
      keys.put("modulus", new java.math.BigInteger(Long.toUnsignedString(rule.modulus())));
    }
    putText(keys, "target_label", rule.targetLabel(), "");
    putText(keys, "replacement", rule.replacement(), RelabelRule.DEFAULT_REPLACEMENT);
    keys.put("action", rule.action().name().toLowerCase(Locale.ROOT));
    return keys;
  }

  private static void putText(
      Map<String, Object> keys, String key, String text, String defaultText) {
    if (!text.equals(defaultText)) {
      keys.put(key, text);
    }
  }

  private static Map<String, Object> group(TargetGroup group, String job) {
    Map<String, Object> keys = new LinkedHashMap<>();
    keys.put("targets", group.addresses());
    Map<String, String> labels = new TreeMap<>(group.labels());
    if (!job.isEmpty()) {
      labels.putIfAbsent("job", job);
    }
    if (!labels.isEmpty()) {
      keys.put("labels", labels);
    }
    return keys;
  }

  private static String yaml(Map<String, ?> root) {
    StringWriter text = new StringWriter();
    try (JsonGenerator generator = YAML.createGenerator(text)) {
      write(generator, root);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  private static void write(JsonGenerator generator, Object value) throws IOException {
    switch (value) {
      case Map<?, ?> map -> {
        generator.writeStartObject();
        for (var entry : map.entrySet()) {
          generator.writeFieldName(entry.getKey().toString());
          write(generator, entry.getValue());
        }
        generator.writeEndObject();
      }
      case List<?> list -> {
        generator.writeStartArray();
        for (Object item : list) {
          write(generator, item);
        }
        generator.writeEndArray();
      }
      case Boolean flag -> generator.writeBoolean(flag);
      case Number number -> generator.writeNumber(number.toString());
      default -> generator.writeString(value.toString());
    }
  }
}
