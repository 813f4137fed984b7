package org.inferometer.signals;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.inferometer.query.QueryException;

/** What the product reads from a page of the simulator that stands in a store alone. */
final class SimulatedPage {
  private SimulatedPage() {}

  static Signals signals(Dump page, String job) {
    return new Signals(
        Catalogue.builtIn(),
        Backend.queries(new TestWorld().add(page, job, job + ":1")),
        () -> TestWorld.NOW_MS,
        () -> 0,
        Goals.NONE,
        Facts.NONE);
  }

  /** The newest value of each signal, which has one series. */
  static Map<String, Double> values(Signals of, String service, Set<String> ids)
      throws QueryException {
    List<SignalResult> results =
        of.query(
                SignalBatch.at(
                    TestWorld.NOW_MS,
                    List.of(new SignalBatch.Request(service, List.copyOf(ids), List.of()))))
            .results();
    assertThat(results).hasSize(ids.size());
    Map<String, Double> values = new LinkedHashMap<>();
    for (SignalResult result : results) {
      assertThat(result.series()).as(result.toString()).hasSize(1);
      values.put(result.signal(), result.series().getFirst().values()[0]);
    }
    return values;
  }
}
