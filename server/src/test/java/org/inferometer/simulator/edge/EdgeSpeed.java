package org.inferometer.simulator.edge;

import java.lang.management.ManagementFactory;
import org.inferometer.simulator.scenario.Scenario.Arrivals;
import org.inferometer.simulator.scenario.Scenario.Length;
import org.inferometer.simulator.scenario.Scenario.Routing;
import org.inferometer.simulator.workload.Clients;

/** How much faster than real time clients, gateway and front end are, with 200 streams. */
final class EdgeSpeed {
  private static final int STREAMS = 200;
  private static final int SECONDS = 2000;

  private EdgeSpeed() {}

  /** Prints simulated seconds for each second of CPU time, over and over. */
  @SuppressWarnings("SystemOut") // Its result.
  public static void main(String[] arguments) {
    for (int i = 0; i < 5; i++) {
      Stage stage = new Stage(i);
      ApiFrontEnd server = stage.frontEnd("a", FrontEndCosts.python(), 1, 25 * Stage.MILLI);
      SimulatedGateway gateway =
          stage.gateway(Stage.gateway(60 * Stage.SECOND, 0, Routing.PREFIX), server);
      Clients clients =
          stage.clients(
              new Stage.WorkloadMaker(new Arrivals.Closed(STREAMS, new Length.Fixed(0)))
                  .lengths(new Length.Uniform(500, 2500), new Length.Uniform(100, 500))
                  .timeout(300 * Stage.SECOND)
                  .make(),
              gateway);
      clients.start();
      long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      stage.agenda.runUntil(SECONDS * Stage.SECOND);
      long took = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
      System.out.printf(
          "%.0f times real time, %.2f million events%n",
          SECONDS * 1e9 / took, stage.agenda.happened() / 1e6);
    }
  }
}
