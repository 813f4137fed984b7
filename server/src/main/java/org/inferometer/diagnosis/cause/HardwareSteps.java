package org.inferometer.diagnosis.cause;

import java.util.List;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.GpuWorld;
import org.inferometer.diagnosis.world.Period;
import org.inferometer.diagnosis.world.Reading;
import org.inferometer.diagnosis.world.ReplicaWorld;
import org.inferometer.diagnosis.world.ServiceWorld;

/**
 * How the time of an engine's step is spent: the GPU works, or it waits for the CPU.
 *
 * <p>GPU busy time of a step is the share of time that the GPU is busy through steps a second,
 * which holds at any load, pauses without requests included; what is left of the time between two
 * tokens is idle.
 *
 * @param seconds from a token to the next, now
 * @param idle seconds of it in which no kernel ran
 * @param secondsBefore the same over the baseline, NaN if that isn't known
 * @param idleBefore the same
 * @param elasticity by how many percent idle time grows when one percent more requests run; 0 is a
 *     constant for each step, 1 is work for each request; NaN if it can't be told
 */
record HardwareSteps(
    double seconds, double idle, double secondsBefore, double idleBefore, double elasticity) {
  /** Running requests have to vary by this much to tell what grows with them. */
  private static final double SPREAD_MIN = 1.5;

  private static final int POINTS_MIN = 4;

  /** Rates are taken over about a minute. */
  private static final long SETTLE_MS = 60_000;

  /** Less idle time than this, through busy time, is too little to be measured well. */
  private static final double IDLE_OF_BUSY_MIN = 0.2;

  boolean isKnown() {
    return !Double.isNaN(idle);
  }

  /** The share of a step in which the GPU waits. */
  double idleShare() {
    return idle / seconds;
  }

  static HardwareSteps of(ServiceWorld service, ReplicaWorld replica) {
    List<GpuWorld> gpus = HardwareGpus.group(service, replica);
    Reading step = step(replica);
    Reading rate = replica.get("step_rate");
    double busyBefore = HardwareGpus.median(before(gpus));
    double before = idle(step.baseline(), busyBefore, rate.baseline());
    double now = HardwareTime.recent(service, step);
    double busy = HardwareGpus.median(service, gpus, "gpu_util");
    return new HardwareSteps(
        now,
        idle(now, busy, HardwareTime.recent(service, rate)),
        step.baseline(),
        before,
        elasticity(replica, gpus, busyBefore, service.basis().judged()));
  }

  /** Whether this replica's GPU waits and those of most of its peers don't. */
  static boolean isAlone(ServiceWorld service, ReplicaWorld replica, Thresholds thresholds) {
    double least = thresholds.get("step_idle_share");
    int waiting = 0;
    int known = 0;
    for (ReplicaWorld peer : HardwarePeers.of(service, replica, thresholds)) {
      HardwareSteps steps = of(service, peer);
      known += steps.isKnown() ? 1 : 0;
      waiting += steps.idleShare() >= least ? 1 : 0;
    }
    return known > 0 && 2 * waiting < known;
  }

  /** What tells the time from token to token, one step. */
  static Reading step(ReplicaWorld replica) {
    Reading gap = replica.get("itl_mean");
    return gap.isKnown() ? gap : replica.get("tpot_mean");
  }

  private static double[] before(List<GpuWorld> gpus) {
    return gpus.stream().mapToDouble(g -> g.get("gpu_util").baseline()).toArray();
  }

  /**
   * Without a count of steps there is one for each token, and the engine is taken to step on. Where
   * steps are of very different lengths most tokens come with the short ones or with the long ones,
   * so that the time between two isn't that of the mean step; but steps can't idle for longer in
   * all than the GPU does.
   */
  private static double idle(double step, double busy, double rate) {
    double busySeconds = rate > 0 ? busy / rate : busy * step;
    double most = rate > 0 ? (1 - busy) / rate : Double.POSITIVE_INFINITY;
    return Math.max(Math.min(step - busySeconds, most), 0) + 0 * (step + busySeconds);
  }

  /**
   * Of all times at which the GPU waits far more than it did. Their beginning doesn't count, since
   * rates still hold some of what was before; what is of the moment is averaged over the same time
   * as rates are, or a batch that grows would seem to be ahead of its waiting. Where the GPU is
   * busy while more requests run it waits for requests and not for work on them.
   */
  private static double elasticity(
      ReplicaWorld replica, List<GpuWorld> gpus, double busyBefore, Period judged) {
    Reading running = replica.get("running");
    double[] steps = step(replica).values();
    int count = running.values().length;
    if (steps.length != count) {
      return Double.NaN;
    }
    double before = 1 / busyBefore - 1;
    double least =
        Double.isNaN(before)
            ? IDLE_OF_BUSY_MIN
            : Math.clamp(2 * before, IDLE_OF_BUSY_MIN, 2 * IDLE_OF_BUSY_MIN);
    Line line = new Line();
    Line atWork = new Line();
    long settledMs = Long.MAX_VALUE;
    for (int i = 1; i < count; i++) {
      long timeMs = running.timesMs()[i];
      Period taken = new Period(timeMs - SETTLE_MS + 1, timeMs + 1);
      double busy = busy(gpus, taken, count);
      double idle = steps[i] * (1 - busy);
      double requests = HardwareTime.mean(running, taken);
      if (1 / busy - 1 >= least && idle > 0 && requests >= 1) {
        settledMs = Math.min(settledMs, timeMs + SETTLE_MS);
        if (timeMs >= settledMs) {
          line.add(Math.log(requests), Math.log(idle));
        }
      } else if (judged.contains(timeMs) && requests > 0 && !Double.isNaN(busy)) {
        atWork.add(Math.log(requests), 0);
      }
    }
    return atWork.meanX() >= line.meanX() ? Double.NaN : line.slope();
  }

  private static double busy(List<GpuWorld> gpus, Period period, int count) {
    return gpus.stream()
        .map(gpu -> gpu.get("gpu_util"))
        .filter(util -> util.values().length == count)
        .mapToDouble(util -> HardwareTime.mean(util, period))
        .filter(mean -> !Double.isNaN(mean))
        .average()
        .orElse(Double.NaN);
  }

  /** Fits a straight line. */
  private static final class Line {
    private int count;
    private double sumX;
    private double sumY;
    private double sumXx;
    private double sumXy;
    private double min = Double.POSITIVE_INFINITY;
    private double max = Double.NEGATIVE_INFINITY;

    void add(double x, double y) {
      count++;
      sumX += x;
      sumY += y;
      sumXx += x * x;
      sumXy += x * y;
      min = Math.min(min, x);
      max = Math.max(max, x);
    }

    /** NaN without points. */
    double meanX() {
      return sumX / count;
    }

    double slope() {
      if (count < POINTS_MIN || max - min < Math.log(SPREAD_MIN)) {
        return Double.NaN;
      }
      return (count * sumXy - sumX * sumY) / (count * sumXx - sumX * sumX);
    }
  }
}
