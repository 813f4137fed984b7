package org.inferometer.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads {@code scrape_configs}. */
final class ScrapeReader {
  /** Protocols by their names in the config, and what each is in an {@code Accept} header. */
  private static final Map<String, String> PROTOCOLS =
      Map.of(
          "PrometheusProto",
              "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily"
                  + ";encoding=delimited",
          "OpenMetricsText1.0.0", "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8",
          "OpenMetricsText0.0.1", "application/openmetrics-text;version=0.0.1",
          "PrometheusText1.0.0", "text/plain;version=1.0.0;escaping=allow-utf-8",
          "PrometheusText0.0.4", "text/plain;version=0.0.4");

  private static final List<String> TEXT_PROTOCOLS =
      List.of(
          "OpenMetricsText1.0.0",
          "OpenMetricsText0.0.1",
          "PrometheusText1.0.0",
          "PrometheusText0.0.4");

  /** Where native histograms are wanted. */
  static final String PROTOBUF_FIRST =
      acceptOf(
          List.of(
              "PrometheusProto",
              "OpenMetricsText1.0.0",
              "OpenMetricsText0.0.1",
              "PrometheusText1.0.0",
              "PrometheusText0.0.4"));

  private static final List<String> DISCOVERIES =
      List.of(
          "file_sd_configs",
          "http_sd_configs",
          "dns_sd_configs",
          "consul_sd_configs",
          "kubernetes_sd_configs",
          "aws_sd_configs",
          "azure_sd_configs",
          "digitalocean_sd_configs",
          "docker_sd_configs",
          "dockerswarm_sd_configs",
          "ec2_sd_configs",
          "eureka_sd_configs",
          "gce_sd_configs",
          "hetzner_sd_configs",
          "ionos_sd_configs",
          "kuma_sd_configs",
          "lightsail_sd_configs",
          "linode_sd_configs",
          "marathon_sd_configs",
          "nerve_sd_configs",
          "nomad_sd_configs",
          "openstack_sd_configs",
          "oci_sd_configs",
          "outscale_sd_configs",
          "ovhcloud_sd_configs",
          "puppetdb_sd_configs",
          "scaleway_sd_configs",
          "serverset_sd_configs",
          "stackit_sd_configs",
          "triton_sd_configs",
          "uyuni_sd_configs",
          "vultr_sd_configs");

  private final GlobalReader global;
  private final boolean failOnBadLine;
  private final HttpReader http;

  ScrapeReader(GlobalReader global, boolean failOnBadLine, Path folder) {
    this.global = global;
    this.failOnBadLine = failOnBadLine;
    this.http = new HttpReader(folder);
  }

