package org.inferometer.simulator.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.function.BiConsumer;
import org.inferometer.simulator.engine.StepWork;
import org.inferometer.simulator.event.Dice;
import org.inferometer.simulator.knob.Knob;
import org.inferometer.simulator.measure.GpuQuantity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplicaTimerTest {
  /** One request decodes as fast as the weights can be read, and a little slower. */
  @ParameterizedTest
  @ValueSource(strings = {"llama-3.1-8b", "qwen3-8b", "qwen3-14b", "qwen3-32b"})
  void decodeOfOne_isReadingTheWeights(String model) {
    Rig rig = new Rig(model, "H100", 1);
    double least = 2 * rig.model.parametersRead(1) / 3.35e12;
    assertThat(rig.seconds(Rig.decode(1, 100))).isBetween(1.15 * least, 1.45 * least);
  }

  @Test
  void decodeOfOne_mixtureReadsItsExpertsOnly() {
    Rig rig = new Rig("qwen3-30b-a3b", "H100", 1);
    double all = 2 * rig.model.parameters() / 3.35e12;
    assertThat(rig.seconds(Rig.decode(1, 100))).isLessThan(all / 2);
    // With many requests nearly all experts are met.
    assertThat(rig.seconds(Rig.decode(256, 100))).isGreaterThan(all);
  }

  @Test
  void longPrefill_isMultiplyingMatrices() {
    Rig rig = new Rig("llama-3.1-8b", "H100", 1);
    double least = 2 * rig.model.bodyParameters() * 8192 / 989e12;
    assertThat(rig.seconds(Rig.prefill(8192))).isBetween(1.25 * least, 1.7 * least);
  }

  @Test
  void decodeOfManyWithLongContexts_isReadingKv() {
    Rig rig = new Rig("llama-3.1-8b", "H100", 1);
    double kv = 32 * 8000 * rig.model.kvBytesPerToken(2) / 3.35e12;
    double added = rig.seconds(Rig.decode(32, 8001)) - rig.seconds(Rig.decode(32, 1));
    assertThat(added).isEqualTo(kv / Efficiency.KV_READS, within(kv * 0.01));
  }

  @Test
  void moreWork_neverTakesLess() {
    Dice dice = Dice.of(17);
    for (String model : new String[] {"llama-3.1-8b", "qwen3-30b-a3b", "gemma-3-27b"}) {
      Rig rig = new Rig(model, "A100 80GB", 2);
      for (int i = 0; i < 300; i++) {
        StepWork work = random(dice);
        double before = rig.seconds(work);
        more(dice.nextInt(6), work);
        assertThat(rig.seconds(work))
            .as("seed 17, %s, turn %d", model, i)
            .isGreaterThanOrEqualTo(before);
      }
    }
  }

  private static StepWork random(Dice dice) {
    StepWork work = Rig.decode(dice.nextInt(200), 1 + dice.nextInt(4000));
    work.prefillTokens = dice.nextInt(8192);
    work.prefillRequests = work.prefillTokens == 0 ? 0 : 1 + dice.nextInt(8);
    work.prefillAttention = work.prefillTokens * 500.0;
    work.adapters = dice.nextInt(4);
    work.penalised = dice.nextInt(3);
    return work;
  }

  private static void more(int what, StepWork work) {
    switch (what) {
      case 0 -> work.decodeContext *= 1.5;
      case 1 -> {
        work.decodeRequests += 10;
        work.decodeTokens += 10;
      }
      case 2 -> work.prefillTokens += 500;
      case 3 -> work.prefillAttention *= 2;
      case 4 -> work.adapters++;
      default -> work.penalised++;
    }
  }

  @Test
  void tensorParallel_isFasterButNotByItsDegree() {
    double one = new Rig("qwen3-32b", "H100", 1).seconds(Rig.decode(8, 1000));
    double two = new Rig("qwen3-32b", "H100", 2).seconds(Rig.decode(8, 1000));
    double four = new Rig("qwen3-32b", "H100", 4).seconds(Rig.decode(8, 1000));
    assertThat(one / two).isBetween(1.5, 1.98);
    assertThat(two / four).isBetween(1.3, one / two);
  }

  @Test
  void withoutNvlink_exchangeCostsMore() {
    StepWork prefill = Rig.prefill(4096);
    Rig rig = new Rig("qwen3-8b", "L40S", 2);
    Rig linked = new Rig("qwen3-8b", "A100 80GB", 2);
    rig.run(prefill, 3);
    linked.run(prefill, 3);
    assertThat(rig.gauge(0, GpuQuantity.NVLINK_SENT_RATE)).isZero();
    assertThat(rig.gauge(0, GpuQuantity.PCIE_SENT_RATE)).isGreaterThan(1e9);
    assertThat(linked.gauge(0, GpuQuantity.NVLINK_SENT_RATE)).isGreaterThan(1e9);
    assertThat(linked.gauge(0, GpuQuantity.PCIE_SENT_RATE)).isLessThan(1e8);
    double before = rig.seconds(prefill);
    rig.gpus.get(0).knobs().set(Knob.GPU_PCIE_LANES, 4);
    assertThat(rig.seconds(prefill)).isGreaterThan(before * 1.3);
  }

  @Test
  void slowestGpu_endsTheStepAndTheOthersSpin() {
    Rig rig = new Rig("qwen3-32b", "H100", 4);
    StepWork work = Rig.prefill(4096);
    double before = rig.seconds(work);
    rig.gpus.get(2).knobs().set(Knob.GPU_CLOCK, 0.4);
    assertThat(rig.seconds(work)).isGreaterThan(before * 1.8);
    rig.run(work, 5);
    assertThat(rig.gauge(0, GpuQuantity.KERNEL_TIME)).isGreaterThan(0.9);
    assertThat(rig.gauge(0, GpuQuantity.SM_ACTIVE))
        .isLessThan(rig.gauge(2, GpuQuantity.SM_ACTIVE) * 0.8);
    assertThat(rig.gauge(2, GpuQuantity.SM_CLOCK)).isEqualTo(0.4 * 1980e6, within(1e6));
    assertThat(rig.gauge(0, GpuQuantity.SM_CLOCK)).isEqualTo(1980e6, within(1e6));
  }

  /** INC-10: the power cap lowers the SM clock; only what is multiplied gets slower by it. */
  @Test
  void powerCap_slowsPrefillAndNotDecode() {
    Rig rig = new Rig("llama-3.1-8b", "H100", 1);
    StepWork decode = Rig.decode(16, 500);
    StepWork prefill = Rig.prefill(4096);
    double decodeBefore = rig.seconds(decode);
    double prefillBefore = rig.seconds(prefill);
    rig.gpus.getFirst().knobs().set(Knob.GPU_POWER_LIMIT, 0.5);
    rig.run(prefill, 5);
    assertThat(rig.gauge(0, GpuQuantity.SM_CLOCK)).isLessThan(0.85 * 1980e6);
    assertThat(rig.gauge(0, GpuQuantity.MEMORY_CLOCK)).isEqualTo(2619e6);
    assertThat(rig.gauge(0, GpuQuantity.POWER)).isBetween(320.0, 360.0);
    assertThat((int) rig.gauge(0, GpuQuantity.CLOCK_EVENT_REASONS) & Clocks.POWER_CAP).isNotZero();
    assertThat(rig.seconds(prefill)).isGreaterThan(prefillBefore * 1.15);
    assertThat(rig.seconds(decode)).isLessThan(decodeBefore * 1.08);
  }

  @Test
  void memoryClock_slowsDecode() {
    Rig rig = new Rig("llama-3.1-8b", "H100", 1);
    double before = rig.seconds(Rig.decode(16, 500));
    rig.gpus.getFirst().knobs().set(Knob.GPU_MEMORY_CLOCK, 0.5);
    assertThat(rig.seconds(Rig.decode(16, 500))).isBetween(before * 1.6, before * 2);
  }

  @Test
  void withoutGraphs_smallStepsWaitForTheCpu() {
    Rig rig = new Rig("qwen3-0.6b", "H100", 1);
    double before = rig.seconds(Rig.decode(4, 100));
    rig.engine.set(Knob.ENGINE_GRAPHS, 0);
    assertThat(rig.seconds(Rig.decode(4, 100))).isGreaterThan(before * 1.5);
    double eager =
        new Rig("qwen3-0.6b", "H100", 1, "none", true, false).seconds(Rig.decode(4, 100));
    assertThat(rig.seconds(Rig.decode(4, 100))).isEqualTo(eager);
    // A large prefill keeps the GPU busy for longer than its launches take.
    double prefill = rig.seconds(Rig.prefill(16_384));
    rig.engine.set(Knob.ENGINE_GRAPHS, 1);
    assertThat(rig.seconds(Rig.prefill(16_384))).isEqualTo(prefill);
  }

  @Test
  void asyncScheduling_hidesTheCpu() {
    double async = new Rig("llama-3.1-8b", "H100", 1).seconds(Rig.decode(32, 500));
    double sync =
        new Rig("llama-3.1-8b", "H100", 1, "none", false, true).seconds(Rig.decode(32, 500));
    assertThat(sync - async)
        .isEqualTo(
            Efficiency.STEP_CPU + 32 * Efficiency.REQUEST_CPU - Efficiency.ASYNC_REST,
            within(1e-6));
  }

  /** INC-06: the engine's CPU decides when there isn't enough of it, and the GPU is idle. */
  @Test
  void busyHost_slowsStepsAndIdlesTheGpu() {
    Rig rig = new Rig("qwen3-0.6b", "H100", 1, "none", false, true);
    rig.run(Rig.decode(64, 200), 3);
    double kernel = rig.gauge(0, GpuQuantity.KERNEL_TIME);
    double before = rig.seconds(Rig.decode(64, 200));
    rig.host.knobs().set(Knob.HOST_BUSY, 64);
    assertThat(rig.seconds(Rig.decode(64, 200))).isGreaterThan(before * 2);
    rig.run(Rig.decode(64, 200), 3);
    assertThat(rig.gauge(0, GpuQuantity.KERNEL_TIME)).isLessThan(kernel * 0.6);
  }

  @Test
  void penaltiesAndSync_waitOnTheCpu() {
    assertAdded((rig, work) -> work.penalised = 20, 20 * Efficiency.PENALTY_CPU);
    assertAdded((rig, work) -> rig.engine.set(Knob.ENGINE_SYNC, 0.05), 0.05);
    assertAdded((rig, work) -> work.extraNs = 7_000_000, 0.007);
  }

  private static void assertAdded(BiConsumer<Rig, StepWork> what, double seconds) {
    Rig rig = new Rig("llama-3.1-8b", "A100 80GB", 1);
    StepWork work = Rig.decode(20, 1000);
    double before = rig.seconds(work);
    what.accept(rig, work);
    assertThat(rig.seconds(work) - before).isEqualTo(seconds, within(1e-6));
  }

  @Test
  void fp8AndInt4_readLess() {
    double bf16 = new Rig("llama-3.1-8b", "H100", 1).seconds(Rig.decode(1, 100));
    double fp8 = new Rig("llama-3.1-8b", "H100", 1, "fp8", true, true).seconds(Rig.decode(1, 100));
    double int4 =
        new Rig("llama-3.1-8b", "H100", 1, "int4", true, true).seconds(Rig.decode(1, 100));
    assertThat(bf16 / fp8).isBetween(1.4, 2.0);
    assertThat(fp8 / int4).isBetween(1.1, 1.8);
  }

  /** INC-09: the others wait at full kernel time and little power for one that is broken. */
  @Test
  void brokenGpu_stopsAllAndTheOthersSpinForEver() {
    Rig rig = new Rig("llama-3.1-70b", "A100 80GB", 4);
    rig.run(Rig.decode(16, 500), 2);
    rig.gpus.get(2).xid(48);
    assertThat(rig.seconds(Rig.decode(16, 500))).isInfinite();
    rig.rest(10);
    assertThat(rig.gauge(0, GpuQuantity.KERNEL_TIME)).isEqualTo(1, within(1e-9));
    assertThat(rig.gauge(0, GpuQuantity.POWER)).isBetween(60.0, 100.0);
    assertThat(rig.gauge(2, GpuQuantity.KERNEL_TIME)).isZero();
    rig.gpus.get(2).reset();
    assertThat(rig.seconds(Rig.decode(16, 500))).isFinite();
  }

  /** With steps of one length and random arrivals waiting is as queueing theory has it (M/D/1). */
  @Test
  void steadySteps_queueAsTheoryHasIt() {
    Rig rig = new Rig("qwen3-8b", "H100", 1);
    StepWork work = Rig.prefill(64);
    double service = rig.seconds(work);
    double load = 0.7;
    Dice dice = Dice.of(41);
    double arrival = 0;
    double waited = 0;
    int requests = 60_000;
    for (int i = 0; i < requests; i++) {
      arrival += dice.nextExponential(service / load);
      rig.agenda.runUntil(Math.max(rig.agenda.now(), Math.round(arrival * 1e9)));
      waited += rig.agenda.now() / 1e9 - arrival;
      rig.agenda.runUntil(rig.agenda.now() + rig.timer.begin(work, rig.agenda.now()));
    }
    double theory = service * load / (2 * (1 - load));
    assertThat(waited / requests).as("seed 41").isCloseTo(theory, within(theory * 0.05));
  }

  @Test
  void noGpu_isRefused() {
    assertThatThrownBy(() -> new Rig("qwen3-8b", "H100", 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected a GPU at least");
  }
}
