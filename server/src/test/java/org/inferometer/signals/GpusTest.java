package org.inferometer.signals;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.inferometer.model.Labels;
import org.inferometer.query.QueryException;
import org.junit.jupiter.api.Test;

class GpusTest {
  private static final String ENGINE =
      """
      vllm:num_requests_running{model_name="m",engine="0"} 3
      vllm:num_requests_waiting{model_name="m",engine="0"} 0
      vllm:kv_cache_usage_perc{model_name="m",engine="0"} 0.6
      vllm:generation_tokens_total{model_name="m",engine="0"} 6000
      """;

  private static final String GPU =
      """
      DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-a",modelName="NVIDIA H100 80GB HBM3",Hostname="h1"} 97
      DCGM_FI_DEV_FB_USED{gpu="0",UUID="GPU-a",modelName="NVIDIA H100 80GB HBM3",Hostname="h1"} 1000
      DCGM_FI_PROF_SM_ACTIVE{gpu="0",UUID="GPU-a",modelName="NVIDIA H100 80GB HBM3",Hostname="h1"} 0.4
      DCGM_FI_PROF_PIPE_TENSOR_ACTIVE{gpu="0",UUID="GPU-a",modelName="NVIDIA H100 80GB HBM3",Hostname="h1"} 0.05
      DCGM_FI_PROF_DRAM_ACTIVE{gpu="0",UUID="GPU-a",modelName="NVIDIA H100 80GB HBM3",Hostname="h1"} 0.7
      DCGM_FI_DEV_CLOCKS_EVENT_REASONS{gpu="0",UUID="GPU-a",modelName="NVIDIA H100 80GB HBM3",Hostname="h1"} 68
      """;

  @Test
  void gpu_knowsItsEngineAndItsState() throws QueryException {
    TestWorld world =
        new TestWorld()
            .add(Dump.of("e", ENGINE), "vllm", "h1:8000")
            .add(Dump.of("g", GPU), "gpu", "h1:9400");
    Gpu gpu = gpus(world).getFirst();
    assertThat(gpu.engine()).isEqualTo("vllm/m");
    assertThat(gpu.utilisation())
        .containsEntry("gpu_util", 0.97)
        .containsEntry("gpu_dram_active", 0.7)
        .containsEntry("kv_usage", 0.6);
    assertThat(gpu.state().id()).isEqualTo("decode");
    assertThat(gpu.model()).isEqualTo("NVIDIA H100 80GB HBM3");
    assertThat(gpu.values()).containsEntry("gpu_memory_used", 1000 * 1048576.0);
    assertThat(gpu.reasons())
        .extracting(ClockEventReason::name)
        .containsExactly("power cap", "hardware thermal");
    assertThat(gpu.reasons()).extracting(ClockEventReason::matters).containsExactly(false, true);
  }

  @Test
  void twoEnginesOnAMachine_leaveItOpen() throws QueryException {
    TestWorld world =
        new TestWorld()
            .add(Dump.of("e", ENGINE), "vllm", "h1:8000")
            .add(Dump.of("e", ENGINE), "vllm", "h1:8001")
            .add(Dump.of("g", GPU), "gpu", "h1:9400");
    Gpu gpu = gpus(world).getFirst();
    assertThat(gpu.engine()).isNull();
    assertThat(gpu.utilisation()).doesNotContainKey("kv_usage");
  }

  @Test
  void pod_tellsWhichEngine() throws QueryException {
    String gpu = GPU.replace("Hostname=\"h1\"", "Hostname=\"h1\",pod=\"p1\"");
    TestWorld world =
        new TestWorld()
            .add(Dump.of("e", ENGINE), "vllm", "h1:8000", Map.of("pod", "p1"), 1, 1)
            .add(
                Dump.of("e", ENGINE.replace("0.6", "0.1")),
                "vllm",
                "h1:8001",
                Map.of("pod", "p2"),
                1,
                1)
            .add(Dump.of("g", gpu), "gpu", "h1:9400", Map.of("pod", "dcgm-x"), 1, 1);
    Gpu found = gpus(world).getFirst();
    assertThat(found.pod()).isEqualTo("p1");
    assertThat(found.engine()).isEqualTo("vllm/m");
    assertThat(found.utilisation()).containsEntry("kv_usage", 0.6);
  }

