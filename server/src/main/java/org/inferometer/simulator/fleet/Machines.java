package org.inferometer.simulator.fleet;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.hardware.Hardware;
import org.inferometer.model.Version;
import org.inferometer.simulator.gpu.SimulatedGpu;
import org.inferometer.simulator.host.SimulatedHost;
import org.inferometer.simulator.page.PageFile;
import org.inferometer.simulator.page.PageForm;
import org.inferometer.simulator.scenario.Scenario;

/** The hosts of a fleet with their GPUs; made when a replica needs them. */
final class Machines {
  /** Of a host that nobody described: what servers with so many GPUs have, about. */
  private static final int CORES_PER_GPU = 12;

  private static final int CORES_MIN = 16;
  private static final double MEMORY = 1e12;

  private final World world;
  private final Map<String, Scenario.Host> described = new HashMap<>();
  private final Map<String, Machine> machines = new LinkedHashMap<>();
  private final PageForm gpuForm;
  private final PageForm hostForm;

  /** A host and the GPUs in it. */
  static final class Machine {
    private final SimulatedHost host;
    private final List<SimulatedGpu> gpus = new ArrayList<>();
    private final List<SimulatedGpu> free = new ArrayList<>();

    private Machine(SimulatedHost host) {
      this.host = host;
    }

    SimulatedHost host() {
      return host;
    }

    List<SimulatedGpu> gpus() {
      return gpus;
    }

    /** GPUs that nobody needs any more stay where they are, for the next one. */
    void free(List<SimulatedGpu> unused) {
      free.addAll(unused);
    }
  }

  Machines(World world, List<Scenario.Host> hosts) {
    this.world = world;
    hosts.forEach(host -> described.put(host.name(), host));
    gpuForm = PageFile.builtIn("dcgm").form(Version.parse("4.2.0"), Map.of());
    hostForm = PageFile.builtIn("node").form(Version.parse("1.9.0"), Map.of());
  }

  PageForm gpuForm() {
    return gpuForm;
  }

  PageForm hostForm() {
    return hostForm;
  }

  /** In the order in which they were needed. */
  List<Machine> all() {
    return List.copyOf(machines.values());
  }

  /**
   * The machine of a name.
   *
   * @param gpus it is to have at least, if it is made now and nobody described it
   */
  Machine machine(String name, int gpus) {
    Machine known = machines.get(name);
    if (known == null) {
      known = new Machine(host(name, gpus));
      machines.put(name, known);
    }
    return known;
  }

  private SimulatedHost host(String name, int gpus) {
    Scenario.Host given = described.get(name);
    return new SimulatedHost(
        world.agenda(),
        name,
        given == null ? Math.max(CORES_MIN, CORES_PER_GPU * gpus) : given.cores(),
        given == null ? MEMORY : given.memory(),
        world.startMs() / 1e3,
        hostForm.edges());
  }

  /** GPUs of a machine that are free, and more that are put into it where those don't do. */
  List<SimulatedGpu> take(Machine machine, String model, int count) {
    List<SimulatedGpu> taken = new ArrayList<>();
    for (SimulatedGpu gpu : List.copyOf(machine.free)) {
      if (taken.size() < count && gpu.model().equals(world.gpu(model))) {
        machine.free.remove(gpu);
        taken.add(gpu);
      }
    }
    taken.addAll(add(machine, model, count - taken.size()));
    return taken;
  }

  private List<SimulatedGpu> add(Machine machine, String model, int count) {
    Hardware.Gpu gpu = world.gpu(model);
    List<SimulatedGpu> added = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int index = machine.gpus.size();
      String name = machine.host.name() + "/gpu" + index;
      SimulatedGpu one =
          new SimulatedGpu(
              world.agenda(),
              gpu,
              index,
              world.dice().stream(name),
              gpuForm.edges(),
              SimulatedGpu.INTERVAL_NS);
      machine.gpus.add(one);
      added.add(one);
    }
    return added;
  }
}
