package org.inferometer.signals;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.inferometer.query.QueryException;
import org.junit.jupiter.api.Test;

/** Exporters that are asked together tell what each of them tells alone. */
class JointQueriesTest {
  private static final List<String> GPU_LINES =
      List.of(
          "DCGM_FI_DEV_GPU_UTIL{gpu=\"%d\",UUID=\"GPU-%s%d\",modelName=\"NVIDIA H100\"} %d",
          "DCGM_FI_DEV_FB_USED{gpu=\"%d\",UUID=\"GPU-%s%d\",modelName=\"NVIDIA H100\"} 1%d00",
          "DCGM_FI_DEV_POWER_USAGE{gpu=\"%d\",UUID=\"GPU-%s%d\",modelName=\"NVIDIA H100\"} 3%d",
          "DCGM_FI_PROF_DRAM_ACTIVE{gpu=\"%d\",UUID=\"GPU-%s%d\",modelName=\"NVIDIA H100\"} 0.%d");

  private static String gpus(String host, int count, int value) {
    StringBuilder page = new StringBuilder();
    for (int gpu = 0; gpu < count; gpu++) {
      for (String line : GPU_LINES) {
        page.append(line.formatted(gpu, host, gpu, value + gpu)).append('\n');
      }
    }
    return page.toString();
  }

  private static String host(int busy) {
    return """
    node_cpu_seconds_total{cpu="0",mode="idle"} %d
    node_cpu_seconds_total{cpu="0",mode="user"} %d
    node_memory_MemAvailable_bytes 5e9
    node_memory_MemTotal_bytes 8e9
    node_load1 %d
    """
        .formatted(60 - busy, busy, busy);
  }

  /** Two alike, one with other metrics, one that is down; of hosts two. */
  private static final Map<String, String> PAGES =
      Map.of(
          "a:9400", gpus("a", 2, 30),
          "b:9400", gpus("b", 3, 50),
          "c:9400", gpus("c", 1, 70).replaceAll("DCGM_FI_PROF_.*\n", ""),
          "a:9100", host(20),
          "b:9100", host(50));

  private static Signals signals(List<String> instances) {
    TestWorld world = new TestWorld();
    for (String instance : instances) {
      String job = instance.endsWith("9100") ? "host" : "gpu";
      String page = PAGES.getOrDefault(instance, "");
      world.add(Dump.of(instance, page), job, instance);
    }
    return Backend.signals(world, Goals.NONE);
  }

  @Test
  void results_togetherAreThoseOfEachAlone() throws QueryException {
    List<String> all = PAGES.keySet().stream().sorted().toList();
    List<String> together = told(signals(all));
    List<String> apart = new ArrayList<>();
    for (String one : all) {
      apart.addAll(told(signals(List.of(one))));
    }
    assertThat(together).hasSizeGreaterThan(20).containsExactlyInAnyOrderElementsOf(apart);
  }

  /** All that is known of all services, for a moment and over time. */
  private static List<String> told(Signals signals) throws QueryException {
    List<SignalBatch.Request> requests = new ArrayList<>();
    for (Service service : signals.services().services()) {
      requests.add(new SignalBatch.Request(service.id(), service.signals(), List.of()));
    }
    List<String> told = new ArrayList<>();
    long end = TestWorld.NOW_MS;
    for (SignalBatch batch :
        List.of(
            SignalBatch.at(end, requests), new SignalBatch(end - 120_000, end, 30_000, requests))) {
      for (SignalResult result : signals.query(batch).results()) {
        StringBuilder text = new StringBuilder(result.service() + " " + result.signal());
        text.append(' ').append(result.query()).append(' ').append(result.reason());
        for (SignalSeries one : result.series()) {
          text.append(' ').append(one.labels()).append(Arrays.toString(one.values()));
        }
        told.add(text.toString());
      }
    }
    return told;
  }
}
