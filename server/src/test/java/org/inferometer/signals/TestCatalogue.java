package org.inferometer.signals;

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
        Map.of(),
        "traps: []");
  }
}
