package org.inferometer.simulator.live;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.inferometer.simulator.engine.Engine;
import org.inferometer.simulator.fleet.Fleet;
import org.inferometer.simulator.fleet.Replica;
import org.inferometer.simulator.page.StatsLine;
import org.inferometer.simulator.scenario.Scenario;

/** The lines of statistics that a fleet's vLLM replicas write. On the simulation's thread. */
public final class StatsLog {
  /** Replicas are told apart by their process ids, as in a log that is gathered from several. */
  private static final int FIRST_PID = 101;

  private final Fleet fleet;
  private final Consumer<String> out;
  private final Map<String, StatsLine> lines = new HashMap<>();
  private final Map<String, Integer> starts = new HashMap<>();

  /**
   * @param out takes lines, without waiting
   */
  public StatsLog(Fleet fleet, Consumer<String> out) {
    this.fleet = fleet;
    this.out = out;
  }

  /** Writes from now on, every ten simulated seconds. */
  public void start() {
    fleet.agenda().in(StatsLine.INTERVAL_NS, this::write);
  }

  private void write() {
    List<Replica> replicas = fleet.replicas();
    for (int i = 0; i < replicas.size(); i++) {
      Replica replica = replicas.get(i);
      if (replica.isUp() && replica.made().engine() == Scenario.EngineKind.VLLM) {
        line(replica, FIRST_PID + i)
            .lines(replica.engines().stream().map(Engine::measures).toList(), fleet.now())
            .forEach(out);
      }
    }
    start();
  }

  /** After a restart it may be another release. */
  private StatsLine line(Replica replica, int pid) {
    Integer before = starts.put(replica.name(), replica.starts());
    StatsLine known = lines.get(replica.name());
    if (known != null && before != null && before == replica.starts()) {
      return known;
    }
    String frontend = replica.made().frontend().name().toLowerCase(Locale.ROOT);
    StatsLine made = new StatsLine(replica.made().release(), frontend, pid, fleet.startMs());
    lines.put(replica.name(), made);
    return made;
  }
}
