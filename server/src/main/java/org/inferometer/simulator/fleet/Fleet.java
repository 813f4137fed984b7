package org.inferometer.simulator.fleet;

import java.util.List;
import org.inferometer.simulator.event.Agenda;
import org.inferometer.simulator.host.Host;
import org.inferometer.simulator.request.Server;
import org.inferometer.simulator.scenario.Action;
import org.inferometer.simulator.scenario.Scenario;

/** A whole simulated system: what a scenario says, going on in simulated time. Not thread-safe. */
public final class Fleet implements Simulation {
  private final Scenario scenario;
  private final long seed;
  private final long startMs;
  private final Agenda agenda = new Agenda();
  private long requests;

  private Fleet(Scenario scenario, long seed, long startMs) {
    this.scenario = scenario;
    this.seed = seed;
    this.startMs = startMs;
  }

  /**
   * A fleet at its beginning: everything is up and nothing has been asked.
   *
   * @param seed of all that is left to chance
   * @param startMs the time of day at its beginning
   * @throws IllegalArgumentException if something of it can't be, such as a model that doesn't fit
   *     into its GPUs
   */
  public static Fleet of(Scenario scenario, long seed, long startMs) {
    return new Fleet(scenario, seed, startMs);
  }

  public Scenario scenario() {
    return scenario;
  }

  public long seed() {
    return seed;
  }

  @Override
  public long startMs() {
    return startMs;
  }

  /** What will happen; others may put their own events down. */
  public Agenda agenda() {
    return agenda;
  }

  @Override
  public long now() {
    return agenda.now();
  }

  @Override
  public void runUntil(long ns) {
    agenda.runUntil(ns);
  }

  @Override
  public List<Endpoint> endpoints() {
    return List.of();
  }

  /** All of them, whether they are up or not. */
  public List<Replica> replicas() {
    return List.of();
  }

  public List<Host> hosts() {
    return List.of();
  }

  /** Where requests from outside go: the gateway; without one the first replica. */
  public Server entry() {
    throw new UnsupportedOperationException("not wired yet");
  }

  /** For a request from outside: distinct from all others. */
  public long newRequestId() {
    return ++requests;
  }

  /**
   * Does something to the fleet, now.
   *
   * @param forNs after which it is undone; 0 for never
   * @throws IllegalArgumentException if it can't be done, or there is nothing to do it to; says what
   *     was expected
   */
  public void apply(Action action, Scenario.Target on, long forNs) {
    throw new UnsupportedOperationException("not wired yet");
  }
}
