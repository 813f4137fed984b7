package org.inferometer.app;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.simulator.fleet.Endpoint;
import org.inferometer.simulator.fleet.Simulation;
import org.inferometer.simulator.knob.Knobs;
import org.inferometer.simulator.knob.Part;
import org.inferometer.simulator.page.Page;

/** A simulation of endpoints that tell the simulated second, and of nothing else. */
final class FakeSimulation implements Simulation {
  static final long START_MS = 1_790_000_000_000L;
  static final long SECOND = 1_000_000_000;

  private long now;
  private List<Endpoint> endpoints = List.of();

  /** An endpoint that a test turns. */
  static final class FakeEndpoint implements Endpoint {
    private final FakeSimulation simulation;
    private final String name;
    private final Knobs knobs = new Knobs(Part.SCRAPE);
    long delayNs;
    boolean down;
    boolean lost;

    private FakeEndpoint(FakeSimulation simulation, String name) {
      this.simulation = simulation;
      this.name = name;
    }

    @Override
    public String job() {
      return "engine";
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public String address() {
      return name + ".sim:8000";
    }

    @Override
    public String path() {
      return "/metrics";
    }

    @Override
    public long delayNs() {
      return delayNs;
    }

    @Override
    public Knobs knobs() {
      return knobs;
    }

    @Override
    public Page page() throws NoAnswer {
      if (down || lost) {
        throw new NoAnswer("gone", lost);
      }
      byte[] body =
          "# TYPE clock_seconds gauge\nclock_seconds %d\n"
              .formatted(simulation.now / SECOND)
              .getBytes(StandardCharsets.UTF_8);
      return new Page(body, body.length, "text/plain; version=0.0.4; charset=utf-8");
    }
  }

  FakeEndpoint add(String name) {
    FakeEndpoint endpoint = new FakeEndpoint(this, name);
    List<Endpoint> more = new ArrayList<>(endpoints);
    more.add(endpoint);
    endpoints = List.copyOf(more);
    return endpoint;
  }

  void remove(Endpoint endpoint) {
    endpoints = endpoints.stream().filter(one -> !one.equals(endpoint)).toList();
  }

  @Override
  public long startMs() {
    return START_MS;
  }

  @Override
  public long now() {
    return now;
  }

  @Override
  public void runUntil(long ns) {
    if (ns < now) {
      throw new IllegalArgumentException("expected " + ns + " not to be before " + now);
    }
    now = ns;
  }

  @Override
  public List<Endpoint> endpoints() {
    return endpoints;
  }
}
