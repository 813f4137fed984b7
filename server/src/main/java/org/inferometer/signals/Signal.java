package org.inferometer.signals;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A quantity of serving that means the same for every engine.
 *
 * @param name as pages, rules and exports name it, such as {@code ttft_p95}
 * @param unit one of {@link #UNITS}, or one of them with {@code /s}
 * @param meaning one sentence
 * @param caveat one sentence on how it misleads
 * @param base the name under which dialects map it; differs from the name for quantiles
 * @param quantile between 0 and 1, or null if it isn't a quantile
 * @param formula PromQL over names of signals, for dialects that don't map it themselves, or null
 * @param mixes why a formula over two populations is sound, a sentence, or null
 */
public record Signal(
    String name,
    String title,
    Layer layer,
    String unit,
    SignalKind kind,
    String meaning,
    @Nullable String caveat,
    @Nullable HealthyRange healthy,
    String base,
    @Nullable Double quantile,
    @Nullable Template formula,
    @Nullable String mixes) {
  public static final Set<String> UNITS =
      Set.of(
          "seconds",
          "tokens",
          "requests",
          "ratio",
          "bytes",
          "watts",
          "celsius",
          "hertz",
          "operations",
          "money",
          "count");

  static boolean isUnit(String text) {
    return UNITS.contains(text.endsWith("/s") ? text.substring(0, text.length() - 2) : text);
  }
}
