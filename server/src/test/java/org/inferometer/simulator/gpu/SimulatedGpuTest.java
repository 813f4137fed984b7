package org.inferometer.simulator.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.inferometer.hardware.Hardware;
import org.inferometer.simulator.event.Agenda;
import org.inferometer.simulator.event.Dice;
import org.inferometer.simulator.knob.Knob;
import org.inferometer.simulator.measure.GpuQuantity;
import org.inferometer.simulator.measure.Measures;
import org.junit.jupiter.api.Test;

class SimulatedGpuTest {
  private static final double H100_IDLE = 70;

  private final Rig rig = new Rig("llama-3.1-8b", "H100", 1);
  private final SimulatedGpu gpu = rig.gpus.getFirst();

  private double gauge(GpuQuantity quantity) {
    return rig.gauge(0, quantity);
  }

  private int reasons() {
    return (int) gauge(GpuQuantity.CLOCK_EVENT_REASONS);
  }

  @Test
  void idle_isCoolAndDrawsLittle() {
    rig.rest(600);
    assertThat(gauge(GpuQuantity.POWER)).isEqualTo(H100_IDLE, within(1e-6));
    assertThat(gauge(GpuQuantity.ENERGY)).isEqualTo(600 * H100_IDLE, within(1e-3));
    assertThat(gauge(GpuQuantity.TEMPERATURE)).isBetween(28.0, 35.0);
    assertThat(gauge(GpuQuantity.KERNEL_TIME)).isZero();
    assertThat(reasons()).isEqualTo(Clocks.IDLE);
  }

  @Test
  void decode_isMemoryAndLittleTensor() {
    rig.run(Rig.decode(32, 500), 10);
    assertThat(gauge(GpuQuantity.KERNEL_TIME)).isGreaterThan(0.95);
    assertThat(gauge(GpuQuantity.DRAM_ACTIVE)).isBetween(0.65, 0.9);
    assertThat(gauge(GpuQuantity.TENSOR_ACTIVE)).isLessThan(0.1);
    assertThat(gauge(GpuQuantity.POWER)).isBetween(300.0, 500.0);
    assertThat(reasons()).isZero();
  }

  @Test
  void prefill_isTensorAndAtItsPowerLimit() {
    rig.run(Rig.prefill(8192), 10);
    assertThat(gauge(GpuQuantity.TENSOR_ACTIVE)).isBetween(0.5, 0.85);
    assertThat(gauge(GpuQuantity.POWER)).isBetween(600.0, 701.0);
    assertThat(gauge(GpuQuantity.SM_CLOCK)).isBetween(1500e6, 1980e6);
  }

  /** However it is looked at, energy is the integral of power. */
  @Test
  void energy_isTheIntegralOfPower() {
    Dice dice = Dice.of(5);
    double sum = 0;
    for (int second = 0; second < 120; second++) {
      if (dice.chance(0.6)) {
        rig.run(dice.chance(0.5) ? Rig.decode(20, 900) : Rig.prefill(700), dice.nextDouble());
      }
      long next = (second + 1) * 1_000_000_000L;
      if (rig.agenda.now() < next) {
        rig.agenda.runUntil(next);
      }
      // A step may go on beyond the second: what is shown then is of the whole one before.
      double here = gauge(GpuQuantity.ENERGY);
      assertThat(here).as("seed 5").isGreaterThanOrEqualTo(sum);
      sum = here;
    }
    Rig other = new Rig("llama-3.1-8b", "H100", 1);
    double power = 0;
    for (int second = 0; second < 60; second++) {
      other.run(Rig.decode(20, 900), 0.5);
      other.agenda.runUntil((second + 1) * 1_000_000_000L);
      power += other.gauge(0, GpuQuantity.POWER);
    }
    assertThat(other.gauge(0, GpuQuantity.ENERGY)).isEqualTo(power, within(power * 1e-9));
  }

  @Test
  void looking_changesNothing() {
    Rig other = new Rig("llama-3.1-8b", "H100", 1);
    for (int i = 0; i < 200; i++) {
      rig.run(Rig.prefill(3000), 0.07);
      gauge(GpuQuantity.POWER);
      other.run(Rig.prefill(3000), 0.07);
    }
    assertThat(gauge(GpuQuantity.ENERGY))
        .isEqualTo(other.gauge(0, GpuQuantity.ENERGY), within(1e-6));
    assertThat(gauge(GpuQuantity.SM_CLOCK)).isEqualTo(other.gauge(0, GpuQuantity.SM_CLOCK));
  }

  @Test
  void lostCooling_slowsDownAndComesBack() {
    rig.run(Rig.prefill(4096), 120);
    double warm = gauge(GpuQuantity.TEMPERATURE);
    assertThat(warm).isBetween(55.0, 80.0);
    gpu.knobs().set(Knob.GPU_COOLING, 0.45);
    rig.run(Rig.prefill(4096), 300);
    assertThat(gauge(GpuQuantity.TEMPERATURE)).isBetween(82.0, 92.0);
    assertThat(reasons() & (Clocks.SW_THERMAL | Clocks.HW_THERMAL)).isNotZero();
    assertThat(gauge(GpuQuantity.SM_CLOCK)).isLessThan(0.85 * 1980e6);
    assertThat(gauge(GpuQuantity.THERMAL_VIOLATION_NS)).isGreaterThan(10e9);
    assertThat(gpu.isLost()).isFalse();
    gpu.knobs().set(Knob.GPU_COOLING, 1);
    rig.run(Rig.prefill(4096), 300);
    assertThat(gauge(GpuQuantity.TEMPERATURE)).isEqualTo(warm, within(2.0));
    assertThat(reasons() & (Clocks.SW_THERMAL | Clocks.HW_THERMAL)).isZero();
  }

