package org.inferometer.signals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.inferometer.promql.ParseException;
import org.inferometer.promql.Parser;
import org.inferometer.query.QueryException;
import org.junit.jupiter.api.Test;

class GoodputTest {
  /** 60 requests: 50 of 60 first tokens within 1 s, 54 within 2 s; 45 answers within 10 s. */
  private static final String PAGE =
      """
      vllm:num_requests_running{model_name="m",engine="0"} 3
      vllm:request_success_total{model_name="m",engine="0",finished_reason="stop"} 57
      vllm:request_success_total{model_name="m",engine="0",finished_reason="abort"} 3
      vllm:generation_tokens_total{model_name="m",engine="0"} 6000
      vllm:time_to_first_token_seconds_bucket{model_name="m",engine="0",le="1.0"} 50
      vllm:time_to_first_token_seconds_bucket{model_name="m",engine="0",le="2.0"} 54
      vllm:time_to_first_token_seconds_bucket{model_name="m",engine="0",le="+Inf"} 60
      vllm:e2e_request_latency_seconds_bucket{model_name="m",engine="0",le="10.0"} 45
      vllm:e2e_request_latency_seconds_bucket{model_name="m",engine="0",le="20.0"} 60
      vllm:e2e_request_latency_seconds_bucket{model_name="m",engine="0",le="+Inf"} 60
      """;

  private Map<String, Double> goals = Map.of("ttft_p95", 1.5, "e2e_p95", 10.0);
  private String page = PAGE;

  @Test
  void withoutGoalsItIsNotKnown() throws QueryException {
    goals = Map.of();
    for (String signal : Goodput.SIGNALS) {
      SignalResult result = ask(signal);
      assertThat(result.quality()).isEqualTo(Quality.ABSENT);
      assertThat(result.reason()).isEqualTo("No goals are set for its latencies.");
    }
    Service.AbsentSignal absent =
        signals().services().services().getFirst().absent().stream()
            .filter(one -> one.signal().equals("goodput"))
            .findFirst()
            .orElseThrow();
    assertThat(absent.why()).isEqualTo(Absence.FACT);
    assertThat(absent.fix()).isEqualTo("Set goals under inferometer.slos.");
  }

  @Test
  void theShareIsTwoBounds() throws QueryException {
    SignalResult result = ask("goodput_share");
    // First token 50/60 to 54/60, answer 45/60, success 57/60.
    bounds(result, 50 / 60.0 + 45 / 60.0 + 57 / 60.0 - 2, 45 / 60.0);
    assertThat(result.quality()).isEqualTo(Quality.DERIVED);
    assertThat(result.reason())
        .contains("Fréchet 1935")
        .contains("time to first token up to 1.5 s (of requests that got a first token)")
        .contains("total latency up to 10 s")
        .contains("Only requests that ended with a full answer count.");
  }

  @Test
  void theRateIsTheShareOfTheRequests() throws QueryException {
    bounds(ask("goodput"), 50 / 60.0 + 45 / 60.0 + 57 / 60.0 - 2, 45 / 60.0);
    page = PAGE.replace("} 57", "} 117");
    double success = 117 / 120.0;
    bounds(ask("goodput"), 2 * (50 / 60.0 + 45 / 60.0 + success - 2), 2 * 45 / 60.0);
  }

  private static void bounds(SignalResult result, double low, double high) {
    assertThat(result.series()).as(result.toString()).hasSize(1);
    SignalSeries series = result.series().getFirst();
    assertThat(series.values()[0]).isNaN();
    assertThat(java.util.Objects.requireNonNull(series.low())[0]).isCloseTo(low, within(1e-9));
    assertThat(java.util.Objects.requireNonNull(series.high())[0]).isCloseTo(high, within(1e-9));
    assertThat(series.isEmpty()).isFalse();
  }

  @Test
  void whatIsNotMeasuredMayBeAnything() throws QueryException {
    goals = Map.of("ttft_p95", 2.0, "tpot_p95", 0.1);
    SignalResult result = ask("goodput_share");
    bounds(result, 0, 54 / 60.0);
    assertThat(result.reason()).contains("(not measured)");
  }

  @Test
  void nothingMeasuredAtAll() throws QueryException {
    goals = Map.of("tpot_p95", 0.1);
    assertThat(ask("goodput_share").reason())
        .isEqualTo("There is no histogram of what goals would be about.");
  }

  @Test
  void noRequestsAreNoShare() throws QueryException {
    page = PAGE.replaceAll("(?m) [0-9]+$", " 0");
    SignalResult result = ask("goodput_share");
    assertThat(result.reason()).endsWith("No requests in this time.");
  }

  @Test
  void aSplitHasBoundsOfItsOwn() throws QueryException {
    SignalBatch.Request request =
        new SignalBatch.Request("vllm/m", List.of("goodput_share"), List.of("instance"));
    SignalResult result =
        signals().query(SignalBatch.at(TestWorld.NOW_MS, List.of(request))).results().getFirst();
    assertThat(result.series().getFirst().labels().get("instance")).isEqualTo("h:8000");
  }

  @Test
  void tokensCountWhileEveryGoalHolds() throws QueryException {
    goals = Map.of("ttft_p95", 3.0, "e2e_p50", 9.0);
    assertThat(ask("goodput_tokens").series().getFirst().values()[0]).isEqualTo(100);
    goals = Map.of("ttft_p95", 1.0, "e2e_p50", 9.0);
    SignalResult missed = ask("goodput_tokens");
    assertThat(missed.series()).isEmpty();
    assertThat(missed.reason()).contains("A goal is missed");
  }

  @Test
  void theQueriesCanBeRunByAnyone() throws QueryException, ParseException {
    for (String signal : Goodput.SIGNALS) {
      String query = java.util.Objects.requireNonNull(ask(signal).query());
      assertThat(Parser.parse(query).selectors()).isNotEmpty();
    }
  }

  private Signals signals() {
    TestWorld world = new TestWorld().add(Dump.of("page", page), "j", "h:8000");
    return Backend.signals(world, (service, model) -> goals);
  }

  private SignalResult ask(String signal) throws QueryException {
    SignalBatch.Request request = new SignalBatch.Request("vllm/m", List.of(signal), List.of());
    return signals().query(SignalBatch.at(TestWorld.NOW_MS, List.of(request))).results().getFirst();
  }
}
