package org.inferometer.signals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.inferometer.query.QueryException;
import org.junit.jupiter.api.Test;

/**
 * Values of GPUs, hosts and clusters worked out by hand, in base units. Counters rise to the page's
 * value within a minute.
 */
class GpuDialectsTest {
  private static final String NEW_NAMES =
      """
      DCGM_FI_DEV_GPU_UTIL_RATIO{gpu="0",UUID="a",modelName="NVIDIA B200"} 83
      DCGM_FI_PROF_SM_UTIL_RATIO{gpu="0",UUID="a",modelName="NVIDIA B200"} 0.41
      DCGM_FI_PROF_SM_OCCUPANCY_RATIO{gpu="0",UUID="a",modelName="NVIDIA B200"} 0.2
      DCGM_FI_PROF_TENSOR_UTIL_RATIO{gpu="0",UUID="a",modelName="NVIDIA B200"} 0.12
      DCGM_FI_PROF_DRAM_UTIL_RATIO{gpu="0",UUID="a",modelName="NVIDIA B200"} 0.63
      DCGM_FI_DEV_BOARD_POWER_WATTS{gpu="0",UUID="a",modelName="NVIDIA B200"} 700
      DCGM_FI_DEV_BOARD_POWER_LIMIT_ENFORCED_WATTS{gpu="0",UUID="a",modelName="NVIDIA B200"} 1000
      DCGM_FI_DEV_GPU_TEMP_CELSIUS{gpu="0",UUID="a",modelName="NVIDIA B200"} 61
      DCGM_FI_DEV_GPU_TEMP_MARGIN_CELSIUS{gpu="0",UUID="a",modelName="NVIDIA B200"} 24
      DCGM_FI_DEV_MEMORY_TEMP_CELSIUS{gpu="0",UUID="a",modelName="NVIDIA B200"} 70
      DCGM_FI_DEV_XID_ERROR{gpu="0",UUID="a",modelName="NVIDIA B200"} 94
      DCGM_FI_DEV_PCIE_REPLAY_TOTAL{gpu="0",UUID="a",modelName="NVIDIA B200"} 30
      DCGM_FI_DEV_ROW_REMAP_UNCORRECTABLE_TOTAL{gpu="0",UUID="a",modelName="NVIDIA B200"} 2
      DCGM_FI_DEV_ROW_REMAP_FAILED{gpu="0",UUID="a",modelName="NVIDIA B200"} 0
      DCGM_FI_DEV_NVLINK_THROUGHPUT_TOTAL{gpu="0",UUID="a",modelName="NVIDIA B200"} 12
      """;

  @Test
  void dcgm46() throws QueryException {
    World world = new World(NEW_NAMES);
    world.value("gpu_util", 0.83);
    world.value("gpu_sm_active", 0.41);
    world.value("gpu_sm_occupancy", 0.2);
    world.value("gpu_tensor_active", 0.12);
    world.value("gpu_dram_active", 0.63);
    world.value("gpu_power", 700);
    world.value("gpu_power_limit", 1000);
    world.value("gpu_power_share", 0.7);
    world.value("gpu_temperature", 61);
    world.value("gpu_temperature_margin", 24);
    world.value("gpu_memory_temperature", 70);
    world.value("gpu_xid", 94);
    world.value("gpu_pcie_replay_rate", 0.5);
    world.value("gpu_remapped_rows", 2);
    world.value("gpu_remap_failed", 0);
    world.value("gpu_nvlink", 12e6);
  }

