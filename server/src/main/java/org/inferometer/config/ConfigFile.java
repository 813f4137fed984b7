package org.inferometer.config;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code inferometer.yml}: the keys of {@code prometheus.yml} in their meaning there, and
 * {@code inferometer} for our own. What isn't supported is refused by name, what has no effect is
 * noted. Source: prometheus/prometheus, {@code docs/configuration/configuration.md}.
 */
public final class ConfigFile {
  /** The longest config file; 10,000 targets with labels take 1 MB. */
  public static final int BYTES_MAX = 4 * 1024 * 1024;

  /** Prometheus's default of {@code scrape_interval}. */
  public static final long INTERVAL_MS = 60_000;

  /** Prometheus's default of {@code scrape_timeout}. */
  public static final long TIMEOUT_MS = 10_000;

  private static final long EXEMPLARS_MOST = 10_000_000;

  private static final List<String> UNSUPPORTED =
      List.of(
          "rule_files",
          "alerting",
          "remote_write",
          "remote_read",
          "scrape_config_files",
          "otlp",
          "tracing");

  private final Problems problems;
  private final Problems notes;
  private final Path folder;
  private final @Nullable Collection<String> thresholds;

  private ConfigFile(String name, Path folder, @Nullable Collection<String> thresholds) {
    this.thresholds = thresholds;
    this.problems = new Problems(name);
    this.notes = new Problems(name);
    this.folder = folder;
  }

  /**
   * Reads a file. Paths in it are relative to its folder.
   *
   * @param thresholds the names of all thresholds of the diagnosis; others are refused
   * @throws IOException if it can't be read at all
   * @throws ConfigException with everything that is wrong in it
   */
  public static Config load(Path file, Collection<String> thresholds)
      throws IOException, ConfigException {
    try (var in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(BYTES_MAX + 1);
      Path folder = file.toAbsolutePath().getParent();
      return parse(
          file.toString(), bytes, folder == null ? Path.of("") : folder, List.copyOf(thresholds));
    }
  }

  /**
   * Reads the bytes of a file; thresholds of the diagnosis may have any name.
   *
   * @param name of the file, in messages
   * @param folder that paths are relative to
   */
  public static Config parse(String name, byte[] bytes, Path folder) throws ConfigException {
    return parse(name, bytes, folder, null);
  }

  private static Config parse(
      String name, byte[] bytes, Path folder, @Nullable Collection<String> thresholds)
      throws ConfigException {
    ConfigFile file = new ConfigFile(name, folder, thresholds);
    Config config = file.read(bytes);
    if (!file.problems.isEmpty()) {
      throw new ConfigException(file.problems.list());
    }
    return config;
  }

  private Config read(byte[] bytes) throws ConfigException {
    YamlNode root = bytes.length > BYTES_MAX ? tooLong() : YamlReader.read(text(bytes), problems);
    if (root == null) {
      throw new ConfigException(problems.list());
    }
    Section top = new Section(root, "", problems, notes);
    top.unsupported(UNSUPPORTED);
    Section runtime = top.section("runtime");
    runtime.withoutEffect("gogc", "it tunes Go's memory");
    runtime.finish();
    GlobalReader global = new GlobalReader(top.section("global"));
    StorageConfig prometheusStorage = storage(top.section("storage"));
    Section own = top.section("inferometer");
    boolean failOnBadLine = own.bool("fail_on_bad_line", false);
    StorageConfig storage = ownStorage(own.section("storage"), prometheusStorage);
    Map<String, SloConfig> slos = slos(own);
    Map<String, DeploymentConfig> deployments = deployments(own);
    DiagnosisConfig diagnosis = new DiagnosisReader(thresholds).read(own.section("diagnosis"));
    List<Path> dialects = dialects(own);
    own.finish();
    List<ScrapeConfig> jobs =
        new ScrapeReader(global, failOnBadLine, folder).read(top.sections("scrape_configs"));
    top.finish();
    return new Config(
        global.externalLabels,
        global.evaluationIntervalMs,
        jobs,
        storage,
        slos,
        deployments,
        diagnosis,
        dialects,
        notes.list());
  }

