package org.inferometer.simulator.page;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;

/** Bounds of histograms that engines calculate from how they were started. */
final class GeneratedBounds {
  /** 1, 2, 5, 10, 20, ... up to the length of the model's context. */
  private static final String TOKENS = "tokens";

  /** Hundredths of a limit: {@code hundredths:max_input_tokens}. */
  private static final Pattern HUNDREDTHS = Pattern.compile("hundredths:([a-z_]+)");

  /** Where the bounds of token counts end if nobody says how long a context is. */
  private static final double TOKENS_MAX_DEFAULT = 131_072;

  private GeneratedBounds() {}

  static boolean isName(String name) {
    return name.equals(TOKENS) || HUNDREDTHS.matcher(name).matches();
  }

  static double[] of(String name, Map<String, String> facts) {
    Matcher matcher = HUNDREDTHS.matcher(name);
    if (matcher.matches()) {
      double step = limit(facts, matcher.group(1)) / 100;
      return DoubleStream.iterate(1, k -> k <= 100, k -> k + 1).map(k -> k * step).toArray();
    }
    double most = limit(facts, "max_model_len");
    return DoubleStream.iterate(1, decade -> decade <= most, decade -> decade * 10)
        .flatMap(decade -> DoubleStream.of(decade, 2 * decade, 5 * decade))
        .filter(bound -> bound <= most)
        .toArray();
  }

  private static double limit(Map<String, String> facts, String name) {
    String limit = facts.get(name);
    return limit == null ? TOKENS_MAX_DEFAULT : Double.parseDouble(limit);
  }
}
