package org.inferometer.app;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.inferometer.promql.ParserOptions;
import org.inferometer.query.EngineOptions;

/**
 * Limits of queries and features of their language as {@code serve} is told them, under the names
 * that Prometheus has for them.
 *
 * @param flags by option, as written
 * @param features as written, separated by commas
 */
record QueryLimits(Map<String, String> flags, List<String> features) {
  static final QueryLimits NONE = new QueryLimits(Map.of(), List.of());

  static final String LOOKBACK = "--query.lookback-delta";
  static final String SAMPLES = "--query.max-samples";
  static final String SERIES = "--query.max-series";
  static final String TIMEOUT = "--query.timeout";
  static final String CONCURRENCY = "--query.max-concurrency";
  static final String FEATURE = "--enable-feature";

  /** The options that have one value. */
  static final List<String> FLAGS = List.of(LOOKBACK, SAMPLES, SERIES, TIMEOUT, CONCURRENCY);

  private static final String DELAYED_NAME_REMOVAL = "promql-delayed-name-removal";
  private static final String START_TIMESTAMPS = "use-start-timestamps";

  QueryLimits {
    flags = Map.copyOf(flags);
    features = List.copyOf(features);
  }

  /** All features that can be asked for. */
  static List<String> knownFeatures() {
    List<String> known = new ArrayList<>(ParserOptions.FEATURES);
    known.add(DELAYED_NAME_REMOVAL);
    known.add(START_TIMESTAMPS);
    known.sort(null);
    return known;
  }

  /** The features that are allowed, in the order of {@link #knownFeatures}. */
  static List<String> features(EngineOptions options) {
    List<String> allowed = new ArrayList<>(options.language().features());
    if (options.delayedNameRemoval()) {
      allowed.add(DELAYED_NAME_REMOVAL);
    }
    if (options.startTimestamps()) {
      allowed.add(START_TIMESTAMPS);
    }
    allowed.sort(null);
    return allowed;
  }

  /**
   * The evaluator's options: its defaults where nothing is said, and of the language only what is
   * stable.
   *
   * @throws CommandException if a value can't be used or a feature isn't known
   */
  EngineOptions engineOptions() {
    List<String> enabled = enabled();
    EngineOptions.Builder options =
        EngineOptions.DEFAULT.toBuilder()
            .language(ParserOptions.ofFeatures(enabled))
            .delayedNameRemoval(enabled.contains(DELAYED_NAME_REMOVAL))
            .startTimestamps(enabled.contains(START_TIMESTAMPS));
    new TreeMap<>(flags).forEach((flag, text) -> apply(options, flag, text));
    return options.build();
  }

  private List<String> enabled() {
    List<String> enabled = new ArrayList<>();
    for (String list : features) {
      for (String part : list.split(",")) {
        String feature = part.strip();
        if (!knownFeatures().contains(feature)) {
          throw CommandException.badInput(
              FEATURE
                  + ": unknown feature \""
                  + feature
                  + "\", expected one of "
                  + String.join(", ", knownFeatures()));
        }
        enabled.add(feature);
      }
    }
    return enabled;
  }

  private static void apply(EngineOptions.Builder options, String flag, String text) {
    switch (flag) {
      case LOOKBACK -> options.lookback(duration(flag, text));
      case TIMEOUT -> options.timeout(duration(flag, text));
      case SAMPLES -> options.maxSamples(number(flag, text));
      case SERIES -> options.maxSeries(number(flag, text));
      case CONCURRENCY -> options.maxConcurrency(number(flag, text));
      default -> throw new IllegalStateException("expected one of FLAGS, got " + flag);
    }
  }

  private static Duration duration(String flag, String text) {
    return Duration.ofMillis(Times.durationMs(flag, text));
  }

  private static int number(String flag, String text) {
    try {
      int number = Integer.parseInt(text);
      if (number > 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Falls through to the message.
    }
    throw CommandException.badInput(
        flag + ": expected a whole number from 1 to 2147483647; got \"" + text + "\"");
  }
}
