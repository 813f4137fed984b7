package org.inferometer.simulator.gpu;

import org.inferometer.hardware.Hardware;
import org.jspecify.annotations.Nullable;

/** What a simulation needs to know of a GPU, with nothing left open. */
final class Board {
  /** Watts of those whose limit isn't published by itself (GH200, B300, MI250X): an assumption. */
  private static final double POWER_DEFAULT = 700;

  /** Bytes a second in one direction of 16 lanes, by generation from the first (PCI-SIG). */
  private static final double[] PCIE_X16 = {4e9, 8e9, 15.75e9, 31.5e9, 63e9, 121e9};

  /** Memory that runs faster than this is GDDR, whose temperature drivers mostly don't tell. */
  private static final double GDDR_CLOCK = 4500e6;

  final double flops;
  final double fp8Flops;
  final double bandwidth;
  final double memory;
  final double power;
  final double link;
  final int pcieGeneration;
  final double pcie;
  final double smClock;
  final double memoryClock;
  final double idle;
  final boolean hbm;

  private Board(Hardware.Gpu gpu, Hardware.Board board) {
    Double half = gpu.bf16Flops() == null ? board.flops() : gpu.bf16Flops();
    flops = needed(half, gpu, "rate in 16 bits");
    fp8Flops = gpu.fp8Flops() == null ? flops : gpu.fp8Flops();
    bandwidth = needed(gpu.bandwidth(), gpu, "memory's bandwidth");
    memory = board.memory();
    power = gpu.power() == null ? POWER_DEFAULT : gpu.power();
    link = board.link();
    pcieGeneration = board.pcieGeneration();
    pcie = PCIE_X16[Math.min(PCIE_X16.length, pcieGeneration) - 1];
    smClock = board.smClock();
    memoryClock = board.memoryClock();
    idle = board.idle();
    hbm = memoryClock < GDDR_CLOCK;
  }

  /**
   * @throws IllegalArgumentException if too little is known to simulate it
   */
  static Board of(Hardware.Gpu gpu) {
    if (gpu.board() == null) {
      throw new IllegalArgumentException(
          "too little is known of " + gpu.id() + " to simulate it: its \"board\" is missing");
    }
    return new Board(gpu, gpu.board());
  }

  private static double needed(@Nullable Double value, Hardware.Gpu gpu, String what) {
    if (value == null) {
      throw new IllegalArgumentException("the " + what + " of " + gpu.id() + " isn't known");
    }
    return value;
  }
}
