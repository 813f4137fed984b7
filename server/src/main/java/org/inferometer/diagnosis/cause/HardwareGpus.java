package org.inferometer.diagnosis.cause;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.GpuWorld;
import org.inferometer.diagnosis.world.Reading;
import org.inferometer.diagnosis.world.ReplicaWorld;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.jspecify.annotations.Nullable;

/** The GPUs of a service, each against itself before, its peers and its data sheet. */
final class HardwareGpus {
  /** The bits of the driver's mask of clock event reasons. */
  static final int POWER_CAP = 2;

  static final int SOFTWARE_THERMAL = 5;
  static final int HARDWARE_THERMAL = 6;
  static final int POWER_BRAKE = 7;

  private HardwareGpus() {}

  /** What the clock of a GPU is held against. */
  enum Reference {
    BASELINE("that it had before", "before it was"),
    PEERS("that its peers have", "its peers have"),
    SHEET("of its data sheet", "its data sheet has");

    private final String words;
    private final String sentence;

    Reference(String words, String sentence) {
      this.words = words;
      this.sentence = sentence;
    }

    String sentence() {
      return sentence;
    }

    String words() {
      return words;
    }
  }

  /**
   * The clock of a GPU's multiprocessors.
   *
   * @param now hertz
   * @param reference hertz, what it was or should be
   */
  record Clock(GpuWorld gpu, double now, double reference, Reference against) {
    double ratio() {
      return now / reference;
    }
  }

  /** The clock against what makes it look lowest: itself before, or its peers now. */
  static @Nullable Clock clock(ServiceWorld service, GpuWorld gpu) {
    Reading reading = gpu.get("gpu_sm_clock");
    double now = HardwareTime.recent(service, reading);
    if (Double.isNaN(now)) {
      return null;
    }
    double peers = median(service, peers(service, gpu), "gpu_sm_clock");
    double before = reading.baseline();
    if (before > 0 && !(peers > before)) {
      return new Clock(gpu, now, before, Reference.BASELINE);
    }
    return peers > 0 ? new Clock(gpu, now, peers, Reference.PEERS) : null;
  }

  /** The clock against the highest that a driver sets; null if that isn't known. */
  static @Nullable Clock sheetClock(ServiceWorld service, GpuWorld gpu) {
    double now = HardwareTime.recent(service, gpu.get("gpu_sm_clock"));
    if (Double.isNaN(now) || gpu.spec() == null || gpu.spec().board() == null) {
      return null;
    }
    return new Clock(gpu, now, gpu.spec().board().smClock(), Reference.SHEET);
  }

  /** The other busy GPUs of the same model. */
  static List<GpuWorld> peers(ServiceWorld service, GpuWorld gpu) {
    return service.gpus().stream()
        .filter(
            other -> !isSame(other, gpu) && Objects.equals(other.gpu().model(), gpu.gpu().model()))
        .toList();
  }

  /** Whether both are the same GPU, or the same part of one. */
  static boolean isSame(GpuWorld one, GpuWorld other) {
    return one.gpu().service().equals(other.gpu().service())
        && one.gpu().index().equals(other.gpu().index())
        && Objects.equals(one.gpu().host(), other.gpu().host())
        && Objects.equals(one.gpu().instance(), other.gpu().instance());
  }

  static double median(ServiceWorld service, List<GpuWorld> gpus, String signal) {
    return median(
        gpus.stream().mapToDouble(g -> HardwareTime.recent(service, g.get(signal))).toArray());
  }

  /** The median of those that are known, NaN if none is. */
  static double median(double... values) {
    double[] known = Arrays.stream(values).filter(v -> !Double.isNaN(v)).sorted().toArray();
    int half = known.length / 2;
    if (known.length == 0) {
      return Double.NaN;
    }
    return known.length % 2 == 1 ? known[half] : (known[half - 1] + known[half]) / 2;
  }

  /** Whether it has work: clocks of an idle GPU are low by right. */
  static boolean isBusy(ServiceWorld service, GpuWorld gpu, Thresholds thresholds) {
    double busy = HardwareTime.recent(service, gpu.get("gpu_util"));
    double active = HardwareTime.recent(service, gpu.get("gpu_graphics_active"));
    double share = Double.isNaN(busy) ? active : busy;
    return !(share < thresholds.get("gpu_busy_share"));
  }

  /** The replica that runs on a GPU; the only one if there is one; null if it can't be told. */
  static @Nullable ReplicaWorld replica(ServiceWorld service, GpuWorld gpu) {
    for (ReplicaWorld replica : service.replicas()) {
      if (replica.instance().equals(gpu.gpu().engineInstance())) {
        return replica;
      }
    }
    return service.replicas().size() == 1 ? service.replicas().getFirst() : null;
  }

  /** The GPUs that serve one replica, as far as that is known. */
  static List<GpuWorld> group(ServiceWorld service, ReplicaWorld replica) {
    return replica.gpus().isEmpty() && service.replicas().size() == 1
        ? service.gpus()
        : replica.gpus();
  }

  /** The one replica that all of some GPUs belong to, if it isn't the only one; else null. */
  static @Nullable String instance(ServiceWorld service, List<GpuWorld> gpus) {
    List<String> instances = new ArrayList<>();
    for (GpuWorld gpu : gpus) {
      ReplicaWorld replica = replica(service, gpu);
      if (replica != null && !instances.contains(replica.instance())) {
        instances.add(replica.instance());
      }
    }
    return instances.size() == 1 ? instances.getFirst() : null;
  }

  /** {@code 3 of 6 GPUs}, or the name of the only one. */
  static String count(ServiceWorld service, List<GpuWorld> gpus) {
    return gpus.size() == 1
        ? gpus.getFirst().name()
        : gpus.size() + " of " + service.gpus().size() + " GPUs";
  }
}
