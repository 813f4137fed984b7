package org.inferometer.diagnosis.retold;

import java.util.Map;

/** A GPU as dcgm-exporter tells of it. */
final class RetoldGpu {
  final String host;
  final int index;
  final String modelName;
  final String pod;

  double util = 0.95;
  double tensor = 0.15;
  double dram = 0.55;
  double smActive = 0.8;
  double smClock = 1980;
  double memoryClock = 2619;
  double power = 500;
  double powerLimit = 700;
  double temperature = 60;
  double reasons;
  double xid;
  double rows;
  double doubleBit;
  double used = 70_000;
  double free = 10_000;
  private double powerViolation;
  private double thermalViolation;

  /** Shares of the time in which power or heat held the clocks down. */
  double powerShare;

  double thermalShare;

  RetoldGpu(String host, int index, String modelName, String pod) {
    this.host = host;
    this.index = index;
    this.modelName = modelName;
    this.pod = pod;
  }

  void pass(double seconds) {
    powerViolation += powerShare * seconds * 1e9;
    thermalViolation += thermalShare * seconds * 1e9;
  }

  void write(RetoldSeries.Page page) {
    Map<String, String> own =
        Map.of(
            "gpu",
            Integer.toString(index),
            "UUID",
            "GPU-" + host + "-" + index,
            "device",
            "nvidia" + index,
            "modelName",
            modelName,
            "Hostname",
            host,
            "pod",
            pod);
    page.put("DCGM_FI_DEV_GPU_UTIL", own, util * 100);
    page.put("DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", own, tensor);
    page.put("DCGM_FI_PROF_DRAM_ACTIVE", own, dram);
    page.put("DCGM_FI_PROF_SM_ACTIVE", own, smActive);
    page.put("DCGM_FI_DEV_SM_CLOCK", own, smClock);
    page.put("DCGM_FI_DEV_MEM_CLOCK", own, memoryClock);
    page.put("DCGM_FI_DEV_POWER_USAGE", own, power);
    page.put("DCGM_FI_DEV_ENFORCED_POWER_LIMIT", own, powerLimit);
    page.put("DCGM_FI_DEV_GPU_TEMP", own, temperature);
    page.put("DCGM_FI_DEV_CLOCKS_EVENT_REASONS", own, reasons);
    page.put("DCGM_FI_DEV_XID_ERRORS", own, xid);
    page.put("DCGM_FI_DEV_FB_USED", own, used);
    page.put("DCGM_FI_DEV_FB_FREE", own, free);
    page.put("DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS", own, rows);
    page.put("DCGM_FI_DEV_ECC_DBE_VOL_TOTAL", own, doubleBit);
    page.put("DCGM_FI_DEV_POWER_VIOLATION", own, powerViolation);
    page.put("DCGM_FI_DEV_THERMAL_VIOLATION", own, thermalViolation);
  }
}
