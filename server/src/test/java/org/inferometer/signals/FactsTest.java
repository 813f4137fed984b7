package org.inferometer.signals;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.inferometer.query.QueryException;
import org.junit.jupiter.api.Test;

/** Signals that need to be told something. */
class FactsTest {
  private static final Catalogue CATALOGUE =
      TestCatalogue.of(
          """
            - {name: tokens_each, title: T, layer: engine, unit: tokens/s, kind: rate, meaning: M.}
            - {name: capacity, title: C, layer: engine, unit: tokens, kind: gauge, meaning: M.}
          """,
          """
            - signal: tokens_each
              from:
                - {query: "sum by ($by) (e_tokens{$scope}) / $fact(gpus)", quality: exact}
            - signal: capacity
              from:
                - {query: "sum by ($by) ($label_value(e_info, blocks))", quality: exact}
                - {query: "sum by ($by) (e_blocks{$scope})", quality: estimated}
          """);

  private static final String PAGE =
      """
      e_tokens{model="m"} 80
      e_info{blocks="100"} 1
      e_blocks{model="m"} 90
      """;
  private static final String GPUS =
      """
      DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-a",Hostname="h"} 97
      DCGM_FI_DEV_GPU_UTIL{gpu="1",UUID="GPU-b",Hostname="h"} 97
      """;

  @Test
  void whatIsNotToldIsAbsent() throws QueryException {
    SignalResult result = ask(signals(world(PAGE), Facts.NONE), "tokens_each");
    assertThat(result.quality()).isEqualTo(Quality.ABSENT);
    assertThat(result.reason()).contains("the number of GPUs");
  }

  @Test
  void whatIsToldIsUsed() throws QueryException {
    Facts facts = (service, model) -> Map.of("gpus", 8.0);
    SignalResult result = ask(signals(world(PAGE), facts), "tokens_each");
    assertThat(result.series().getFirst().values()).containsExactly(10);
    assertThat(result.quality()).isEqualTo(Quality.EXACT);
    assertThat(result.reason()).isNull();
  }

  @Test
  void numbersOfLabelsAreFound() throws QueryException {
    SignalResult result = ask(signals(world(PAGE), Facts.NONE), "capacity");
    assertThat(result.series().getFirst().values()).containsExactly(100);
  }

  @Test
  void aLabelWithoutANumberGivesWayToTheNextAlternative() throws QueryException {
    SignalResult result =
        ask(signals(world(PAGE.replace("\"100\"", "\"None\"")), Facts.NONE), "capacity");
    assertThat(result.series().getFirst().values()).containsExactly(90);
  }

  @Test
  void gpusOfTheSameHostAreCounted() {
    assertThat(gpus(Map.of(), "h:8000")).isEqualTo(2);
    assertThat(gpus(Map.of(), "elsewhere:8000")).isNaN();
    assertThat(gpus(Map.of("pod", "m-0"), "h:8000")).as("no pod is named").isEqualTo(2);
  }

  /** By the built-in dialects, of an engine of theirs beside a GPU exporter. */
  private static double gpus(Map<String, String> labels, String instance) {
    try {
      TestWorld world =
          new TestWorld()
              .add(
                  Dump.of("e", "vllm:num_requests_running{model_name=\"m\"} 1\n"),
                  "e",
                  instance,
                  labels,
                  1,
                  1)
              .add(Dump.of("g", GPUS), "g", "10.0.0.1:9400");
      Catalogue builtIn = Catalogue.builtIn();
      Binding engine =
          new Discovery(
                  new TargetScan(Backend.queries(world), builtIn.identityLabels()),
                  new Recognition(builtIn),
                  Facts.NONE,
                  Goals.NONE)
              .services(TestWorld.NOW_MS)
              .get("vllm/m");
      Known.Told told = java.util.Objects.requireNonNull(engine).known().facts().get(Fact.GPUS);
      return told == null ? Double.NaN : told.value();
    } catch (QueryException e) {
      throw new IllegalStateException(e);
    }
  }

  private static TestWorld world(String page) {
    return new TestWorld().add(Dump.of("page", page), "j", "a:1");
  }

  private static Signals signals(TestWorld world, Facts facts) {
    return new Signals(
        CATALOGUE, Backend.queries(world), () -> TestWorld.NOW_MS, () -> 0, Goals.NONE, facts);
  }

  private static SignalResult ask(Signals signals, String signal) throws QueryException {
    SignalBatch.Request request = new SignalBatch.Request("e/m", List.of(signal), List.of());
    return signals.query(SignalBatch.at(TestWorld.NOW_MS, List.of(request))).results().getFirst();
  }
}
