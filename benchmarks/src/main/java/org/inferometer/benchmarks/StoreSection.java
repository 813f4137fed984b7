package org.inferometer.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The section on what keeping samples costs, made from store.json and peers.json. */
final class StoreSection {
  private static final double MILLION = 1e6;

  /** A time and a value. */
  private static final int SAMPLE_BYTES = 16;

  private final Markdown page;
  private final JsonNode store;
  private final JsonNode history;

  StoreSection(Markdown page, JsonNode store) {
    this.page = page;
    this.store = store;
    this.history = store.path("history");
  }

  /**
   * @param peers results of the live comparison; may be a missing node
   */
  void write(JsonNode peers) {
    page.line("");
    page.line("## Keeping samples beside Prometheus 2.42 and VictoriaMetrics 1.79");
    page.line("");
    page.line(
        "%s, %d cores (%s), Java %s, run size \"%s\", %d s in all. The same %d series over %d h,"
            + " %.0f M samples, were written to each at the same time by remote write; the queries"
            + " ask what is in blocks then. Replay is that of %d series over two hours, %.0f M"
            + " samples, after a kill -9. All files are in the page cache.",
        store.path("date").asText(),
        store.path("cores").asInt(),
        store.path("cpu").asText(),
        store.path("java").asText(),
        store.path("size").asText(),
        store.path("seconds").asInt(),
        history.path("series").asInt(),
        history.path("hours").asInt(),
        history.path("samples").asDouble() / MILLION,
        store.path("replay").path(0).path("series").asInt(),
        store.path("replay").path(0).path("samples").asDouble() / MILLION);
    costs(peers);
    limits();
    blocks();
    new QueryTable(page).write(store.path("queries"));
  }

  private void costs(JsonNode peers) {
    CostTable table = new CostTable();
    table.add("bytes a sample on disk, compacted", "%.3f", this::bytesPerSample);
    table.add(
        "bytes a sample of all files, logs too",
        "%.3f",
        peer -> peerBytes(peer) / history.path("samples").asDouble());
    table.add("bytes written to files a byte kept", "%.2f", this::writeAmplification);
    table.add("CPU s a million samples: append alone", "%.3f", this::appendCost);
    table.add("CPU s a million samples: cut of a block", "%.3f", this::cutCost);
    table.add("CPU s a million samples: append, cut and compaction", "%.3f", this::wholeCost);
    memory(table, "after the history", history.path("peers"), "");
    replay(table);
    live(table, peers.path("live"));
    queries(table);
    table.write(page);
    page.line("");
    page.line(
        "Append alone is what two hours cost before anything is cut, cut what the last block"
            + " cost beyond the samples that made it due, the third row what the whole history"
            + " cost. RSS anon is what only the process has, RSS"
            + " file are pages of mapped files, which the kernel takes back when it needs them."
            + " After a kill -9 five seconds after the last write were left: %s.",
        kept());
  }

  private String kept() {
    StringBuilder text = new StringBuilder();
    for (JsonNode row : store.path("replay")) {
      text.append(text.isEmpty() ? "" : ", ")
          .append(
              String.format(
                  Locale.ROOT,
                  "%s %.2f %%",
                  row.path("peer").asText(),
                  row.path("kept").asDouble() * 100));
    }
    return text.toString();
  }

  /** Of blocks where there are any, of all else where there are none. */
  private double bytesPerSample(String peer) {
    double bytes = 0;
    double samples = 0;
    for (JsonNode row : history.path("blocks")) {
      if (row.path("peer").asText().equals(peer)) {
        bytes += row.path("bytes").asDouble();
        samples += row.path("samples").asDouble();
      }
    }
    return samples > 0 ? bytes / samples : peerBytes(peer) / history.path("samples").asDouble();
  }

  private double peerBytes(String peer) {
    return Peers.row(history.path("peers"), peer).path("bytes").asDouble(Double.NaN);
  }

  private double writeAmplification(String peer) {
    double written =
        Peers.row(history.path("peers"), peer).path("writtenBytes").asDouble(Double.NaN);
    return written / (bytesPerSample(peer) * history.path("samples").asDouble());
  }

  private double appendCost(String peer) {
    JsonNode row = Peers.row(store.path("replay"), peer);
    return row.path("load").path("cpuSeconds").asDouble(Double.NaN)
        / (row.path("samples").asDouble() / MILLION);
  }

  private double cutCost(String peer) {
    JsonNode row = Peers.row(store.path("cut"), peer);
    double appended = row.path("appended").asDouble() / MILLION * appendCost(peer);
    return (row.path("cpuSeconds").asDouble(Double.NaN) - appended)
        / (row.path("cut").asDouble() / MILLION);
  }

  private double wholeCost(String peer) {
    double seconds = Peers.row(history.path("peers"), peer).path("cpuSeconds").asDouble(Double.NaN);
    return seconds / (history.path("samples").asDouble() / MILLION);
  }

  private static void memory(CostTable table, String when, JsonNode rows, String at) {
    table.add("peak RSS MiB " + when, "%.0f", rows, at + "/peakRssMib");
    table.add("RSS anon MiB " + when, "%.0f", rows, at + "/rssAnonMib");
    table.add("RSS file MiB " + when, "%.0f", rows, at + "/rssFileMib");
  }

