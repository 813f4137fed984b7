package org.inferometer.signals;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.query.QueryException;
import org.inferometer.query.QueryService;
import org.inferometer.query.QueryService.InstantQuery;
import org.inferometer.query.QueryValue;
import org.junit.jupiter.api.Test;

/**
 * The traps and facets of the GPU and host exporters, each on pages that have it and that don't.
 */
class GpuTrapsTest {
  private static final Template.Values VALUES =
      new Template.Values(
          List.of(Matcher.equal("instance", "h:1")),
          List.of(Matcher.equal("instance", "h:1")),
          List.of(),
          60_000);

  private static final Catalogue CATALOGUE = Catalogue.builtIn();

  @Test
  void pageOfSplitGpus() throws QueryException {
    assertThat(traps("dcgm", Dump.named("dcgm-exporter_3.x-8xa800")))
        .containsExactly(
            "gpu-mig-repeats-board 1",
            "gpu-mig-no-utilisation 3",
            "gpu-no-sm-activity 8",
            "gpu-nvlink-is-a-gauge 10",
            "gpu-text-fields 10",
            "gpu-no-ecc 8",
            "gpu-no-slow-down 8");
    assertThat(facets("dcgm", Dump.named("dcgm-exporter_3.x-8xa800")))
        .containsExactly("names: names before DCGM 4.6", "mig: split GPUs (MIG)");
  }

  @Test
  void pageOfAnL40s() throws QueryException {
    assertThat(traps("dcgm", Dump.named("dcgm-exporter_4.8")))
        .containsExactly(
            "gpu-no-sm-activity 1",
            "gpu-memory-temperature-zero 1",
            "gpu-no-xid 1",
            "gpu-no-ecc 1",
            "gpu-no-slow-down 1");
  }

  @Test
  void pageOfAVirtualGpu() throws QueryException {
    Dump dump = Dump.named("dcgm-exporter_4.x-vgpu");
    assertThat(traps("dcgm", dump))
        .contains("gpu-no-profiling 1", "gpu-memory-temperature-zero 1")
        .doesNotContain("gpu-no-sm-activity 1");
    assertThat(facets("dcgm", dump))
        .containsExactly("names: names before DCGM 4.6", "gpu: virtual GPU");
  }

  @Test
  void pageWithPods() throws QueryException {
    Dump dump = Dump.named("dcgm-exporter_4.x-rtx4000ada");
    assertThat(facets("dcgm", dump)).contains("pods: workload in pod");
    assertThat(traps("dcgm", dump)).doesNotContain("gpu-exported-pod 1", "gpu-no-xid 1");
  }

  @Test
  void pageOfNvidiaSmi() throws QueryException {
    Dump dump = Dump.named("nvidia_gpu_exporter");
    assertThat(traps("nvidia-smi", dump)).contains("gpu-no-profiling 1");
    assertThat(traps("nvidia-smi", dump)).noneMatch(trap -> trap.startsWith("gpu-command-failed"));
    assertThat(facets("nvidia-smi", dump)).containsExactly("backend: nvidia-smi's command line");
  }

  @Test
  void honorLabels() throws QueryException {
    String page =
        """
        DCGM_FI_DEV_FB_USED{gpu="0",UUID="a",pod="dcgm-x",exported_pod="engine-1"} 1
        """;
    assertThat(dcgm(page)).contains("gpu-exported-pod 1");
    assertThat(dcgm(page.replace("exported_", "other_"))).doesNotContain("gpu-exported-pod 1");
    assertThat(facets("dcgm", Dump.of("p", page))).contains("pods: workload in exported_pod");
  }

  @Test
  void sharedGpu() throws QueryException {
    String page =
        """
        DCGM_FI_DEV_FB_USED{gpu="0",UUID="a",pod="p1"} 1
        DCGM_FI_DEV_FB_USED{gpu="0",UUID="a",pod="p2"} 1
        """;
    assertThat(dcgm(page)).contains("gpu-shared-by-pods 2");
    assertThat(dcgm(page.replace("p2", "p1"))).noneMatch(t -> t.startsWith("gpu-shared"));
    assertThat(facets("dcgm", Dump.of("p", page))).contains("sharing: GPUs shared by pods");
  }

  @Test
  void blanks() throws QueryException {
    String page = "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"a\"} %s\n";
    for (String blank : List.of("9223372036854775794", "140737488355328", "2147483632")) {
      assertThat(dcgm(page.formatted(blank))).contains("gpu-blank-values 1");
    }
    assertThat(dcgm(page.formatted("100"))).doesNotContain("gpu-blank-values 1");
  }