  @Test
  void dcgmBefore2() throws QueryException {
    World world =
        new World(
            """
            dcgm_gpu_utilization{gpu="0",uuid="a",pod_name="p"} 37
            dcgm_gpu_temp{gpu="0",uuid="a",pod_name="p"} 44
            dcgm_memory_temp{gpu="0",uuid="a",pod_name="p"} 0
            dcgm_power_usage{gpu="0",uuid="a",pod_name="p"} 120.5
            dcgm_total_energy_consumption{gpu="0",uuid="a",pod_name="p"} 6000000
            dcgm_sm_clock{gpu="0",uuid="a",pod_name="p"} 1380
            dcgm_memory_clock{gpu="0",uuid="a",pod_name="p"} 877
            dcgm_fb_used{gpu="0",uuid="a",pod_name="p"} 3000
            dcgm_fb_free{gpu="0",uuid="a",pod_name="p"} 9000
            dcgm_xid_errors{gpu="0",uuid="a",pod_name="p"} 0
            dcgm_pcie_replay_counter{gpu="0",uuid="a",pod_name="p"} 0
            dcgm_nvlink_bandwidth_total{gpu="0",uuid="a",pod_name="p"} 3
            dcgm_fi_prof_dram_active{gpu="0",uuid="a",pod_name="p"} 0.5
            """);
    assertThat(world.service).startsWith("dcgm/");
    world.value("gpu_util", 0.37);
    world.value("gpu_temperature", 44);
    world.nothing("gpu_memory_temperature");
    world.value("gpu_power", 120.5);
    // 6,000,000 mJ in a minute.
    world.value("gpu_energy_rate", 100);
    world.value("gpu_sm_clock", 1.38e9);
    world.value("gpu_memory_clock", 8.77e8);
    world.value("gpu_memory_used", 3000 * 1048576.0);
    world.value("gpu_memory_total", 12000 * 1048576.0);
    world.value("gpu_memory_share", 0.25);
    world.value("gpu_xid", 0);
    world.value("gpu_nvlink", 3e6);
    world.value("gpu_dram_active", 0.5);
    assertThat(world.gpus().getFirst().pod()).isEqualTo("p");
  }

  @Test
  void dcgmOptionalFields() throws QueryException {
    World world =
        new World(
            """
            DCGM_FI_DEV_SM_CLOCK{gpu="0",UUID="a"} 1980
            DCGM_FI_DEV_CLOCKS_EVENT_REASONS{gpu="0",UUID="a"} 96
            DCGM_FI_DEV_THERMAL_VIOLATION{gpu="0",UUID="a"} 3000000000
            DCGM_FI_DEV_POWER_VIOLATION{gpu="0",UUID="a"} 30000000000
            DCGM_FI_DEV_ECC_DBE_VOL_TOTAL{gpu="0",UUID="a"} 1
            DCGM_FI_DEV_ECC_SBE_VOL_TOTAL{gpu="0",UUID="a"} 7
            DCGM_FI_DEV_ROW_REMAP_PENDING{gpu="0",UUID="a"} 1
            DCGM_FI_DEV_PCIE_LINK_WIDTH{gpu="0",UUID="a"} 8
            DCGM_FI_DEV_GPU_TEMP{gpu="0",UUID="a"} 70
            DCGM_FI_DEV_SLOWDOWN_TEMP{gpu="0",UUID="a"} 87
            DCGM_FI_DEV_FB_USED{gpu="0",UUID="a"} 50
            DCGM_FI_DEV_FB_TOTAL{gpu="0",UUID="a"} 200
            DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL{gpu="0",UUID="a"} 6
            DCGM_FI_DEV_NVLINK_CRC_DATA_ERROR_COUNT_TOTAL{gpu="0",UUID="a"} 12
            DCGM_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL{gpu="0",UUID="a"} 0
            DCGM_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL{gpu="0",UUID="a"} 6
            DCGM_FI_DEV_NVLINK_COUNT_TX_BYTES{gpu="0",UUID="a",nvlink="0"} 600
            DCGM_FI_DEV_NVLINK_COUNT_TX_BYTES{gpu="0",UUID="a",nvlink="1"} 1200
            DCGM_FI_PROF_SM_CYCLES_ACTIVE_TOTAL{gpu="0",UUID="a"} 3000
            DCGM_FI_PROF_SM_CYCLES_ELAPSED_TOTAL{gpu="0",UUID="a"} 12000
            """);
    world.value("gpu_clock_event_reasons", 96);
    world.value("gpu_throttle", 1);
    // 3e9 ns of 60 s, and 30e9.
    world.value("gpu_thermal_violation_share", 0.05);
    world.value("gpu_power_violation_share", 0.5);
    world.value("gpu_ecc_uncorrected", 1);
    world.value("gpu_ecc_corrected", 7);
    world.value("gpu_remap_pending", 1);
    world.value("gpu_pcie_width", 8);
    world.value("gpu_temperature_margin", 17);
    world.value("gpu_memory_share", 0.25);
    world.value("gpu_nvlink_error_rate", 0.4);
    world.value("gpu_nvlink_tx", 30);
    world.value("gpu_sm_active", 0.25);
  }

