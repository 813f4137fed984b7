package org.inferometer.simulator.engine;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.model.Version;
import org.inferometer.simulator.event.Agenda;
import org.inferometer.simulator.event.Dice;
import org.inferometer.simulator.knob.Knobs;
import org.inferometer.simulator.knob.Part;
import org.inferometer.simulator.measure.EngineQuantity;
import org.inferometer.simulator.measure.Measures;
import org.inferometer.simulator.request.Prompt;
import org.inferometer.simulator.request.Request;
import org.inferometer.simulator.request.SegmentPrompt;
import org.jspecify.annotations.Nullable;

/** An engine with a clock of its own, whose steps take a millisecond unless said otherwise. */
final class EngineRig {
  static final long MS = 1_000_000;

  /** What a step was asked to do, kept. */
  record Step(long beginNs, int prefillTokens, int decodeTokens, int requests, long extraNs) {
    int tokens() {
      return prefillTokens + decodeTokens;
    }
  }

  final Agenda agenda = new Agenda();
  final Knobs knobs = new Knobs(Part.ENGINE);
  final Measures measures = new Measures(EngineQuantity.class, Measures.Edges.fine(), 0);
  final List<Step> steps = new ArrayList<>();
  final List<Request> ended = new ArrayList<>();
  final VllmEngine engine;
  long outputTokens;
  long stepNs = MS;
  private long nextId;

  /** Is asked when a step begins. */
  Runnable beforeStep = () -> {};

  /** Is asked after every step, once outputs are out. */
  Runnable afterStep = () -> {};

  EngineRig(EngineConfig config) {
    this(config, 1);
  }

  EngineRig(EngineConfig config, long seed) {
    engine =
        new VllmEngine(
            0, config, this::begin, agenda, measures, knobs, this::onOutputs, Dice.of(seed));
  }

  private long begin(StepWork work, long nowNs) {
    beforeStep.run();
    steps.add(
        new Step(nowNs, work.prefillTokens, work.decodeTokens, work.requests(), work.extraNs));
    return stepNs + work.extraNs;
  }

  private void onOutputs(Engine from, StepOutputs outputs) {
    for (int i = 0; i < outputs.count(); i++) {
      outputTokens += outputs.tokens(i);
      if (outputs.isLast(i)) {
        ended.add(outputs.request(i));
      }
    }
    afterStep.run();
  }

  /** A request whose prompt is nobody else's and which is cut after so many tokens. */
  Request request(int promptTokens, int outputTokens) {
    return request(SegmentPrompt.empty().then(1_000_000 + nextId, promptTokens), outputTokens);
  }

  Request request(Prompt prompt, int outputTokens) {
    return request(prompt, Integer.MAX_VALUE, outputTokens, null, 0, 0);
  }

  Request request(
      Prompt prompt,
      int stopAfter,
      int maxTokens,
      @Nullable String adapter,
      int priority,
      double temperature) {
    long id = nextId++;
    return new Request(
        id,
        new Request.Ask(
            "r" + id,
            "test",
            prompt,
            stopAfter,
            maxTokens,
            adapter,
            priority,
            temperature,
            false,
            0,
            true));
  }

  /** Adds one now. */
  Request add(int promptTokens, int outputTokens) {
    return add(request(promptTokens, outputTokens));
  }

  Request add(Request request) {
    request.arrivalNs = agenda.now();
    engine.add(request);
    return request;
  }

  /** Lets everything happen that is to happen. */
  void runOut() {
    while (agenda.step()) {
      if (agenda.happened() > 10_000_000) {
        throw new AssertionError("expected an end");
      }
    }
  }

  double value(EngineQuantity quantity) {
    return measures.value(quantity);
  }

  static Config config() {
    return new Config();
  }

  /** Settings that tests change one by one. */
  static final class Config {
    String release = "0.31.0";
    int maxModelLen = 4096;
    int maxNumSeqs = 256;
    int maxNumBatchedTokens = 2048;
    int blocks = 2001;
    boolean chunkedPrefill = true;
    int longPrefillTokenThreshold;
    boolean prefixCaching = true;
    boolean asyncScheduling;
    boolean byPriority;
    boolean reserveFullPrompt = true;
    double watermark;
    EngineConfig.@Nullable Speculation speculation;
    EngineConfig.@Nullable Adapters adapters;
    EngineConfig.@Nullable Transfers transfers;

    EngineConfig make() {
      return new EngineConfig(
          Version.parse(release),
          maxModelLen,
          maxNumSeqs,
          maxNumBatchedTokens,
          blocks,
          16,
          chunkedPrefill,
          longPrefillTokenThreshold,
          prefixCaching,
          asyncScheduling,
          byPriority,
          reserveFullPrompt,
          watermark,
          1,
          0,
          speculation,
          adapters,
          transfers);
    }

    EngineRig rig() {
      return new EngineRig(make());
    }
  }
}
