package org.inferometer.diagnosis.world;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.hardware.Hardware;
import org.inferometer.hardware.Models;
import org.inferometer.model.Labels;
import org.inferometer.signals.Catalogue;
import org.inferometer.signals.Gpu;
import org.inferometer.signals.GpuEvent;
import org.inferometer.signals.GpuState;
import org.inferometer.signals.Layer;
import org.inferometer.signals.Quality;
import org.inferometer.signals.Service;
import org.inferometer.signals.ServiceKind;
import org.inferometer.signals.Signal;
import org.inferometer.signals.State;
import org.jspecify.annotations.Nullable;

/**
 * Makes worlds by hand for tests: {@code Worlds.vllm().reading("kv_usage_max", 0.98, 0.4).build()}.
 * A window of five minutes after a baseline of five minutes, with a value every 15 s: the
 * baseline's, then the window's. What users feel is read from the readings as it is of real ones.
 */
public final class Worlds {
  /** The length of the window and of the baseline. */
  public static final long WINDOW_MS = 300_000;

  /** When the baseline begins; the window begins at {@code START_MS + WINDOW_MS}. */
  public static final long START_MS = 1_700_000_000_000L;

  /** When the window ends. */
  public static final long END_MS = START_MS + 2 * WINDOW_MS;

  private static final long STEP_MS = 15_000;

  private final String engine;
  private final String title;
  private final Things things = new Things();
  private final List<ReplicaWorld> replicas = new ArrayList<>();
  private final List<GpuWorld> gpus = new ArrayList<>();
  private final List<HostWorld> hosts = new ArrayList<>();
  private final List<EdgeWorld> edges = new ArrayList<>();
  private final List<Happening> happenings = new ArrayList<>();
  private final List<ChangePoint> changes = new ArrayList<>();
  private final List<TelemetryProblem> telemetry = new ArrayList<>();
  private final List<Symptom> symptoms = new ArrayList<>();
  private String model = "Qwen/Qwen3-32B";
  private boolean hasBaseline = true;

  private Worlds(String engine, String title) {
    this.engine = engine;
    this.title = title;
  }

  public static Worlds vllm() {
    return new Worlds("vllm", "vLLM");
  }

  public static Worlds sglang() {
    return new Worlds("sglang", "SGLang");
  }

  public static Worlds tgi() {
    return new Worlds("tgi", "TGI");
  }

  /** Read once, when it is asked for. */
  private static final class Vocabulary {
    static final Map<String, Signal> BY_NAME = Measured.byName(Catalogue.builtIn().signals());
  }

  /** A signal's values for one thing: a service, a replica, a GPU, a gateway, a host. */
  public static final class Things {
    private final Map<String, Reading> readings = new LinkedHashMap<>();

    private Things() {}

    /** A value in the window, nothing before. */
    public Things reading(String signal, double value) {
      return reading(signal, value, Double.NaN);
    }

    /** A value in the window and one in the baseline. */
    public Things reading(String signal, double value, double before) {
      return reading(signal, value, before, value, value);
    }

    /** A value in the window, one in the baseline, the lowest and the highest in the window. */
    public Things reading(String signal, double value, double before, double min, double max) {
      return line(signal, value, before, min, max, timeline(value, before, min, max));
    }

    /** A value in the window, one in the baseline, and all the values along the timeline. */
    public Things line(String signal, double value, double before, double... values) {
      double[] inWindow = Arrays.copyOfRange(values, values.length / 2, values.length);
      double min = Arrays.stream(inWindow).min().orElse(value);
      double max = Arrays.stream(inWindow).max().orElse(value);
      return line(signal, value, before, min, max, values);
    }

    private Things line(
        String signal, double value, double before, double min, double max, double[] values) {
      Signal known = known(signal);
      readings.put(
          signal,
          new Reading(
              signal,
              known.title(),
              known.unit(),
              known.layer(),
              Quality.EXACT,
              null,
              "q(" + signal + ")",
              value,
              Double.NaN,
              Double.NaN,
              before,
              min,
              max,
              times(values.length),
              values,
              null));
      return this;
    }

    /** Says that a signal could be there and isn't. */
    public Things absent(String signal, String reason) {
      readings.put(signal, Reading.absent(signal, known(signal).layer(), reason));
      return this;
    }

    /** A goal for a signal that has a reading. */
    public Things goal(String signal, double goal) {
      Reading r = readings.get(signal);
      if (r == null) {
        throw new IllegalArgumentException("give " + signal + " a reading first");
      }
      readings.put(
          signal,
          new Reading(
              r.signal(),
              r.title(),
              r.unit(),
              r.layer(),
              r.quality(),
              r.reason(),
              r.query(),
              r.value(),
              r.low(),
              r.high(),
              r.baseline(),
              r.min(),
              r.max(),
              r.timesMs(),
              r.values(),
              goal));
      return this;
    }

    private Readings build() {
      return new Readings(readings);
    }

    private static Signal known(String signal) {
      Signal known = Vocabulary.BY_NAME.get(signal);
      if (known == null) {
        throw new IllegalArgumentException("there is no signal " + signal);
      }
      return known;
    }

    /** The baseline's value, then the window's with its lowest and its highest once each. */
    private static double[] timeline(double value, double before, double min, double max) {
      int half = (int) (WINDOW_MS / STEP_MS);
      double[] values = new double[2 * half];
      Arrays.fill(values, 0, half, before);
      Arrays.fill(values, half, 2 * half, value);
      values[half + half / 2] = min;
      values[half + half / 2 + 1] = max;
      return values;
    }

    private static long[] times(int count) {
      long[] times = new long[count];
      for (int i = 0; i < count; i++) {
        times[i] = START_MS + (i + 1L) * 2 * WINDOW_MS / count;
      }
      return times;
    }
  }

