package org.inferometer.simulator.edge;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.model.Version;
import org.inferometer.simulator.engine.Engine;
import org.inferometer.simulator.engine.EngineConfig;
import org.inferometer.simulator.engine.OutputListener;
import org.inferometer.simulator.engine.StepOutputs;
import org.inferometer.simulator.event.Agenda;
import org.inferometer.simulator.knob.Knobs;
import org.inferometer.simulator.knob.Part;
import org.inferometer.simulator.measure.EngineQuantity;
import org.inferometer.simulator.measure.Measures;
import org.inferometer.simulator.request.Request;
import org.inferometer.simulator.request.Request.Finish;
import org.inferometer.simulator.request.Request.Handover;

/** An engine whose steps take the same time and give each of its requests a token. */
public final class SteadyEngine implements Engine, StepOutputs {
  private final Agenda agenda;
  private final OutputListener listener;
  private final int index;
  private final long stepNs;
  private final EngineConfig config;
  private final Knobs knobs = new Knobs(Part.ENGINE);
  private final Measures measures;
  private final List<Request> running = new ArrayList<>();
  private final List<Request> inStep = new ArrayList<>();
  private boolean stepping;

  /** Requests it was told to drop, and those it was given. */
  public int aborted;

  public int added;
  public boolean stuck;

  public SteadyEngine(Agenda agenda, OutputListener listener, int index, long stepNs) {
    this(agenda, listener, index, stepNs, 0);
  }

  public SteadyEngine(
      Agenda agenda, OutputListener listener, int index, long stepNs, int maxNumQueued) {
    this.agenda = agenda;
    this.listener = listener;
    this.index = index;
    this.stepNs = stepNs;
    measures = new Measures(EngineQuantity.class, Measures.Edges.fine(), agenda.now());
    config =
        new EngineConfig(
            Version.parse("0.15.0"),
            32_768,
            256,
            8192,
            1000,
            16,
            true,
            0,
            true,
            true,
            false,
            true,
            0,
            1,
            maxNumQueued,
            null,
            null,
            null);
  }

  @Override
  public int index() {
    return index;
  }

  @Override
  public EngineConfig config() {
    return config;
  }

  @Override
  public Knobs knobs() {
    return knobs;
  }

  @Override
  public Measures measures() {
    return measures;
  }

  @Override
  public void add(Request request) {
    added++;
    request.queuedNs = agenda.now();
    running.add(request);
    begin();
  }

  @Override
  public void abort(Request request) {
    aborted++;
    running.remove(request);
  }

  private void begin() {
    if (!stepping && !running.isEmpty() && !stuck) {
      stepping = true;
      agenda.in(stepNs, this::end);
    }
  }

  private void end() {
    stepping = false;
    inStep.clear();
    for (Request request : List.copyOf(running)) {
      request.generated++;
      measures.add(EngineQuantity.GENERATION_TOKENS, 1);
      boolean prefillOnly = request.handover == Handover.TO_SEND;
      if (prefillOnly || request.generated >= request.ask.tokensToGenerate()) {
        request.finish =
            request.generated < request.ask.outputTokens() ? Finish.LENGTH : Finish.STOP;
        running.remove(request);
        if (!prefillOnly) {
          measures.add(EngineQuantity.PROMPT_TOKENS, request.promptTokens());
        }
      }
      inStep.add(request);
    }
    listener.onOutputs(this, this);
    begin();
  }

  @Override
  public int count() {
    return inStep.size();
  }

  @Override
  public Request request(int place) {
    return inStep.get(place);
  }

  @Override
  public int tokens(int place) {
    return 1;
  }

  @Override
  public boolean isLast(int place) {
    return inStep.get(place).finish != null;
  }

  @Override
  public int running() {
    return running.size();
  }

  @Override
  public int waiting() {
    return stuck ? running.size() : 0;
  }

  @Override
  public double kvUsage() {
    return 0;
  }

  @Override
  public void stop() {
    running.clear();
  }
}
