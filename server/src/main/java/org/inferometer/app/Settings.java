package org.inferometer.app;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.inferometer.config.Config;
import org.inferometer.config.ConfigException;
import org.inferometer.config.ConfigFile;
import org.inferometer.config.DeploymentConfig;
import org.inferometer.config.DiagnosisConfig;
import org.inferometer.config.Problem;
import org.inferometer.config.ScrapeConfig;
import org.inferometer.config.SloConfig;
import org.inferometer.config.StorageConfig;
import org.inferometer.config.Urls;
import org.inferometer.diagnosis.threshold.ThresholdSource;
import org.inferometer.hardware.Hardware;
import org.inferometer.signals.Catalogue;
import org.inferometer.signals.Fact;
import org.jspecify.annotations.Nullable;

/**
 * What the config file and the URLs of the command line ask for together.
 *
 * @param goals by model, then by signal; the model {@code *} is any other
 * @param facts by model, then by key; the model {@code *} is any other
 * @param thresholds by which causes are judged
 * @param dialects the user's dialect files
 * @param notes what was read and has no effect
 * @param config all of it as one config file would say it
 */
record Settings(
    List<ScrapeConfig> scrapes,
    StorageConfig storage,
    Map<String, Map<String, Double>> goals,
    Map<String, Map<String, Double>> facts,
    ThresholdSource thresholds,
    List<Catalogue.OwnFile> dialects,
    List<String> notes,
    Config config) {
  Settings {
    scrapes = List.copyOf(scrapes);
    goals = Map.copyOf(goals);
    facts = Map.copyOf(facts);
    dialects = List.copyOf(dialects);
    notes = List.copyOf(notes);
  }

  /**
   * @throws CommandException with all that is wrong, a line each
   */
  static Settings load(List<String> urls, @Nullable Path configFile) {
    Map<String, ScrapeConfig> scrapes = new LinkedHashMap<>();
    for (ScrapeConfig scrape : scrapes(urls)) {
      // The same URL twice is one target.
      scrapes.putIfAbsent(scrape.poolName(), scrape);
    }
    List<ScrapeConfig> plain = Urls.distinct(scrapes.values());
    if (configFile == null) {
      Config config =
          new Config(
              Map.of(),
              ConfigFile.INTERVAL_MS,
              plain,
              StorageConfig.DEFAULT,
              Map.of(),
              Map.of(),
              DiagnosisConfig.DEFAULT,
              List.of(),
              List.of());
      return new Settings(
          plain,
          StorageConfig.DEFAULT,
          Map.of(),
          Map.of(),
          ThresholdSource.BUILT_IN,
          List.of(),
          List.of(),
          config);
    }
    Config config = read(configFile);
    List<ScrapeConfig> all = new ArrayList<>(plain);
    all.addAll(config.scrapeConfigs());
    Map<String, Map<String, Double>> goals = new LinkedHashMap<>();
    config.slos().forEach((model, slo) -> goals.put(model, goals(slo)));
    Map<String, Map<String, Double>> facts = new LinkedHashMap<>();
    config.deployments().forEach((model, one) -> facts.put(model, facts(configFile, model, one)));
    return new Settings(
        all,
        config.storage(),
        goals,
        facts,
        OwnThresholds.of(config.diagnosis()),
        DialectFiles.read(config.dialects()),
        config.notes().stream().map(Problem::toString).toList(),
        config.withScrapeConfigs(all));
  }

  private static List<ScrapeConfig> scrapes(List<String> urls) {
    List<ScrapeConfig> scrapes = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    for (String url : urls) {
      try {
        scrapes.add(Urls.scrapeConfig(url));
      } catch (IllegalArgumentException e) {
        problems.add(String.valueOf(e.getMessage()));
      }
    }
    if (!problems.isEmpty()) {
      throw CommandException.badInput(String.join("\n", problems));
    }
    return scrapes;
  }

  private static Config read(Path file) {
    try {
      return ConfigFile.load(file, OwnThresholds.names());
    } catch (ConfigException e) {
      throw CommandException.badInput(String.valueOf(e.getMessage()));
    } catch (NoSuchFileException e) {
      throw CommandException.badInput(file + ": no such file");
    } catch (IOException e) {
      throw CommandException.badInput(file + ": can't be read: " + e.getMessage());
    }
  }

  private static Map<String, Double> goals(SloConfig slo) {
    Map<String, Double> goals = new LinkedHashMap<>();
    put(goals, "ttft_p95", slo.ttftP95Seconds());
    put(goals, "tpot_p95", slo.tpotP95Seconds());
    put(goals, "e2e_p95", slo.e2eP95Seconds());
    slo.success().ifPresent(share -> goals.put("error_share", 1 - share));
    return goals;
  }

  private static void put(Map<String, Double> goals, String signal, OptionalDouble goal) {
    goal.ifPresent(value -> goals.put(signal, value));
  }

  private static Map<String, Double> facts(Path file, String model, DeploymentConfig deployment) {
    Map<String, Double> facts = new LinkedHashMap<>();
    put(facts, Fact.GPUS, deployment.gpus());
    deployment.gpuHourCost().ifPresent(cost -> facts.put(Fact.GPU_HOUR_COST.key(), cost));
    put(facts, Fact.KV_BYTES_PER_TOKEN, deployment.kvBytesPerToken());
    put(facts, Fact.MAX_NUM_SEQS, deployment.maxNumSeqs());
    deployment.gpuType().ifPresent(type -> putPeaks(facts, file, model, type));
    return facts;
  }

  private static void putPeaks(Map<String, Double> facts, Path file, String model, String type) {
    Hardware hardware = Hardware.builtIn();
    Hardware.Gpu gpu = hardware.find(type);
    if (gpu == null) {
      List<String> known = hardware.gpus().stream().map(Hardware.Gpu::id).toList();
      throw CommandException.badInput(
          file
              + ": found the gpu_type \""
              + type
              + "\" of "
              + model
              + ", expected one of "
              + String.join(", ", known));
    }
    if (gpu.bf16Flops() != null) {
      facts.put(Fact.PEAK_FLOPS.key(), gpu.bf16Flops());
    }
    if (gpu.bandwidth() != null) {
      facts.put(Fact.PEAK_MEMORY_BANDWIDTH.key(), gpu.bandwidth());
    }
  }

  private static void put(Map<String, Double> facts, Fact fact, OptionalLong value) {
    value.ifPresent(count -> facts.put(fact.key(), (double) count));
  }

  /** The values that signals of a service should stay below. */
  Map<String, Double> goalsOf(@Nullable String model) {
    return goalsOf(goals, model);
  }

  static Map<String, Double> goalsOf(
      Map<String, Map<String, Double>> goals, @Nullable String model) {
    Map<String, Double> any = goals.getOrDefault("*", Map.of());
    return model == null ? any : goals.getOrDefault(model, any);
  }

  /** What was told of the deployment of a model, or else of any. */
  Map<String, Double> factsOf(@Nullable String model) {
    return factsOf(facts, model);
  }

  static Map<String, Double> factsOf(
      Map<String, Map<String, Double>> facts, @Nullable String model) {
    Map<String, Double> told = new LinkedHashMap<>(facts.getOrDefault("*", Map.of()));
    if (model != null) {
      told.putAll(facts.getOrDefault(model, Map.of()));
    }
    return told;
  }
}
