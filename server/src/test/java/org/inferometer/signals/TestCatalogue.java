package org.inferometer.signals;

import java.util.List;
import java.util.Map;

/** A catalogue of one dialect, written in a test. */
final class TestCatalogue {
  private static final String ENGINES =
      """
      dialects:
        - {id: o, title: O, kind: other, identify: [{family: o_info}]}
      """;
  private static final String JUDGEMENT =
      """
      limits:
        - {name: idle_window_seconds, value: 300, source: s}
        - {name: goal_degraded_factor, value: 1.15, source: s}
        - {name: goal_critical_factor, value: 3, source: s}
      rules: []
      summaries: []
      """;

  private static final String FAMILIES =
      """
      dialect: e
      families:
        - {name: e_running, type: gauge, unit: requests}
        - {name: e_users, type: gauge, unit: count, since: "0.5", last: "0.9"}
        - {name: e_tokens, type: gauge, unit: tokens}
        - {name: e_blocks, type: gauge, unit: blocks, since: "2025", last: 2026-03}
        - {name: e_info, type: info}
        - {name: e_wait, type: histogram, unit: seconds, since: "0.10.2"}
        - {name: e_started_total, type: counter, unit: requests, counts: arrived}
        - {name: e_finished_total, type: counter, unit: requests, counts: finished}
        - {name: e_failed_total, type: counter, unit: requests, counts: failed}
        - {name: e_latency, type: histogram, unit: seconds, counts: succeeded}
      """;

  private TestCatalogue() {}

  /**
   * A catalogue from the lists under the key "signals" of both files.
   *
   * @param dialect the signals of an engine E whose names begin with e_ and whose models are in the
   *     label "model"
   */
  static Catalogue of(String signals, String dialect) {
    return Catalogue.load(files(signals, dialect));
  }

  static Catalogue.Files files(String signals, String dialect) {
    String engine =
        """
        dialect: {id: e, title: E, kind: engine, models: [model], identify: [{prefix: e_}]}
        signals:
        """
            + dialect;
    return new Catalogue.Files(
        "signals:\n" + signals,
        Map.of("e.yaml", engine),
        ENGINES,
        JUDGEMENT,
        Map.of("families/e.yaml", FAMILIES),
        "traps: []");
  }

  /** Signals over a world by a catalogue. */
  static Signals signals(Catalogue catalogue, TestWorld world, Goals goals, Facts facts) {
    return new Signals(
        catalogue, Backend.queries(world), () -> TestWorld.NOW_MS, () -> 0, goals, facts);
  }

  /** Signals of the model m at the world's end. */
  static SignalBatch batch(String... signals) {
    return SignalBatch.at(
        TestWorld.NOW_MS, List.of(new SignalBatch.Request("e/m", List.of(signals), List.of())));
  }
}
