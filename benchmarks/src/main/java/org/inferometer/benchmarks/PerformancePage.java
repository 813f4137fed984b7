package org.inferometer.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Writes docs/performance.md from results that are data: nothing on that page is typed by hand.
 *
 * <p>Arguments: folder of results (queries.json, peers.json, jmh.json, startup.json, each
 * optional), page to write.
 */
public final class PerformancePage {
  private static final String OURS = "inferometer";
  private static final String PROMETHEUS = "prometheus";
  private static final String VICTORIA = "victoria-metrics";

  private final ObjectMapper json = new ObjectMapper();
  private final StringBuilder page = new StringBuilder();

  private PerformancePage() {}

  public static void main(String[] args) throws IOException {
    Path results = Path.of(args[0]);
    PerformancePage page = new PerformancePage();
    page.line("# Performance");
    page.line("");
    page.line(
        "Made by `bin/bench` from the files in `benchmarks/results/`. Peers ran on the same machine"
            + " in the same run; read the ratios, not the absolute figures.");
    page.queries(results.resolve("queries.json"));
    page.peers(results.resolve("peers.json"));
    page.startup(results.resolve("startup.json"));
    page.jmh(results.resolve("jmh.json"));
    Files.writeString(Path.of(args[1]), page.page.toString());
  }

  private void peers(Path file) throws IOException {
    if (!Files.exists(file)) {
      return;
    }
    JsonNode peers = json.readTree(file.toFile());
    line("");
    line("## Scraping beside Prometheus 2.42 and VictoriaMetrics 1.79");
    line("");
    line(
        "%s, %d cores (%s), Java %s, run size \"%s\".",
        peers.path("date").asText(),
        peers.path("cores").asInt(),
        peers.path("cpu").asText(),
        peers.path("java").asText(),
        peers.path("size").asText());
    live(peers.path("live"));
    past(peers.path("past"));
  }

  private void live(JsonNode rows) {
    line("");
    line("### Scraping live replicas every 5 s");
    line("");
    line("| | targets up | samples/s | CPU s | cores | peak RSS MiB | RSS MiB at the end |");
    line("|---|---|---|---|---|---|---|");
    for (JsonNode row : rows) {
      line(
          "| %s | %.0f of %d | %.0f | %.1f in %d s | %.3f | %.0f | %.0f |",
          row.path("peer").asText(),
          row.path("targetsUp").asDouble(),
          row.path("replicas").asInt(),
          row.path("samplesPerSecond").asDouble(),
          row.path("cpuSeconds").asDouble(),
          row.path("seconds").asInt(),
          row.path("cpuSeconds").asDouble() / row.path("seconds").asDouble(),
          row.path("peakRssMib").asDouble(),
          row.path("rssMib").asDouble());
    }
  }

  private void past(JsonNode rows) {
    line("");
    line("### Taking in an hour in compressed time");
    line("");
    line(
        "30 replicas at 15 s, scraped every 100 ms with their own timestamps: fetch, parse, append"
            + " at full speed.");
    line("");
    line("| | samples | CPU s a million samples | peak RSS MiB |");
    line("|---|---|---|---|");
    for (JsonNode row : rows) {
      line(
          "| %s | %.1f M | %.2f | %.0f |",
          row.path("peer").asText(),
          row.path("samples").asDouble() / 1e6,
          row.path("cpuSecondsPerMillion").asDouble(),
          row.path("peakRssMib").asDouble());
    }
  }

  private void queries(Path file) throws IOException {
    if (!Files.exists(file)) {
      return;
    }
    JsonNode run = json.readTree(file.toFile());
    line("");
    line("## Queries beside Prometheus 2.42 and VictoriaMetrics 1.79");
    line("");
    line(
        "%s, %d cores (%s), Java %s, run size \"%s\": %d series over %d h, %.1f M samples, the same"
            + " bytes written to each by remote write.",
        run.path("date").asText(),
        run.path("cores").asInt(),
        run.path("cpu").asText(),
        run.path("java").asText(),
        run.path("size").asText(),
        run.path("series").asInt(),
        run.path("hours").asInt(),
        run.path("samples").asDouble() / 1e6);
    line("");
    line("| | s for all writes | CPU s | RSS MiB then | peak RSS MiB |");
    line("|---|---|---|---|---|");
    for (JsonNode row : run.path("load")) {
      line(
          "| %s | %.1f | %.1f | %.0f | %.0f |",
          row.path("peer").asText(),
          row.path("seconds").asDouble(),
          row.path("cpuSeconds").asDouble(),
          row.path("rssMib").asDouble(),
          row.path("peakRssMib").asDouble());
    }
    summary(run.path("queries"));
    queryTable(run.path("queries"));
  }

