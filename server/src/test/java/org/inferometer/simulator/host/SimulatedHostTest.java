package org.inferometer.simulator.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.simulator.event.Agenda;
import org.inferometer.simulator.event.Dice;
import org.inferometer.simulator.knob.Knob;
import org.inferometer.simulator.measure.HostQuantity;
import org.inferometer.simulator.measure.Measures;
import org.junit.jupiter.api.Test;

class SimulatedHostTest {
  private static final long MS = 1_000_000;
  private static final long SECOND = 1000 * MS;

  private final Agenda agenda = new Agenda();

  private SimulatedHost host(int cores) {
    return new SimulatedHost(agenda, "host-0", cores, 64e9, 1.8e9, Measures.Edges.fine());
  }

  private static double seconds(SimulatedHost host, String mode) {
    double sum = 0;
    for (int i = 0; i < host.cores(); i++) {
      sum += host.measures().value(HostQuantity.CPU_SECONDS, i + "\n" + mode);
    }
    return sum;
  }

  @Test
  void freeCores_takeTheCpuTimeItself() {
    SimulatedHost host = host(4);
    HostProcess process = host.start("a", 1e9);
    assertThat(process.run(5 * MS)).isEqualTo(5 * MS);
    assertThat(host.start("b", 0).run(3 * MS)).isEqualTo(3 * MS);
    assertThat(process.run(0)).isZero();
  }

  @Test
  void moreThanCores_shareThem() {
    SimulatedHost host = host(2);
    host.start("a", 0).run(SECOND);
    host.start("b", 0).run(SECOND);
    assertThat(host.start("c", 0).run(2 * MS)).isEqualTo(3 * MS);
  }

  @Test
  void knobs_stretch() {
    SimulatedHost host = host(4);
    HostProcess process = host.start("a", 0);
    host.knobs().set(Knob.HOST_BUSY, 11);
    assertThat(process.run(MS)).isEqualTo(3 * MS);
    host.knobs().set(Knob.HOST_BUSY, 0);
    host.knobs().set(Knob.HOST_STEAL, 0.5);
    assertThat(process.run(MS)).isEqualTo(2 * MS);
    host.knobs().set(Knob.HOST_STEAL, 0);
    host.knobs().set(Knob.HOST_SPEED, 0.25);
    assertThat(process.run(MS)).isEqualTo(4 * MS);
    assertThat(process.cpuSeconds()).isLessThan(0.01);
  }

  /** What processes used is what the cores tell, and all seconds of a core are told. */
  @Test
  void cpuTime_isConserved() {
    SimulatedHost host = host(3);
    Dice dice = Dice.of(23);
    List<HostProcess> processes = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      processes.add(host.start("p" + i, 1e8));
    }
    double userBefore = seconds(host, "user");
    double systemBefore = seconds(host, "system");
    double before = all(host);
    host.knobs().set(Knob.HOST_BUSY, 0.5);
    for (int i = 0; i < 5000; i++) {
      long wall = processes.get(dice.nextInt(5)).run(1 + dice.nextInt(2_000_000));
      agenda.runUntil(agenda.now() + dice.nextInt((int) wall));
      if (dice.chance(0.01)) {
        host.measures();
      }
    }
    agenda.runUntil(agenda.now() + 20 * SECOND);
    double elapsed = agenda.now() / 1e9;
    double used = processes.stream().mapToDouble(HostProcess::cpuSeconds).sum();
    double told = seconds(host, "user") - userBefore + seconds(host, "system") - systemBefore;
    double daemons = 0.004 * 3 * elapsed;
    double others = told - used - daemons;
    assertThat(others).as("seed 23").isBetween(-0.1, 0.5 * elapsed + 0.1);
    assertThat(all(host) - before).as("seed 23").isEqualTo(3 * elapsed, within(0.2));
  }

  private static double all(SimulatedHost host) {
    return List.of("user", "system", "idle", "steal").stream()
        .mapToDouble(mode -> seconds(host, mode))
        .sum();
  }

  @Test
  void oneBusyLoop_isOneFullCore() {
    SimulatedHost host = host(8);
    HostProcess process = host.start("loop", 0);
    double before = host.measures().value(HostQuantity.CPU_SECONDS, "0\nidle");
    for (int i = 0; i < 1000; i++) {
      agenda.runUntil(agenda.now() + process.run(10 * MS));
    }
    host.measures();
    double idle = host.measures().value(HostQuantity.CPU_SECONDS, "0\nidle") - before;
    assertThat(idle).isLessThan(0.5);
    assertThat(host.measures().value(HostQuantity.CPU_SECONDS, "1\nuser")).isLessThan(0.5);
    assertThat(host.measures().value(HostQuantity.LOAD_1)).isBetween(0.1, 0.3);
  }

  @Test
  void overload_isPressureAndLoad() {
    SimulatedHost host = host(2);
    host.knobs().set(Knob.HOST_BUSY, 6);
    HostProcess process = host.start("a", 0);
    for (int i = 0; i < 600; i++) {
      process.run(50 * MS);
      agenda.runUntil(agenda.now() + SECOND);
    }
    assertThat(host.measures().value(HostQuantity.LOAD_1)).isBetween(5.9, 6.5);
    assertThat(host.measures().value(HostQuantity.LOAD_15)).isLessThan(6);
    assertThat(host.measures().value(HostQuantity.PRESSURE_CPU)).isEqualTo(600, within(1.0));
  }

  @Test
  void calmHost_hasNoPressure() {
    SimulatedHost host = host(2);
    HostProcess process = host.start("a", 0);
    for (int i = 0; i < 60; i++) {
      process.run(500 * MS);
      agenda.runUntil(agenda.now() + SECOND);
    }
    assertThat(host.measures().value(HostQuantity.PRESSURE_CPU)).isZero();
    assertThat(host.measures().value(HostQuantity.CONTEXT_SWITCHES)).isPositive();
  }

  @Test
  void memory_isWhatProcessesLeave() {
    SimulatedHost host = host(2);
    double before = host.measures().value(HostQuantity.MEMORY_AVAILABLE);
    HostProcess process = host.start("a", 10e9);
    assertThat(before - host.measures().value(HostQuantity.MEMORY_AVAILABLE))
        .isEqualTo(9.8e9, within(1e6));
    process.setResidentBytes(20e9);
    assertThat(process.residentBytes()).isEqualTo(20e9);
    process.end();
    assertThat(host.measures().value(HostQuantity.MEMORY_AVAILABLE)).isEqualTo(before);
  }

  @Test
  void time_goesOn() {
    SimulatedHost host = host(1);
    agenda.runUntil(90 * SECOND);
    assertThat(host.measures().value(HostQuantity.TIME)).isEqualTo(1.8e9 + 90);
    assertThat(host.measures().value(HostQuantity.BOOT_TIME)).isEqualTo(1.8e9 - 86_400);
  }

  @Test
  void noCore_isRefused() {
    assertThatThrownBy(() -> host(0)).isInstanceOf(IllegalArgumentException.class);
  }
}
