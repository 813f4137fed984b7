package org.inferometer.diagnosis.cause;

import static org.inferometer.diagnosis.cause.EngineExamined.assertNoVerdict;
import static org.inferometer.diagnosis.cause.EngineExamined.assertRuledOut;
import static org.inferometer.diagnosis.cause.EngineExamined.queued;
import static org.inferometer.diagnosis.cause.EngineExamined.verdict;
import static org.inferometer.diagnosis.cause.EngineExamined.well;

import org.junit.jupiter.api.Test;

final class AdapterChurnTest {
  private final AdapterChurn check = new AdapterChurn();

  @Test
  void examine_moreAdaptersThanSlots() {
    verdict(check, queued().reading("lora_waiting", 62, 0).reading("lora_slots", 8, 8));
  }

  @Test
  void examine_blocksBind() {
    assertNoVerdict(
        check,
        queued()
            .reading("lora_waiting", 9, 0)
            .reading("lora_slots", 8, 8)
            .reading("kv_usage_max", 0.99, 0.2)
            .reading("ttft_mean", 0.08, 0.08)
            .reading("ttft_p95", 0.2, 0.2));
  }

  @Test
  void examine_aSlotForEach() {
    assertRuledOut(
        check,
        well()
            .reading("lora_waiting", 0, 0)
            .reading("lora_running", 20, 20)
            .reading("lora_slots", 32, 32));
  }

  /** vLLM issue 45325: both lists hold the same names. */
  @Test
  void examine_adaptersNamedTwiceFit() {
    assertRuledOut(
        check,
        queued()
            .reading("lora_waiting", 6, 6)
            .reading("lora_running", 6, 6)
            .reading("lora_slots", 8, 8));
  }

  @Test
  void examine_noAdapters() {
    assertRuledOut(check, queued());
  }
}