  @Test
  void powerCap_isNoFault() throws QueryException {
    World world = new World("DCGM_FI_DEV_CLOCKS_EVENT_REASONS{gpu=\"0\",UUID=\"a\"} 21\n");
    world.value("gpu_throttle", 0);
  }

  @Test
  void dcgm42Counters() throws QueryException {
    World world =
        new World(
            """
            DCGM_FI_DEV_CLOCKS_EVENT_REASON_HW_THERM_SLOWDOWN_NS{gpu="0",UUID="a"} 6000000000
            DCGM_FI_DEV_CLOCKS_EVENT_REASON_SW_THERM_SLOWDOWN_NS{gpu="0",UUID="a"} 60000000000
            DCGM_FI_DEV_CLOCKS_EVENT_REASON_SW_POWER_CAP_NS{gpu="0",UUID="a"} 6000000000
            """);
    world.value("gpu_thermal_violation_share", 1);
    world.value("gpu_power_violation_share", 0.1);
  }

  @Test
  void dcgmBlanks_giveNothing() throws QueryException {
    World world =
        new World(
            """
            DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="a"} 9223372036854775794
            DCGM_FI_DEV_FB_USED{gpu="0",UUID="a"} 9223372036854775794
            DCGM_FI_PROF_DRAM_ACTIVE{gpu="0",UUID="a"} 140737488355328
            DCGM_FI_DEV_POWER_USAGE{gpu="0",UUID="a"} 140737488355328
            DCGM_FI_DEV_XID_ERRORS{gpu="0",UUID="a"} 2147483632
            """);
    for (String signal :
        List.of("gpu_util", "gpu_memory_used", "gpu_dram_active", "gpu_power", "gpu_xid")) {
      world.nothing(signal);
    }
  }

  @Test
  void dcgmRowsOfSplitGpusAndPods_countOnce() throws QueryException {
    World world =
        new World(
            """
            DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="a",GPU_I_ID="1"} 0
            DCGM_FI_DEV_GPU_UTIL{gpu="1",UUID="b",pod="p1"} 40
            DCGM_FI_DEV_GPU_UTIL{gpu="1",UUID="b",pod="p2"} 40
            DCGM_FI_DEV_POWER_USAGE{gpu="0",UUID="a",GPU_I_ID="1"} 78.174
            DCGM_FI_DEV_POWER_USAGE{gpu="0",UUID="a",GPU_I_ID="2"} 78.446
            """);
    assertThat(world.byLabel("gpu_util", "gpu")).isEqualTo(Map.of("1", 0.4));
    assertThat(world.byLabel("gpu_power", "gpu")).isEqualTo(Map.of("0", 78.446));
  }

  @Test
  void nvidiaSmiWithNvml() throws QueryException {
    World world =
        new World(
            """
            nvidia_smi_energy_joules_total{uuid="a"} 6000
            nvidia_smi_utilization_gpu_ratio{uuid="a"} 0.5
            nvidia_smi_clocks_throttle_reasons_active{uuid="a"} 32
            nvidia_smi_xid_last_timestamp_seconds{uuid="a",xid="13"} 1700000500
            nvidia_smi_xid_last_timestamp_seconds{uuid="a",xid="79"} 1700000900
            nvidia_smi_xid_last_timestamp_seconds{uuid="a",xid="31"} 1700000700
            """);
    world.value("gpu_xid", 79);
    world.value("gpu_energy_rate", 100);
    world.value("gpu_throttle", 1);
    world.value("gpu_util", 0.5);
  }