  @Test
  void stoppedProfiler() throws QueryException {
    String page =
        """
        DCGM_FI_PROF_GR_ENGINE_ACTIVE{gpu="0",UUID="a"} 0
        DCGM_FI_PROF_DRAM_ACTIVE{gpu="0",UUID="a"} 0.1
        DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="a"} 97
        """;
    assertThat(dcgm(page)).contains("gpu-profiler-stopped 1");
    assertThat(dcgm(page.replace(" 97", " 0"))).doesNotContain("gpu-profiler-stopped 1");
    String split =
        """
        DCGM_FI_PROF_GR_ENGINE_ACTIVE{gpu="0",UUID="a",GPU_I_ID="1"} 0
        DCGM_FI_PROF_GR_ENGINE_ACTIVE{gpu="0",UUID="a",GPU_I_ID="2"} 0.5
        DCGM_FI_DEV_POWER_USAGE{gpu="0",UUID="a",GPU_I_ID="1"} 300
        DCGM_FI_DEV_POWER_USAGE{gpu="0",UUID="a",GPU_I_ID="2"} 300
        DCGM_FI_DEV_ENFORCED_POWER_LIMIT{gpu="0",UUID="a",GPU_I_ID="1"} 400
        DCGM_FI_DEV_ENFORCED_POWER_LIMIT{gpu="0",UUID="a",GPU_I_ID="2"} 400
        """;
    assertThat(dcgm(split)).doesNotContain("gpu-profiler-stopped 1");
    assertThat(dcgm(split.replace(" 0.5", " 0"))).contains("gpu-profiler-stopped 1");
  }

  @Test
  void frozenValues() throws QueryException {
    String page =
        """
        DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION{gpu="0",UUID="a"} %s
        DCGM_FI_DEV_POWER_USAGE{gpu="0",UUID="a"} 300
        """;
    assertThat(dcgm(page.formatted("60000"))).doesNotContain("gpu-values-frozen 1");
    assertThat(dcgm(page.formatted("0"))).contains("gpu-values-frozen 1");
  }

  @Test
  void bothNames() throws QueryException {
    String page =
        """
        DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="a"} 50
        DCGM_FI_DEV_GPU_UTIL_RATIO{gpu="0",UUID="a"} 50
        """;
    assertThat(dcgm(page)).contains("gpu-both-names 1", "gpu-ratio-in-percent 1");
    assertThat(dcgm(page.replace("_RATIO", "_OTHER"))).doesNotContain("gpu-both-names 1");
    assertThat(facets("dcgm", Dump.of("p", page))).contains("names: names of DCGM 4.6");
  }

  @Test
  void namesThatLie() throws QueryException {
    assertThat(
            dcgm(
                """
                DCGM_FI_DEV_FB_USED_PERCENT{gpu="0",UUID="a"} 0.5
                DCGM_FI_DEV_GPU_TEMP_LIMIT{gpu="0",UUID="a"} 30
                DCGM_FI_DEV_THERMAL_VIOLATION{gpu="0",UUID="a"} 0
                DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL{gpu="0",UUID="a"} 0
                DCGM_EXP_XID_ERRORS_COUNT{gpu="0",UUID="a"} 0
                DCGM_FI_DEV_XID_ERRORS{gpu="0",UUID="a"} 79
                """))
        .contains(
            "gpu-percent-is-a-ratio 1",
            "gpu-temperature-limit-is-a-margin 1",
            "gpu-violations-in-nanoseconds 1",
            "gpu-nvlink-is-a-gauge 1",
            "gpu-window-declared-counter 1",
            "gpu-xid-is-the-past 1");
  }

  @Test
  void oldUtilisationOfSplitGpus() throws QueryException {
    String page = "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"a\",GPU_I_ID=\"1\"} 0\n";
    assertThat(dcgm(page)).contains("gpu-mig-utilisation-zero 1");
  }

  @Test
  void busyGpuWithoutOwner() throws QueryException {
    String page =
        """
        DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="a",pod="p1"} 50
        DCGM_FI_DEV_GPU_UTIL{gpu="1",UUID="b",pod=""} 50
        """;
    assertThat(dcgm(page)).contains("gpu-busy-without-owner 1");
    assertThat(dcgm(page.replace("pod=\"\"", "pod=\"p2\"")))
        .doesNotContain("gpu-busy-without-owner 1");
  }

  @Test
  void lostGpu() throws QueryException {
    TestWorld world = new TestWorld();
    for (int i = 0; i <= 40; i++) {
      long timeMs = TestWorld.NOW_MS - (40 - i) * 60_000L;
      world.series.add(labels("up", "0"), timeMs, 1);
      world.series.add(labels("DCGM_FI_DEV_SM_CLOCK", "0"), timeMs, 1000);
      if (i < 20) {
        world.series.add(labels("DCGM_FI_DEV_SM_CLOCK", "1"), timeMs, 1000);
      }
    }
    assertThat(traps("dcgm", Backend.queries(world))).contains("gpu-lost 1");
    assertThat(dcgm("DCGM_FI_DEV_SM_CLOCK{gpu=\"0\",UUID=\"0\"} 1\n")).doesNotContain("gpu-lost 1");
  }

