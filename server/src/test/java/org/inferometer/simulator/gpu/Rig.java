package org.inferometer.simulator.gpu;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.inferometer.hardware.Hardware;
import org.inferometer.hardware.ModelShape;
import org.inferometer.hardware.Models;
import org.inferometer.simulator.engine.StepTimer;
import org.inferometer.simulator.engine.StepWork;
import org.inferometer.simulator.event.Agenda;
import org.inferometer.simulator.event.Dice;
import org.inferometer.simulator.host.HostProcess;
import org.inferometer.simulator.host.SimulatedHost;
import org.inferometer.simulator.knob.Knobs;
import org.inferometer.simulator.knob.Part;
import org.inferometer.simulator.measure.GpuQuantity;
import org.inferometer.simulator.measure.Measures;

/** A model on a few GPUs of a host, and a way to run steps on it by hand. */
final class Rig {
  final Agenda agenda = new Agenda();
  final SimulatedHost host =
      new SimulatedHost(agenda, "host-0", 16, 256e9, 1.8e9, Measures.Edges.fine());
  final Knobs engine = new Knobs(Part.ENGINE);
  final List<SimulatedGpu> gpus = new ArrayList<>();
  final HostProcess process = host.start("VLLM::EngineCore", 4e9);
  final ModelShape model;
  final ReplicaTimer timer;

  Rig(String model, String gpu, int degree) {
    this(model, gpu, degree, "none", true, true);
  }

  Rig(
      String model,
      String gpu,
      int degree,
      String quantization,
      boolean asyncScheduling,
      boolean graphs) {
    this.model = Objects.requireNonNull(Models.builtIn().find(model), model);
    for (int i = 0; i < degree; i++) {
      gpus.add(gpu(agenda, gpu, i));
    }
    Precision precision = Precision.of(this.model, quantization, null);
    timer =
        new ReplicaTimer(
            new ReplicaTimer.Setup(this.model, precision, asyncScheduling, graphs),
            gpus,
            process,
            engine,
            null);
  }

  static SimulatedGpu gpu(Agenda agenda, String name, int index) {
    Hardware.Gpu model = Objects.requireNonNull(Hardware.builtIn().find(name), name);
    return new SimulatedGpu(
        agenda,
        model,
        index,
        Dice.of(3).stream("gpu" + index),
        Measures.Edges.fine(),
        SimulatedGpu.INTERVAL_NS);
  }

  static StepWork decode(int requests, int context) {
    StepWork work = new StepWork();
    work.decodeRequests = requests;
    work.decodeTokens = requests;
    work.decodeContext = (double) requests * context;
    return work;
  }

  static StepWork prefill(int tokens) {
    StepWork work = new StepWork();
    work.prefillRequests = 1;
    work.prefillTokens = tokens;
    work.prefillAttention = tokens * (tokens + 1.0) / 2;
    return work;
  }

  /** Seconds of one step that begins now; nothing moves. */
  double seconds(StepWork work) {
    long nanos = timer.begin(work, agenda.now());
    return nanos == StepTimer.NEVER ? Double.POSITIVE_INFINITY : nanos / 1e9;
  }

  /** Runs steps one after another for so long; answers how many. */
  int run(StepWork work, double seconds) {
    long end = agenda.now() + Math.round(seconds * 1e9);
    int steps = 0;
    while (agenda.now() < end) {
      long nanos = timer.begin(work, agenda.now());
      if (nanos == StepTimer.NEVER) {
        agenda.runUntil(end);
        return steps;
      }
      agenda.runUntil(agenda.now() + nanos);
      steps++;
    }
    return steps;
  }

  void rest(double seconds) {
    agenda.runUntil(agenda.now() + Math.round(seconds * 1e9));
  }

  double gauge(int gpu, GpuQuantity quantity) {
    return gpus.get(gpu).measures().value(quantity);
  }
}
