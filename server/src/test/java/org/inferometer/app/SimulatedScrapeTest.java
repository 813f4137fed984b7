package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.app.FakeSimulation.FakeEndpoint;
import org.inferometer.model.FloatFormat;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.model.StalenessMarker;
import org.inferometer.simulator.knob.Knob;
import org.inferometer.store.Querier;
import org.inferometer.store.SampleColumns;
import org.inferometer.store.Series;
import org.junit.jupiter.api.Test;

class SimulatedScrapeTest {
  private static final long SECOND = FakeSimulation.SECOND;

  private final FakeSimulation simulation = new FakeSimulation();
  private final RecordedSeries stored = new RecordedSeries(FakeSimulation.START_MS);

  private SimulatedScrape scrape() {
    return new SimulatedScrape(simulation, stored, SimulatedHistory.of(10_000, 7));
  }

  /** Seconds since the beginning and values of a series of the endpoint a; "-" for its end. */
  private List<String> samples(String metric) {
    List<String> samples = new ArrayList<>();
    try (Querier querier = stored.querier(Long.MIN_VALUE, Long.MAX_VALUE)) {
      for (Series series :
          querier.select(
              List.of(
                  Matcher.equal(Labels.NAME, metric),
                  Matcher.equal("job", "engine"),
                  Matcher.equal("instance", "a.sim:8000")))) {
        SampleColumns columns = new SampleColumns();
        series.read(Long.MIN_VALUE, Long.MAX_VALUE, columns);
        for (int i = 0; i < columns.size(); i++) {
          double value = columns.value(i);
          samples.add(
              (columns.timestampMs(i) - FakeSimulation.START_MS) / 1000
                  + ":"
                  + (StalenessMarker.is(value) ? "-" : FloatFormat.general(value)));
        }
      }
    }
    return samples;
  }

  private List<String> values(String metric) {
    return samples(metric).stream().map(s -> s.substring(s.indexOf(':') + 1)).toList();
  }

  @Test
  void page_isThatOfTheScrapesMoment() {
    simulation.add("a");
    simulation.add("b");
    try (SimulatedScrape scrape = scrape()) {
      scrape.runUntil(40 * SECOND);
    }
    assertThat(simulation.now()).isEqualTo(40 * SECOND);
    assertThat(samples("clock_seconds"))
        .hasSize(4)
        .allSatisfy(s -> assertThat(s.split(":")[0]).isEqualTo(s.split(":")[1]));
    assertThat(values("up")).containsExactly("1", "1", "1", "1");
  }

  @Test
  void series_end_whenNothingListens() {
    FakeEndpoint a = simulation.add("a");
    try (SimulatedScrape scrape = scrape()) {
      scrape.runUntil(20 * SECOND);
      a.down = true;
      scrape.runUntil(40 * SECOND);
      a.down = false;
      scrape.runUntil(50 * SECOND);
    }
    assertThat(values("clock_seconds")).hasSize(4).element(2).isEqualTo("-");
    assertThat(values("up")).containsExactly("1", "1", "0", "0", "1");
  }

  @Test
  void slowAnswer_takesItsTime_andItsPageIsLater() {
    FakeEndpoint a = simulation.add("a");
    a.delayNs = 3 * SECOND;
    try (SimulatedScrape scrape = scrape()) {
      scrape.runUntil(20 * SECOND);
    }
    assertThat(samples("clock_seconds"))
        .isNotEmpty()
        .allSatisfy(
            s ->
                assertThat(Long.parseLong(s.split(":")[1]))
                    .isEqualTo(Long.parseLong(s.split(":")[0]) + 3));
    assertThat(values("scrape_duration_seconds")).contains("3");
  }

  @Test
  void answerBeyondTheTimeout_isNone() {
    FakeEndpoint a = simulation.add("a");
    FakeEndpoint lost = simulation.add("b");
    a.delayNs = 11 * SECOND;
    lost.lost = true;
    try (SimulatedScrape scrape = scrape()) {
      scrape.runUntil(60 * SECOND);
    }
    assertThat(samples("clock_seconds")).isEmpty();
    assertThat(values("up")).isNotEmpty().containsOnly("0");
    assertThat(values("scrape_duration_seconds")).containsOnly("10");
  }

  @Test
  void endpointThatIsGone_endsItsSeries() {
    FakeEndpoint a = simulation.add("a");
    simulation.add("b");
    try (SimulatedScrape scrape = scrape()) {
      scrape.runUntil(20 * SECOND);
      simulation.remove(a);
      scrape.runUntil(80 * SECOND);
    }
    assertThat(values("clock_seconds")).hasSize(3).last().isEqualTo("-");
    assertThat(values("up")).containsExactly("1", "1", "-");
  }

  @Test
  void jitter_isOfTheTurns_andTheSame_forTheSameSeed() {
    FakeEndpoint a = simulation.add("a");
    a.knobs().set(Knob.SCRAPE_JITTER, 4);
    try (SimulatedScrape scrape = scrape()) {
      scrape.runUntil(400 * SECOND);
    }
    List<Long> seconds = samples("up").stream().map(s -> Long.valueOf(s.split(":")[0])).toList();
    long least = Long.MAX_VALUE;
    long most = Long.MIN_VALUE;
    for (int i = 1; i < seconds.size(); i++) {
      long gap = seconds.get(i) - seconds.get(i - 1);
      least = Math.min(least, gap);
      most = Math.max(most, gap);
    }
    assertThat(seconds).hasSizeBetween(39, 40);
    assertThat(least).isBetween(6L, 9L);
    assertThat(most).isBetween(11L, 14L);
  }

  @Test
  void history_goesOn_whereTheOneBeforeEnded() {
    simulation.add("a");
    SimulatedHistory history = SimulatedHistory.of(10_000, 1);
    List<Double> told = new ArrayList<>();
    history.fill(simulation, stored, FakeSimulation.START_MS + 25_000, told::add);
    history.fill(simulation, stored, FakeSimulation.START_MS + 60_000, told::add);
    assertThat(values("clock_seconds")).hasSize(6).doesNotContain("-");
    assertThat(told).startsWith(0.0).endsWith(1.0).isNotEmpty();
  }
}