  /** As {@link Things#reading(String, double)}, of the service as a whole. */
  public Worlds reading(String signal, double value) {
    things.reading(signal, value);
    return this;
  }

  /** As {@link Things#reading(String, double, double)}, of the service as a whole. */
  public Worlds reading(String signal, double value, double before) {
    things.reading(signal, value, before);
    return this;
  }

  /** As {@link Things#reading(String, double, double, double, double)}, of the whole service. */
  public Worlds reading(String signal, double value, double before, double min, double max) {
    things.reading(signal, value, before, min, max);
    return this;
  }

  /** As {@link Things#line}, of the service as a whole. */
  public Worlds line(String signal, double value, double before, double... values) {
    things.line(signal, value, before, values);
    return this;
  }

  public Worlds absent(String signal, String reason) {
    things.absent(signal, reason);
    return this;
  }

  public Worlds goal(String signal, double goal) {
    things.goal(signal, goal);
    return this;
  }

  /** The model that is served, by the name of its maker; its shape is looked up. */
  public Worlds model(String name) {
    model = name;
    return this;
  }

  /** A service without a baseline: none of its readings may have one. */
  public Worlds withoutBaseline() {
    hasBaseline = false;
    return this;
  }

  /** A replica that answers all its scrapes. */
  public Worlds replica(String instance, Consumer<Things> readings) {
    return replica(instance, 1, null, readings);
  }

  /**
   * A replica.
   *
   * @param host the name of a host that was added before, or null
   */
  public Worlds replica(
      String instance, double upShare, @Nullable String host, Consumer<Things> readings) {
    replicas.add(
        new ReplicaWorld(
            instance,
            "engine",
            null,
            upShare,
            filled(readings),
            gpus.stream().filter(g -> instance.equals(g.gpu().engineInstance())).toList(),
            hosts.stream().filter(h -> h.name().equals(host)).findFirst().orElse(null)));
    return this;
  }

  /**
   * A GPU; those of a replica are added before it.
   *
   * @param instance of the replica that runs on it, or null
   * @param model as exporters print it, such as {@code NVIDIA H100 80GB HBM3}
   */
  @SuppressWarnings("NullAway") // reads no nullness of nested types from class files
  public Worlds gpu(
      String host,
      int index,
      @Nullable String instance,
      String model,
      List<GpuEvent> events,
      Consumer<Things> readings) {
    Gpu gpu =
        new Gpu(
            "dcgm/" + host,
            host,
            String.valueOf(index),
            "GPU-" + host + "-" + index,
            model,
            null,
            null,
            null,
            instance == null ? null : serviceId(),
            instance,
            Map.of(),
            new GpuState("cannot-tell", "Unknown", "", null, List.of()),
            Map.of(),
            List.of(),
            null);
    gpus.add(new GpuWorld(gpu, filled(readings), events, Hardware.builtIn().find(model)));
    return this;
  }

  /** A GPU of a replica to which nothing happened. */
  public Worlds gpu(
      String host, int index, String instance, String model, Consumer<Things> readings) {
    return gpu(host, index, instance, model, List.of(), readings);
  }

  public Worlds host(String name, Consumer<Things> readings) {
    hosts.add(new HostWorld("node/" + name, name, filled(readings)));
    return this;
  }

  public Worlds gateway(String name, Consumer<Things> readings) {
    edges.add(new EdgeWorld("gateway/" + name, name, EdgeWorld.Vantage.GATEWAY, filled(readings)));
    return this;
  }

  public Worlds client(String name, Consumer<Things> readings) {
    edges.add(new EdgeWorld("client/" + name, name, EdgeWorld.Vantage.CLIENT, filled(readings)));
    return this;
  }

  public Worlds happening(Happening happening) {
    happenings.add(happening);
    return this;
  }

  /** A change of the whole service, half way through the timeline if no other time is told. */
  public Worlds change(String signal, Layer layer, double before, double after) {
    return change(new ChangePoint(signal, layer, null, START_MS + WINDOW_MS, before, after, 10));
  }

  public Worlds change(ChangePoint change) {
    changes.add(change);
    return this;
  }

  public Worlds telemetry(TelemetryProblem problem) {
    telemetry.add(problem);
    return this;
  }

  /** Something that users feel, beside what the readings say of it. */
  public Worlds symptom(Symptom symptom) {
    symptoms.add(symptom);
    return this;
  }

  private static Readings filled(Consumer<Things> fill) {
    Things things = new Things();
    fill.accept(things);
    return things.build();
  }

  private String serviceId() {
    return engine + "/" + model;
  }

  public ServiceWorld build() {
    Readings whole = things.build();
    List<Symptom> felt =
        new ArrayList<>(new SymptomReader(Thresholds.builtIn(), 300_000).read(whole, edges).all());
    felt.addAll(symptoms);
    return new ServiceWorld(
        service(),
        new Period(START_MS + WINDOW_MS, END_MS),
        hasBaseline ? new Period(START_MS, START_MS + WINDOW_MS) : null,
        whole,
        replicas,
        gpus,
        hosts,
        edges,
        happenings,
        changes,
        telemetry,
        Models.builtIn().find(model),
        new Symptoms(felt));
  }

  private Service service() {
    List<Service.Replica> targets =
        replicas.stream()
            .map(r -> new Service.Replica(r.instance(), r.job(), Labels.EMPTY, State.OK, ""))
            .toList();
    return new Service(
        serviceId(),
        ServiceKind.ENGINE,
        serviceId(),
        new Service.Engine(engine, title),
        null,
        model,
        State.OK,
        "",
        targets,
        List.of(),
        List.of(),
        List.of());
  }
}
