package org.inferometer.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;

/** The section on how long diagnoses take, made from diagnosis.json. */
final class DiagnosisSection {
  /** What one of thirty replicas may take. */
  private static final double BAR_MS = 200;

  private final Markdown page;

  DiagnosisSection(Markdown page) {
    this.page = page;
  }

  void write(JsonNode run) {
    page.line("");
    page.line("## Diagnosing");
    page.line("");
    page.line(
        "%s, %d cores (%s), Java %s; the machine's load average was %.1f when it began. One"
            + " diagnosis of all services from scrapes in memory, what there is found anew each"
            + " time, as a server looks; no other program does the same, so there is no ratio. Cold"
            + " is the first one of a process, with its classes to be loaded and its code to be"
            + " compiled; warm are the later half of those after it. CPU is that of the whole"
            + " process.",
        run.path("date").asText(),
        run.path("cores").asInt(),
        run.path("cpu").asText(),
        run.path("java").asText(),
        run.path("loadAverage").asDouble());
    page.line("");
    page.line(
        "| fleet | window s | cold ms | cold CPU ms | warm | best ms | median ms | best CPU ms |"
            + " median CPU ms |");
    page.line("|---|---|---|---|---|---|---|---|---|");
    for (JsonNode row : run.path("fleets")) {
      page.line(
          "| %s | %d | %s | %s | %d | %.0f | %.0f | %.0f | %.0f |",
          row.path("fleet").asText(),
          row.path("windowSeconds").asInt(),
          whole(row.path("coldMs")),
          whole(row.path("coldCpuMs")),
          row.path("warm").asInt(),
          row.path("bestMs").asDouble(),
          row.path("medianMs").asDouble(),
          row.path("bestCpuMs").asDouble(),
          row.path("medianCpuMs").asDouble());
    }
    double median = run.path("fleets").path(0).path("medianMs").asDouble();
    page.line("");
    page.line(
        "The bar is %.0f ms for thirty replicas, warm, by the median: %s. Time goes with what else"
            + " runs, CPU time hardly.",
        BAR_MS, median <= BAR_MS ? "reached" : "missed");
  }

  private static String whole(JsonNode number) {
    return number.isMissingNode() ? "" : Long.toString(Math.round(number.asDouble()));
  }
}