  @Test
  void amd() throws QueryException {
    String gpu = "{gpu_id=\"0\",serial_number=\"s\",card_model=\"x\",hostname=\"n\"}";
    String clock = "{gpu_id=\"0\",serial_number=\"s\",card_model=\"x\",clock_type=\"%s\"}";
    World world =
        new World(
            "gpu_gfx_activity"
                + gpu
                + " 97\n"
                + "gpu_umc_activity"
                + gpu
                + " 40\n"
                + "gpu_package_power"
                + gpu
                + " 700\n"
                + "gpu_energy_consumed"
                + gpu
                + " 42000000000\n"
                + "gpu_used_vram"
                + gpu
                + " 100\n"
                + "gpu_total_vram"
                + gpu
                + " 400\n"
                + "gpu_junction_temperature"
                + gpu
                + " 80\n"
                + "gpu_clock"
                + clock.formatted("GPU_CLOCK_TYPE_SYSTEM")
                + " 2100\n"
                + "gpu_clock"
                + clock.formatted("GPU_CLOCK_TYPE_MEMORY")
                + " 1300\n"
                + "gpu_ecc_uncorrect_total"
                + gpu
                + " 3\n"
                + "gpu_violation_socket_thermal_residency_percentage"
                + gpu
                + " 5\n"
                + "gpu_prof_tensor_active_percent"
                + gpu
                + " 25\n"
                + "pcie_replay_count"
                + gpu
                + " 6\n");
    world.value("gpu_util", 0.97);
    world.value("gpu_dram_active", 0.4);
    world.value("gpu_power", 700);
    // 42e9 microjoules in a minute.
    world.value("gpu_energy_rate", 700);
    world.value("gpu_memory_used", 104857600);
    world.value("gpu_memory_share", 0.25);
    world.value("gpu_temperature", 80);
    world.value("gpu_sm_clock", 2.1e9);
    world.value("gpu_memory_clock", 1.3e9);
    world.value("gpu_ecc_uncorrected", 3);
    world.value("gpu_thermal_violation_share", 0.05);
    world.value("gpu_throttle", 1);
    world.value("gpu_tensor_active", 0.25);
    world.value("gpu_pcie_replay_rate", 0.1);
    Gpu found = world.gpus().getFirst();
    assertThat(found.host()).isEqualTo("n");
    assertThat(found.model()).isEqualTo("x");
    // The memory controller's time isn't bandwidth, so it decides nothing.
    assertThat(found.state().inputs()).doesNotContain("gpu_dram_active");
  }

  @Test
  void gaudi() throws QueryException {
    World world =
        new World(
            """
            habanalabs_utilization{UUID="a",device="accel0"} 55
            habanalabs_power_mW{UUID="a",device="accel0"} 420000
            habanalabs_power_default_limit_mW{UUID="a",device="accel0"} 600000
            habanalabs_memory_used_bytes{UUID="a",device="accel0"} 1024
            habanalabs_memory_total_bytes{UUID="a",device="accel0"} 4096
            habanalabs_temperature_onchip{UUID="a",device="accel0"} 50
            """);
    world.value("gpu_util", 0.55);
    world.value("gpu_power", 420);
    world.value("gpu_power_limit", 600);
    world.value("gpu_power_share", 0.7);
    world.value("gpu_memory_share", 0.25);
    world.value("gpu_temperature", 50);
    assertThat(world.gpus().getFirst().index()).isEqualTo("accel0");
  }

