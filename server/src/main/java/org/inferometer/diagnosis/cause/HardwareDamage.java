package org.inferometer.diagnosis.cause;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.inferometer.diagnosis.finding.Argument.Strength;
import org.inferometer.diagnosis.finding.Evidence;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.GpuWorld;
import org.inferometer.diagnosis.world.Reading;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.inferometer.signals.Gpu;
import org.inferometer.signals.GpuEvent;
import org.inferometer.signals.Phrases;
import org.inferometer.signals.Xids;
import org.jspecify.annotations.Nullable;

/**
 * What speaks for damage of one GPU, the most telling first.
 *
 * @param old a sentence about a severe Xid of long ago that explains nothing now, or null
 * @param sinceMs when the first of it was seen, null if it was there all along
 */
record HardwareDamage(List<Sign> signs, @Nullable String old, @Nullable Long sinceMs) {
  /** Fewer lanes than these were never a slot's full width. */
  private static final double LANES_FULL = 16;

  HardwareDamage {
    signs = List.copyOf(signs);
  }

  /** One thing that speaks for damage. */
  record Sign(Strength strength, Evidence evidence, @Nullable Long timeMs) {}

  boolean isNone() {
    return signs.isEmpty();
  }

  static HardwareDamage of(ServiceWorld service, GpuWorld gpu, Thresholds thresholds) {
    List<Sign> signs = new ArrayList<>();
    String old = xids(service, gpu, signs);
    events(gpu, signs);
    memory(service, gpu, signs);
    links(service, gpu, thresholds, signs);
    vanished(service, gpu, signs);
    signs.sort(Comparator.comparing(Sign::strength));
    Long since =
        signs.stream()
            .map(Sign::timeMs)
            .filter(time -> time != null)
            .min(Comparator.naturalOrder())
            .orElse(null);
    return new HardwareDamage(signs, old, since);
  }

  /** The codes that came up within the timeline; the one that stands there from before is old. */
  private static @Nullable String xids(ServiceWorld service, GpuWorld gpu, List<Sign> signs) {
    Reading reading = gpu.get("gpu_xid");
    double last = Double.NaN;
    List<Integer> seen = new ArrayList<>();
    for (int i = 0; i < reading.values().length; i++) {
      double value = reading.values()[i];
      boolean isNew = !Double.isNaN(last) && value != last && value > 0;
      if (isNew
          && reading.timesMs()[i] <= service.window().endMs()
          && !seen.contains((int) value)) {
        seen.add((int) value);
        xid(Xids.of((int) value, reading.timesMs()[i]), reading, gpu, signs);
      }
      last = Double.isNaN(value) ? last : value;
    }
    Gpu.LastXid now = gpu.gpu().xid();
    if (now == null || now.code() == 0 || seen.contains(now.code())) {
      return null;
    }
    if (now.sinceMs() != null && isWithin(service, now.sinceMs())) {
      xid(now, reading, gpu, signs);
      return null;
    }
    return strength(now) == null
        ? null
        : "Xid %d of %s is from before all that was looked at; it stays until the exporter restarts."
            .formatted(now.code(), gpu.name());
  }

  private static boolean isWithin(ServiceWorld service, long timeMs) {
    long start =
        service.baseline() == null ? service.window().startMs() : service.baseline().startMs();
    return timeMs >= start && timeMs <= service.window().endMs();
  }

  private static void xid(Gpu.LastXid xid, Reading reading, GpuWorld gpu, List<Sign> signs) {
    Strength strength = strength(xid);
    if (strength != null) {
      String says = "Xid " + xid.code() + ": " + xid.says();
      Evidence fact =
          Evidence.computed("gpu", reading.signal(), xid.code(), "count", null, says)
              .at(gpu.name());
      signs.add(new Sign(strength, fact, xid.sinceMs()));
    }
  }

  /** How much a code speaks for damage; null for those of programs and for notes. */
  private static @Nullable Strength strength(Gpu.LastXid xid) {
    if (xid.code() == CONTAINED) {
      return Strength.MODERATE;
    }
    return switch (xid.severity()) {
      case "reset", "link", "node", "check" -> Strength.DECISIVE;
      case "watch" -> Strength.MODERATE;
      default -> null;
    };
  }

  /** The process pays for it, but the memory is what failed. */
  private static final int CONTAINED = 94;

  private static void events(GpuWorld gpu, List<Sign> signs) {
    for (GpuEvent event : gpu.events()) {
      Strength strength =
          switch (event.kind()) {
            case LOST -> Strength.DECISIVE;
            case ECC -> Strength.DECISIVE;
            case REMAP -> Strength.STRONG;
            case XID, RESET -> null;
          };
      boolean isTold = signs.stream().anyMatch(s -> s.evidence().signal().equals(name(event)));
      if (strength != null && !isTold) {
        Evidence fact =
            Evidence.computed("gpu", name(event), 1, "count", null, event.says()).at(gpu.name());
        signs.add(new Sign(strength, fact, event.timeMs()));
      }
    }
  }

