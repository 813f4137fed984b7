package org.inferometer.simulator.engine;

import java.lang.management.ManagementFactory;
import org.inferometer.simulator.event.Agenda;
import org.inferometer.simulator.event.Dice;
import org.inferometer.simulator.knob.Knobs;
import org.inferometer.simulator.knob.Part;
import org.inferometer.simulator.measure.EngineQuantity;
import org.inferometer.simulator.measure.Measures;
import org.inferometer.simulator.request.Request;
import org.inferometer.simulator.request.SegmentPrompt;

/** How much faster than real time an engine with 200 running requests is. */
final class EngineSpeed {
  private static final int RUNNING = 200;
  private static final long STEP_NS = 25_000_000;

  private final Agenda agenda = new Agenda();
  private final VllmEngine engine;
  private long nextId;
  private long tokens;
  private long runningSum;
  private long steps;

  private EngineSpeed(boolean async) {
    EngineRig.Config config = EngineRig.config();
    config.blocks = 40_001;
    config.maxNumBatchedTokens = 8192;
    config.asyncScheduling = async;
    config.maxNumSeqs = RUNNING;
    engine =
        new VllmEngine(
            0,
            config.make(),
            (work, now) -> STEP_NS,
            agenda,
            new Measures(EngineQuantity.class, Measures.Edges.fine(), 0),
            new Knobs(Part.ENGINE),
            this::onOutputs,
            Dice.of(1));
  }

  private void onOutputs(Engine from, StepOutputs outputs) {
    runningSum += from.running();
    steps++;
    for (int i = 0; i < outputs.count(); i++) {
      tokens += outputs.tokens(i);
      if (outputs.isLast(i)) {
        add();
      }
    }
  }

  private void add() {
    long id = nextId++;
    int prompt = 500 + (int) (id * 37 % 2000);
    int output = 100 + (int) (id * 53 % 400);
    engine.add(
        new Request(
            id,
            new Request.Ask(
                "r" + id,
                "speed",
                SegmentPrompt.empty().then(id % 10, 400).then(1000 + id, prompt),
                output,
                4000,
                null,
                0,
                0,
                false,
                0,
                true)));
  }

  /** CPU time, since others may use the machine too. */
  private static long cpuNs() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  public static void main(String[] args) {
    for (int round = 0; round < 6; round++) {
      EngineSpeed speed = new EngineSpeed(round % 2 == 1);
      for (int i = 0; i < RUNNING; i++) {
        speed.add();
      }
      long begin = cpuNs();
      speed.agenda.runUntil(1800_000_000_000L);
      double seconds = (cpuNs() - begin) * 1e-9;
      System.out.printf(
          "async %s: %.0f x real time, %.2f us a step, %.1f running, %d tokens, usage %.2f%n",
          round % 2 == 1,
          1800 / seconds,
          seconds * 1e6 / speed.steps,
          (double) speed.runningSum / speed.steps,
          speed.tokens,
          speed.engine.kvUsage());
    }
  }
}