  @Test
  void exportersOwnPod_isNobodysWorkload() throws QueryException {
    TestWorld world =
        new TestWorld().add(Dump.of("g", GPU), "gpu", "h1:9400", Map.of("pod", "dcgm-x"), 1, 1);
    assertThat(gpus(world).getFirst().pod()).isNull();
  }

  @Test
  void splitGpus_haveARowForEachInstance() throws QueryException {
    TestWorld world =
        new TestWorld().add(Dump.named("dcgm-exporter_3.x-8xa800"), "gpu", "mig:9400");
    List<Gpu> gpus = gpus(world);
    assertThat(gpus).hasSize(10);
    assertThat(gpus)
        .filteredOn(gpu -> gpu.index().equals("0"))
        .extracting(Gpu::instance)
        .containsExactly("3", "5", "6");
    Gpu part = gpus.getFirst();
    assertThat(part.profile()).isEqualTo("2g.20gb");
    assertThat(part.host()).isEqualTo("gpu-node-a");
    assertThat(part.values()).containsEntry("gpu_power", 78.446);
    assertThat(part.state().id()).isEqualTo("idle");
  }

  @Test
  void nvidiaSmi_namesItsGpus() throws QueryException {
    TestWorld world = new TestWorld().add(Dump.named("nvidia_gpu_exporter"), "gpu", "h:9835");
    Gpu gpu = gpus(world).getFirst();
    assertThat(gpu.index()).isEqualTo("0");
    assertThat(gpu.model()).isEqualTo("NVIDIA H200");
    assertThat(gpu.values()).containsEntry("gpu_power", 627.4);
    // Its share of time with memory in use isn't the share of bandwidth, so it decides nothing.
    assertThat(gpu.utilisation()).containsEntry("gpu_dram_active", 0.07);
    assertThat(gpu.state().id()).isEqualTo("busy");
    assertThat(gpu.state().inputs()).containsExactly("gpu_util");
  }

  @Test
  void xid_isAnEventWithItsTime() throws QueryException {
    TestWorld world = hour(Map.of(40, 79.0));
    GpuSnapshot snapshot = Backend.signals(world, Goals.NONE).gpus();
    Gpu.LastXid xid = snapshot.gpus().getFirst().xid();
    assertThat(xid).isNotNull();
    assertThat(xid.code()).isEqualTo(79);
    assertThat(xid.severity()).isEqualTo("node");
    assertThat(xid.action()).startsWith("Reboot the machine");
    assertThat(xid.sinceMs()).isBetween(minute(40) - 60_000, minute(40) + 60_000);
    assertThat(snapshot.events())
        .extracting(GpuEvent::kind, GpuEvent::gpu)
        .containsExactly(org.assertj.core.groups.Tuple.tuple(GpuEvent.Kind.XID, "0"));
    assertThat(snapshot.events().getFirst().says()).startsWith("Xid 79: The GPU is no longer");
  }

  @Test
  void oldXid_hasNoTime() throws QueryException {
    Gpu.LastXid xid =
        Backend.signals(hour(Map.of(0, 13.0)), Goals.NONE).gpus().gpus().getFirst().xid();
    assertThat(xid).isNotNull();
    assertThat(xid.code()).isEqualTo(13);
    assertThat(xid.sinceMs()).isNull();
  }

  @Test
  void xidThatIsForgotten_meansThatTheExporterStartedAnew() throws QueryException {
    GpuSnapshot snapshot = Backend.signals(hour(Map.of(10, 31.0, 50, 0.0)), Goals.NONE).gpus();
    assertThat(snapshot.gpus().getFirst().xid()).isNull();
    assertThat(snapshot.events())
        .extracting(GpuEvent::says)
        .containsExactly(
            "The exporter started anew and forgot Xid 31.",
            "Xid 31: A kernel used a memory address that isn't mapped.");
  }

