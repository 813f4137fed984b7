package org.inferometer.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Writes docs/performance.md from results that are data: nothing on that page is typed by hand.
 *
 * <p>Arguments: folder of results (store.json, queries.json, peers.json, diagnosis.json,
 * simulator.json, startup.json, jmh.json, each optional), page to write.
 */
public final class PerformancePage {
  private final ObjectMapper json = new ObjectMapper();
  private final Markdown page = new Markdown();

  private PerformancePage() {}

  public static void main(String[] args) throws IOException {
    Path results = Path.of(args[0]);
    PerformancePage page = new PerformancePage();
    page.line("# Performance");
    page.line("");
    page.line(
        "Made by `bin/bench` from the files in `benchmarks/results/`. Peers ran on the same machine"
            + " in the same run; read the ratios, not the absolute figures.");
    page.store(results.resolve("store.json"), results.resolve("peers.json"));
    page.queries(results.resolve("queries.json"));
    page.peers(results.resolve("peers.json"));
    page.diagnosis(results.resolve("diagnosis.json"));
    page.simulator(results.resolve("simulator.json"));
    page.startup(results.resolve("startup.json"));
    page.demo(results.resolve("demo.json"));
    page.jmh(results.resolve("jmh.json"));
    Files.writeString(Path.of(args[1]), page.page.toString());
  }

  private void store(Path file, Path peers) throws IOException {
    if (Files.exists(file)) {
      new StoreSection(page, json.readTree(file.toFile()))
          .write(Files.exists(peers) ? json.readTree(peers.toFile()) : MissingNode.getInstance());
    }
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
    line(
        "| | targets up | samples/s | CPU s | cores | peak RSS MiB | RSS MiB at the end | of that"
            + " anon | files |");
    line("|---|---|---|---|---|---|---|---|---|");
    for (JsonNode row : rows) {
      line(
          "| %s | %.0f of %d | %.0f | %.1f in %d s | %.3f | %.0f | %.0f | %.0f | %.0f |",
          row.path("peer").asText(),
          row.path("targetsUp").asDouble(),
          row.path("replicas").asInt(),
          row.path("samplesPerSecond").asDouble(),
          row.path("cpuSeconds").asDouble(),
          row.path("seconds").asInt(),
          row.path("cpuSeconds").asDouble() / row.path("seconds").asDouble(),
          row.path("peakRssMib").asDouble(),
          row.path("rssMib").asDouble(),
          row.path("rssAnonMib").asDouble(),
          row.path("rssFileMib").asDouble());
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
    new QueryTable(page).write(run.path("queries"));
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
      String barPeer = kind.equals("instant") ? Peers.PROMETHEUS : Peers.VICTORIA;
      double bar = kind.equals("instant") ? 0.5 : 1;
      int count = 0;
      int within = 0;
      double toPrometheus = 0;
      double toVictoria = 0;
      for (JsonNode row : rows) {
        if (row.path("kind").asText().equals(kind)) {
          count++;
          toPrometheus += Math.log(QueryTable.ratio(row, Peers.PROMETHEUS));
          toVictoria += Math.log(QueryTable.ratio(row, Peers.VICTORIA));
          within += QueryTable.ratio(row, barPeer) <= bar ? 1 : 0;
        }
      }
      line(
          "| %s | %d | %.2f | %.2f | %d |",
          kind, count, Math.exp(toPrometheus / count), Math.exp(toVictoria / count), within);
    }
  }

  private void diagnosis(Path file) throws IOException {
    if (Files.exists(file)) {
      new DiagnosisSection(page).write(json.readTree(file.toFile()));
    }
  }

  private void simulator(Path file) throws IOException {
    if (Files.exists(file)) {
      new SimulatorSection(page).write(json.readTree(file.toFile()));
    }
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

  private void demo(Path file) throws IOException {
    if (!Files.exists(file)) {
      return;
    }
    line("");
    line(
        "`demo` from the start of the process until its page answers, and until there is a chart of"
            + " the last 30 minutes.");
    line("");
    line("| run | page ms | chart ms |");
    line("|---|---|---|");
    int run = 0;
    for (JsonNode row : json.readTree(file.toFile())) {
      line("| %d | %d | %d |", ++run, row.path("pageMs").asInt(), row.path("chartMs").asInt());
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
    page.line(format, arguments);
  }
}
