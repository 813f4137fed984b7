package org.inferometer.acceptance.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/**
 * Prometheus opens a directory that we wrote and were killed in, and we open one that Prometheus
 * wrote; both answer the same about each.
 *
 * <p>Both scrape real dumps that move each half second into blocks of five seconds, so that there
 * are blocks, compacted ones, a checkpoint and a log; some samples come late. Ours is then killed;
 * Prometheus ends with a snapshot of its head.
 */
@TestInstance(Lifecycle.PER_CLASS)
class StoreCompatibilityTest {
  private static final int FRAMES = 80;
  private static final long FRAME_MS = 500;
  private static final int PATIENCE_SECONDS = 60;
  private static final String BLOCK = "--storage.tsdb.min-block-duration=5s";
  private static final String BLOCK_MAX = "--storage.tsdb.max-block-duration=45s";
  private static final String SNAPSHOT = "--enable-feature=memory-snapshot-on-shutdown";
  private static final String LATE_WINDOW = "storage: {tsdb: {out_of_order_time_window: 10m}}\n";

  /** About series whose samples came late, and how many samples there are at all. */
  private static final List<String> MORE_QUERIES =
      List.of(
          "late",
          "count_over_time(late[10m])",
          "rate(late[8s])",
          "count_over_time(frame[10m])",
          "count_over_time(up[10m])",
          "sum by (job) (last_over_time({job=~\".+\"}[10m]))",
          "count(last_over_time({job=\"real-host\"}[10m]))");

  private final List<AutoCloseable> running = new ArrayList<>();
  private Path folder;
  private Path ours;
  private Path theirs;
  private Path idle;
  private double end;

  @BeforeAll
  void writeBoth(@TempDir Path temporary) throws Exception {
    Program.installed("prometheus");
    folder = temporary;
    ours = folder.resolve("ours");
    theirs = folder.resolve("prometheus-data");
    idle = Files.writeString(folder.resolve("idle.yml"), LATE_WINDOW + "scrape_configs: []\n");
    FrameServer frames = keep(FrameServer.ofRealDumps());
    PageServer pages = keep(new PageServer());
    Program exporter = keep(Program.nodeExporter(folder));
    Path config = folder.resolve("scrape.yml");
    Files.writeString(
        config,
        LATE_WINDOW + frames.scrapeConfigs() + pages.job("late", EVERY_100_MS) + host(exporter));
    Program writing =
        keep(
            Program.inferometer(
                folder,
                List.of(
                    "--config",
                    config.toString(),
                    "--data",
                    ours.toString(),
                    BLOCK,
                    BLOCK_MAX,
                    "--storage.tsdb.wal-segment-size=1MB")));
    Program prometheus = keep(Program.prometheus(folder, config, BLOCK, BLOCK_MAX, SNAPSHOT));
    scrape(frames, pages, List.of(writing, prometheus));
    await("blocks of ours", () -> DataFolders.blocks(ours).size() >= 3);
    await("a checkpoint of ours", () -> hasCheckpoint(ours));
    writing.kill();
    prometheus.close();
  }

  private static final String EVERY_100_MS = ", scrape_interval: 100ms, scrape_timeout: 100ms";

  private <T extends AutoCloseable> T keep(T resource) {
    running.add(resource);
    return resource;
  }

  private static String host(Program exporter) {
    return "  - {job_name: real-host, scrape_interval: 1s, scrape_timeout: 1s,"
        + " static_configs: [{targets: ['127.0.0.1:"
        + exporter.port()
        + "']}]}\n";
  }

  private void scrape(FrameServer frames, PageServer pages, List<Program> servers)
      throws Exception {
    long timestampMs = 0;
    for (int frame = 0; frame < FRAMES; frame++) {
      timestampMs = nextFrameMs(timestampMs);
      // Every other time a sample of four seconds before.
      long lateMs = frame % 2 == 0 ? timestampMs : timestampMs - 4_100;
      pages.put(
          "late",
          "text/plain; version=0.0.4",
          "late %d %d%nlate_frame %d %d%n"
              .formatted(frame, lateMs, frame, timestampMs)
              .getBytes(java.nio.charset.StandardCharsets.UTF_8));
      frames.show(frame, timestampMs);
      String taken = "count({__name__=~\"frame|late_frame\"} == " + frame + ")";
      for (Program server : servers) {
        while (!Answers.series(server, taken, timestampMs / 1000.0)
            .equals(Map.of("{}", frames.size() + 1.0))) {
          Thread.sleep(10);
        }
      }
    }
    end = (timestampMs - FRAME_MS / 2) / 1000.0;
  }

  /** Frames have whole half seconds, questions lie in the middle between two. */
  private static long nextFrameMs(long lastMs) throws InterruptedException {
    long now = System.currentTimeMillis();
    long next = Math.max(lastMs + FRAME_MS, now / FRAME_MS * FRAME_MS);
    Thread.sleep(Math.max(0, next - now));
    return next;
  }

  /** What comes to be true after a while. */
  private interface Condition {
    boolean holds() throws Exception;
  }

  private static void await(String what, Condition condition) throws Exception {
    for (int i = 0; i < PATIENCE_SECONDS * 10; i++) {
      if (condition.holds()) {
        return;
      }
      Thread.sleep(100);
    }
    throw new AssertionError("no " + what + " after " + PATIENCE_SECONDS + " s");
  }

  private static boolean hasCheckpoint(Path data) throws Exception {
    return !DataFolders.names(data.resolve("wal"), "checkpoint.").isEmpty();
  }