  private YamlNode tooLong() throws ConfigException {
    problems.add(1, 1, "found more than " + ByteSizes.format(BYTES_MAX) + ", expected less");
    throw new ConfigException(problems.list());
  }

  private String text(byte[] bytes) throws ConfigException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      problems.add(1, 1, "found bytes that aren't UTF-8, expected UTF-8");
      throw new ConfigException(problems.list());
    }
  }

  private StorageConfig storage(Section storage) {
    Section tsdb = storage.section("tsdb");
    Section retention = tsdb.section("retention");
    OptionalLong time = optional(retention.durationMs("time"));
    OptionalLong size = optional(retention.bytes("size"));
    retention.unsupported("percentage");
    retention.finish();
    OptionalLong outOfOrder = optional(tsdb.durationMs("out_of_order_time_window"));
    tsdb.unsupported("stale_series_compaction_threshold");
    tsdb.finish();
    Section exemplars = storage.section("exemplars");
    OptionalLong exemplarsMax = exemplarsMax(exemplars);
    exemplars.finish();
    storage.finish();
    return new StorageConfig(time, size, outOfOrder, OptionalLong.empty(), exemplarsMax);
  }

  /** They lie in memory, so there is a most. */
  private static OptionalLong exemplarsMax(Section exemplars) {
    OptionalLong most = optional(exemplars.count("max_exemplars"));
    if (most.isPresent() && most.getAsLong() > EXEMPLARS_MOST) {
      exemplars.expected(
          "max_exemplars", "a whole number up to " + EXEMPLARS_MOST + " for max_exemplars");
    }
    return most;
  }

  private static OptionalLong optional(Optional<Long> value) {
    return value.map(OptionalLong::of).orElse(OptionalLong.empty());
  }

  private static StorageConfig ownStorage(Section section, StorageConfig base) {
    OptionalLong series = optional(section.count("series_max"));
    section.finish();
    return base.withSeriesMax(series);
  }

  private static Map<String, SloConfig> slos(Section own) {
    Map<String, SloConfig> slos = new LinkedHashMap<>();
    own.named("slos").forEach((model, section) -> slos.put(model, slo(section)));
    return slos;
  }

  private static SloConfig slo(Section section) {
    SloConfig slo =
        new SloConfig(
            seconds(section, "ttft_p95"),
            seconds(section, "tpot_p95"),
            seconds(section, "e2e_p95"),
            section.ratio("success").map(OptionalDouble::of).orElse(OptionalDouble.empty()));
    section.finish();
    return slo;
  }

  private static Map<String, DeploymentConfig> deployments(Section own) {
    Map<String, DeploymentConfig> deployments = new LinkedHashMap<>();
    own.named("deployments")
        .forEach((model, section) -> deployments.put(model, deployment(section)));
    return deployments;
  }

  private static DeploymentConfig deployment(Section section) {
    DeploymentConfig deployment =
        new DeploymentConfig(
            positive(section, "gpus"),
            section.text("gpu_type").filter(text -> !text.isEmpty()),
            section.number("gpu_hour_cost").map(OptionalDouble::of).orElse(OptionalDouble.empty()),
            positive(section, "max_num_seqs"),
            positive(section, "kv_bytes_per_token"));
    section.finish();
    return deployment;
  }

  private static OptionalLong positive(Section section, String key) {
    OptionalLong count = optional(section.count(key));
    if (count.isPresent() && count.getAsLong() == 0) {
      section.expected(key, "a whole number from 1 on for " + key);
    }
    return count;
  }

  private List<Path> dialects(Section own) {
    List<Path> paths = new ArrayList<>();
    for (String text : own.strings("dialects")) {
      if (text.isEmpty()) {
        own.expected("dialects", "paths to dialect files in dialects");
      } else {
        paths.add(folder.resolve(text));
      }
    }
    return paths;
  }

  private static OptionalDouble seconds(Section section, String key) {
    OptionalLong ms = optional(section.durationMs(key));
    if (ms.isPresent() && ms.getAsLong() == 0) {
      section.expected(key, "a duration above 0 for " + key);
    }
    return ms.isPresent() ? OptionalDouble.of(ms.getAsLong() / 1000.0) : OptionalDouble.empty();
  }
}