  @Test
  void xpum() throws QueryException {
    World world =
        new World(
            """
            xpum_engine_ratio{pci_bdf="0000:01:00.0",uuid="a",model="m"} 55
            xpum_power_watts{pci_bdf="0000:01:00.0",uuid="a",model="m"} 300
            xpum_energy_joules{pci_bdf="0000:01:00.0",uuid="a",model="m"} 18000
            xpum_frequency_mhz{pci_bdf="0000:01:00.0",uuid="a",model="m"} 1600
            """);
    world.value("gpu_util", 0.55);
    world.value("gpu_energy_rate", 300);
    world.value("gpu_sm_clock", 1.6e9);
  }

  @Test
  void host() throws QueryException {
    World world =
        new World(
            """
            node_load1 1
            node_netstat_Tcp_RetransSegs 3
            node_netstat_Tcp_OutSegs 600
            node_timex_offset_seconds -0.002
            node_mountstats_nfs_operations_response_time_seconds_total{operation="READ"} 3
            node_mountstats_nfs_operations_response_time_seconds_total{operation="GETATTR"} 1
            node_mountstats_nfs_operations_requests_total{operation="READ"} 150
            node_mountstats_nfs_operations_requests_total{operation="GETATTR"} 50
            """);
    world.value("host_tcp_retransmit_share", 0.005);
    world.value("host_clock_offset", -0.002);
    world.value("host_nfs_latency", 0.02);
  }

  @Test
  void cluster() throws QueryException {
    World world =
        new World(
            """
            kube_pod_info{namespace="n",pod="engine"} 1
            kube_pod_status_ready{namespace="n",pod="engine",condition="true"} 1
            kube_pod_status_ready{namespace="n",pod="engine",condition="false"} 0
            kube_pod_status_ready{namespace="n",pod="other",condition="true"} 1
            kube_pod_container_resource_limits{namespace="n",pod="engine",resource="nvidia_com_gpu"} 8
            kube_pod_container_resource_limits{namespace="n",pod="other",resource="cpu"} 8
            kube_pod_container_status_restarts_total{namespace="n",pod="engine",container="a"} 6
            kube_pod_container_status_restarts_total{namespace="n",pod="other",container="a"} 60
            kube_pod_container_status_waiting_reason{namespace="n",pod="x",reason="CrashLoopBackOff"} 1
            kube_pod_status_ready_time{namespace="n",pod="engine"} 1700000500
            kube_pod_start_time{namespace="n",pod="engine"} 1700000200
            kube_node_status_allocatable{node="a",resource="nvidia_com_gpu"} 8
            kube_node_status_allocatable{node="a",resource="cpu"} 96
            kube_node_status_allocatable{node="b",resource="amd_com_gpu"} 4
            """);
    assertThat(world.byLabel("pod_ready", "exported_pod", "pod")).isEqualTo(Map.of("engine", 1.0));
    assertThat(world.byLabel("pod_restart_rate", "exported_pod", "pod"))
        .isEqualTo(Map.of("engine", 0.1));
    assertThat(world.byLabel("pod_waiting", "reason")).isEqualTo(Map.of("CrashLoopBackOff", 1.0));
    assertThat(world.byLabel("pod_load_time", "pod")).isEqualTo(Map.of("engine", 300.0));
    assertThat(world.byLabel("node_gpus", "node")).isEqualTo(Map.of("a", 8.0, "b", 4.0));
  }

  @Test
  void clusterWithoutGpus_tellsAllPods() throws QueryException {
    World world =
        new World(
            """
            kube_pod_info{namespace="n",pod="a"} 1
            kube_pod_status_ready{namespace="n",pod="a",condition="true"} 1
            kube_pod_status_ready{namespace="n",pod="b",condition="true"} 0
            kube_pod_container_resource_limits{namespace="n",pod="a",resource="cpu"} 8
            """);
    assertThat(world.byLabel("pod_ready", "pod")).isEqualTo(Map.of("a", 1.0, "b", 0.0));
  }

