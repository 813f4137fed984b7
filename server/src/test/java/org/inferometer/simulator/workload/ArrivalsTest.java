package org.inferometer.simulator.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.inferometer.simulator.edge.Stage.MILLI;
import static org.inferometer.simulator.edge.Stage.SECOND;
import static org.inferometer.simulator.edge.Stage.chat;

import java.util.List;
import org.inferometer.simulator.edge.EchoServer;
import org.inferometer.simulator.edge.Stage;
import org.inferometer.simulator.knob.Knob;
import org.inferometer.simulator.request.Request;
import org.inferometer.simulator.scenario.Scenario.Arrivals;
import org.inferometer.simulator.scenario.Scenario.Length;
import org.junit.jupiter.api.Test;

class ArrivalsTest {
  private static final long SEED = 4711;

  private final Stage stage = new Stage(SEED);
  private final EchoServer server = new EchoServer(stage.agenda, MILLI);

  private List<Request> asked(Arrivals law, long nanos) {
    stage.run(stage.clients(chat(law, 10, 10), server), nanos);
    return server.asked;
  }

  /** Of the gaps between what was asked. */
  private double variation() {
    double[] gaps = new double[server.asked.size() - 1];
    double sum = 0;
    for (int i = 0; i < gaps.length; i++) {
      gaps[i] = server.asked.get(i + 1).dueNs - server.asked.get(i).dueNs;
      sum += gaps[i];
    }
    double mean = sum / gaps.length;
    double squares = 0;
    for (double gap : gaps) {
      squares += (gap - mean) * (gap - mean);
    }
    return Math.sqrt(squares / gaps.length) / mean;
  }

  private long between(long fromNs, long toNs) {
    return server.asked.stream().filter(r -> r.dueNs >= fromNs && r.dueNs < toNs).count();
  }

  @Test
  void constant_comesEvenly() {
    asked(new Arrivals.Constant(4), 100 * SECOND);
    assertThat(server.asked).hasSize(400);
    assertThat(server.asked).allMatch(r -> r.dueNs % (SECOND / 4) == 0);
  }

  @Test
  void poisson_hasItsRateAndAVariationOf1() {
    int count = asked(new Arrivals.Poisson(50), 400 * SECOND).size();
    // Three deviations of 20,000 arrivals.
    assertThat(count).as("seed %d", SEED).isCloseTo(20_000, within(424));
    assertThat(variation()).as("seed %d", SEED).isCloseTo(1, within(0.03));
  }

  @Test
  void bursty_hasItsRateAndVariation() {
    int count = asked(new Arrivals.Bursty(50, 3), 800 * SECOND).size();
    assertThat(count).as("seed %d", SEED).isCloseTo(40_000, within(1800));
    assertThat(variation()).as("seed %d", SEED).isCloseTo(3, within(0.15));
  }

  @Test
  void bursty_maybeSteadierThanPoisson() {
    asked(new Arrivals.Bursty(50, 0.3), 400 * SECOND);
    assertThat(variation()).as("seed %d", SEED).isCloseTo(0.3, within(0.01));
  }

  @Test
  void diurnal_swingsAroundItsRateWithItsPeriod() {
    asked(new Arrivals.Diurnal(40, 0.8, 100 * SECOND, 25 * SECOND), 1000 * SECOND);
    long peaks = 0;
    long troughs = 0;
    for (long start = 0; start < 1000 * SECOND; start += 100 * SECOND) {
      peaks += between(start + 20 * SECOND, start + 30 * SECOND);
      troughs += between(start + 70 * SECOND, start + 80 * SECOND);
    }
    assertThat(server.asked.size()).as("seed %d", SEED).isCloseTo(40_000, within(600));
    // The mean of the swing over a tenth of the period around its top is 0.9836 of the top.
    assertThat(peaks / 100.0).as("seed %d", SEED).isCloseTo(40 * (1 + 0.787), within(3.0));
    assertThat(troughs / 100.0).as("seed %d", SEED).isCloseTo(40 * (1 - 0.787), within(1.5));
  }

  @Test
  void trace_isRepeatedAfterItsPeriod() {
    asked(new Arrivals.Trace(List.of(0L, SECOND, 3 * SECOND), 10 * SECOND), 25 * SECOND);
    assertThat(server.asked.stream().map(r -> r.dueNs / SECOND))
        .containsExactly(0L, 1L, 3L, 10L, 11L, 13L, 20L, 21L, 23L);
  }

  @Test
  void trace_withoutAPeriodEnds() {
    asked(new Arrivals.Trace(List.of(0L, SECOND), 0), 100 * SECOND);
    assertThat(server.asked).hasSize(2);
  }

  @Test
  void rate_turnedOnTheWayStretchesTheGapThatRuns() {
    Clients clients = stage.clients(chat(new Arrivals.Constant(1), 10, 10), server);
    clients.start();
    stage.agenda.runUntil(SECOND + SECOND / 2);
    stage.workloadKnobs.set(Knob.WORKLOAD_RATE, 5);
    stage.agenda.runUntil(2 * SECOND);
    stage.workloadKnobs.set(Knob.WORKLOAD_RATE, 0);
    stage.agenda.runUntil(10 * SECOND);
    stage.workloadKnobs.set(Knob.WORKLOAD_RATE, 1);
    stage.agenda.runUntil(12 * SECOND);
    // Half a gap was left at 1.5 s: it takes 0.1 s. Then one each 0.2 s; half a gap is left at 2 s.
    assertThat(server.asked.stream().map(r -> r.dueNs / MILLI))
        .containsExactly(1000L, 1600L, 1800L, 2000L, 11_000L, 12_000L);
  }

  @Test
  void closed_keepsItsUsersBusy() {
    EchoServer slow = new EchoServer(stage.agenda, 400 * MILLI);
    Clients clients =
        stage.clients(chat(new Arrivals.Closed(7, new Length.Fixed(0.1)), 10, 10), slow);
    stage.run(clients, 10 * SECOND);
    assertThat(slow.most).isEqualTo(7);
    assertThat(slow.asked).hasSize(7 * 20);
  }

  @Test
  void closed_getsAndLosesUsersWithTheRate() {
    EchoServer slow = new EchoServer(stage.agenda, 400 * MILLI);
    Clients clients =
        stage.clients(chat(new Arrivals.Closed(4, new Length.Fixed(0.1)), 10, 10), slow);
    clients.start();
    stage.agenda.runUntil(2 * SECOND);
    stage.workloadKnobs.set(Knob.WORKLOAD_RATE, 2.5);
    stage.agenda.runUntil(4 * SECOND);
    assertThat(slow.most).isEqualTo(10);
    stage.workloadKnobs.set(Knob.WORKLOAD_RATE, 0.25);
    stage.agenda.runUntil(5 * SECOND);
    slow.most = 0;
    stage.agenda.runUntil(8 * SECOND);
    assertThat(slow.most).isEqualTo(1);
  }
}
