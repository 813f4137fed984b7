package org.inferometer.simulator.gpu;

import java.util.Locale;
import java.util.Map;
import org.inferometer.hardware.Hardware;
import org.inferometer.simulator.event.Agenda;
import org.inferometer.simulator.event.Dice;
import org.inferometer.simulator.knob.Knob;
import org.inferometer.simulator.knob.Knobs;
import org.inferometer.simulator.knob.Part;
import org.inferometer.simulator.measure.GpuQuantity;
import org.inferometer.simulator.measure.Measures;

/**
 * A GPU whose sensors follow from what its steps do: work gives power, power gives heat, both hold
 * down the clock, and the clock says how long the next step takes. Nothing happens in it by itself:
 * it is brought up to now when a step begins or somebody looks. Not thread-safe.
 */
public final class SimulatedGpu implements GpuDevice {
  /** How often gauges are measured unless it is said otherwise; dcgm-exporter's own is 30 s. */
  public static final long INTERVAL_NS = 1_000_000_000L;

  /** How often clocks and heat are looked at. */
  private static final long TICK_NS = 100_000_000L;

  private static final double TICK_SECONDS = TICK_NS / 1e9;

  /*
   * What draws power, through what there is above idling. A kernel that only waits: an A100's ranks
   * that wait for a hung one are at 100 % and near 70 W of 400 (NVIDIA/nccl #968). Memory at full
   * bandwidth and SMs with warps: decode draws about 60 % of an H100's limit, but all that cards
   * with GDDR may, whose chips are clocked far up their voltage curve (an RTX 3090 at 315 W,
   * INC-10b; an RTX PRO 4500 at 165 W with 16 users). Tensor cores: large matrices ask for more than
   * the limit, so that the clock falls by a tenth or a fifth (INC-10a). Assumptions of that scale.
   */
  private static final double KERNEL_POWER = 0.04;
  private static final double SM_POWER = 0.14;
  private static final double SM_POWER_GDDR = 0.6;
  private static final double TENSOR_POWER = 1.3;
  private static final double DRAM_POWER = 0.4;
  private static final double DRAM_POWER_GDDR = 0.7;

  /**
   * Degrees of the air that comes in, and how much warmer the chip is at its limit: assumptions.
   */
  private static final double AIR = 28;

  private static final double RISE_AT_LIMIT = 42;

  /** Seconds in which most of a change of temperature happens: an assumption. */
  private static final double WARMING_SECONDS = 25;

  /** How much warmer memory is while it is read: an assumption. */
  private static final double MEMORY_RISE = 8;

  /** Degrees at which it switches itself off. */
  private static final double SHUTDOWN = 105;

  /** MiB that the driver keeps for itself: 608 of an L40S's 46067, as DCGM told it. */
  private static final double RESERVED_SHARE = 608.0 / 46067;

  /** Where the eight GPUs of a server sit: the buses of an HGX H100, as its users print them. */
  private static final int[] BUSES = {0x1b, 0x43, 0x52, 0x61, 0x9d, 0xc3, 0xd1, 0xdf};

  private String pod = "";
  private final Agenda agenda;
  private final Hardware.Gpu model;
  private final Board board;
  private final int index;
  private final String uuid;
  private final long intervalNs;
  private final Knobs knobs = new Knobs(Part.GPU);
  private final Measures measures;
  private final Clocks clocks = new Clocks();

  private final Load load = new Load();
  private long loadFromNs;
  private long loadUntilNs;
  private double coreWatts;
  private double dramWatts;

  private long atNs;
  private double temperature;
  private double memoryFactor = 1;
  private double linkFactor = 1;
  private double pcieFactor = 1;
  private double powerLimit;
  private boolean stopped;
  private boolean lost;
  private double allocated;
  private double errors;

  private final Interval tick = new Interval();
  private final Interval interval = new Interval();

  /** Sums over a time, to be divided by it. */
  private static final class Interval {
    final Load load = new Load();
    double kernel;
    double joules;
    double coreJoules;
    double restJoules;
    double clock;

