package org.inferometer.diagnosis.retold;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.inferometer.diagnosis.Report;
import org.inferometer.diagnosis.SeriesDiagnosis;
import org.inferometer.model.Labels;
import org.inferometer.query.QueryException;
import org.inferometer.store.MemorySeries;

/**
 * Series as a scraper would have stored them while what a report tells went on. Values are set on
 * the parts, then time is let pass, then others are set.
 */
final class RetoldSeries {
  private static final long START_MS = 1_790_000_000_000L;
  private static final long INTERVAL_MS = 15_000;

  private final MemorySeries series = new MemorySeries();
  private final List<RetoldEngine> engines = new ArrayList<>();
  private final List<RetoldGpu> gpus = new ArrayList<>();
  private final List<RetoldHost> hosts = new ArrayList<>();
  private final List<RetoldEdge> edges = new ArrayList<>();
  private long nowMs = START_MS;

  RetoldEngine engine(String name, String model) {
    RetoldEngine engine = new RetoldEngine(name, model);
    engine.startedMs = START_MS - 86_400_000.0;
    engines.add(engine);
    return engine;
  }

  RetoldGpu gpu(String host, int index, String modelName, String pod) {
    RetoldGpu gpu = new RetoldGpu(host, index, modelName, pod);
    gpus.add(gpu);
    return gpu;
  }

  RetoldHost host(String name, int cores) {
    RetoldHost host = new RetoldHost(name, cores);
    hosts.add(host);
    return host;
  }

  RetoldEdge gateway(String model) {
    RetoldEdge edge = new RetoldEdge("gateway:4000", model, false);
    edges.add(edge);
    return edge;
  }

  RetoldEdge clients(String model) {
    RetoldEdge edge = new RetoldEdge("clients:9464", model, true);
    edges.add(edge);
    return edge;
  }

  double nowMs() {
    return nowMs;
  }

  /** Lets time pass, scraping all the while. */
  void pass(double minutes) {
    long untilMs = nowMs + Math.round(minutes * 60_000);
    while (nowMs < untilMs) {
      nowMs += INTERVAL_MS;
      double seconds = INTERVAL_MS / 1000.0;
      engines.forEach(engine -> engine.pass(seconds));
      gpus.forEach(gpu -> gpu.pass(seconds));
      hosts.forEach(host -> host.pass(seconds));
      edges.forEach(edge -> edge.pass(seconds));
      scrape();
    }
  }

  private void scrape() {
    for (RetoldEngine engine : engines) {
      String pod = engine.instance.replaceAll(":.*", "");
      Page page = page("engine", engine.instance, Map.of("pod", pod, "node", node(pod)));
      page.put("up", Map.of(), engine.up ? 1 : 0);
      if (engine.up) {
        engine.write(page);
      }
    }
    Set<String> exporters = new HashSet<>();
    for (RetoldGpu gpu : gpus) {
      Page page = page("gpu", gpu.host + ":9400", Map.of("node", gpu.host));
      if (exporters.add(gpu.host)) {
        page.put("up", Map.of(), 1);
      }
      gpu.write(page);
    }
    for (RetoldHost host : hosts) {
      Page page = page("host", host.name + ":9100", Map.of("node", host.name));
      page.put("up", Map.of(), 1);
      host.write(page);
    }
    for (RetoldEdge edge : edges) {
      Page page = page(edge.isClient ? "client" : "gateway", edge.instance, Map.of());
      page.put("up", Map.of(), 1);
      edge.write(page);
    }
  }

  /** Where a replica runs: where its GPUs are. */
  private String node(String pod) {
    return gpus.stream().filter(g -> g.pod.equals(pod)).map(g -> g.host).findFirst().orElse(pod);
  }

  private Page page(String job, String instance, Map<String, String> target) {
    Map<String, String> labels = new HashMap<>(target);
    labels.put("job", job);
    labels.put("instance", instance);
    return new Page(labels);
  }

  /** What is written at one scrape of one target. */
  final class Page {
    private final Map<String, String> target;

    Page(Map<String, String> target) {
      this.target = target;
    }

    void put(String metric, Map<String, String> own, double value) {
      Map<String, String> labels = new HashMap<>(target);
      labels.putAll(own);
      labels.put(Labels.NAME, metric);
      series.add(Labels.of(labels), nowMs, value);
    }

    void put(Observed histogram, Map<String, String> own) {
      for (int i = 0; i < histogram.edges.length; i++) {
        Map<String, String> labels = new HashMap<>(own);
        labels.put("le", Double.toString(histogram.edges[i]));
        put(histogram.family + "_bucket", labels, histogram.counts[i]);
      }
      Map<String, String> labels = new HashMap<>(own);
      labels.put("le", "+Inf");
      put(histogram.family + "_bucket", labels, histogram.count);
      put(histogram.family + "_sum", own, histogram.sum);
      put(histogram.family + "_count", own, histogram.count);
    }
  }

  /** What is told of the last minutes. */
  Report diagnose(long windowMinutes) throws QueryException {
    return SeriesDiagnosis.of(series, nowMs, windowMinutes * 60_000);
  }
}
