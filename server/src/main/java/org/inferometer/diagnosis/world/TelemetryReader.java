package org.inferometer.diagnosis.world;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.signals.ServiceKind;
import org.inferometer.signals.TargetHistory;

/**
 * Tells what of a service's telemetry can't be trusted, before anybody argues with it. What is
 * wrong is taken out; what was never there is named, since it says what can't be told.
 */
final class TelemetryReader {
  /** Signals of the units of a GPU, which come from its profiling counters. */
  static final List<String> PROFILING =
      List.of(
          "gpu_graphics_active",
          "gpu_sm_active",
          "gpu_sm_occupancy",
          "gpu_tensor_active",
          "gpu_dram_active");

  private static final List<String> FELT = List.of("ttft_p95", "tpot_p95", "itl_p99", "e2e_p95");

  private final Thresholds thresholds;
  private final Basis basis;
  private final long intervalMs;
  private final List<TelemetryProblem> problems = new ArrayList<>();

  TelemetryReader(Thresholds thresholds, Basis basis, long intervalMs) {
    this.thresholds = thresholds;
    this.basis = basis;
    this.intervalMs = intervalMs;
  }

  /** What was found, in the order in which it was. */
  List<TelemetryProblem> problems() {
    return List.copyOf(problems);
  }

  private void add(
      String problem, String target, List<String> signals, String says, boolean isFault) {
    problems.add(new TelemetryProblem(problem, target, signals, says, isFault));
  }

  /** Targets that are down, silent or gone. */
  void targets(List<TargetHistory> own) {
    for (TargetHistory target : own) {
      Line up = new Line(target.timesMs(), target.up());
      Line now = up.within(basis.judged()).known();
      boolean wasUp = up.known().max() > 0;
      if (now.size() == 0 && wasUp) {
        add(
            kind(target) + "-silent",
            target.instance(),
            List.of(),
            target.instance()
                + " hasn't been scraped in this time. See whether it is still there, and whether"
                + " the scraper still knows of it.",
            true);
      } else if (now.size() > 0 && isDown(up)) {
        add(
            kind(target) + "-down",
            target.instance(),
            List.of(),
            "Scraping " + target.instance() + " fails. See whether it runs, and its log.",
            true);
      }
    }
  }

  /**
   * Whether scrapes fail in a row that is longer than chance makes it for a target of which some
   * always did; one that never or seldom answered is down with the first.
   */
  private boolean isDown(Line up) {
    Line known = up.within(new Period(Long.MIN_VALUE, basis.judged().endMs())).known();
    int row = 0;
    while (row < known.size() && known.values()[known.size() - 1 - row] == 0) {
      row++;
    }
    int before = known.size() - row;
    double failed = 0;
    for (int i = 0; i < before; i++) {
      failed += 1 - known.values()[i];
    }
    double share = (failed + 1) / (before + 2); // Laplace's rule of succession
    boolean isMostlyUp = before > 0 && failed < before / 2.0;
    return row > 0
        && (!isMostlyUp || Math.pow(share, row) <= thresholds.get("telemetry_missed_chance"));
  }

  /** Stretches in which scrapes failed or weren't made, of targets that answer otherwise. */
  void missed(List<TargetHistory> own) {
    for (TargetHistory target : own) {
      double share = missedShare(new Line(target.timesMs(), target.up()));
      boolean isTold = problems.stream().anyMatch(one -> one.target().equals(target.instance()));
      if (!isTold && share > thresholds.get("telemetry_missed_share")) {
        add(
            "scrapes-missed",
            target.instance(),
            List.of(),
            Math.round(100 * share)
                + " % of the scrapes of "
                + target.instance()
                + " are missing in this time. What was short, such as a burst or a restart, may"
                + " not be seen.",
            false);
      }
    }
  }

  /** Of the time that is judged, since the target was first seen; 0 if it wasn't. */
  private double missedShare(Line up) {
    Line known = up.known();
    if (known.size() == 0) {
      return 0;
    }
    Period judged = basis.judged();
    long from = Math.max(judged.startMs(), known.timesMs()[0] - 1);
    Line now = up.within(new Period(from, judged.endMs()));
    double missed = 0;
    for (double value : now.values()) {
      missed += Double.isNaN(value) ? 1 : 1 - value;
    }
    return now.size() == 0 ? 0 : missed / now.size();
  }

  private static String kind(TargetHistory target) {
    return target.kind() == ServiceKind.ENGINE ? "target" : "exporter";
  }

