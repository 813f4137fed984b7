package org.inferometer.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What something costs ours and its peers, less being better everywhere. The bar of each row is
 * Prometheus's figure.
 */
final class CostTable {
  /** Ratios differ by so much from run to run. */
  private static final double NOISE = 1.05;

  private final List<Row> rows = new ArrayList<>();

  /** NaN stands for what there is no figure of. */
  private record Row(String what, String format, double ours, double prometheus, double victoria) {
    double toPrometheus() {
      return ours / prometheus;
    }

    boolean isWithin() {
      return toPrometheus() <= NOISE;
    }
  }

  /** Reads one figure of a peer. */
  @FunctionalInterface
  interface Figure {
    double of(String peer);
  }

  void add(String what, String format, Figure figure) {
    double ours = figure.of(Peers.OURS);
    if (!Double.isNaN(ours)) {
      double prometheus = figure.of(Peers.PROMETHEUS);
      rows.add(new Row(what, format, ours, prometheus, figure.of(Peers.VICTORIA)));
    }
  }

  /** A figure from the row of each peer. */
  void add(String what, String format, JsonNode peers, String field) {
    add(what, format, peer -> Peers.row(peers, peer).at(field).asDouble(Double.NaN));
  }

  void write(Markdown page) {
    page.line("");
    page.line("| | ours | Prometheus | VictoriaMetrics | to Prometheus | to VictoriaMetrics |");
    page.line("|---|---|---|---|---|---|");
    for (Row row : rows) {
      page.line(
          "| %s | %s | %s | %s | %s | %s |",
          row.what,
          text(row.format, row.ours),
          text(row.format, row.prometheus),
          text(row.format, row.victoria),
          (row.isWithin() ? "%s" : "**%s**").formatted(text("%.2f", row.toPrometheus())),
          text("%.2f", row.ours / row.victoria));
    }
    verdict(page);
  }

  private void verdict(Markdown page) {
    List<String> beyond =
        rows.stream().filter(row -> !row.isWithin()).map(row -> row.what).toList();
    page.line("");
    page.line(
        "The bar is Prometheus's figure: ours is no worse in %d of %d rows%s",
        rows.size() - beyond.size(),
        rows.size(),
        beyond.isEmpty() ? "." : "; it is worse in: " + String.join("; ", beyond) + ".");
  }

  private static String text(String format, double figure) {
    return Double.isNaN(figure) || Double.isInfinite(figure)
        ? "-"
        : String.format(Locale.ROOT, format, figure);
  }
}