    void clear() {
      load.clear();
      kernel = 0;
      joules = 0;
      coreJoules = 0;
      restJoules = 0;
      clock = 0;
    }
  }

  /**
   * @param index in its host
   * @param dice of this GPU alone: where its serial number comes from
   * @param intervalNs how often its gauges are measured; a multiple of a tenth of a second
   * @throws IllegalArgumentException if too little is known of the model
   */
  public SimulatedGpu(
      Agenda agenda,
      Hardware.Gpu model,
      int index,
      Dice dice,
      Measures.Edges edges,
      long intervalNs) {
    if (intervalNs < TICK_NS || intervalNs % TICK_NS != 0) {
      throw new IllegalArgumentException(
          "expected a multiple of " + TICK_NS + " ns, not " + intervalNs + ", for the interval");
    }
    this.agenda = agenda;
    this.model = model;
    this.board = Board.of(model);
    this.index = index;
    this.uuid = uuid(dice);
    this.intervalNs = intervalNs;
    this.measures = new Measures(GpuQuantity.class, edges, agenda.now());
    this.atNs = agenda.now();
    this.temperature = AIR + RISE_AT_LIMIT * board.idle / board.power;
    knobs.onTurn(this::turned);
    turned();
    tellXid(Xids.NONE);
    tick.clock = TICK_SECONDS;
    publish(tick, TICK_SECONDS, Clocks.IDLE);
    tick.clear();
  }

  private static String uuid(Dice dice) {
    long high = dice.nextLong();
    long low = dice.nextLong();
    return "GPU-"
        + hex(high >>> 32, 8)
        + "-"
        + hex(high >>> 16, 4)
        + "-"
        + hex(high, 4)
        + "-"
        + hex(low >>> 48, 4)
        + "-"
        + hex(low, 12);
  }

  private static String hex(long bits, int digits) {
    String text = Long.toHexString(bits | (1L << 62));
    return text.substring(text.length() - digits);
  }

  @Override
  public int index() {
    return index;
  }

  @Override
  public String uuid() {
    return uuid;
  }

  @Override
  public Hardware.Gpu model() {
    return model;
  }

  @Override
  public Knobs knobs() {
    return knobs;
  }

  @Override
  public boolean isLost() {
    return lost;
  }

  /** Whether no step that begins on it ever ends. */
  public boolean isStopped() {
    return stopped;
  }

  Board board() {
    return board;
  }

  /** From now on a workload has it; exporters in Kubernetes tell its name. */
  public void runsFor(String workload) {
    pod = workload;
  }

  /** What a page of GPUs asks of it besides its measures: {@code index}, {@code uuid}, ... */
  public Map<String, String> facts(String host) {
    int bus = BUSES[index % BUSES.length];
    return Map.of(
        "pod",
        pod,
        "index",
        Integer.toString(index),
        "uuid",
        uuid,
        "pci_bus_id",
        String.format(Locale.ROOT, "%08X:%02X:00.0", index / BUSES.length, bus),
        "device",
        "nvidia" + index,
        "model_name",
        model.name(),
        "host",
        host);
  }

  /** The SM clock through its highest, now. */
  double clockFactor() {
    return clocks.factor();
  }

  double memoryFactor() {
    return memoryFactor;
  }

  double linkFactor() {
    return linkFactor;
  }

  double pcieFactor() {
    return pcieFactor;
  }

  /** Bytes that processes hold of its memory, all together. */
  public void allocate(double bytes) {
    advance();
    allocated = Math.max(0, allocated + bytes);
    publishMemory();
  }

  /** The load of the next kernels, to be filled in before {@link #run}. */
  Load load() {
    return load;
  }

  /** Up to now, so that a new load can begin. */
  void advance() {
    advance(agenda.now());
  }