  @Test
  void containersOfAKubelet() throws QueryException {
    World world =
        new World(
            """
            container_cpu_usage_seconds_total{namespace="n",pod="p",container="",image="",name=""} 130
            container_cpu_usage_seconds_total{namespace="n",pod="p",container="a",image="i",name="x"} 120
            container_cpu_usage_seconds_total{namespace="n",pod="p",container="",image="pause",name="y"} 1
            container_cpu_cfs_throttled_periods_total{namespace="n",pod="p",container="a"} 6
            container_cpu_cfs_periods_total{namespace="n",pod="p",container="a"} 60
            container_memory_working_set_bytes{namespace="n",pod="p",container="a"} 3000
            container_memory_working_set_bytes{namespace="n",pod="p",container="b"} 1000
            container_spec_memory_limit_bytes{namespace="n",pod="p",container="a"} 4000
            container_spec_memory_limit_bytes{namespace="n",pod="p",container="b"} 0
            container_oom_events_total{namespace="n",pod="p",container="a"} 6
            """);
    assertThat(world.byLabel("container_cpu", "container")).isEqualTo(Map.of("a", 2.0));
    assertThat(world.byLabel("container_cpu_throttled_share", "container"))
        .isEqualTo(Map.of("a", 0.1));
    assertThat(world.byLabel("container_memory", "container"))
        .isEqualTo(Map.of("a", 3000.0, "b", 1000.0));
    assertThat(world.byLabel("container_memory_share", "container")).isEqualTo(Map.of("a", 0.75));
    assertThat(world.byLabel("container_oom_rate", "container")).isEqualTo(Map.of("a", 0.1));
  }

  @Test
  void containersWithoutKubernetes() throws QueryException {
    World world =
        new World(
            """
            container_cpu_usage_seconds_total{id="/",image="",name=""} 600
            container_cpu_usage_seconds_total{id="/docker/1",image="vllm",name="engine"} 90
            container_memory_working_set_bytes{id="/docker/1",image="vllm",name="engine"} 500
            container_spec_memory_limit_bytes{id="/docker/1",image="vllm",name="engine"} 1000
            """);
    assertThat(world.byLabel("container_cpu", "name")).isEqualTo(Map.of("engine", 1.5));
    assertThat(world.byLabel("container_memory_share", "name")).isEqualTo(Map.of("engine", 0.5));
  }

  /** One page, scraped from one target. */
  private static final class World {
    private final Signals signals;
    private final String service;

    World(String page) throws QueryException {
      signals = Backend.signals(new TestWorld().add(Dump.of("page", page), "j", "h:1"), Goals.NONE);
      service = signals.services().services().getFirst().id();
    }

    List<Gpu> gpus() throws QueryException {
      return signals.gpus().gpus();
    }

    void value(String signal, double expected) throws QueryException {
      SignalResult result = result(signal);
      assertThat(result.series()).as(result.toString()).hasSize(1);
      assertThat(result.series().getFirst().values()[0])
          .as(signal)
          .isCloseTo(expected, within(Math.max(1e-9, Math.abs(expected) * 1e-9)));
    }

    void nothing(String signal) throws QueryException {
      assertThat(result(signal).series()).as(signal).isEmpty();
    }

    /** Values by the first of some labels that a series has. */
    Map<String, Double> byLabel(String signal, String... labels) throws QueryException {
      Map<String, Double> values = new TreeMap<>();
      for (SignalSeries series : result(signal).series()) {
        String key = String.valueOf(GpuNames.first(series.labels(), List.of(labels)));
        values.put(key, Math.rint(series.values()[0] * 1e9) / 1e9);
      }
      return values;
    }

    private SignalResult result(String signal) throws QueryException {
      SignalBatch.Request request = new SignalBatch.Request(service, List.of(signal), List.of());
      return signals.query(SignalBatch.at(TestWorld.NOW_MS, List.of(request))).results().getFirst();
    }
  }
}
