package org.inferometer.diagnosis;

import static org.inferometer.diagnosis.TreeMeasure.largest;
import static org.inferometer.diagnosis.TreeMeasure.share;

import java.util.List;
import org.inferometer.diagnosis.world.GpuWorld;
import org.inferometer.diagnosis.world.Reading;
import org.inferometer.diagnosis.world.ReplicaWorld;
import org.inferometer.diagnosis.world.ServiceWorld;

/** What the decision tree asks of GPUs and hosts: the worst of them answers. */
final class TreeHardware {
  /** Power this near its limit is at it: averages stay a few percent below. */
  private static final double AT_LIMIT = 0.93;

  private TreeHardware() {}

  static TreeMeasure thermalShare(ServiceWorld service) {
    double violation = largest(service.gpus(), g -> g.get("gpu_thermal_violation_share").value());
    double throttled = largest(service.gpus(), TreeHardware::heat);
    return share("gpu_thermal_violation_share", Double.isNaN(violation) ? throttled : violation);
  }

  /** 1 if a GPU has no degrees left and lost clock, 0 if it has some. */
  private static double heat(GpuWorld gpu) {
    double margin = gpu.get("gpu_temperature_margin").value();
    double throttled = gpu.get("gpu_throttle").value();
    if (Double.isNaN(margin) && Double.isNaN(throttled)) {
      return Double.NaN;
    }
    boolean isHot = margin <= 1 || throttled > 0;
    return isHot && !(clockLoss(gpu) <= 0) ? 1 : 0;
  }

  private static double clockLoss(GpuWorld gpu) {
    return 1 - gpu.get("gpu_sm_clock").ratio();
  }

  static TreeMeasure powerClockLoss(ServiceWorld service) {
    return share("gpu_sm_clock", largest(service.gpus(), TreeHardware::powerLoss));
  }

  private static double powerLoss(GpuWorld gpu) {
    double power = gpu.get("gpu_power_share").value();
    double loss = clockLoss(gpu);
    return power >= AT_LIMIT || Double.isNaN(loss) ? loss : 0;
  }

  static TreeMeasure rankSpread(ServiceWorld service) {
    return share("gpu_sm_clock", largest(service.replicas(), TreeHardware::spread));
  }

  /** How far the slowest clock of a group is below its fastest. */
  private static double spread(ReplicaWorld replica) {
    double least = Double.NaN;
    double most = Double.NaN;
    for (GpuWorld gpu : replica.gpus()) {
      double clock = gpu.get("gpu_sm_clock").value();
      least = Double.isNaN(least) ? clock : Math.min(least, clock);
      most = Double.isNaN(most) ? clock : Math.max(most, clock);
    }
    return replica.gpus().size() < 2 ? Double.NaN : 1 - least / most;
  }

  static TreeMeasure hostCpu(ServiceWorld service) {
    double busy = largest(service.hosts(), h -> h.get("host_cpu").value());
    double throttled = service.get("container_cpu_throttled_share").value();
    return share("host_cpu", throttled > 0 && !(busy >= 1) ? Math.max(busy, throttled) : busy);
  }

  /** The share of its busy time that a GPU lost while as many requests run. */
  static TreeMeasure gpuIdle(ServiceWorld service) {
    boolean runsLess = service.get("running").ratio() < 1;
    List<GpuWorld> gpus = service.gpus();
    double loss = largest(gpus, g -> 1 - busy(g).ratio());
    return share("gpu_util", runsLess ? Math.min(loss, 0) : loss);
  }

  private static Reading busy(GpuWorld gpu) {
    Reading sm = gpu.get("gpu_sm_active");
    return sm.isComparable() ? sm : gpu.get("gpu_util");
  }

  /** Memory activity, unless the batch grew by a third: then it isn't a small one's. */
  static TreeMeasure memoryBound(ServiceWorld service) {
    double batch = service.get("running").ratio();
    double memory = largest(service.gpus(), g -> g.get("gpu_dram_active").value());
    return share("gpu_dram_active", batch > 1.3 ? Math.min(memory, 0) : memory);
  }
}