  /** The load is what runs from one moment to another, the first not before now. */
  void run(long fromNs, long untilNs) {
    loadFromNs = fromNs;
    loadUntilNs = untilNs;
    double range = board.power - board.idle;
    double sm = board.hbm ? SM_POWER : SM_POWER_GDDR;
    coreWatts = range * (KERNEL_POWER + sm * load.sm + TENSOR_POWER * load.tensor);
    double dram = board.hbm ? DRAM_POWER : DRAM_POWER_GDDR;
    dramWatts = range * dram * load.dram * memoryFactor;
  }

  @Override
  public Measures measures() {
    advance();
    return measures;
  }

  private void turned() {
    advance();
    clocks.setting = knobs.get(Knob.GPU_CLOCK);
    clocks.brake = knobs.isOn(Knob.GPU_POWER_BRAKE);
    clocks.update();
    memoryFactor = knobs.get(Knob.GPU_MEMORY_CLOCK);
    linkFactor = knobs.get(Knob.GPU_LINK);
    double lanes = knobs.get(Knob.GPU_PCIE_LANES);
    pcieFactor = lanes == 0 ? 1 : lanes / 16;
    powerLimit = board.power * knobs.get(Knob.GPU_POWER_LIMIT);
  }

  private void advance(long toNs) {
    while (atNs < toNs) {
      long tickEnd = atNs - atNs % TICK_NS + TICK_NS;
      long next = Math.min(toNs, tickEnd);
      integrate(atNs, next);
      atNs = next;
      if (next == tickEnd) {
        endTick();
      }
    }
  }

  private void integrate(long fromNs, long toNs) {
    double seconds = (toNs - fromNs) / 1e9;
    double factor = clocks.factor();
    tick.clock += factor * seconds;
    double joules = board.idle * seconds;
    tick.restJoules += joules;
    double busy = Math.max(0, Math.min(toNs, loadUntilNs) - Math.max(fromNs, loadFromNs)) / 1e9;
    if (busy > 0 && !lost) {
      tick.kernel += busy;
      tick.load.add(load, busy);
      tick.coreJoules += coreWatts * busy;
      tick.restJoules += dramWatts * busy;
      joules += (coreWatts * factor * factor * factor + dramWatts) * busy;
    }
    tick.joules += joules;
    measures.add(GpuQuantity.ENERGY, joules);
  }

  private void endTick() {
    warm(tick.joules / TICK_SECONDS);
    clocks.look(
        tick.coreJoules / TICK_SECONDS, tick.restJoules / TICK_SECONDS, powerLimit, temperature);
    count();
    add(interval, tick);
    boolean idle = interval.kernel == 0;
    tick.clear();
    if (atNs % intervalNs == 0) {
      publish(interval, intervalNs / 1e9, clocks.reasons() | (idle ? Clocks.IDLE : 0));
      interval.clear();
    }
    if (temperature >= SHUTDOWN && !lost) {
      xid(Xids.BUS_LOST);
    }
  }

  private void warm(double watts) {
    double cooling = knobs.get(Knob.GPU_COOLING);
    // What flows in less what flows out, in degrees at the end if it stayed so.
    double in = RISE_AT_LIMIT * watts / board.power;
    double out = (temperature - AIR) * cooling;
    temperature += (in - out) * TICK_SECONDS / WARMING_SECONDS;
  }

  private void count() {
    if (clocks.isPowerCapped()) {
      measures.add(GpuQuantity.POWER_VIOLATION_NS, TICK_NS);
    }
    if (clocks.isHot()) {
      measures.add(GpuQuantity.THERMAL_VIOLATION_NS, TICK_NS);
    }
    if (clocks.brake) {
      measures.add(GpuQuantity.POWER_BRAKE_NS, TICK_NS);
    }
    errors += knobs.get(Knob.GPU_ECC) * TICK_SECONDS;
    set(GpuQuantity.ECC_CORRECTED, Math.floor(errors));
  }

  private static void add(Interval sum, Interval part) {
    sum.load.add(part.load, 1);
    sum.kernel += part.kernel;
    sum.joules += part.joules;
    sum.clock += part.clock;
  }

