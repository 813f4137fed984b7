package org.inferometer.config;

import java.util.List;
import java.util.Map;

/**
 * How the targets of a job are found and scraped. Named as in Prometheus; the defaults of a config
 * file are Prometheus's too.
 *
 * @param poolName what it is called in lists of targets; unique
 * @param jobName the label {@code job}
 * @param intervalMs from scrape to scrape
 * @param timeoutMs from connecting to the last byte
 * @param probePaths paths to try in order if the one that worked last doesn't; empty if only {@code
 *     metricsPath} is meant
 * @param params of the query, names sorted
 * @param followRedirects whether a redirect within the host is followed
 * @param accept the {@code Accept} header
 * @param histograms which are taken, and how fine
 * @param fallback the format of a body that doesn't say a known one
 * @param compression whether gzip is asked for
 * @param failOnBadLine whether one line that can't be read costs the whole scrape, as in Prometheus
 * @param firstScrapeAtOnce whether the first scrape doesn't wait for its place in the interval
 */
public record ScrapeConfig(
    String poolName,
    String jobName,
    long intervalMs,
    long timeoutMs,
    String scheme,
    String metricsPath,
    List<String> probePaths,
    Map<String, List<String>> params,
    boolean honorLabels,
    boolean honorTimestamps,
    boolean trackTimestampsStaleness,
    boolean followRedirects,
    String accept,
    HistogramConfig histograms,
    Fallback fallback,
    boolean compression,
    boolean failOnBadLine,
    boolean firstScrapeAtOnce,
    HttpAuth auth,
    TlsConfig tls,
    ScrapeLimits limits,
    List<TargetGroup> targets,
    List<RelabelRule> relabelRules,
    List<RelabelRule> metricRelabelRules) {

  /** The format of a body that doesn't say a known one. */
  public enum Fallback {
    /** Such a scrape fails. */
    NONE,
    TEXT,
    OPENMETRICS,
    PROTOBUF
  }

  public ScrapeConfig {
    probePaths = List.copyOf(probePaths);
    params = Map.copyOf(params);
    targets = List.copyOf(targets);
    relabelRules = List.copyOf(relabelRules);
    metricRelabelRules = List.copyOf(metricRelabelRules);
  }

  /** How targets are scraped, without which they are. */
  public ScrapeConfig withoutTargets() {
    return with(List.of(), List.of());
  }

  /** The same for other targets. */
  public ScrapeConfig withTargets(List<TargetGroup> others) {
    return with(others, relabelRules);
  }

  /** The same with labels of pages above those of the target, or below. */
  public ScrapeConfig withHonorLabels(boolean honor) {
    return with(targets, relabelRules, honor);
  }

  private ScrapeConfig with(List<TargetGroup> groups, List<RelabelRule> rules) {
    return with(groups, rules, honorLabels);
  }

  private ScrapeConfig with(List<TargetGroup> groups, List<RelabelRule> rules, boolean honor) {
    return new ScrapeConfig(
        poolName,
        jobName,
        intervalMs,
        timeoutMs,
        scheme,
        metricsPath,
        probePaths,
        params,
        honor,
        honorTimestamps,
        trackTimestampsStaleness,
        followRedirects,
        accept,
        histograms,
        fallback,
        compression,
        failOnBadLine,
        firstScrapeAtOnce,
        auth,
        tls,
        limits,
        groups,
        rules,
        metricRelabelRules);
  }
}
