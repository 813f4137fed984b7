package org.inferometer.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What a config file says.
 *
 * @param externalLabels of everything that leaves this server
 * @param evaluationIntervalMs from evaluation to evaluation of rules
 * @param slos by model; {@code *} is for models that aren't named
 * @param deployments by model, like slos
 * @param diagnosis how causes are looked for
 * @param dialects files that say how engines expose signals, added to the built-in ones
 * @param notes what was read and has no effect, each with its place, to be logged
 */
public record Config(
    Map<String, String> externalLabels,
    long evaluationIntervalMs,
    List<ScrapeConfig> scrapeConfigs,
    StorageConfig storage,
    Map<String, SloConfig> slos,
    Map<String, DeploymentConfig> deployments,
    DiagnosisConfig diagnosis,
    List<Path> dialects,
    List<Problem> notes) {
  public Config {
    externalLabels = Map.copyOf(externalLabels);
    scrapeConfigs = List.copyOf(scrapeConfigs);
    slos = Map.copyOf(slos);
    deployments = Map.copyOf(deployments);
    dialects = List.copyOf(dialects);
    notes = List.copyOf(notes);
  }

  /** The same with other jobs. */
  public Config withScrapeConfigs(List<ScrapeConfig> others) {
    return new Config(
        externalLabels,
        evaluationIntervalMs,
        others,
        storage,
        slos,
        deployments,
        diagnosis,
        dialects,
        notes);
  }
}