  @Test
  void noCooling_endsInALostGpu() {
    gpu.knobs().set(Knob.GPU_COOLING, 0);
    rig.run(Rig.prefill(4096), 1200);
    assertThat(gpu.isLost()).isTrue();
    assertThat(gauge(GpuQuantity.XID)).isEqualTo(79);
  }

  @Test
  void powerBrake_halvesTheClock() {
    gpu.knobs().set(Knob.GPU_POWER_BRAKE, 1);
    rig.run(Rig.prefill(4096), 10);
    assertThat(gauge(GpuQuantity.SM_CLOCK)).isEqualTo(990e6, within(1e6));
    assertThat(reasons()).isEqualTo(Clocks.HW_SLOWDOWN | Clocks.POWER_BRAKE);
    assertThat(gauge(GpuQuantity.POWER_BRAKE_NS)).isBetween(9.9e9, 10.2e9);
    gpu.knobs().set(Knob.GPU_POWER_BRAKE, 0);
    rig.run(Rig.prefill(4096), 5);
    assertThat(reasons() & Clocks.POWER_BRAKE).isZero();
  }

  @Test
  void gauges_areOfTheLastWholeInterval() {
    rig.run(Rig.decode(32, 500), 2.0);
    rig.agenda.runUntil(2_999_000_000L);
    assertThat(gauge(GpuQuantity.KERNEL_TIME)).isGreaterThan(0.9);
    rig.agenda.runUntil(3_000_000_000L);
    assertThat(gauge(GpuQuantity.KERNEL_TIME)).isLessThan(0.1);
  }

  @Test
  void memory_isUsedFreeAndReserved() {
    gpu.allocate(60e9);
    double sum =
        gauge(GpuQuantity.MEMORY_USED)
            + gauge(GpuQuantity.MEMORY_FREE)
            + gauge(GpuQuantity.MEMORY_RESERVED);
    assertThat(sum).isEqualTo(81_559.0 * 1024 * 1024, within(1.0));
    assertThat(gauge(GpuQuantity.MEMORY_USED)).isEqualTo(60e9);
    gpu.allocate(-60e9);
    assertThat(gauge(GpuQuantity.MEMORY_USED)).isZero();
  }

  @Test
  void xids_leaveTheirTraces() {
    gpu.xid(63);
    assertThat(gauge(GpuQuantity.ROWS_REMAPPED_UNCORRECTABLE)).isEqualTo(1);
    assertThat(gauge(GpuQuantity.ROW_REMAP_PENDING)).isEqualTo(1);
    assertThat(gpu.isStopped()).isFalse();
    gpu.xid(94);
    gpu.xid(94);
    assertThat(gauge(GpuQuantity.XID)).isEqualTo(94);
    assertThat(gpu.measures().value(GpuQuantity.XIDS, "94")).isEqualTo(2);
    assertThat(gauge(GpuQuantity.ECC_UNCORRECTED)).isEqualTo(2);
    gpu.xid(48);
    assertThat(gpu.isStopped()).isTrue();
    gpu.reset();
    assertThat(gpu.isStopped()).isFalse();
    assertThat(gauge(GpuQuantity.ROW_REMAP_PENDING)).isZero();
    gpu.xid(79);
    gpu.reset();
    assertThat(gpu.isLost()).isTrue();
    assertThat(rig.seconds(Rig.decode(1, 1))).isInfinite();
  }

  @Test
  void correctedErrors_areWholeOnes() {
    gpu.knobs().set(Knob.GPU_ECC, 2.5);
    rig.rest(10.1);
    assertThat(gauge(GpuQuantity.ECC_CORRECTED)).isEqualTo(25);
  }

  @Test
  void uuid_isOfItsDice() {
    assertThat(gpu.uuid())
        .matches("GPU-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
        .isEqualTo(Rig.gpu(new Agenda(), "H100", 0).uuid())
        .isNotEqualTo(Rig.gpu(new Agenda(), "H100", 1).uuid());
  }

  @Test
  void everyGpuOfTheTable_canBeSimulated() {
    for (Hardware.Gpu model : Hardware.builtIn().gpus()) {
      Rig any = new Rig("llama-3.2-1b", model.id(), 1);
      assertThat(any.seconds(Rig.decode(4, 100))).as(model.id()).isBetween(1e-4, 0.1);
    }
  }

  @Test
  void tooLittleKnown_isRefused() {
    Hardware.Gpu bare = new Hardware.Gpu("X", "X", 1e12, null, 1e12, 1e9, 100.0, null, "a test");
    assertThatThrownBy(
            () ->
                new SimulatedGpu(
                    new Agenda(), bare, 0, Dice.of(1), Measures.Edges.fine(), 1_000_000_000L))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("too little is known of X");
  }
}