  List<ScrapeConfig> read(List<Section> jobs) {
    List<ScrapeConfig> configs = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Section job : jobs) {
      String name = job.text("job_name", "");
      job.require("job_name");
      if (!name.isEmpty() && !names.add(name)) {
        job.expected("job_name", "a job_name that no other job has");
      }
      configs.add(job(job, name));
    }
    return configs;
  }

  private ScrapeConfig job(Section job, String name) {
    long interval =
        job.durationMs("scrape_interval").filter(ms -> ms > 0).orElse(global.intervalMs);
    job.unsupported(DISCOVERIES);
    common(job);
    HistogramConfig histograms = histograms(job, global.histograms);
    job.withoutEffect("enable_http2", "targets are asked by HTTP/1.1");
    ScrapeConfig config =
        new ScrapeConfig(
            name,
            name,
            interval,
            timeout(job, interval),
            job.choice("scheme", "http", List.of("http", "https")),
            job.text("metrics_path", "/metrics"),
            List.of(),
            job.stringListMap("params"),
            job.bool("honor_labels", false),
            job.bool("honor_timestamps", true),
            job.bool("track_timestamps_staleness", false),
            job.bool("follow_redirects", true),
            accept(protocols(job), histograms),
            histograms,
            fallback(job),
            job.bool("enable_compression", true),
            failOnBadLine,
            false,
            http.auth(job),
            http.tls(job.section("tls_config")),
            limits(job, global.limits),
            targets(job),
            RelabelReader.read(job.sections("relabel_configs")),
            RelabelReader.read(job.sections("metric_relabel_configs")));
    job.finish();
    return config;
  }

  private long timeout(Section job, long interval) {
    Optional<Long> timeout = job.durationMs("scrape_timeout").filter(ms -> ms > 0);
    if (timeout.isPresent() && timeout.get() > interval) {
      job.expected(
          "scrape_timeout",
          "a scrape_timeout of at most the scrape_interval, " + Durations.format(interval));
    }
    return timeout.orElse(Math.min(global.timeoutMs, interval));
  }

  /** Keys that a job and {@code global} both have, and that aren't done or do nothing. */
  static void common(Section section) {
    section.unsupported("scrape_failure_log_file");
    section.unsupportedIfOn("convert_classic_histograms_to_nhcb");
    onlyDefault(section, "metric_name_validation_scheme", "utf8");
    onlyDefault(section, "metric_name_escaping_scheme", "allow-utf-8");
  }

  private static void onlyDefault(Section section, String key, String supported) {
    String value = section.text(key, "");
    if (!value.isEmpty() && !value.equals(supported)) {
      section.problem(
          key, "found \"" + key + ": " + value + "\"; only " + supported + " is supported yet");
    }
  }

  static ScrapeLimits limits(Section section, ScrapeLimits base) {
    return new ScrapeLimits(
        section.bytes("body_size_limit").filter(n -> n > 0).orElse(base.bodySize()),
        limit(section, "sample_limit", base.sample()),
        limit(section, "label_limit", base.label()),
        limit(section, "label_name_length_limit", base.labelNameLength()),
        limit(section, "label_value_length_limit", base.labelValueLength()),
        limit(section, "target_limit", base.target()),
        limit(section, "keep_dropped_targets", base.keepDroppedTargets()));
  }

  private static long limit(Section section, String key, long base) {
    return section.count(key).filter(n -> n > 0).orElse(base);
  }

  static HistogramConfig histograms(Section section, HistogramConfig base) {
    boolean classicBefore3 = section.bool("scrape_classic_histograms", base.alwaysScrapeClassic());
    return new HistogramConfig(
        section.bool("scrape_native_histograms", base.scrapeNative()),
        section.bool("always_scrape_classic_histograms", classicBefore3),
        limit(section, "native_histogram_bucket_limit", base.bucketLimit()),
        section
            .number("native_histogram_min_bucket_factor")
            .filter(factor -> factor > 0)
            .orElse(base.minBucketFactor()));
  }

  /** The protocols to ask for, in their order; empty if nothing is said. */
  static List<String> protocols(Section section) {
    List<String> protocols = section.strings("scrape_protocols");
    for (String protocol : protocols) {
      if (!PROTOCOLS.containsKey(protocol)) {
        section.expected(
            "scrape_protocols",
            "protocols of "
                + String.join(", ", PROTOCOLS.keySet().stream().sorted().toList())
                + ", not "
                + protocol);
        return List.of();
      }
    }
    return protocols;
  }

  /** What the job says, else what {@code global} says, else what can bring the histograms. */
  private String accept(List<String> protocols, HistogramConfig histograms) {
    if (!protocols.isEmpty()) {
      return acceptOf(protocols);
    }
    if (!global.protocols.isEmpty()) {
      return acceptOf(global.protocols);
    }
    return histograms.scrapeNative() ? PROTOBUF_FIRST : acceptOf(TEXT_PROTOCOLS);
  }

  /** Weights fall from 0.6; anything at all comes last. */
  private static String acceptOf(List<String> protocols) {
    StringBuilder header = new StringBuilder();
    int weight = 6;
    for (String protocol : protocols) {
      String media = PROTOCOLS.getOrDefault(protocol, "");
      if (weight > 1) {
        header.append(media).append(";q=0.").append(weight--).append(',');
      }
    }
    return header.append("*/*;q=0.").append(weight).toString();
  }

  /** The protocols that such a header asks for, in its order. */
  static List<String> protocols(String accept) {
    return PROTOCOLS.entrySet().stream()
        .filter(protocol -> !protocol.getValue().isEmpty())
        .filter(protocol -> accept.contains(protocol.getValue() + ";q="))
        .sorted(Comparator.comparingInt(protocol -> accept.indexOf(protocol.getValue() + ";q=")))
        .map(Map.Entry::getKey)
        .toList();
  }

  private static ScrapeConfig.Fallback fallback(Section job) {
    String word =
        job.choice("fallback_scrape_protocol", "", PROTOCOLS.keySet().stream().sorted().toList());
    return word.startsWith("OpenMetrics")
        ? ScrapeConfig.Fallback.OPENMETRICS
        : word.startsWith("PrometheusText")
            ? ScrapeConfig.Fallback.TEXT
            : word.isEmpty() ? ScrapeConfig.Fallback.NONE : ScrapeConfig.Fallback.PROTOBUF;
  }

  private static List<TargetGroup> targets(Section job) {
    List<TargetGroup> groups = new ArrayList<>();
    for (Section group : job.sections("static_configs")) {
      List<String> addresses = group.strings("targets");
      for (String address : addresses) {
        if (address.isEmpty() || address.contains("/")) {
          group.problem(
              "targets",
              "found the target \""
                  + Urls.withoutUser(address)
                  + "\", expected host:port without scheme and path; "
                  + "those are scheme and metrics_path of the job");
        }
      }
      groups.add(new TargetGroup(addresses, labels(group)));
      group.finish();
    }
    return groups;
  }

  private static Map<String, String> labels(Section group) {
    Map<String, String> labels = group.stringMap("labels");
    if (labels.containsKey("")) {
      group.problem("labels", "found an empty label name, expected a name");
    }
    return labels;
  }
}
