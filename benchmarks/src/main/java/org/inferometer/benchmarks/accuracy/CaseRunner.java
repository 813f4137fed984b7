package org.inferometer.benchmarks.accuracy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.simulator.engine.Engine;
import org.inferometer.simulator.event.Agenda;
import org.inferometer.simulator.event.Dice;
import org.inferometer.simulator.fleet.Fleet;
import org.inferometer.simulator.fleet.Replica;
import org.inferometer.simulator.gpu.GpuDevice;
import org.inferometer.simulator.knob.Knob;
import org.inferometer.simulator.knob.Knobs;
import org.inferometer.simulator.knob.Part;
import org.inferometer.simulator.measure.ClientQuantity;
import org.inferometer.simulator.measure.EngineQuantity;
import org.inferometer.simulator.measure.GpuQuantity;
import org.inferometer.simulator.measure.Measures;
import org.inferometer.simulator.scenario.Scenario;
import org.inferometer.simulator.scenario.Scenarios;
import org.inferometer.simulator.workload.Clients;

/** Runs one row of a case in a fleet of its own. */
final class CaseRunner {
  private static final long SEED = 1;
  private static final long SECOND = 1_000_000_000L;

  /** How long is waited at most for what was asked to be answered. */
  private static final long DRAIN_NS = 600 * SECOND;

  private final AccuracyCase.Run run;
  private final Scenario scenario;
  private final Fleet fleet;
  private final Agenda agenda;
  private final Recorder recorder;
  private final List<Clients> clients = new ArrayList<>();
  private final List<Knobs> workloads = new ArrayList<>();
  private final Map<Figure, Sum> means = new LinkedHashMap<>();
  private double waitingAtBegin;

  private static final class Sum {
    private double sum;
    private int count;

    private void add(double value) {
      sum += value;
      count++;
    }
  }

  private CaseRunner(AccuracyCase.Run run, String text) {
    this.run = run;
    scenario = Scenarios.builtIn().read("case", text);
    fleet = Fleet.of(withoutUsers(scenario), SEED, 0);
    agenda = fleet.agenda();
    recorder = new Recorder(fleet.entry(), agenda);
  }

  private static Scenario withoutUsers(Scenario of) {
    return new Scenario(
        of.name(), of.title(), of.durationNs(), of.fleet(), List.of(), of.events(), of.truth());
  }

  /**
   * Runs it.
   *
   * @param most seconds that are measured at most: shorter than asked in tests
   * @return all figures that there are
   */
  static Map<Figure, Double> run(AccuracyCase of, AccuracyCase.Run run, double most) {
    String text = of.scenario();
    for (Map.Entry<String, String> word : run.set().entrySet()) {
      text = text.replace("{" + word.getKey() + "}", word.getValue());
    }
    return new CaseRunner(run, text).measure(most);
  }

  private Map<Figure, Double> measure(double most) {
    turn();
    for (Scenario.Workload workload : scenario.workloads()) {
      clients.add(clients(workload));
    }
    clients.forEach(Clients::start);
    warmUp(most);
    recorder.begin();
    waitingAtBegin = waiting();
    long end = agenda.now() + nanos(Math.min(run.seconds(), most));
    double measured = (end - agenda.now()) / 1e9;
    while (agenda.now() < end) {
      agenda.runUntil(Math.min(end, agenda.now() + SECOND));
      look();
    }
    double growth = (waiting() - waitingAtBegin) / measured;
    recorder.end();
    if (run.drains()) {
      drain();
    }
    Map<Figure, Double> figures = new LinkedHashMap<>(recorder.figures(run.drains()));
    means.forEach((figure, sum) -> figures.put(figure, sum.sum / sum.count));
    figures.put(Figure.WAITING_GROWTH, growth);
    return figures;
  }

  /** At another rate first, if asked so; then all that was asked is answered before it goes on. */
  private void warmUp(double most) {
    boolean apart = run.warmupRate() != 1;
    rate(run.warmupRate());
    agenda.runUntil(nanos(Math.min(run.warmup(), most)));
    if (apart) {
      rate(0);
      untilAnswered();
      rate(1);
    }
  }

  private void rate(double factor) {
    workloads.forEach(knobs -> knobs.set(Knob.WORKLOAD_RATE, factor));
  }

  private void turn() {
    run.knobs()
        .forEach(
            (id, value) -> {
              Knob knob = Knob.find(id);
              if (knob == null || knob.part() != Part.GPU) {
                throw new IllegalArgumentException("expected a knob of GPUs, not " + id);
              }
              for (Replica replica : fleet.replicas()) {
                replica.gpus().forEach(gpu -> gpu.knobs().set(knob, value));
              }
            });
  }

  private Clients clients(Scenario.Workload workload) {
    Knobs ofWorkload = new Knobs(Part.WORKLOAD);
    Knobs ofClient = new Knobs(Part.CLIENT);
    workloads.add(ofWorkload);
    Clients made =
        new Clients(
            workload,
            recorder,
            agenda,
            Dice.of(SEED).stream(workload.name()),
            new Measures(ClientQuantity.class, Measures.Edges.fine(), 0),
            ofWorkload,
            ofClient,
            fleet.requestIds());
    ofClient.set(Knob.CLIENT_CONNECTIONS, run.connections());
    return made;
  }

  private void drain() {
    clients.forEach(Clients::stop);
    untilAnswered();
  }

  private void untilAnswered() {
    long latest = agenda.now() + DRAIN_NS;
    while (!recorder.isEmpty() && agenda.now() < latest) {
      agenda.runUntil(agenda.now() + SECOND / 10);
    }
  }

  private double waiting() {
    double waiting = 0;
    for (Replica replica : fleet.replicas()) {
      for (Engine engine : replica.engines()) {
        waiting += engine.waiting();
      }
    }
    return waiting;
  }

  /** What monitoring sees, each second. */
  private void look() {
    double running = 0;
    for (Replica replica : fleet.replicas()) {
      for (Engine engine : replica.engines()) {
        running += engine.running();
        note(Figure.KV_USAGE, engine.kvUsage());
        note(Figure.KV_TOKENS, kvTokens(engine));
      }
      for (GpuDevice gpu : replica.gpus()) {
        Measures measures = gpu.measures();
        note(Figure.SM_CLOCK, measures.value(GpuQuantity.SM_CLOCK) / 1e6);
        note(Figure.POWER, measures.value(GpuQuantity.POWER));
        note(Figure.TEMPERATURE, measures.value(GpuQuantity.TEMPERATURE));
      }
    }
    note(Figure.RUNNING, running);
  }

  private static double kvTokens(Engine engine) {
    return engine.measures().value(EngineQuantity.KV_TOKENS_MAX);
  }

  private void note(Figure figure, double value) {
    means.computeIfAbsent(figure, key -> new Sum()).add(value);
  }

  private static long nanos(double seconds) {
    return Math.round(seconds * 1e9);
  }
}
