package org.inferometer.acceptance.peers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The tsdb commands beside Debian's promtool, over a directory that Prometheus wrote (blocks and a
 * log) and one that ours wrote of the same samples.
 */
@TestInstance(Lifecycle.PER_CLASS)
class TsdbCommandsTest {
  private static final long START = 1_700_000_000;

  private Path folder = Path.of("");

  @BeforeAll
  void write(@TempDir Path madeFolder) throws Exception {
    Program.installed("promtool");
    folder = madeFolder;
    Path file = Files.writeString(folder.resolve("samples.om"), samples());
    promtool("tsdb", "create-blocks-from", "-q", "openmetrics", file, folder.resolve("theirs"));
    ours("tsdb", "import", file, folder.resolve("ours"));
    // Without a log promtool dumps nothing.
    Files.createDirectories(folder.resolve("ours/wal"));
    runPrometheus(folder.resolve("theirs"));
  }

  /** Of about seven hours, with a series that comes late, and all kinds of values and labels. */
  private static String samples() {
    Random random = new Random(1);
    StringBuilder text = new StringBuilder("# TYPE g gauge\n");
    for (int i = 0; i < 20; i++) {
      for (long t = START; t < START + 25_000; t += 60) {
        double value = random.nextBoolean() ? random.nextDouble() : random.nextInt(100);
        line(text, "g{i=\"" + i + "\",zone=\"" + i % 3 + "\"}", value, t + ".5");
      }
    }
    text.append("# TYPE c counter\n");
    for (long t = START + 10_000; t < START + 25_000; t += 15) {
      line(text, "c_total{A=\"1\",odd=\"\\\"q\\\"\\n\\\\é\u00a0\"}", (double) (t - START), "" + t);
    }
    text.append("# TYPE e unknown\n");
    double[] extremes = {
      0, -0.0, 1e21, 1e-7, 123456789, 1e6, 999999, Double.MAX_VALUE, Double.MIN_VALUE, Double.NaN,
    };
    for (int i = 0; i < extremes.length; i++) {
      line(text, "e", extremes[i], "" + (START + i));
    }
    line(text, "e", Double.POSITIVE_INFINITY, "" + (START + 100));
    line(text, "e", Double.NEGATIVE_INFINITY, "" + (START + 101));
    text.append("# TYPE h histogram\n");
    for (long t = START; t < START + 600; t += 15) {
      line(text, "h_bucket{le=\"1.0\"}", 1, "" + t);
      line(text, "h_bucket{le=\"+Inf\"}", 2, "" + t);
      line(text, "h_sum", 0.3, "" + t);
      line(text, "h_count", 2, "" + t);
    }
    return text.append("# EOF\n").toString();
  }

  private static void line(StringBuilder text, String series, double value, String time) {
    String number = Double.toString(value).replace("Infinity", "Inf");
    text.append(series).append(' ').append(number).append(' ').append(time).append('\n');
  }

  /** For a log beside the blocks. */
  private void runPrometheus(Path data) throws Exception {
    Files.move(data, folder.resolve("prometheus-data"));
    // Nothing answers there, which is worth a sample of up as well.
    Path config =
        Files.writeString(
            folder.resolve("prometheus.yml"),
            """
            global: {scrape_interval: 1s}
            scrape_configs:
            - job_name: absent
              static_configs: [{targets: ["127.0.0.1:1"]}]
            """);
    try (Program prometheus =
        Program.prometheus(folder, config, "--storage.tsdb.retention.time=10000d")) {
      while (!prometheus.get("/api/v1/query?query=up").body().contains("\"value\"")) {
        Thread.sleep(100);
      }
      Thread.sleep(2500);
    }
    Files.move(folder.resolve("prometheus-data"), data);
  }

  private String output(List<String> command) throws Exception {
    Path errors = folder.resolve("errors");
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int code = process.waitFor();
    assertThat(code).as(() -> command + "\n" + readable(errors)).isZero();
    return output;
  }

  private static String readable(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private String promtool(Object... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(Program.installed("promtool")));
    Arrays.stream(arguments).map(Object::toString).forEach(command::add);
    return output(command);
  }

  private String ours(Object... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-Dstdout.encoding=UTF-8", "-jar"));
    command.add(System.getProperty("inferometer.jar", ""));
    Arrays.stream(arguments).map(Object::toString).forEach(command::add);
    return output(command);
  }

  private JsonNode json(Object... arguments) throws Exception {
    return new ObjectMapper().readTree(ours(arguments));
  }

