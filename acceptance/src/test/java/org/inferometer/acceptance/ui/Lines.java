package org.inferometer.acceptance.ui;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.inferometer.acceptance.Shared;

/** Lines of a real metrics page, changed where a test needs a replica that is unlike the others. */
final class Lines {
  private static final String ENGINE =
      "fixtures/metrics/vllm_v0.9.x-v0-engine-cpu_multiproc-order_qwen3-0.6b.prom";
  private static final Pattern EDGE = Pattern.compile("le=\"([^\"]+)\"");
  private static final Pattern VALUE = Pattern.compile("\\S+$");

  private Lines() {}

  /**
   * An engine whose first tokens all take from {@code low} to {@code high} seconds, with so many
   * requests running.
   */
  static List<String> engine(String model, double low, double high, int running)
      throws IOException {
    return Files.readAllLines(Shared.path(ENGINE)).stream()
        .map(line -> line.replaceAll("model_name=\"[^\"]*\"", "model_name=\"" + model + "\""))
        .map(line -> changed(line, low, high, running))
        .toList();
  }

  private static String changed(String line, double low, double high, int running) {
    if (line.startsWith("vllm:num_requests_running")) {
      return VALUE.matcher(line).replaceFirst(Integer.toString(running));
    }
    Matcher edge = EDGE.matcher(line);
    if (!line.startsWith("vllm:time_to_first_token_seconds_bucket") || !edge.find()) {
      return line;
    }
    double upper =
        edge.group(1).equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(edge.group(1));
    // Observations spread evenly between the two, so that quantiles lie in different buckets.
    double share = Math.clamp((upper - low) / (high - low), 0, 1);
    return VALUE.matcher(line).replaceFirst(Double.toString(Math.floor(1000 * share)));
  }
}
