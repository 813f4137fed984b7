package org.inferometer.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.inferometer.model.Labels;
import org.inferometer.query.EngineOptions;
import org.inferometer.query.LocalQueryService;
import org.inferometer.signals.Signals;
import org.inferometer.store.MemorySeries;
import org.inferometer.store.MetadataSource;
import org.inferometer.time.Ticker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GpuRoutesTest {
  private static final long NOW_MS = 1_790_000_040_000L;

  private final MemorySeries series = new MemorySeries();
  private final Signals signals =
      new Signals(
          new LocalQueryService(
              series, MetadataSource.none(), EngineOptions.DEFAULT, Ticker.system()),
          () -> NOW_MS,
          Ticker.system(),
          (service, model) -> Map.of());
  private final TestServer server = new TestServer(new GpuRoutes(() -> signals));

  GpuRoutesTest() {
    for (int i = 10; i >= 0; i--) {
      long timeMs = NOW_MS - i * 60_000L;
      series.add(labels("up"), timeMs, 1);
      gpu("DCGM_FI_DEV_GPU_UTIL", timeMs, 97);
      gpu("DCGM_FI_DEV_FB_USED", timeMs, 1);
      gpu("DCGM_FI_DEV_XID_ERRORS", timeMs, i > 3 ? 0 : 79);
      gpu("DCGM_FI_DEV_CLOCKS_EVENT_REASONS", timeMs, 8);
    }
  }

  private void gpu(String metric, long timeMs, double value) {
    series.add(labels(metric, "gpu", "0", "UUID", "GPU-a", "modelName", "T"), timeMs, value);
  }

  private static Labels labels(String metric, String... more) {
    return Labels.of(more).with(Labels.NAME, metric).with("job", "gpu").with("instance", "h:9400");
  }

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void gpus_andWhatHappenedToThem() throws Exception {
    assertThat(server.get("/api/v1/gpus"))
        .startsWith(
            "{\"status\":\"success\",\"data\":{\"time\":1790000040,\"left_out\":0,\"gpus\":[{"
                + "\"service\":\"dcgm/h:9400\",\"host\":\"h\",\"gpu\":\"0\",\"uuid\":\"GPU-a\","
                + "\"model\":\"T\",\"instance\":null,\"profile\":null,\"pod\":null,"
                + "\"engine\":null,\"utilisation\":{\"gpu_util\":0.97,")
        .contains("\"kv_usage\":null},\"state\":{\"id\":\"busy\",\"name\":\"Busy, how full can't")
        .contains("\"inputs\":[\"gpu_util\"]},\"sm_clock\":null,")
        .contains("\"memory_used\":1048576,")
        .contains("\"reasons\":[{\"name\":\"hardware slow-down\",\"says\":\"")
        .contains("\"matters\":true}],\"xid\":{\"code\":79,\"says\":\"The GPU is no longer")
        .contains("\"severity\":\"node\",\"since\":17899998")
        .contains("\"events\":[{\"time\":17899998")
        .contains("\"gpu\":\"0\",\"uuid\":\"GPU-a\",\"kind\":\"xid\",\"says\":\"Xid 79:");
  }
}