  @Test
  void lostGpu_isAnEvent() throws QueryException {
    TestWorld world = new TestWorld();
    for (int i = 0; i <= 60; i++) {
      world.series.add(labels("up"), minute(i), 1);
      world.series.add(labels("DCGM_FI_DEV_FB_USED", "gpu", "0", "UUID", "a"), minute(i), 5);
      if (i < 30) {
        world.series.add(labels("DCGM_FI_DEV_FB_USED", "gpu", "1", "UUID", "b"), minute(i), 5);
      }
    }
    GpuSnapshot snapshot = Backend.signals(world, Goals.NONE).gpus();
    assertThat(snapshot.gpus()).extracting(Gpu::index).containsExactly("0");
    assertThat(snapshot.events())
        .extracting(GpuEvent::kind, GpuEvent::gpu)
        .containsExactly(org.assertj.core.groups.Tuple.tuple(GpuEvent.Kind.LOST, "1"));
  }

  @Test
  void partOfASplitGpuThatGoes_isNoLostGpu() throws QueryException {
    TestWorld world = new TestWorld();
    for (int i = 0; i <= 60; i++) {
      world.series.add(labels("up"), minute(i), 1);
      String part = i < 30 ? "1" : "2";
      Labels used = labels("DCGM_FI_DEV_FB_USED", "gpu", "0", "UUID", "a", "GPU_I_ID", part);
      world.series.add(used, minute(i), 5);
    }
    GpuSnapshot snapshot = Backend.signals(world, Goals.NONE).gpus();
    assertThat(snapshot.gpus()).extracting(Gpu::instance).containsExactly("2");
    assertThat(snapshot.events()).isEmpty();
  }

  @Test
  void memoryErrors_areEvents() throws QueryException {
    TestWorld world = new TestWorld();
    for (int i = 0; i <= 60; i++) {
      world.series.add(labels("up"), minute(i), 1);
      world.series.add(labels("DCGM_FI_DEV_FB_USED", "gpu", "0", "UUID", "a"), minute(i), 5);
      add(world, "DCGM_FI_DEV_ECC_DBE_VOL_TOTAL", i, i < 20 ? 0 : i < 40 ? 2 : 0);
      add(world, "DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS", i, i < 21 ? 0 : 1);
      add(world, "DCGM_FI_DEV_ROW_REMAP_FAILURE", i, 0);
    }
    assertThat(Backend.signals(world, Goals.NONE).gpus().events())
        .extracting(GpuEvent::says)
        .containsExactly(
            "Its error counters began anew: the GPU was reset or its driver loaded.",
            "1 memory row replaced after uncorrected errors.",
            "2 more memory errors that couldn't be corrected.");
  }

  private static void add(TestWorld world, String metric, int minute, double value) {
    world.series.add(labels(metric, "gpu", "0", "UUID", "a"), minute(minute), value);
  }

  /** A GPU over an hour whose last Xid changes at some minutes. */
  private static TestWorld hour(Map<Integer, Double> xids) {
    TestWorld world = new TestWorld();
    double xid = 0;
    for (int i = 0; i <= 60; i++) {
      xid = xids.getOrDefault(i, xid);
      world.series.add(labels("up"), minute(i), 1);
      add(world, "DCGM_FI_DEV_FB_USED", i, 5);
      add(world, "DCGM_FI_DEV_XID_ERRORS", i, xid);
    }
    return world;
  }

  private static long minute(int minute) {
    return TestWorld.NOW_MS - (60 - minute) * 60_000L;
  }

  private static Labels labels(String metric, String... more) {
    return Labels.of(more).with(Labels.NAME, metric).with("job", "gpu").with("instance", "h:9400");
  }

  private static List<Gpu> gpus(TestWorld world) throws QueryException {
    return Backend.signals(world, Goals.NONE).gpus().gpus();
  }
}
