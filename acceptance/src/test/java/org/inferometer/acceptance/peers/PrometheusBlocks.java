package org.inferometer.acceptance.peers;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.inferometer.model.FloatFormat;
import org.inferometer.model.Labels;

/** Gives Prometheus samples of the past: written as OpenMetrics, made to blocks by promtool. */
final class PrometheusBlocks {
  private PrometheusBlocks() {}

  /** A Prometheus that holds exactly these series. */
  static Program start(Path folder, Map<Labels, SortedMap<Long, Double>> data) throws Exception {
    Path text = folder.resolve("series.om");
    write(text, data);
    Path blocks = folder.resolve("prometheus-data");
    String output =
        Program.run(
            List.of(
                Program.installed("promtool"),
                "tsdb",
                "create-blocks-from",
                "openmetrics",
                text.toString(),
                blocks.toString()));
    if (!output.startsWith("exit 0")) {
      throw new IllegalStateException("promtool made no blocks: " + output);
    }
    Path config = folder.resolve("prometheus.yml");
    Files.writeString(config, "global:\n  scrape_interval: 1m\n");
    return Program.prometheus(folder, config);
  }

  private static void write(Path file, Map<Labels, SortedMap<Long, Double>> data)
      throws IOException {
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      for (Map.Entry<Labels, SortedMap<Long, Double>> series : data.entrySet()) {
        String labels = series.getKey().toString();
        for (Map.Entry<Long, Double> sample : series.getValue().entrySet()) {
          out.write(labels.replace(", ", ","));
          out.write(' ' + FloatFormat.general(sample.getValue()));
          out.write(" %d.%03d%n".formatted(sample.getKey() / 1000, sample.getKey() % 1000));
        }
      }
      out.write("# EOF\n");
    }
  }
}
