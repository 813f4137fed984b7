package org.inferometer.diagnosis.world;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.jspecify.annotations.Nullable;

/** Finds when signals left the levels that they had, and puts it in order of time. */
final class ChangeFinder {
  /** Changes beyond this many are left out, the smallest first. */
  private static final int CHANGES_MAX = 60;

  /** What tells of a whole service who moved first. */
  private static final Set<String> SERVICE =
      Set.of(
          "request_rate",
          "error_share",
          "abort_share",
          "http_5xx_share",
          "length_share",
          "ttft_mean",
          "tpot_mean",
          "ntpot_mean",
          "itl_mean",
          "itl_p99",
          "e2e_mean",
          "queue_time_mean",
          "prefill_time_mean",
          "decode_time_mean",
          "frontend_time_mean",
          "prompt_token_rate",
          "output_token_rate",
          "prompt_length_mean",
          "output_length_mean",
          "running",
          "waiting",
          "kv_usage_max",
          "preemption_rate",
          "cached_prompt_share",
          "prefix_hit_share",
          "step_rate",
          "spec_acceptance_share",
          "spec_acceptance_length",
          "lora_load_rate",
          "kv_transfer_time_mean",
          "load_imbalance_running",
          "process_memory",
          "process_cpu");

  private static final Set<String> REPLICA =
      Set.of(
          "request_rate",
          "output_token_rate",
          "running",
          "waiting",
          "kv_usage_max",
          "tpot_mean",
          "itl_mean",
          "ttft_mean",
          "process_memory",
          "process_cpu");

  private static final Set<String> GPU =
      Set.of(
          "gpu_util",
          "gpu_sm_clock",
          "gpu_power",
          "gpu_power_limit",
          "gpu_temperature",
          "gpu_sm_active",
          "gpu_throttle",
          "gpu_thermal_violation_share",
          "gpu_power_violation_share");

  private static final Set<String> HOST =
      Set.of("host_cpu", "host_cpu_pressure", "host_iowait", "host_steal", "host_memory_share");

  private final Thresholds thresholds;
  private final Period reach;
  private final List<ChangePoint> found = new ArrayList<>();

  ChangeFinder(Thresholds thresholds, Period reach) {
    this.thresholds = thresholds;
    this.reach = reach;
  }

  /** The changes, who moved first in front. */
  List<ChangePoint> find(
      Readings whole,
      List<ReplicaWorld> replicas,
      List<GpuWorld> gpus,
      List<HostWorld> hosts,
      List<EdgeWorld> edges) {
    add(whole, SERVICE, null);
    if (replicas.size() > 1) {
      replicas.forEach(replica -> add(replica.readings(), REPLICA, replica.instance()));
    }
    gpus.forEach(gpu -> add(gpu.readings(), GPU, gpu.name()));
    hosts.forEach(host -> add(host.readings(), HOST, host.name()));
    edges.forEach(edge -> add(edge.readings(), SERVICE, edge.name()));
    found.sort(Comparator.comparingDouble(change -> -Math.abs(change.score())));
    List<ChangePoint> most = new ArrayList<>(found.subList(0, Math.min(CHANGES_MAX, found.size())));
    most.sort(Comparator.comparingLong(ChangePoint::timeMs));
    return most;
  }

  private void add(Readings readings, Set<String> signals, @Nullable String of) {
    for (Reading reading : readings.all()) {
      if (signals.contains(reading.signal()) && reading.values().length > 0) {
        add(reading, of);
      }
    }
  }

  private void add(Reading reading, @Nullable String of) {
    Line line = new Line(reading.timesMs(), reading.values());
    double scale = scale(reading, line);
    List<Segments.Segment> all = Segments.of(line, scale, thresholds.get("onset_ratio"));
    for (int i = 1; i < all.size(); i++) {
      Segments.Segment before = all.get(i - 1);
      Segments.Segment after = all.get(i);
      if (reach.contains(after.startMs()) && Math.abs(after.level() - before.level()) > scale) {
        double spread = Math.max(Math.max(before.spread(), after.spread()), scale / 4);
        found.add(
            new ChangePoint(
                reading.signal(),
                reading.layer(),
                of,
                after.startMs(),
                before.level(),
                after.level(),
                Math.abs(after.level() - before.level()) / spread));
      }
    }
  }

  /** What is small in a signal's unit. */
  private double scale(Reading reading, Line line) {
    return switch (reading.unit()) {
      case "seconds" ->
          reading.signal().startsWith("ttft")
                  || reading.signal().startsWith("queue")
                  || reading.signal().startsWith("e2e")
              ? thresholds.get("felt_ttft_seconds")
              : thresholds.get("felt_tpot_seconds");
      case "ratio" -> thresholds.get("felt_share");
      case "requests" -> thresholds.get("felt_waiting");
      default -> Math.max(Math.abs(line.median()) / 50, 1e-9);
    };
  }
}