  private void replay(CostTable table) {
    JsonNode rows = store.path("replay");
    table.add("s from start to first answer after kill -9", "%.2f", rows, "/secondsToFirstAnswer");
    table.add("CPU s of that replay", "%.2f", rows, "/replay/cpuSeconds");
    memory(table, "after the replay", rows, "/replay");
  }

  private static void live(CostTable table, JsonNode live) {
    for (int replicas : new int[] {30, 100}) {
      ArrayNode rows = JsonNodeFactory.instance.arrayNode();
      for (JsonNode row : live) {
        if (row.path("replicas").asInt() == replicas && row.has("rssAnonMib")) {
          rows.add(row);
        }
      }
      String when = "scraping " + replicas + " replicas every 5 s";
      table.add(
          "cores, " + when,
          "%.3f",
          peer -> {
            JsonNode row = Peers.row(rows, peer);
            return row.path("cpuSeconds").asDouble(Double.NaN) / row.path("seconds").asDouble();
          });
      memory(table, when, rows, "");
    }
  }

  private void queries(CostTable table) {
    for (JsonNode row : store.path("queries")) {
      if (row.has("samplesRead")) {
        String what = row.path("name").asText() + " over " + row.path("hours").asInt() + " h, ms ";
        table.add(what + "cold", "%.0f", peer -> milliseconds(row, peer, "coldMs"));
        table.add(what + "warm", "%.0f", peer -> milliseconds(row, peer, "warmMs"));
      }
    }
    table.add("all ranges, ms warm (geometric mean)", "%.1f", peer -> mean("range", peer));
    table.add(
        "all instant queries, ms warm (geometric mean)", "%.2f", peer -> mean("instant", peer));
  }

  private static double milliseconds(JsonNode row, String peer, String field) {
    return row.path(peer).path(field).asDouble(Double.NaN);
  }

  private double mean(String kind, String peer) {
    double sum = 0;
    int count = 0;
    for (JsonNode row : store.path("queries")) {
      if (row.path("kind").asText().equals(kind)) {
        sum += Math.log(milliseconds(row, peer, "warmMs"));
        count++;
      }
    }
    return Math.exp(sum / count);
  }

  private void limits() {
    page.line("");
    page.line("### How far from what is possible");
    page.line("");
    bound();
    double bandwidth = store.path("memoryBytesPerSecond").asDouble();
    for (JsonNode row : store.path("queries")) {
      if (row.has("samplesRead")) {
        bandwidth(row, bandwidth);
      }
    }
    JsonNode ours = Peers.row(store.path("replay"), Peers.OURS);
    double logBytes = ours.path("logBytes").asDouble();
    double seconds = ours.path("secondsToFirstAnswer").asDouble();
    page.line(
        "- Replay: our log of %.0f MB is read at %.0f MB/s, %.1f M samples a second; memory gives"
            + " %.1f GB/s to one core.",
        logBytes / MILLION,
        logBytes / seconds / MILLION,
        ours.path("samples").asDouble() / seconds / MILLION,
        bandwidth / 1e9);
  }

  private void bound() {
    @Nullable JsonNode best = null;
    for (JsonNode row : store.path("bound")) {
      if (best == null || bytesPerSample(row) < bytesPerSample(best)) {
        best = row;
      }
    }
    if (best == null) {
      return;
    }
    double least = bytesPerSample(best);
    page.line(
        "- Size: the values of these series, column after column (%s), take %.3f bytes a sample"
            + " with %s, which has to read all to give any. Ours takes %.1f times that, Prometheus"
            + " %.1f times, VictoriaMetrics %.1f times.",
        best.path("columns").asText().toLowerCase(Locale.ROOT),
        least,
        best.path("compressor").asText(),
        bytesPerSample(Peers.OURS) / least,
        bytesPerSample(Peers.PROMETHEUS) / least,
        bytesPerSample(Peers.VICTORIA) / least);
  }

  private static double bytesPerSample(JsonNode row) {
    return row.path("bytesPerSample").asDouble();
  }

  private void bandwidth(JsonNode row, double bandwidth) {
    double samples = row.path("samplesRead").asDouble();
    double leastMs = samples * SAMPLE_BYTES / bandwidth * 1000;
    double oursMs = milliseconds(row, Peers.OURS, "warmMs");
    page.line(
        "- %s over %d h reads %.1f M samples. As times and values they are %.0f MB, which one core"
            + " reads from memory in %.0f ms. Ours takes %.0f ms, %.1f times that: %.1f ns a"
            + " sample, from chunk to answer.",
        row.path("name").asText(),
        row.path("hours").asInt(),
        samples / MILLION,
        samples * SAMPLE_BYTES / MILLION,
        leastMs,
        oursMs,
        oursMs / leastMs,
        oursMs * 1e6 / samples);
  }

  private void blocks() {
    page.line("");
    page.line("### Blocks");
    page.line("");
    page.line("| | hours | blocks | samples a chunk | index bytes a sample | all bytes a sample |");
    page.line("|---|---|---|---|---|---|");
    for (JsonNode row : history.path("blocks")) {
      double samples = row.path("samples").asDouble();
      page.line(
          "| %s | %d | %d | %.0f | %.3f | %.3f |",
          row.path("peer").asText(),
          row.path("hours").asInt(),
          row.path("blocks").asInt(),
          samples / row.path("chunks").asDouble(),
          row.path("indexBytes").asDouble() / samples,
          row.path("bytesPerSample").asDouble());
    }
  }
}
