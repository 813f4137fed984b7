package org.inferometer.signals;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A GPU, or an instance of a split one, as it is now.
 *
 * @param service the exporter that tells of it
 * @param index its number on the machine, or what else names it there
 * @param instance the part of a split GPU, null for a whole one; what belongs to the board (power,
 *     temperature, clocks, errors) is then the board's
 * @param profile the size of the part
 * @param pod the pods that use it, separated by commas
 * @param engine the service of the engine that runs on it, null if that can't be told
 * @param engineInstance the replica of it, null if that can't be told
 * @param utilisation by signal; those that aren't known are missing
 * @param values other values by signal, in base units; those that aren't known are missing
 * @param reasons why its clocks are below their maximum
 * @param xid the driver's last error, null if there was none or none is told
 */
public record Gpu(
    String service,
    @Nullable String host,
    String index,
    @Nullable String uuid,
    @Nullable String model,
    @Nullable String instance,
    @Nullable String profile,
    @Nullable String pod,
    @Nullable String engine,
    @Nullable String engineInstance,
    Map<String, Double> utilisation,
    GpuState state,
    Map<String, Double> values,
    List<ClockEventReason> reasons,
    @Nullable LastXid xid) {
  /** The utilisations that are kept apart, in order. */
  public static final List<String> UTILISATIONS =
      List.of(
          "gpu_util",
          "gpu_graphics_active",
          "gpu_sm_active",
          "gpu_tensor_active",
          "gpu_dram_active",
          "kv_usage");

  /** The other values, in order. */
  public static final List<String> VALUES =
      List.of(
          "gpu_sm_clock",
          "gpu_memory_clock",
          "gpu_power",
          "gpu_power_limit",
          "gpu_temperature",
          "gpu_memory_temperature",
          "gpu_memory_used",
          "gpu_memory_total",
          "gpu_ecc_uncorrected",
          "gpu_ecc_corrected",
          "gpu_remapped_rows",
          "gpu_remap_pending",
          "gpu_remap_failed",
          "gpu_pcie_replay_rate",
          "gpu_pcie_width",
          "gpu_nvlink_error_rate");

  public Gpu {
    utilisation = Collections.unmodifiableMap(new LinkedHashMap<>(utilisation));
    values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    reasons = List.copyOf(reasons);
  }

  /**
   * The driver's last error. It stays for as long as the exporter lives, so it is an event of the
   * past and no state.
   *
   * @param sinceMs when it was first seen, null if that is longer ago than was looked at
   * @param severity in lower case: note, application, watch, reset, link, node or check
   */
  public record LastXid(
      int code, String says, String action, String severity, @Nullable Long sinceMs) {}
}
