package org.inferometer.diagnosis.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class WorldsTest {
  @Test
  void reading_valueAndBaseline() {
    ServiceWorld world = Worlds.vllm().reading("kv_usage_max", 0.98, 0.4, 0.9, 1).build();
    Reading reading = world.get("kv_usage_max");
    assertEquals("ratio", reading.unit());
    assertEquals(0.98, reading.value());
    assertEquals(0.4, reading.baseline());
    assertEquals(1, reading.max());
    assertEquals(reading.timesMs().length, reading.values().length);
    assertEquals(Worlds.END_MS, reading.timesMs()[reading.timesMs().length - 1]);
    assertFalse(world.get("running").isKnown());
  }

  @Test
  void symptoms_comeFromReadings() {
    ServiceWorld world = Worlds.vllm().reading("ttft_p95", 3, 0.3).build();
    assertTrue(world.symptoms().has(Symptom.Kind.TTFT));
    assertTrue(Worlds.vllm().reading("ttft_p95", 0.3, 0.3).build().symptoms().isEmpty());
  }

  @Test
  void gpu_belongsToItsReplica() {
    ServiceWorld world =
        Worlds.vllm()
            .host("node-1", h -> h.reading("host_cpu", 0.2))
            .gpu("node-1", 0, "a:8000", "NVIDIA H100 80GB HBM3", g -> g.reading("gpu_util", 1))
            .replica("a:8000", 1, "node-1", r -> r.reading("running", 4))
            .build();
    ReplicaWorld replica = world.replicas().getFirst();
    assertEquals("node-1/gpu0", replica.gpus().getFirst().name());
    assertNotNull(replica.gpus().getFirst().spec());
    assertNotNull(replica.host());
    assertNotNull(world.shape());
  }

  @Test
  void reading_unknownSignal() {
    assertThrows(IllegalArgumentException.class, () -> Worlds.vllm().reading("kv_full", 1));
  }
}
