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
        Program.inferometer(
            folder,
            List.of(
                "http://127.0.0.1:" + exporter.port() + "/metrics",
                "--web.enable-remote-write-receiver"));
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

  /** The full second to come, so that the first scrape isn't after it. */
  private static long wholeSecondsFromNow() {
    return System.currentTimeMillis() / 1000 + 1;
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
    long now = wholeSecondsFromNow();
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
  void instant_takesATimeAndAnswersInJson() throws Exception {
    long now = wholeSecondsFromNow();
    assertThat(promtool("query", "instant", "--time=" + now, url, "time()"))
        .startsWith("exit 0")
        .contains("scalar: " + now);
    assertThat(promtool("query", "-o", "json", "instant", url, "up"))
        .startsWith("exit 0")
        .contains("\"__name__\":\"up\"")
        .contains("\"1\"]");
  }

  @Test
  void range_saysWhatIsWrong() throws Exception {
    assertThat(promtool("query", "range", "--start=0", "--end=20000", "--step=1s", url, "up"))
        .startsWith("exit 1")
        .contains("exceeded maximum resolution of 11,000 points per timeseries");
    assertThat(promtool("query", "range", url, "up[1m]")).startsWith("exit 1");
  }

  @Test
  void range_choosesItsOwnStep() throws Exception {
    assertThat(promtool("query", "range", url, "count(up)")).startsWith("exit 0").contains("{} =>");
  }

  @Test
  void series_takesSeveralSelectorsAndTimes() throws Exception {
    long now = wholeSecondsFromNow();
    assertThat(
            promtool(
                "query",
                "series",
                "--match=node_uname_info",
                "--match=up{job!=\"none\"}",
                "--start=" + (now - 300),
                "--end=" + now,
                url))
        .startsWith("exit 0")
        .contains("node_uname_info")
        .contains("up");
    assertThat(promtool("query", "series", "--match=up{", url)).startsWith("exit 1");
    assertThat(promtool("query", "series", "--match=up", "--start=0", "--end=1", url))
        .isEqualTo("exit 0\n");
  }

  @Test
  void labels_takesSelectorsAndTimes() throws Exception {
    long now = wholeSecondsFromNow();
    assertThat(
            promtool(
                "query",
                "labels",
                "--match=node_cpu_seconds_total",
                "--start=" + (now - 300),
                "--end=" + now,
                url,
                "mode"))
        .startsWith("exit 0")
        .contains("idle");
    assertThat(promtool("query", "labels", url, "absent_label")).isEqualTo("exit 0\n");
  }

  @Test
  void debugMetrics_arePacked(@TempDir Path folder) throws Exception {
    assertThat(
            Program.run(
                List.of(
                    "sh",
                    "-c",
                    "cd "
                        + folder
                        + " && "
                        + Program.installed("promtool")
                        + " debug metrics "
                        + url)))
        .startsWith("exit 0");
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