  @AfterAll
  void stop() throws Exception {
    for (AutoCloseable resource : running.reversed()) {
      resource.close();
    }
  }

  private Path copy(Path data, String name) throws Exception {
    Path place = Files.createDirectories(folder.resolve(name)).resolve("prometheus-data");
    DataFolders.copy(data, place);
    return place;
  }

  private Program us(Path data, String... more) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("--data", data.toString(), BLOCK, BLOCK_MAX));
    arguments.addAll(List.of(more));
    return Program.inferometer(Objects.requireNonNull(data.getParent()), arguments);
  }

  /** All answers of a server by what was asked. */
  private Map<String, Map<String, ?>> answers(Program server) throws Exception {
    Map<String, Map<String, ?>> answers = new LinkedHashMap<>();
    List<String> queries = new ArrayList<>(MORE_QUERIES);
    SideBySideTest.queries().map(StoreCompatibilityTest::inSeconds).forEach(queries::add);
    for (String query : queries) {
      for (double time : new double[] {end, end - 3, end - 11.5}) {
        answers.put(query + " @" + time, Answers.series(server, query, time));
      }
      if (!query.startsWith("sort")) {
        answers.put(query, Answers.range(server, query, end - 15, end, 1));
      }
    }
    return answers;
  }

  /** The same with ranges that fit into less than a minute of samples. */
  private static String inSeconds(String query) {
    return query
        .replace("[5m:30s]", "[10s:2s]")
        .replace("[10m]", "[15s]")
        .replace("[5m]", "[10s]")
        .replace("[2m]", "[6s]")
        .replace("[1m]", "[4s]")
        .replace("offset 5m", "offset 5s");
  }

  private static void assertSame(
      Map<String, Map<String, ?>> expected, Map<String, Map<String, ?>> found) {
    assertThat(found.keySet()).isEqualTo(expected.keySet());
    found.forEach(
        (asked, answer) ->
            Answers.assertSame(answer, Objects.requireNonNull(expected.get(asked)), asked));
    assertThat(expected.values().stream().filter(answer -> !answer.isEmpty()).count())
        .as("questions with an answer")
        .isGreaterThan(150);
  }

  @Test
  void ourDirectoryAfterAKill_isAnsweredByPrometheusAsByUs() throws Exception {
    Map<String, Map<String, ?>> expected;
    Path taken = copy(ours, "taken");
    try (Program prometheus =
        Program.prometheus(Objects.requireNonNull(taken.getParent()), idle, BLOCK, BLOCK_MAX)) {
      expected = answers(prometheus);
    }
    Path shown = copy(ours, "shown");
    Map<String, String> before = DataFolders.digests(shown);
    try (Program readOnly = us(shown, "--read-only")) {
      assertSame(expected, answers(readOnly));
    }
    assertThat(DataFolders.digests(shown)).isEqualTo(before);
    Path again = copy(ours, "again");
    try (Program restarted = us(again, "--config", idle.toString())) {
      assertSame(expected, answers(restarted));
    }
  }

  @Test
  void prometheusDirectory_isAnsweredByUsAsByPrometheus() throws Exception {
    assertThat(DataFolders.blocks(theirs)).isNotEmpty();
    assertThat(DataFolders.names(theirs, "chunk_snapshot.")).isNotEmpty();
    assertThat(DataFolders.names(theirs, "wbl")).isNotEmpty();
    assertThat(hasCheckpoint(theirs)).isTrue();
    assertThat(samples(promtool("dump", copy(theirs, "tool-theirs"))))
        .isEqualTo(SampleCount.of(theirs));
    Map<String, Map<String, ?>> expected;
    Path own = copy(theirs, "own");
    try (Program prometheus =
        Program.prometheus(
            Objects.requireNonNull(own.getParent()), idle, BLOCK, BLOCK_MAX, SNAPSHOT)) {
      expected = answers(prometheus);
    }
    Path shown = copy(theirs, "shown-theirs");
    Map<String, String> before = DataFolders.digests(shown);
    try (Program readOnly = us(shown, "--read-only")) {
      assertSame(expected, answers(readOnly));
    }
    assertThat(DataFolders.digests(shown)).isEqualTo(before);
    Path takenOver = copy(theirs, "taken-over");
    try (Program writing = us(takenOver, "--config", idle.toString())) {
      assertSame(expected, answers(writing));
    }
    // And what we made of it is still one of Prometheus's.
    try (Program back =
        Program.prometheus(Objects.requireNonNull(takenOver.getParent()), idle, BLOCK, BLOCK_MAX)) {
      assertSame(expected, answers(back));
    }
  }

  @Test
  void promtool_readsOurDirectory() throws Exception {
    Path data = copy(ours, "tool");
    String list = promtool("list", data);
    assertThat(list.lines().filter(line -> line.startsWith("0")).count())
        .isEqualTo(DataFolders.blocks(ours).size());
    for (Path block : DataFolders.blocks(data)) {
      assertThat(promtool("analyze", data, String.valueOf(block.getFileName())))
          .contains("Highest cardinality metric names:");
    }
    assertThat(samples(promtool("dump", data))).isEqualTo(SampleCount.of(data));
  }

  private static long samples(String dump) {
    return dump.lines().filter(line -> line.startsWith("{")).count();
  }

  private static String promtool(String what, Path data, String... more) throws Exception {
    List<String> command =
        new ArrayList<>(List.of(Program.installed("promtool"), "tsdb", what, data.toString()));
    command.addAll(List.of(more));
    String output = Program.run(command);
    assertThat(output).as(what).startsWith("exit 0");
    return output;
  }
}
