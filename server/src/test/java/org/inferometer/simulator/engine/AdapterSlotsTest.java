package org.inferometer.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.inferometer.simulator.engine.EngineRig.MS;
import static org.inferometer.simulator.engine.EngineRig.config;

import org.inferometer.simulator.engine.EngineRig.Config;
import org.inferometer.simulator.knob.Knob;
import org.inferometer.simulator.measure.EngineQuantity;
import org.inferometer.simulator.request.Request;
import org.inferometer.simulator.request.SegmentPrompt;
import org.junit.jupiter.api.Test;

class AdapterSlotsTest {
  private static EngineRig rig(int slots) {
    Config config = config();
    config.adapters = new EngineConfig.Adapters(slots, 20 * MS);
    return config.rig();
  }

  private static Request add(EngineRig rig, String adapter, int tokens) {
    return rig.add(
        rig.request(
            SegmentPrompt.empty().then(adapter.hashCode(), 10),
            Integer.MAX_VALUE,
            tokens,
            adapter,
            0,
            0));
  }

  @Test
  void slotsTaken_othersAreDeferredAndLookedAtFirst() {
    EngineRig rig = rig(2);
    add(rig, "a", 5);
    add(rig, "b", 9);
    Request third = add(rig, "c", 3);
    Request again = add(rig, "a", 3);
    Request plain = rig.add(10, 3);
    rig.agenda.runUntil(41 * MS);
    assertThat(rig.value(EngineQuantity.RUNNING)).isEqualTo(4);
    assertThat(rig.value(EngineQuantity.WAITING)).isEqualTo(1);
    assertThat(rig.value(EngineQuantity.WAITING_DEFERRED)).isEqualTo(1);
    assertThat(rig.value(EngineQuantity.WAITING_CAPACITY)).isZero();
    rig.runOut();
    assertThat(third.scheduledNs).isEqualTo(45 * MS);
    assertThat(again.scheduledNs).isZero();
    assertThat(plain.scheduledNs).isZero();
  }

  @Test
  void loads_areWaitedFor_andStay() {
    EngineRig rig = rig(2);
    add(rig, "a", 2);
    add(rig, "b", 2);
    rig.runOut();
    assertThat(rig.agenda.now()).isEqualTo((40 + 2) * MS);
    add(rig, "a", 1);
    rig.runOut();
    assertThat(rig.agenda.now()).isEqualTo((40 + 3) * MS);
    assertThat(rig.value(EngineQuantity.ADAPTER_LOADS)).isEqualTo(2);
  }

  @Test
  void thrashing_oldestMakesRoom() {
    EngineRig rig = rig(2);
    rig.knobs.set(Knob.ENGINE_ADAPTER_LOAD, 2);
    for (String adapter : new String[] {"a", "b", "a", "c", "a", "b"}) {
      add(rig, adapter, 1);
      rig.runOut();
    }
    // a, b, c for b, b for c.
    assertThat(rig.value(EngineQuantity.ADAPTER_LOADS)).isEqualTo(4);
    assertThat(rig.agenda.now()).isEqualTo((4 * 40 + 6) * MS);
  }

  @Test
  void namesOfThoseThatRunAndWait() {
    EngineRig rig = rig(1);
    add(rig, "a", 3);
    add(rig, "b", 3);
    rig.agenda.runUntil(21 * MS);
    assertThat(rig.measures.labelled(EngineQuantity.ADAPTERS_RUNNING)).containsOnlyKeys("a");
    assertThat(rig.measures.labelled(EngineQuantity.ADAPTERS_WAITING)).containsOnlyKeys("b");
    rig.runOut();
    assertThat(rig.measures.labelled(EngineQuantity.ADAPTERS_RUNNING)).isEmpty();
    assertThat(rig.measures.labelled(EngineQuantity.ADAPTERS_WAITING)).isEmpty();
  }

  @Test
  void engineWithoutAdapters_takesNone() {
    EngineRig rig = config().rig();
    assertThatThrownBy(() -> add(rig, "a", 1)).hasMessageContaining("without them: a");
  }

  @Test
  void manyAdapters_haveTheirNumbers() {
    EngineRig rig = rig(3);
    for (int i = 0; i < 100; i++) {
      add(rig, "adapter " + i, 1 + i % 4);
    }
    rig.runOut();
    assertThat(rig.ended).hasSize(100);
    assertThat(rig.value(EngineQuantity.ADAPTER_LOADS)).isEqualTo(100);
  }
}
