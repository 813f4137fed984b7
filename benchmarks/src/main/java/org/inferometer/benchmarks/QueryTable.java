package org.inferometer.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;

/** Queries and how long each took ours and its peers. */
final class QueryTable {
  private final Markdown page;

  QueryTable(Markdown page) {
    this.page = page;
  }

  void write(JsonNode rows) {
    page.line("");
    page.line(
        "Milliseconds over HTTP: the first time it is asked / the median once all are warm, asked"
            + " in turn. Ranges are at a step of 15 s. VictoriaMetrics without its cache of earlier"
            + " results. The last column is the largest relative difference between our values and"
            + " Prometheus's.");
    page.line("");
    page.line(
        "| query | kind | ours | Prometheus | VictoriaMetrics | to Prom. | to VM | differs |");
    page.line("|---|---|---|---|---|---|---|---|");
    for (JsonNode row : rows) {
      page.line(
          "| %s | %s | %s | %s | %s | %.2f | %.2f | %s |",
          row.path("name").asText(),
          kind(row),
          coldAndWarm(row.path(Peers.OURS)),
          coldAndWarm(row.path(Peers.PROMETHEUS)),
          coldAndWarm(row.path(Peers.VICTORIA)),
          ratio(row, Peers.PROMETHEUS),
          ratio(row, Peers.VICTORIA),
          difference(row.path("differs")));
    }
  }

  private static String kind(JsonNode row) {
    int hours = row.path("hours").asInt();
    return row.path("kind").asText() + (hours > 0 ? ", " + hours + " h" : "");
  }

  /** Our time over a peer's, warm. */
  static double ratio(JsonNode row, String peer) {
    return row.path(Peers.OURS).path("warmMs").asDouble()
        / row.path(peer).path("warmMs").asDouble();
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
}
