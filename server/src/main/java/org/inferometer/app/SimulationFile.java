package org.inferometer.app;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.simulator.scenario.Scenario;
import org.inferometer.store.Querier;
import org.inferometer.store.Queryable;
import org.jspecify.annotations.Nullable;

/**
 * Writes a series file of a simulation, with the truth about it in front.
 *
 * <p>OpenMetrics knows no comments, and readers of it such as promtool refuse them. So the truth
 * stands in help texts of families that have no samples: {@code # HELP truth:cause kv_pressure}. No
 * reader stores them.
 */
final class SimulationFile {
  /** What the names of these families begin with. */
  static final String PREFIX = "truth:";

  private SimulationFile() {}

  static void write(Map<String, String> truth, Queryable series, OutputStream out)
      throws IOException {
    StringBuilder head = new StringBuilder();
    truth.forEach(
        (key, value) ->
            head.append("# HELP ")
                .append(PREFIX)
                .append(key)
                .append(' ')
                .append(escaped(value))
                .append('\n'));
    out.write(head.toString().getBytes(StandardCharsets.UTF_8));
    SampleText.SeriesFileText text = SampleText.openMetrics(out);
    try (Querier querier = series.querier(Long.MIN_VALUE, Long.MAX_VALUE)) {
      MetricByMetric.write(querier, List.of(List.of()), text);
    }
    text.finish();
  }

  private static String escaped(String value) {
    return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }

  /**
   * What is true of a scenario that ran, key by key.
   *
   * @param startMs when it began
   * @param endMs when what is in the file ends
   */
  static Map<String, String> truth(Scenario scenario, long seed, long startMs, long endMs) {
    Scenario.Truth truth = scenario.truth();
    Map<String, String> all = new LinkedHashMap<>();
    put(all, "scenario", scenario.name());
    put(all, "title", scenario.title());
    put(all, "seed", Long.toString(seed));
    put(all, "from", Amounts.time(startMs));
    put(all, "to", Amounts.time(endMs));
    put(all, "cause", truth.cause());
    put(all, "layer", truth.layer());
    if (!truth.cause().equals("healthy")) {
      put(all, "start", Amounts.time(startMs + truth.startNs() / 1_000_000));
    }
    put(all, "scope", truth.scope());
    put(all, "follows", String.join(" ", truth.follows()));
    put(all, "looks_like", truth.looksLike());
    put(all, "twin_of", truth.twinOf());
    put(all, "says", truth.says());
    return all;
  }

  private static void put(Map<String, String> all, String key, @Nullable String value) {
    if (value != null && !value.isEmpty()) {
      all.put(key, value.strip().replaceAll("\\s+", " "));
    }
  }
}
