package org.inferometer.benchmarks.simulator;

import org.inferometer.model.Version;
import org.inferometer.simulator.engine.Engine;
import org.inferometer.simulator.engine.EngineConfig;
import org.inferometer.simulator.engine.StepOutputs;
import org.inferometer.simulator.engine.VllmEngine;
import org.inferometer.simulator.event.Agenda;
import org.inferometer.simulator.event.Dice;
import org.inferometer.simulator.knob.Knobs;
import org.inferometer.simulator.knob.Part;
import org.inferometer.simulator.measure.EngineQuantity;
import org.inferometer.simulator.measure.Measures;
import org.inferometer.simulator.request.Request;
import org.inferometer.simulator.request.SegmentPrompt;

/**
 * An engine that always has the same number of requests: for each that ends another comes, with a
 * prompt of 900 to 2,900 tokens, 400 of them one of ten shared beginnings, and an answer of 100 to
 * 500.
 */
final class LoadedEngine {
  private static final long STEP_NS = 25_000_000;
  private static final int BLOCK_SIZE = 16;
  private static final int MAX_MODEL_LEN = 4096;

  /** As an H100 has for a model of 8B, about. */
  private static final int BLOCKS = 40_000;

  private static final int SHARED_TOKENS = 400;
  private static final int SHARED_PROMPTS = 10;

  private final Agenda agenda = new Agenda();
  private final Dice dice = Dice.of(1);
  private final VllmEngine engine;
  private long nextId;
  private long steps;
  private long tokens;

  LoadedEngine(int running, boolean asynchronous) {
    engine =
        new VllmEngine(
            0,
            config(running, asynchronous),
            (work, now) -> {
              steps++;
              return STEP_NS;
            },
            agenda,
            new Measures(EngineQuantity.class, Measures.Edges.fine(), 0),
            new Knobs(Part.ENGINE),
            this::onOutputs,
            dice.stream("drafts"));
    for (int i = 0; i < running; i++) {
      add();
    }
  }

  private static EngineConfig config(int running, boolean asynchronous) {
    int blocks = Math.max(BLOCKS, running * MAX_MODEL_LEN / BLOCK_SIZE / 2);
    return new EngineConfig(
        Version.parse("0.31.0"),
        MAX_MODEL_LEN,
        running,
        8192,
        blocks,
        BLOCK_SIZE,
        true,
        0,
        true,
        asynchronous,
        false,
        true,
        0,
        1,
        0,
        null,
        null,
        null);
  }

  void run(long seconds) {
    agenda.runUntil(agenda.now() + seconds * 1_000_000_000L);
  }

  long steps() {
    return steps;
  }

  long tokens() {
    return tokens;
  }

  private void onOutputs(Engine from, StepOutputs outputs) {
    for (int i = 0; i < outputs.count(); i++) {
      tokens += outputs.tokens(i);
      if (outputs.isLast(i)) {
        add();
      }
    }
  }

  private void add() {
    long id = nextId++;
    SegmentPrompt prompt =
        SegmentPrompt.empty()
            .then(dice.nextInt(SHARED_PROMPTS), SHARED_TOKENS)
            .then(SHARED_PROMPTS + id, 500 + dice.nextInt(2000));
    int answer = 100 + dice.nextInt(400);
    engine.add(
        new Request(
            id,
            new Request.Ask(
                "r" + id, "speed", prompt, answer, MAX_MODEL_LEN, null, 0, 0, false, 0, true)));
  }
}
