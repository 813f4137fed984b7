package org.inferometer.simulator.measure;

/** What an exporter of a host tells. */
public enum HostQuantity implements Quantity {
  /** CPU seconds by cpu and mode ("0\nuser"). */
  CPU_SECONDS(Kind.COUNTERS),
  LOAD_1(Kind.GAUGE),
  LOAD_5(Kind.GAUGE),
  LOAD_15(Kind.GAUGE),
  /** Bytes. */
  MEMORY_TOTAL(Kind.GAUGE),
  MEMORY_FREE(Kind.GAUGE),
  MEMORY_AVAILABLE(Kind.GAUGE),
  MEMORY_CACHED(Kind.GAUGE),
  CONTEXT_SWITCHES(Kind.COUNTER),
  PROCESSES_RUNNING(Kind.GAUGE),
  /** Seconds in which some task waited for a CPU. */
  PRESSURE_CPU(Kind.COUNTER),
  /** Bytes by device. */
  NETWORK_RECEIVED(Kind.COUNTERS),
  NETWORK_SENT(Kind.COUNTERS),
  DISK_READ(Kind.COUNTERS),
  DISK_WRITTEN(Kind.COUNTERS),
  DISK_BUSY_SECONDS(Kind.COUNTERS),
  /** Bytes by mount point. */
  FILES_FREE(Kind.GAUGES),
  FILES_SIZE(Kind.GAUGES),
  /** Seconds since 1970. */
  BOOT_TIME(Kind.GAUGE),
  TIME(Kind.GAUGE);

  private final Kind kind;

  HostQuantity(Kind kind) {
    this.kind = kind;
  }

  @Override
  public Kind kind() {
    return kind;
  }
}
