package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.inferometer.promql.ParserOptions;
import org.inferometer.query.EngineOptions;
import org.junit.jupiter.api.Test;

class QueryLimitsTest {
  private static EngineOptions options(String flag, String value) {
    return new QueryLimits(Map.of(flag, value), List.of()).engineOptions();
  }

  @Test
  void nothingSaid_isPrometheussDefaultsAndStableLanguage() {
    assertThat(QueryLimits.NONE.engineOptions())
        .isEqualTo(EngineOptions.DEFAULT.toBuilder().language(ParserOptions.STABLE).build());
    assertThat(QueryLimits.features(QueryLimits.NONE.engineOptions())).isEmpty();
  }

  @Test
  void everyFlag_setsItsLimit() {
    assertThat(options("--query.lookback-delta", "90s").lookback())
        .isEqualTo(Duration.ofSeconds(90));
    assertThat(options("--query.timeout", "1m30s").timeout()).isEqualTo(Duration.ofSeconds(90));
    assertThat(options("--query.max-samples", "7").maxSamples()).isEqualTo(7);
    assertThat(options("--query.max-series", "7").maxSeries()).isEqualTo(7);
    assertThat(options("--query.max-concurrency", "7").maxConcurrency()).isEqualTo(7);
  }

  @Test
  void unusableValues_areRefusedByName() {
    for (String value : List.of("0", "-1", "x", "1e3", "99999999999")) {
      assertThatThrownBy(() -> options("--query.max-samples", value))
          .isInstanceOf(CommandException.class)
          .hasMessageContaining("--query.max-samples: expected a whole number");
    }
    assertThatThrownBy(() -> options("--query.timeout", "soon"))
        .hasMessageContaining("--query.timeout: expected a duration");
  }

  @Test
  void features_areThoseOfPrometheus() {
    EngineOptions options =
        new QueryLimits(
                Map.of(),
                List.of(
                    "promql-experimental-functions, promql-duration-expr",
                    "promql-extended-range-selectors,promql-binop-fill-modifiers",
                    "promql-delayed-name-removal,use-start-timestamps"))
            .engineOptions();
    assertThat(options.language()).isEqualTo(ParserOptions.ALL);
    assertThat(options.delayedNameRemoval()).isTrue();
    assertThat(options.startTimestamps()).isTrue();
    assertThat(QueryLimits.features(options)).isEqualTo(QueryLimits.knownFeatures());
    assertThat(
            new QueryLimits(Map.of(), List.of("promql-duration-expr")).engineOptions().language())
        .isEqualTo(new ParserOptions(false, true, false, false));
  }

  @Test
  void unknownFeature_isRefusedByName() {
    QueryLimits limits = new QueryLimits(Map.of(), List.of("promql-duration-expr,promql-magic"));
    assertThatThrownBy(limits::engineOptions)
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("unknown feature \"promql-magic\"")
        .hasMessageContaining("promql-delayed-name-removal");
  }
}