  /**
   * A page whose numbers stand still while something else says that the replica serves. Even an
   * idle process uses the CPU to answer a scrape, so that a count of it which doesn't move at all
   * is an old page.
   */
  ReplicaWorld frozen(ReplicaWorld replica, List<EdgeWorld> edges, int replicas) {
    if (!standsStill(replica)) {
      return replica;
    }
    Reading cpu = replica.get("process_cpu");
    boolean isCpuStill = newest(cpu) == 0 && cpu.baseline() > 0;
    boolean isGpuBusy =
        replica.gpus().stream()
            .anyMatch(gpu -> newest(gpu.get("gpu_util")) > thresholds.get("gpu_busy_util"));
    boolean isIdle =
        newest(replica.get("running")) == 0 && !answersNow(edges, replicas) && !isGpuBusy;
    if (isIdle) {
      return replica;
    }
    boolean isServing = !cpu.isKnown() && serves(edges) && (replicas == 1 || isGpuBusy);
    if (!isCpuStill && !isServing) {
      return replica;
    }
    String says =
        "What "
            + replica.instance()
            + " tells stands still"
            + (isCpuStill ? ", even the CPU time of its process" : " while it serves")
            + ". Something answers scrapes with an old page; see what is between it and the"
            + " scraper.";
    List<String> signals =
        replica.readings().all().stream()
            .filter(Reading::isKnown)
            .map(Reading::signal)
            .filter(signal -> !signal.equals("scrape_time"))
            .toList();
    add("frozen", replica.instance(), signals, says, true);
    return new ReplicaWorld(
        replica.instance(),
        replica.job(),
        replica.name(),
        replica.upShare(),
        without(replica.readings(), new LinkedHashSet<>(signals), says),
        replica.gpus(),
        replica.host(),
        replica.settings());
  }

  /** Whether so few requests come that none may come for a while. */
  private boolean isIdleByChance(ReplicaWorld replica) {
    double usual = replica.get("request_rate").baseline() * lateMs() / 1000;
    return usual < thresholds.get("missed_arrivals") && late(replica.get("running")).max() == 0;
  }

  /** No count moves, and none of the numbers of the moment does. */
  private boolean standsStill(ReplicaWorld replica) {
    boolean wasServing =
        replica.get("output_token_rate").baseline() > 0
            || replica.get("request_rate").baseline() > 0;
    if (!wasServing || !(replica.upShare() > 0) || isIdleByChance(replica)) {
      return false;
    }
    for (String signal : List.of("request_rate", "output_token_rate", "prompt_token_rate")) {
      if (newest(replica.get(signal)) > 0) {
        return false;
      }
    }
    for (String signal : List.of("running", "kv_usage", "process_memory", "process_open_fds")) {
      Line late = late(replica.get(signal));
      if (late.max() > late.min()) {
        return false;
      }
    }
    return true;
  }

  /** A rate looks back by itself, so that its newest value tells of a stretch; NaN for none. */
  private double newest(Reading rate) {
    Line late = late(rate);
    return late.size() == 0 ? Double.NaN : late.values()[late.size() - 1];
  }

  /** The last minute, or four scrapes: a page may have stopped moving within the window. */
  private Line late(Reading reading) {
    return lateOf(new Line(reading.timesMs(), reading.values()));
  }

  private Line lateOf(Line line) {
    long end = basis.judged().endMs();
    return line.within(new Period(end - lateMs(), end)).known();
  }

  private long lateMs() {
    return Math.max(
        Math.round(1000 * thresholds.get("judged_min_seconds")),
        Math.round(thresholds.get("judged_scrapes_min") * intervalMs));
  }

  /**
   * Whether answers come out before the engines, so many that chance leaves no replica out: an idle
   * page stands still by right.
   */
  private boolean answersNow(List<EdgeWorld> edges, int replicas) {
    double each = -Math.log(thresholds.get("telemetry_missed_chance"));
    double least = replicas > 1 ? each * replicas : 0;
    double seconds = lateMs() / 1000.0;
    return edges.stream()
        .mapToDouble(edge -> newest(edge.get("completed_rate")))
        .anyMatch(rate -> rate > 0 && rate * seconds >= least);
  }

  private boolean serves(List<EdgeWorld> edges) {
    double share = thresholds.get("telemetry_serves_share");
    return edges.stream()
        .map(edge -> edge.get("completed_rate"))
        .anyMatch(rate -> rate.isComparable() && rate.value() > share * rate.baseline());
  }