  @ParameterizedTest
  @ValueSource(strings = {"theirs", "ours"})
  void list_hasTheSameNumbers(String data) throws Exception {
    List<String> told = new ArrayList<>();
    for (JsonNode block :
        json("tsdb", "list", folder.resolve(data), "--format", "json").path("blocks")) {
      List<String> cells = new ArrayList<>();
      for (String key :
          List.of("ulid", "minTime", "maxTime", "samples", "chunks", "series", "sizeBytes")) {
        cells.add(block.path(key).asText());
      }
      told.add(String.join(" ", cells));
    }
    assertThat(told)
        .hasSize(4)
        .isEqualTo(
            promtool("tsdb", "list", folder.resolve(data))
                .lines()
                .skip(1)
                .map(line -> line.replaceAll(" {2,}", " ").strip())
                .map(line -> line.replaceFirst("^(\\S+ \\S+ \\S+) \\S+", "$1"))
                .toList());
  }

  @Test
  void list_hasTheSameDurations() throws Exception {
    String table = ours("tsdb", "list", folder.resolve("theirs"));
    promtool("tsdb", "list", folder.resolve("theirs"))
        .lines()
        .skip(1)
        .map(line -> line.split(" +")[3])
        .forEach(duration -> assertThat(table).contains("\n  " + duration + " "));
  }

  @ParameterizedTest
  @ValueSource(strings = {"theirs", "ours"})
  void analyze_findsTheSame(String data) throws Exception {
    String theirs = promtool("tsdb", "analyze", "--limit=1000000", folder.resolve(data));
    String ours = ours("tsdb", "analyze", "--limit", "1000000", folder.resolve(data));
    assertThat(lists(ours)).hasSize(6).isEqualTo(lists(theirs));
    for (String figure :
        List.of(
            "Duration",
            "Series",
            "Label names",
            "Postings (unique label pairs)",
            "Postings entries (total label pairs)")) {
      assertThat(figure(ours, figure)).as(figure).isEqualTo(figure(theirs, figure));
    }
  }

  /** Lines by title, in any order: promtool has none among equals. */
  private static Map<String, Set<String>> lists(String report) {
    Map<String, Set<String>> lists = new TreeMap<>();
    for (String part : report.replace("\"q\"\n\\", "\"q\"\\x0a\\").split("\n\n")) {
      List<String> lines = part.strip().lines().map(String::strip).toList();
      if (lines.getFirst().endsWith(":")) {
        lists.put(lines.getFirst(), new TreeSet<>(lines.subList(1, lines.size())));
      }
    }
    return lists;
  }

  private static String figure(String report, String name) {
    return report
        .lines()
        .filter(line -> line.startsWith(name + ":") || line.startsWith(name + " "))
        .map(line -> line.substring(line.lastIndexOf(' ') + 1))
        .findFirst()
        .orElse("no " + name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"theirs", "ours"})
  void dump_isTheSame(String data) throws Exception {
    String theirs = promtool("tsdb", "dump", folder.resolve(data));
    assertThat(theirs.lines().count()).isGreaterThan(9000);
    assertThat(ours("tsdb", "dump", folder.resolve(data)).equals(theirs)).isTrue();
  }

  @Test
  void dump_selectsTheSame() throws Exception {
    String theirs =
        promtool(
            "tsdb",
            "dump",
            "--match={zone=\"1\"}",
            "--min-time=1700000060500",
            "--max-time=1700000600500",
            folder.resolve("theirs"));
    assertThat(
            ours(
                "tsdb",
                "dump",
                "--match={zone=\"1\"}",
                "--min-time=1700000060.5",
                "--max-time=1700000600.5",
                folder.resolve("theirs")))
        .isNotEmpty()
        .isEqualTo(theirs);
  }

  @Test
  void logOfPrometheus_isSeen() throws Exception {
    assertThat(ours("tsdb", "dump", folder.resolve("theirs"), "--match", "up"))
        .contains("{__name__=\"up\", instance=\"127.0.0.1:");
    assertThat(ours("query", "count(up)", "--data", folder.resolve("theirs"))).contains("1");
  }

  @Test
  void imports_areTheSame() throws Exception {
    String selector = "--match={job=\"\"}";
    assertThat(
            promtool("tsdb", "dump", selector, folder.resolve("ours"))
                .equals(promtool("tsdb", "dump", selector, folder.resolve("theirs"))))
        .isTrue();
  }

  /** Both read what ours writes as OpenMetrics. */
  @Test
  void dumpAsOpenMetrics_isReadByBoth() throws Exception {
    Path dumped = folder.resolve("dumped.om");
    Files.writeString(
        dumped, ours("tsdb", "dump", folder.resolve("ours"), "--format", "openmetrics"));
    Path theirs = folder.resolve("theirs-again");
    promtool("tsdb", "create-blocks-from", "-q", "openmetrics", dumped, theirs);
    Path ours = folder.resolve("ours-again");
    ours("tsdb", "import", dumped, ours);
    String first = ours("tsdb", "dump", folder.resolve("ours"));
    assertThat(ours("tsdb", "dump", theirs).equals(first)).isTrue();
    assertThat(ours("tsdb", "dump", ours).equals(first)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"theirs", "ours"})
  void verify_findsNothing(String data) throws Exception {
    assertThat(ours("tsdb", "verify", folder.resolve(data))).contains("all good");
  }
}
