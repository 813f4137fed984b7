package org.inferometer.acceptance.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** Debian's promtool asks a running server that scrapes a real node-exporter. */
@TestInstance(Lifecycle.PER_CLASS)
class PromtoolTest {
  private final List<AutoCloseable> running = new ArrayList<>();
  private String url = "";

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    Program.installed("promtool");
    Program exporter = Program.nodeExporter(folder);
    running.add(exporter);
    Program ours =
        Program.inferometer(folder, List.of("http://127.0.0.1:" + exporter.port() + "/metrics"));
    running.add(ours);
    url = "http://127.0.0.1:" + ours.port();
    while (!promtool("query", "instant", url, "up").contains("=> 1")) {
      Thread.sleep(100);
    }
  }

  @AfterAll
  void stop() throws Exception {
    for (AutoCloseable resource : running.reversed()) {
      resource.close();
    }
  }

  private static String promtool(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(Program.installed("promtool")));
    command.addAll(List.of(arguments));
    return Program.run(command);
  }

  @Test
  void instant_printsAVector() throws Exception {
    assertThat(promtool("query", "instant", url, "count(node_cpu_seconds_total) > 0"))
        .startsWith("exit 0")
        .contains("{} => ");
  }

  @Test
  void instant_saysWhatIsWrongWithAQuery() throws Exception {
    assertThat(promtool("query", "instant", url, "sum(")).startsWith("exit 1").contains("parse");
  }

  @Test
  void range_printsAMatrix() throws Exception {
    long now = System.currentTimeMillis() / 1000;
    assertThat(
            promtool(
                "query", "range", "--start=" + (now - 60), "--end=" + now, "--step=15s", url, "up"))
        .startsWith("exit 0")
        .contains("up{");
  }

  @Test
  void series_listsLabelSets() throws Exception {
    assertThat(promtool("query", "series", "--match=node_uname_info", url))
        .startsWith("exit 0")
        .contains("node_uname_info");
  }

  @Test
  void labels_listsValues() throws Exception {
    assertThat(promtool("query", "labels", url, "__name__"))
        .startsWith("exit 0")
        .contains("node_memory_MemTotal_bytes");
  }

  @Test
  void ownMetrics_passPromtoolsCheck() throws Exception {
    String promtool = Program.installed("promtool");
    assertThat(
            Program.run(
                List.of(
                    "sh", "-c", "curl -s " + url + "/metrics | " + promtool + " check metrics")))
        .startsWith("exit 0");
  }
}