  /** Replicas that answer scrapes and have lost what they told before. */
  void vanished(List<TargetHistory> histories, List<ReplicaWorld> replicas) {
    for (ReplicaWorld replica : replicas) {
      boolean isLess =
          histories.stream()
              .anyMatch(one -> one.instance().equals(replica.instance()) && isPageShort(one));
      if (isLess && isLost(replica)) {
        add(
            "metrics-gone",
            replica.instance(),
            List.of(),
            replica.instance()
                + " answers scrapes, and its own metrics are gone from the page. See whether it"
                + " was started with statistics off, such as vLLM's --disable-log-stats.",
            true);
      }
    }
  }

  /** Whether a target's pages are much shorter of late than the longest was. */
  private boolean isPageShort(TargetHistory target) {
    Line up = lateOf(new Line(target.timesMs(), target.up()));
    Line samples = new Line(target.timesMs(), target.samples());
    double least = samples.known().max() * thresholds.get("telemetry_samples_share");
    return up.min() > 0 && lateOf(samples).max() < least;
  }

  /** Whether it told how much it does, and doesn't of late. */
  private boolean isLost(ReplicaWorld replica) {
    boolean wasTold = false;
    for (String signal : List.of("running", "request_rate")) {
      Reading reading = replica.get(signal);
      if (late(reading).size() > 0) {
        return false;
      }
      wasTold |= new Line(reading.timesMs(), reading.values()).known().size() > 0;
    }
    return wasTold;
  }

  /** Profiling counters that read zero while the GPU works, as when another profiler has them. */
  GpuWorld profiling(GpuWorld gpu) {
    List<String> zero = new ArrayList<>();
    for (String signal : PROFILING) {
      double most = late(gpu.get(signal)).max();
      if (most == 0) {
        zero.add(signal);
      } else if (most > 0 && !signal.equals("gpu_tensor_active")) {
        return gpu;
      }
    }
    boolean isBusy = late(gpu.get("gpu_util")).mean() > thresholds.get("gpu_busy_util");
    if (zero.isEmpty() || !isBusy) {
      return gpu;
    }
    String says =
        gpu.name()
            + " is busy and the counters of its units read zero. Another profiler holds them, or"
            + " the exporter lost them (dcgm-exporter issue 662); restart the exporter.";
    add("profiling-zeros", gpu.name(), zero, says, true);
    return gpu.with(without(gpu.readings(), new LinkedHashSet<>(zero), says));
  }

  /** What limits answers without being wrong. */
  void limits(Readings whole) {
    for (String signal : FELT) {
      Reading reading = whole.get(signal);
      if (reading.isBeyondLastBucket()) {
        add(
            "quantile-above-last-bucket",
            signal,
            List.of(),
            reading.title()
                + " lies beyond the histogram's last edge: it is at least the value shown. Use its"
                + " mean, or a histogram that reaches further.",
            false);
      }
    }
    double scrapes = (double) basis.judged().lengthMs() / intervalMs;
    if (scrapes < thresholds.get("judged_scrapes_min")) {
      add(
          "few-scrapes",
          "",
          List.of(),
          "The window holds " + (int) scrapes + " scrapes. Choose a longer one.",
          false);
    }
  }

  /** Layers of which nothing is known. */
  void layers(List<GpuWorld> gpus, List<HostWorld> hosts, List<EdgeWorld> edges) {
    if (gpus.isEmpty()) {
      missing("no-gpu-metrics", "No GPU is watched", "its clocks, power, heat and errors");
    }
    if (hosts.isEmpty()) {
      missing("no-host-metrics", "No host is watched", "its CPU, memory and network");
    }
    if (edges.isEmpty()) {
      missing(
          "no-edge-metrics",
          "Neither a gateway nor clients are watched",
          "what happens before the engine");
    }
    for (HostWorld host : hosts) {
      double offset = Math.abs(host.get("host_clock_offset").value());
      if (offset > thresholds.get("telemetry_clock_offset")) {
        add(
            "clock-skew",
            host.name(),
            List.of(),
            "The clock of " + host.name() + " is off; times that two hosts tell don't compare.",
            false);
      }
    }
  }

  private void missing(String problem, String what, String untold) {
    add(problem, "", List.of(), what + ", so nothing can be told of " + untold + ".", false);
  }

  static Readings without(Readings readings, Set<String> signals, String because) {
    Map<String, Reading> left = new LinkedHashMap<>();
    for (Reading reading : readings.all()) {
      boolean isOut = signals.contains(reading.signal());
      left.put(reading.signal(), isOut ? reading.distrusted(because) : reading);
    }
    return new Readings(left);
  }
}