  private void publish(Interval of, double seconds, int reasons) {
    set(GpuQuantity.KERNEL_TIME, of.kernel / seconds);
    // NVML counts a sample in which memory is read or written at all: not how much.
    set(GpuQuantity.COPY_TIME, Math.min(of.kernel, of.load.dram) / seconds);
    set(GpuQuantity.GRAPHICS_ACTIVE, of.kernel / seconds);
    set(GpuQuantity.SM_ACTIVE, of.load.sm / seconds);
    set(GpuQuantity.SM_OCCUPANCY, of.load.occupancy / seconds);
    set(GpuQuantity.TENSOR_ACTIVE, of.load.tensor / seconds);
    set(GpuQuantity.DRAM_ACTIVE, of.load.dram / seconds);
    set(GpuQuantity.NVLINK_SENT_RATE, of.load.link / seconds);
    set(GpuQuantity.NVLINK_RECEIVED_RATE, of.load.link / seconds);
    set(GpuQuantity.PCIE_SENT_RATE, of.load.pcieSent / seconds);
    set(GpuQuantity.PCIE_RECEIVED_RATE, of.load.pcieReceived / seconds);
    set(GpuQuantity.POWER, of.joules == 0 ? board.idle : of.joules / seconds);
    set(GpuQuantity.POWER_LIMIT, powerLimit);
    set(GpuQuantity.SM_CLOCK, of.clock / seconds * board.smClock);
    set(GpuQuantity.MEMORY_CLOCK, board.memoryClock * memoryFactor);
    set(GpuQuantity.TEMPERATURE, Math.rint(temperature));
    set(GpuQuantity.MEMORY_TEMPERATURE, board.hbm ? memoryTemperature(of.load.dram / seconds) : 0);
    set(GpuQuantity.CLOCK_EVENT_REASONS, reasons);
    set(GpuQuantity.PCIE_GENERATION, board.pcieGeneration);
    set(GpuQuantity.PCIE_LANES, Math.rint(16 * pcieFactor));
    publishMemory();
  }

  private void publishMemory() {
    double reserved = board.memory * RESERVED_SHARE;
    double used = Math.min(allocated, board.memory - reserved);
    set(GpuQuantity.MEMORY_RESERVED, reserved);
    set(GpuQuantity.MEMORY_USED, used);
    set(GpuQuantity.MEMORY_FREE, board.memory - reserved - used);
  }

  private double memoryTemperature(double dramActive) {
    return Math.rint(temperature - 2 + MEMORY_RISE * dramActive);
  }

  private void set(GpuQuantity quantity, double value) {
    measures.set(quantity, value);
  }

  @Override
  public void xid(int code) {
    advance();
    tellXid(code);
    measures.add(GpuQuantity.XIDS, Integer.toString(code), 1);
    stopped |= Xids.stops(code);
    lost |= code == Xids.BUS_LOST;
    if (Xids.isUncorrected(code)) {
      measures.add(GpuQuantity.ECC_UNCORRECTED, 1);
    }
    if (Xids.isOfNvlink(code)) {
      measures.add(GpuQuantity.NVLINK_ERRORS, 1);
    }
    if (code == Xids.ROW_REMAPPED) {
      measures.add(GpuQuantity.ROWS_REMAPPED_UNCORRECTABLE, 1);
      set(GpuQuantity.ROW_REMAP_PENDING, 1);
    }
    if (code == Xids.REMAP_FAILED) {
      set(GpuQuantity.ROW_REMAP_FAILURE, 1);
    }
  }

  private void tellXid(int code) {
    set(GpuQuantity.XID, code);
    measures.clear(GpuQuantity.XID_LAST);
    measures.set(GpuQuantity.XID_LAST, code + "\n" + Xids.text(code), code);
  }

  /**
   * It is reset, as with the restart of all that used it: what was hung goes on, remapped rows take
   * effect. A GPU that is off the bus stays away.
   */
  public void reset() {
    advance();
    stopped = lost;
    loadUntilNs = atNs;
    set(GpuQuantity.ROW_REMAP_PENDING, 0);
  }
}