  private static String name(GpuEvent event) {
    return switch (event.kind()) {
      case LOST -> "gpu_lost";
      case ECC -> "gpu_ecc_uncorrected";
      case REMAP -> "gpu_remapped_rows";
      case XID -> "gpu_xid";
      case RESET -> "gpu_reset";
    };
  }

  private static void memory(ServiceWorld service, GpuWorld gpu, List<Sign> signs) {
    Reading uncorrected = gpu.get("gpu_ecc_uncorrected");
    grown(
        service, gpu, uncorrected, Strength.DECISIVE, "memory errors couldn't be corrected", signs);
    Reading rows = gpu.get("gpu_remapped_rows");
    grown(service, gpu, rows, Strength.STRONG, "memory rows were replaced after errors", signs);
    Reading pending = gpu.get("gpu_remap_pending");
    if (HardwareTime.recent(service, pending) > 0) {
      boolean isNew = pending.baseline() == 0;
      String says = "A memory row waits to be replaced, which a reset of the GPU does.";
      signs.add(
          new Sign(
              isNew ? Strength.STRONG : Strength.MODERATE,
              Evidence.of(pending, 0.0, says).at(gpu.name()),
              HardwareTime.since(service, pending, value -> value > 0)));
    }
    Reading failed = gpu.get("gpu_remap_failed");
    if (HardwareTime.recent(service, failed) > 0) {
      String says = "A memory row couldn't be replaced: the GPU itself has to be.";
      signs.add(
          new Sign(
              Strength.DECISIVE,
              Evidence.of(failed, 0.0, says).at(gpu.name()),
              HardwareTime.since(service, failed, value -> value > 0)));
    }
  }

  /** A counter that grew since the baseline began, unless an event told so already. */
  private static void grown(
      ServiceWorld service,
      GpuWorld gpu,
      Reading counter,
      Strength strength,
      String what,
      List<Sign> signs) {
    double before = counter.baseline();
    double more = counter.max() - (Double.isNaN(before) ? counter.min() : before);
    boolean isTold = signs.stream().anyMatch(s -> s.evidence().signal().equals(counter.signal()));
    if (more >= 1 && !isTold) {
      String says = Phrases.number(more) + " " + what + ".";
      double level = counter.max() - more;
      signs.add(
          new Sign(
              strength,
              Evidence.of(counter, 0.0, says).at(gpu.name()),
              HardwareTime.since(service, counter, value -> value > level)));
    }
  }

  private static void links(
      ServiceWorld service, GpuWorld gpu, Thresholds thresholds, List<Sign> signs) {
    Reading errors = gpu.get("gpu_nvlink_error_rate");
    double rate = HardwareTime.recent(service, errors);
    if (rate > thresholds.get("nvlink_error_rate")) {
      String says = "Its NVLinks have " + Phrases.value(errors.unit(), rate) + " errors.";
      signs.add(
          new Sign(
              Strength.STRONG,
              Evidence.of(errors, thresholds.get("nvlink_error_rate"), says).at(gpu.name()),
              HardwareTime.since(service, errors, value -> value > 0)));
    }
    Reading lanes = gpu.get("gpu_pcie_width");
    double now = HardwareTime.recent(service, lanes);
    double peers = HardwareGpus.median(service, HardwareGpus.peers(service, gpu), lanes.signal());
    double usual = lanes.baseline() > now ? lanes.baseline() : peers;
    if (now > 0 && now < usual && usual <= LANES_FULL) {
      String says =
          "Its PCIe link has %s lanes instead of %s."
              .formatted(Phrases.number(now), Phrases.number(usual));
      signs.add(
          new Sign(
              Strength.DECISIVE,
              Evidence.of(lanes, usual, says).at(gpu.name()),
              HardwareTime.since(service, lanes, value -> value < usual)));
    }
  }

  /** It had values and has none, while others of the same exporter have. */
  private static void vanished(ServiceWorld service, GpuWorld gpu, List<Sign> signs) {
    Reading memory = gpu.get("gpu_memory_used");
    boolean isTold = signs.stream().anyMatch(s -> s.evidence().signal().equals("gpu_lost"));
    boolean isGone =
        !Double.isNaN(memory.baseline())
            && Double.isNaN(HardwareTime.mean(memory, HardwareTime.recent(service)));
    boolean othersAreThere =
        service.gpus().stream()
            .anyMatch(
                other ->
                    !HardwareGpus.isSame(other, gpu)
                        && other.gpu().service().equals(gpu.gpu().service())
                        && !Double.isNaN(
                            HardwareTime.mean(
                                other.get("gpu_memory_used"), HardwareTime.recent(service))));
    if (isGone && othersAreThere && !isTold) {
      String says = "It isn't seen any more, while the exporter tells of others.";
      Evidence fact = Evidence.computed("gpu", "gpu_lost", 1, "count", null, says).at(gpu.name());
      signs.add(new Sign(Strength.DECISIVE, fact, HardwareTime.lastKnown(memory)));
    }
  }
}
