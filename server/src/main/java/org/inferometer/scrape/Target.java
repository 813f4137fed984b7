package org.inferometer.scrape;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.inferometer.config.Durations;
import org.inferometer.config.ScrapeConfig;
import org.inferometer.model.Labels;
import org.jspecify.annotations.Nullable;

/**
 * One endpoint to scrape, after relabeling.
 *
 * @param config without the targets and the rules that made it
 * @param discovered the labels before relabeling
 * @param labels what every series of it gets
 */
record Target(
    ScrapeConfig config,
    Labels discovered,
    Labels labels,
    TargetUrl url,
    long intervalMs,
    long timeoutMs) {
  private static final String PARAM = "__param_";

  /** A target that isn't scraped, and why. */
  record Dropped(Labels discovered, String reason) {}

  /** The targets of a job. */
  record Found(List<Target> targets, List<Dropped> dropped) {}

  /** What stays the same while a target's settings may change. */
  record Key(Labels labels, TargetUrl url) {}

  Key key() {
    return new Key(labels, url);
  }

  /** The targets of all groups of a job, each once. */
  static Found of(ScrapeConfig config) {
    Relabeling relabeling = new Relabeling(config.relabelRules());
    ScrapeConfig settings = config.withoutTargets();
    TreeMap<String, Target> targets = new TreeMap<>();
    List<Dropped> dropped = new ArrayList<>();
    for (var group : config.targets()) {
      for (String address : group.addresses()) {
        Labels discovered = discovered(config, address, group.labels());
        try {
          Target target = of(settings, discovered, relabeling.apply(discovered));
          if (target == null) {
            dropped.add(new Dropped(discovered, "dropped by relabel_configs"));
          } else {
            targets.putIfAbsent(target.labels + " " + target.url, target);
          }
        } catch (IllegalArgumentException e) {
          dropped.add(new Dropped(discovered, String.valueOf(e.getMessage())));
        }
      }
    }
    return new Found(List.copyOf(targets.values()), dropped);
  }

  private static Labels discovered(
      ScrapeConfig config, String address, java.util.Map<String, String> groupLabels) {
    Labels.Builder labels = new Labels.Builder();
    groupLabels.forEach(labels::set);
    labels.set("__address__", address);
    setIfAbsent(labels, "job", config.jobName());
    setIfAbsent(labels, "__scrape_interval__", Durations.format(config.intervalMs()));
    setIfAbsent(labels, "__scrape_timeout__", Durations.format(config.timeoutMs()));
    setIfAbsent(labels, "__metrics_path__", config.metricsPath());
    setIfAbsent(labels, "__scheme__", config.scheme());
    config
        .params()
        .forEach(
            (name, values) -> {
              if (!values.isEmpty()) {
                setIfAbsent(labels, PARAM + name, values.getFirst());
              }
            });
    return labels.build();
  }

  private static void setIfAbsent(Labels.Builder labels, String name, String value) {
    if (labels.get(name).isEmpty()) {
      labels.set(name, value);
    }
  }

  private static @Nullable Target of(
      ScrapeConfig config, Labels discovered, @Nullable Labels relabeled) {
    if (relabeled == null) {
      return null;
    }
    String address = relabeled.get("__address__");
    if (address.isEmpty()) {
      throw new IllegalArgumentException("no address");
    }
    long interval = duration(relabeled, "__scrape_interval__");
    long timeout = duration(relabeled, "__scrape_timeout__");
    if (timeout > interval) {
      throw new IllegalArgumentException("the scrape timeout is longer than the scrape interval");
    }
    TargetUrl url =
        TargetUrl.of(
            relabeled.get("__scheme__"),
            address,
            relabeled.get("__metrics_path__"),
            params(config, relabeled));
    return new Target(config, discovered, visible(relabeled, address), url, interval, timeout);
  }

  private static Labels visible(Labels relabeled, String address) {
    Labels.Builder labels = new Labels.Builder();
    relabeled.forEach(
        (name, value) -> {
          if (!name.startsWith("__")) {
            labels.set(name, value);
          }
        });
    setIfAbsent(labels, "instance", address);
    return labels.build();
  }

  private static long duration(Labels labels, String name) {
    long ms;
    try {
      ms = Durations.parseMs(labels.get(name));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "found \"" + labels.get(name) + "\" as " + name + ", expected " + e.getMessage(), e);
    }
    if (ms == 0) {
      throw new IllegalArgumentException(name + " is 0");
    }
    return ms;
  }

  private static TreeMap<String, List<String>> params(ScrapeConfig config, Labels relabeled) {
    TreeMap<String, List<String>> params = new TreeMap<>();
    config.params().forEach((name, values) -> params.put(name, new ArrayList<>(values)));
    relabeled.forEach(
        (label, value) -> {
          if (label.startsWith(PARAM)) {
            List<String> values =
                params.computeIfAbsent(label.substring(PARAM.length()), n -> new ArrayList<>());
            if (values.isEmpty()) {
              values.add(value);
            } else {
              values.set(0, value);
            }
          }
        });
    return params;
  }

  /** Where in the interval it is scraped, in nanoseconds: spread by a hash, the same each time. */
  long offsetNanos() {
    long hash = 0xcbf29ce484222325L;
    for (byte b : (labels + " " + url).getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (b & 0xff)) * 0x100000001b3L;
    }
    return Long.remainderUnsigned(hash ^ (hash >>> 29), intervalMs * 1_000_000);
  }

  /** Nanoseconds from a time of day until its next place in the interval. */
  long untilNextScrapeNanos(long nowMs) {
    long interval = intervalMs * 1_000_000;
    long into = Math.floorMod(nowMs, intervalMs) * 1_000_000;
    return Math.floorMod(offsetNanos() - into, interval);
  }
}