  private void summary(JsonNode rows) {
    line("");
    line(
        "Geometric mean of our time over theirs, warm; below 1 means ours is faster. The bars are"
            + " half of Prometheus's time for instant queries, and VictoriaMetrics's time for"
            + " ranges.");
    line("");
    line("| kind | queries | to Prometheus | to VictoriaMetrics | within the bar |");
    line("|---|---|---|---|---|");
    for (String kind : List.of("instant", "range")) {
      String barPeer = kind.equals("instant") ? PROMETHEUS : VICTORIA;
      double bar = kind.equals("instant") ? 0.5 : 1;
      int count = 0;
      int within = 0;
      double toPrometheus = 0;
      double toVictoria = 0;
      for (JsonNode row : rows) {
        if (row.path("kind").asText().equals(kind)) {
          count++;
          toPrometheus += Math.log(ratio(row, PROMETHEUS));
          toVictoria += Math.log(ratio(row, VICTORIA));
          within += ratio(row, barPeer) <= bar ? 1 : 0;
        }
      }
      line(
          "| %s | %d | %.2f | %.2f | %d |",
          kind, count, Math.exp(toPrometheus / count), Math.exp(toVictoria / count), within);
    }
  }

  private static double ratio(JsonNode row, String peer) {
    return row.path(OURS).path("warmMs").asDouble() / row.path(peer).path("warmMs").asDouble();
  }

  private void queryTable(JsonNode rows) {
    line("");
    line(
        "Milliseconds over HTTP: the first time it is asked / the median once all are warm, asked"
            + " in turn. Ranges are the whole history at a step of 15 s. VictoriaMetrics without"
            + " its cache of earlier results. The last column is the largest relative difference"
            + " between our values and Prometheus's.");
    line("");
    line("| query | kind | ours | Prometheus | VictoriaMetrics | to Prom. | to VM | differs |");
    line("|---|---|---|---|---|---|---|---|");
    for (JsonNode row : rows) {
      line(
          "| %s | %s | %s | %s | %s | %.2f | %.2f | %s |",
          row.path("name").asText(),
          row.path("kind").asText(),
          coldAndWarm(row.path(OURS)),
          coldAndWarm(row.path(PROMETHEUS)),
          coldAndWarm(row.path(VICTORIA)),
          ratio(row, PROMETHEUS),
          ratio(row, VICTORIA),
          difference(row.path("differs")));
    }
  }

  private static String coldAndWarm(JsonNode figures) {
    return String.format(
        Locale.ROOT,
        "%.1f / %.2f",
        figures.path("coldMs").asDouble(),
        figures.path("warmMs").asDouble());
  }

  private static String difference(JsonNode value) {
    double difference = value.asDouble(Double.NaN);
    return Double.isNaN(difference)
        ? "shape"
        : difference == 0 ? "0" : String.format(Locale.ROOT, "%.0e", difference);
  }

  private void startup(Path file) throws IOException {
    if (!Files.exists(file)) {
      return;
    }
    line("");
    line("## Start");
    line("");
    line("`serve` from the start of the process to its first answered query, empty store.");
    line("");
    line("| flags | runs | min ms | median ms | max ms |");
    line("|---|---|---|---|---|");
    for (JsonNode row : json.readTree(file.toFile())) {
      line(
          "| %s | %d | %d | %d | %d |",
          row.path("flags").asText(),
          row.path("runs").asInt(),
          row.path("minMs").asInt(),
          row.path("medianMs").asInt(),
          row.path("maxMs").asInt());
    }
  }

  private void jmh(Path file) throws IOException {
    if (!Files.exists(file)) {
      return;
    }
    line("");
    line("## Operators (JMH)");
    line("");
    line("| benchmark | parameters | score | unit | allocated bytes an operation |");
    line("|---|---|---|---|---|");
    for (JsonNode row : json.readTree(file.toFile())) {
      JsonNode metric = row.path("primaryMetric");
      String name = row.path("benchmark").asText();
      line(
          "| %s | %s | %.4g ± %.2g | %s | %.4g |",
          name.replaceFirst("^org\\.inferometer\\.benchmarks\\.", ""),
          row.has("params") ? row.path("params").toString().replaceAll("[{}\"]", "") : "",
          metric.path("score").asDouble(),
          metric.path("scoreError").asDouble(),
          metric.path("scoreUnit").asText(),
          row.path("secondaryMetrics").path("gc.alloc.rate.norm").path("score").asDouble());
    }
  }

  private void line(String format, Object... arguments) {
    page.append(arguments.length == 0 ? format : String.format(Locale.ROOT, format, arguments));
    page.append('\n');
  }
}
