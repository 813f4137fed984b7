package org.inferometer.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;

/** The section on how fast simulations run, made from simulator.json. */
final class SimulatorSection {
  private final Markdown page;

  SimulatorSection(Markdown page) {
    this.page = page;
  }

  void write(JsonNode run) {
    page.line("");
    page.line("## Simulating");
    page.line("");
    page.line(
        "%s, %d cores (%s), Java %s. One engine core alone, without front end, GPU and pages: %d"
            + " simulated seconds of steps of 25 ms, always as many requests as said, each of 900"
            + " to 2,900 tokens in and 100 to 500 out. CPU time of its one thread, the median of"
            + " %d runs; the machine's load average was %.1f when they began.",
        run.path("date").asText(),
        run.path("cores").asInt(),
        run.path("cpu").asText(),
        run.path("java").asText(),
        run.path("simulatedSeconds").asInt(),
        run.path("runs").asInt(),
        run.path("loadAverage").asDouble());
    page.line("");
    page.line(
        "| running requests | scheduling | times real time | best run | steps a CPU second |"
            + " tokens a CPU second | allocated bytes a step |");
    page.line("|---|---|---|---|---|---|---|");
    for (JsonNode row : run.path("engine")) {
      page.line(
          "| %d | %s | %.0f | %.0f | %.0f | %.1f M | %.0f |",
          row.path("running").asInt(),
          row.path("asynchronous").asBoolean() ? "asynchronous" : "synchronous",
          row.path("factor").asDouble(),
          row.path("factorBest").asDouble(),
          row.path("stepsPerCpuSecond").asDouble(),
          row.path("tokensPerCpuSecond").asDouble() / 1e6,
          row.path("allocatedBytesPerStep").asDouble());
    }
  }
}
