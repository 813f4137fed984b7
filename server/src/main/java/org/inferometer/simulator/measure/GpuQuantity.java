package org.inferometer.simulator.measure;

/** What a GPU's driver and DCGM tell of it; gauges are of the last interval that was measured. */
public enum GpuQuantity implements Quantity {
  /** Hertz. */
  SM_CLOCK(Kind.GAUGE),
  MEMORY_CLOCK(Kind.GAUGE),
  /** Degrees Celsius. */
  TEMPERATURE(Kind.GAUGE),
  MEMORY_TEMPERATURE(Kind.GAUGE),
  /** Watts. */
  POWER(Kind.GAUGE),
  POWER_LIMIT(Kind.GAUGE),
  /** Joules. */
  ENERGY(Kind.COUNTER),
  /** Share of time in which a kernel was running, 0 to 1. */
  KERNEL_TIME(Kind.GAUGE),
  /** Share of time in which memory was read or written, 0 to 1. */
  COPY_TIME(Kind.GAUGE),
  /** Shares of time, 0 to 1. */
  GRAPHICS_ACTIVE(Kind.GAUGE),
  SM_ACTIVE(Kind.GAUGE),
  SM_OCCUPANCY(Kind.GAUGE),
  TENSOR_ACTIVE(Kind.GAUGE),
  DRAM_ACTIVE(Kind.GAUGE),
  /** Bytes a second. */
  PCIE_SENT_RATE(Kind.GAUGE),
  PCIE_RECEIVED_RATE(Kind.GAUGE),
  NVLINK_SENT_RATE(Kind.GAUGE),
  NVLINK_RECEIVED_RATE(Kind.GAUGE),
  /** Bytes. */
  MEMORY_USED(Kind.GAUGE),
  MEMORY_FREE(Kind.GAUGE),
  MEMORY_RESERVED(Kind.GAUGE),
  /** The mask of what holds the clocks down. */
  CLOCK_EVENT_REASONS(Kind.GAUGE),
  /** Nanoseconds that clocks were held down by power, by heat, by the power brake. */
  POWER_VIOLATION_NS(Kind.COUNTER),
  THERMAL_VIOLATION_NS(Kind.COUNTER),
  POWER_BRAKE_NS(Kind.COUNTER),
  /** The last Xid, 0 if there was none. */
  XID(Kind.GAUGE),
  /** The same under its code and the exporter's words for it ("79\nGPU has fallen off the bus"). */
  XID_LAST(Kind.GAUGES),
  /** How often each Xid came. */
  XIDS(Kind.COUNTERS),
  ECC_CORRECTED(Kind.COUNTER),
  ECC_UNCORRECTED(Kind.COUNTER),
  ROWS_REMAPPED_UNCORRECTABLE(Kind.GAUGE),
  ROW_REMAP_FAILURE(Kind.GAUGE),
  ROW_REMAP_PENDING(Kind.GAUGE),
  PCIE_LANES(Kind.GAUGE),
  PCIE_GENERATION(Kind.GAUGE),
  NVLINK_ERRORS(Kind.COUNTER);

  private final Kind kind;

  GpuQuantity(Kind kind) {
    this.kind = kind;
  }

  @Override
  public Kind kind() {
    return kind;
  }
}
