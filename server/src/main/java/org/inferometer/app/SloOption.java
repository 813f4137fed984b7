package org.inferometer.app;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.signals.Catalogue;
import org.inferometer.signals.Signal;

/** What users ask for with {@code --slo}: {@code ttft_p95=500ms}. */
final class SloOption {
  private SloOption() {}

  /**
   * The goals by signal, in seconds.
   *
   * @throws CommandException if one isn't of a quantile of a latency
   */
  static Map<String, Double> goals(Catalogue catalogue, List<String> slos) {
    Map<String, Double> goals = new LinkedHashMap<>();
    for (String slo : slos) {
      int equals = slo.indexOf('=');
      String name = equals < 0 ? slo : slo.substring(0, equals).strip();
      if (equals < 0 || !isLatency(catalogue, name)) {
        throw CommandException.badInput(
            "--slo: expected a quantile of a latency and its goal, such as ttft_p95=500ms; got \""
                + slo
                + "\"");
      }
      goals.put(name, Times.durationMs("--slo", slo.substring(equals + 1).strip()) / 1000.0);
    }
    return goals;
  }

  private static boolean isLatency(Catalogue catalogue, String name) {
    return catalogue.signals().stream().anyMatch(signal -> isLatency(signal, name));
  }

  private static boolean isLatency(Signal signal, String name) {
    return signal.name().equals(name)
        && signal.quantile() != null
        && signal.unit().equals("seconds");
  }
}
