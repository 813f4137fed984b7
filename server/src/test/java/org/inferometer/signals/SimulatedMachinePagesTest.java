package org.inferometer.signals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.inferometer.hardware.Hardware;
import org.inferometer.hardware.ModelShape;
import org.inferometer.hardware.Models;
import org.inferometer.model.Version;
import org.inferometer.query.QueryException;
import org.inferometer.simulator.engine.StepWork;
import org.inferometer.simulator.event.Agenda;
import org.inferometer.simulator.event.Dice;
import org.inferometer.simulator.gpu.Precision;
import org.inferometer.simulator.gpu.ReplicaTimer;
import org.inferometer.simulator.gpu.SimulatedGpu;
import org.inferometer.simulator.host.SimulatedHost;
import org.inferometer.simulator.knob.Knob;
import org.inferometer.simulator.knob.Knobs;
import org.inferometer.simulator.knob.Part;
import org.inferometer.simulator.measure.GpuQuantity;
import org.inferometer.simulator.measure.HostQuantity;
import org.inferometer.simulator.measure.Measures;
import org.inferometer.simulator.page.Page;
import org.inferometer.simulator.page.PageFile;
import org.inferometer.simulator.page.Subject;
import org.junit.jupiter.api.Test;

/** What the product reads from the pages of a simulated GPU and its host is the truth. */
class SimulatedMachinePagesTest {
  private static final long SECOND = 1_000_000_000L;

  private final Agenda agenda = new Agenda();
  private final SimulatedHost host =
      new SimulatedHost(agenda, "node-0", 8, 256e9, 1.79e9, Measures.Edges.fine());
  private final SimulatedGpu gpu =
      new SimulatedGpu(
          agenda,
          Objects.requireNonNull(Hardware.builtIn().find("H100")),
          0,
          Dice.of(9),
          Measures.Edges.fine(),
          SimulatedGpu.INTERVAL_NS);

  /** A minute of decode on a GPU with a power cap and the like. */
  SimulatedMachinePagesTest() {
    ModelShape model = Objects.requireNonNull(Models.builtIn().find("llama-3.1-8b"));
    ReplicaTimer timer =
        new ReplicaTimer(
            new ReplicaTimer.Setup(model, Precision.of(model, null, null), true, true),
            List.of(gpu),
            host.start("VLLM::EngineCore", 6e9),
            new Knobs(Part.ENGINE),
            null);
    gpu.allocate(70e9);
    gpu.knobs().set(Knob.GPU_POWER_LIMIT, 0.5);
    gpu.knobs().set(Knob.GPU_ECC, 1);
    host.knobs().set(Knob.HOST_BUSY, 2);
    StepWork work = new StepWork();
    work.decodeRequests = 32;
    work.decodeTokens = 32;
    work.decodeContext = 32_000;
    while (agenda.now() < 60 * SECOND) {
      agenda.runUntil(agenda.now() + timer.begin(work, agenda.now()));
    }
    gpu.xid(94);
  }

  private Dump page(String page, String release, Subject subject) {
    Page written =
        PageFile.builtIn(page)
            .form(Version.parse(release), Map.of())
            .writer(1_790_000_000_000L)
            .write(List.of(subject), agenda.now());
    return Dump.of(page, new String(written.body(), 0, written.length(), StandardCharsets.UTF_8));
  }

  private static void check(Dump page, String dialect, Map<String, Double> expected)
      throws QueryException {
    SimulatedPage.values(
            SimulatedPage.signals(page, dialect), dialect + "/" + dialect + ":1", expected.keySet())
        .forEach(
            (signal, value) -> {
              double wanted = expected.getOrDefault(signal, Double.NaN);
              assertThat(value)
                  .as(signal)
                  .isCloseTo(wanted, within(0.006 * Math.max(1e-3, Math.abs(wanted))));
            });
  }

  @Test
  void gpusPage_tellsTheTruth() throws QueryException {
    Map<String, String> facts = new HashMap<>(gpu.facts("node-0"));
    facts.put("profiling", "1");
    Measures truth = gpu.measures();
    Map<String, Double> expected = new TreeMap<>();
    expected.put("gpu_util", truth.value(GpuQuantity.KERNEL_TIME));
    expected.put("gpu_sm_active", truth.value(GpuQuantity.SM_ACTIVE));
    expected.put("gpu_tensor_active", truth.value(GpuQuantity.TENSOR_ACTIVE));
    expected.put("gpu_dram_active", truth.value(GpuQuantity.DRAM_ACTIVE));
    expected.put("gpu_power", truth.value(GpuQuantity.POWER));
    expected.put("gpu_power_limit", 350.0);
    expected.put("gpu_sm_clock", truth.value(GpuQuantity.SM_CLOCK));
    expected.put("gpu_memory_clock", 2619e6);
    expected.put("gpu_temperature", truth.value(GpuQuantity.TEMPERATURE));
    expected.put("gpu_memory_used", 70e9);
    expected.put("gpu_clock_event_reasons", truth.value(GpuQuantity.CLOCK_EVENT_REASONS));
    expected.put("gpu_xid", 94.0);
    expected.put("gpu_pcie_width", 16.0);
    assertThat(truth.value(GpuQuantity.CLOCK_EVENT_REASONS)).isEqualTo(4);
    check(page("dcgm", "4.2.0", new Subject("gpu", Map.of(), facts, truth)), "dcgm", expected);
  }

  @Test
  void hostsPage_tellsTheTruth() throws QueryException {
    Measures truth = host.measures();
    Map<String, Double> expected = new TreeMap<>();
    expected.put("host_memory_available", truth.value(HostQuantity.MEMORY_AVAILABLE));
    expected.put("host_load", truth.value(HostQuantity.LOAD_1));
    expected.put("host_procs_blocked", 0.0);
    Subject subject = new Subject("host", Map.of(), Map.of("host", "node-0"), truth);
    check(page("node", "1.9.0", subject), "node", expected);
  }
}