  private static Labels labels(String metric, String gpu) {
    return Labels.of("gpu", gpu, "UUID", gpu)
        .with(Labels.NAME, metric)
        .with("job", "j")
        .with("instance", "h:1");
  }

  @Test
  void clusterTraps() throws QueryException {
    assertThat(
            traps(
                "kube-state-metrics",
                Dump.of(
                    "k",
                    """
                    kube_pod_info{namespace="n",pod="ksm",exported_pod="p"} 1
                    kube_pod_labels{namespace="n",pod="p"} 1
                    kube_node_status_capacity{node="a",resource="nvidia_com_gpu"} 8
                    kube_node_status_allocatable{node="a",resource="nvidia_com_gpu"} 7
                    """)))
        .containsExactly("pod-exported-pod 1", "pod-no-labels 1", "node-gpus-unhealthy 1");
    assertThat(
            traps(
                "cadvisor",
                Dump.of(
                    "c",
                    """
                    container_cpu_usage_seconds_total{pod="p",container=""} 1
                    container_cpu_usage_seconds_total{pod="p",container="c"} 1
                    container_spec_memory_limit_bytes{pod="p",container="c"} 0
                    container_cpu_cfs_throttled_periods_total{pod="p",container="c"} 6
                    container_cpu_cfs_periods_total{pod="p",container="c"} 60
                    """)))
        .containsExactly(
            "container-counted-twice 1", "container-limit-zero 1", "container-throttled 1");
  }

  @Test
  void hostTraps() throws QueryException {
    assertThat(
            traps(
                "node",
                Dump.of(
                    "n",
                    """
                    node_scrape_collector_success{collector="diskstats"} 0
                    node_scrape_collector_success{collector="bcache"} 0
                    node_filesystem_device_error{fstype="nfs4",mountpoint="/models"} 1
                    node_timex_sync_status 0
                    node_edac_uncorrectable_errors_total{controller="0"} 2
                    node_vmstat_oom_kill 1
                    """)))
        .containsExactly(
            "host-collector-failed 0",
            "host-mount-dead 1",
            "host-clock-not-set 0",
            "host-memory-errors 2",
            "host-untyped-counters 1");
  }

  @Test
  void everyTrapOfAGpuOrHost_isTold() {
    for (String dialect :
        List.of("dcgm", "nvidia-smi", "amd-gpu", "habana", "xpum", "node", "cadvisor")) {
      for (Trap trap : profile(dialect).traps()) {
        assertThat(trap.says()).as(trap.id()).endsWith(".");
        assertThat(trap.id()).matches("[a-z0-9-]+");
      }
    }
  }

  private List<String> dcgm(String page) throws QueryException {
    return traps("dcgm", Dump.of("page", page));
  }

  private DialectProfile profile(String dialect) {
    return Objects.requireNonNull(CATALOGUE.profile(dialect));
  }

  /** The traps that a page has, each with the value of its first series. */
  private List<String> traps(String dialect, Dump page) throws QueryException {
    return traps(dialect, Backend.queries(new TestWorld().add(page, "j", "h:1")));
  }

  private List<String> traps(String dialect, QueryService queries) throws QueryException {
    List<String> found = new ArrayList<>();
    for (Trap trap : profile(dialect).traps()) {
      List<QueryValue.Element> elements = ask(queries, trap.query());
      if (!elements.isEmpty()) {
        found.add(trap.id() + " " + Math.round(elements.getFirst().value()));
      }
    }
    return found;
  }

  private List<String> facets(String dialect, Dump page) throws QueryException {
    QueryService queries = Backend.queries(new TestWorld().add(page, "j", "h:1"));
    Map<String, String> found = new java.util.LinkedHashMap<>();
    for (Facet facet : profile(dialect).facets()) {
      if (!found.containsKey(facet.name()) && !ask(queries, facet.query()).isEmpty()) {
        found.put(facet.name(), facet.value());
      }
    }
    return found.entrySet().stream().map(e -> e.getKey() + ": " + e.getValue()).toList();
  }

  private static List<QueryValue.Element> ask(QueryService queries, Template query)
      throws QueryException {
    QueryValue value =
        queries.instant(new InstantQuery(query.render(VALUES), TestWorld.NOW_MS)).value();
    return value instanceof QueryValue.Vector vector ? vector.elements() : List.of();
  }
}
