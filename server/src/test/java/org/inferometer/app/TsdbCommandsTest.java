package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.inferometer.io.Disk;
import org.inferometer.io.DiskLock;
import org.inferometer.time.Ticker;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tsdb commands over directories that they made themselves. */
class TsdbCommandsTest {
  private static final long NOW_MS = 1_800_000_000_000L;

  private static final String SAMPLES =
      """
      # TYPE up gauge
      up{instance="a",job="x"} 1 1700000000
      up{instance="b",job="x"} 0.1 1700000000.5
      up{instance="a",job="x"} NaN 1700000015
      up{instance="c\\"q\\n\\\\é",job="x"} -1e-7 1700010015
      # TYPE c counter
      c_total{a="b"} 1e21 1700000100
      c_total{a="b"} 1234567 1700000000
      c_total{a="b"} +Inf 1700009100
      # EOF
      """;

  @TempDir Path folder;
  private Path data;
  private String input = "";
  private String out = "";
  private String err = "";

  @BeforeEach
  void chooseFolder() {
    data = folder.resolve("data");
  }

  private int run(String... args) {
    ByteArrayOutputStream outBytes = new ByteArrayOutputStream();
    ByteArrayOutputStream errBytes = new ByteArrayOutputStream();
    Console console =
        new Console(
            new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
            new PrintStream(outBytes, true, StandardCharsets.UTF_8),
            new PrintStream(errBytes, true, StandardCharsets.UTF_8),
            false);
    int code = new Cli(console, () -> NOW_MS, Ticker.system()).run(args);
    out = outBytes.toString(StandardCharsets.UTF_8);
    err = errBytes.toString(StandardCharsets.UTF_8);
    return code;
  }

  private void load(String samples) {
    input = samples;
    assertThat(run("tsdb", "import", "-", data.toString())).as(err).isZero();
  }

  private JsonNode json() throws Exception {
    return new ObjectMapper().readTree(out);
  }

  private List<String> names() throws Exception {
    try (Stream<Path> paths = Files.list(data)) {
      return paths.map(p -> p.getFileName().toString()).sorted().toList();
    }
  }

  private Path firstBlock() throws Exception {
    return data.resolve(names().getFirst());
  }

  // ------------------------------------------------------------------------------------ import

  @Test
  void import_saysWhatCameOfIt() throws Exception {
    Path file = Files.writeString(folder.resolve("x.om"), SAMPLES);
    assertThat(run("tsdb", "import", file.toString(), data.toString())).isZero();
    assertThat(out)
        .isEqualTo(
            "7 samples, 4 series, 2 blocks in "
                + data
                + "\n2023-11-14T22:13:20.000Z to 2023-11-15T01:00:15.000Z\n");
    assertThat(err).isEmpty();
    assertThat(names()).hasSize(3).contains("lock");
  }

  @Test
  void import_countsRepeatedSamples() throws Exception {
    input = "a 1 1\na 1 1\na 2 1\n# EOF\n";
    assertThat(run("tsdb", "import", "-", data.toString(), "--format", "json")).isZero();
    assertThat(json().path("samples").asInt()).isEqualTo(1);
    assertThat(json().path("repeated").asInt()).isEqualTo(1);
    assertThat(json().path("contradicting").asInt()).isEqualTo(1);
    assertThat(json().path("blocks").path(0).path("maxTime").asLong()).isEqualTo(1001);
    assertThat(err)
        .isEqualTo(
            "1 sample repeated a timestamp with the same value\n"
                + "1 sample repeated a timestamp with another value; the first was kept\n");
  }

  @Test
  void import_ofABadFile_leavesNothing() {
    input = "a 1 1\nb 2\n# EOF\n";
    assertThat(run("tsdb", "import", "-", data.toString())).isEqualTo(ExitCode.USAGE);
    assertThat(err).startsWith("inferometer: standard input:2:4: sample without a timestamp, ");
    assertThat(data).doesNotExist();
    load(SAMPLES);
    Path listed = data;
    input = "a 1 1\n";
    assertThat(run("tsdb", "import", "-", data.toString())).isEqualTo(ExitCode.USAGE);
    assertThat(listed.toFile().list()).hasSize(3);
  }

  @Test
  void import_ofNothing_isDone() {
    input = "# EOF\n";
    assertThat(run("tsdb", "import", "-", data.toString())).isZero();
    assertThat(out).isEqualTo("-: no samples, no blocks\n");
  }

  @Test
  void import_refusesOtherFolders() throws Exception {
    input = SAMPLES;
    Files.writeString(folder.resolve("letter.txt"), "");
    assertThat(run("tsdb", "import", "-", folder.toString())).isEqualTo(ExitCode.USAGE);
    assertThat(err).contains("expected a data directory", "found letter.txt");
    assertThat(run("tsdb", "import", "-", folder.resolve("letter.txt").toString()))
        .isEqualTo(ExitCode.USAGE);
    assertThat(run("tsdb", "import", "absent.om", data.toString())).isEqualTo(ExitCode.USAGE);
    assertThat(err).isEqualTo("inferometer: absent.om: no such file\n");
    assertThat(run("tsdb", "import", folder.toString(), data.toString())).isEqualTo(ExitCode.USAGE);
    assertThat(data).doesNotExist();
  }

  @Test
  void import_waitsForNoOtherProcess() throws Exception {
    Files.createDirectories(data);
    try (DiskLock lock = Disk.real().lock(data.resolve("lock"))) {
      assertThat(lock).isNotNull();
      input = SAMPLES;
      assertThat(run("tsdb", "import", "-", data.toString())).isEqualTo(ExitCode.FAILED);
      assertThat(err).contains("another process has it open");
    }
  }

  // -------------------------------------------------------------------------------------- list

  @Test
  void list_fitsIntoEightyColumns() throws Exception {
    load(SAMPLES);
    Files.createDirectories(data.resolve("wal"));
    Files.writeString(data.resolve("wal/00000000"), "x".repeat(2048));
    Files.createDirectories(data.resolve("01JA3V6Y3T8M2Q4N5W7X9Z0BCD.corrupt"));
    assertThat(run("tsdb", "list", data.toString())).isZero();
    assertThat(out.lines()).allMatch(line -> line.length() <= 80);
    String shown =
        out.replaceAll("01M[0-9A-Z]{23}", "*")
            .replaceAll("\\d\\.\\d KiB", "#.# KiB")
            .replaceAll("\\d{3} B", "### B");
    assertThat(shown)
        .isEqualTo(
            """
            BLOCK                       MIN TIME                  MAX TIME
              DURATION    SAMPLES  CHUNKS  SERIES   SIZE  LEVEL
            *  2023-11-14T22:13:20.000Z  2023-11-14T22:15:00.001Z
              1m40.001s         5       3       3  ### B      1
            *  2023-11-15T00:45:00.000Z  2023-11-15T01:00:15.001Z
              15m15.001s        2       2       2  ### B      1

            BESIDE                              FILES     SIZE
            01JA3V6Y3T8M2Q4N5W7X9Z0BCD.corrupt      0      0 B
            wal                                     1  #.# KiB
            """);
    assertThat(err).contains(".corrupt: set aside as damaged", "wal: newest samples");
  }

  @Test
  void list_isJsonForPrograms() throws Exception {
    load(SAMPLES);
    assertThat(run("tsdb", "list", data.toString(), "--format", "json")).isZero();
    JsonNode block = json().path("blocks").path(0);
    assertThat(block.path("ulid").asText()).isEqualTo(firstBlock().getFileName().toString());
    assertThat(block.path("minTime").asLong()).isEqualTo(1_700_000_000_000L);
    assertThat(block.path("maxTime").asLong()).isEqualTo(1_700_000_100_001L);
    assertThat(block.path("durationMs").asLong()).isEqualTo(100_001);
    assertThat(block.path("samples").asInt()).isEqualTo(5);
    assertThat(block.path("level").asInt()).isEqualTo(1);
    assertThat(block.path("sizeBytes").asLong()).isPositive();
    assertThat(json().path("beside").path(0).path("name").asText()).isEqualTo("lock");
    assertThat(json().path("beside").path(0).path("kind").asText()).isEqualTo("server");
  }

  @Test
  void list_tellsOfABlockThatCantBeOpened() throws Exception {
    load(SAMPLES);
    Files.write(firstBlock().resolve("index"), new byte[5], StandardOpenOption.TRUNCATE_EXISTING);
    assertThat(run("tsdb", "list", data.toString())).isEqualTo(ExitCode.FOUND);
    assertThat(err).contains(firstBlock().resolve("index").toString());
    assertThat(out).contains("15m15.001s").doesNotContain("1m40.001s");
  }

  @Test
  void reading_needsADataDirectory() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "");
    for (String command : List.of("list", "analyze", "dump", "verify")) {
      assertThat(run("tsdb", command, data.toString())).isEqualTo(ExitCode.USAGE);
      assertThat(err).isEqualTo("inferometer: " + data + ": no such folder\n");
      assertThat(run("tsdb", command, file.toString())).isEqualTo(ExitCode.USAGE);
      assertThat(err).contains("expected a data directory, found a file");
      assertThat(run("tsdb", command, folder.toString())).isEqualTo(ExitCode.USAGE);
      assertThat(out).isEmpty();
    }
  }

  // ----------------------------------------------------------------------------------- analyze

  @Test
  void analyze_looksAtTheLastBlock() throws Exception {
    load(SAMPLES);
    assertThat(run("tsdb", "analyze", data.toString(), "--limit", "2", "--extended")).isZero();
    assertThat(out.lines()).allMatch(line -> line.length() <= 80);
    assertThat(out)
        .contains(
            "Series                                2\n",
            "Label names                           4\n",
            "Postings (unique label pairs)         5\n",
            "Postings entries (total label pairs)  5\n",
            "\nLabel names most involved in churning:\n2 __name__\n1 a\n",
            "\nHighest cardinality metric names:\n1 c_total\n1 up\n",
            "up to  10 %           2 chunks  ##");
  }

  @Test
  void analyze_takesABlockByTheBeginningOfItsName() throws Exception {
    load(SAMPLES);
    String name = firstBlock().getFileName().toString();
    assertThat(run("tsdb", "analyze", data.toString(), name, "--format", "json")).isZero();
    assertThat(json().path("ulid").asText()).isEqualTo(name);
    assertThat(json().path("series").asInt()).isEqualTo(3);
    assertThat(json().path("metricsBySeries").path(0).path("count").asInt()).isEqualTo(2);
    assertThat(run("tsdb", "analyze", data.toString(), "01")).isEqualTo(ExitCode.USAGE);
    assertThat(err).contains("more than one block \"01\"");
    assertThat(run("tsdb", "analyze", data.toString(), "7")).isEqualTo(ExitCode.USAGE);
    assertThat(err).contains("no block \"7\"");
    assertThat(run("tsdb", "analyze", data.toString(), "--limit", "-1")).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void analyze_shortensLongValues() {
    load("a{x=\"" + "v".repeat(1000) + "\"} 1 1\n# EOF\n");
    assertThat(run("tsdb", "analyze", data.toString())).isZero();
    assertThat(out.lines()).allMatch(line -> line.length() <= 80);
    assertThat(out).contains("vvv...\n");
  }

  // -------------------------------------------------------------------------------------- dump

  @Test
  void dump_isThatOfPromtool() {
    load(SAMPLES);
    assertThat(run("tsdb", "dump", data.toString())).as(err).isZero();
    assertThat(out)
        .isEqualTo(
            """
            {__name__="c_total", a="b"} 1.234567e+06 1700000000000
            {__name__="c_total", a="b"} 1e+21 1700000100000
            {__name__="c_total", a="b"} +Inf 1700009100000
            {__name__="up", instance="a", job="x"} 1 1700000000000
            {__name__="up", instance="a", job="x"} NaN 1700000015000
            {__name__="up", instance="b", job="x"} 0.1 1700000000500
            {__name__="up", instance="c\\"q\\n\\\\é", job="x"} -1e-07 1700010015000
            """);
  }

  @Test
  void dump_selectsSeriesAndTimes() {
    load(SAMPLES);
    assertThat(
            run(
                "tsdb",
                "dump",
                data.toString(),
                "--match",
                "c_total",
                "--match",
                "{a=\"b\"}",
                "--match",
                "up{instance=\"b\"}",
                "--min-time",
                "1700000000.5",
                "--max-time",
                "2023-11-15T00:00:00Z"))
        .isZero();
    assertThat(out)
        .isEqualTo(
            """
            {__name__="c_total", a="b"} 1e+21 1700000100000
            {__name__="up", instance="b", job="x"} 0.1 1700000000500
            """);
    assertThat(run("tsdb", "dump", data.toString(), "--match", "{")).isEqualTo(ExitCode.USAGE);
    assertThat(err).startsWith("inferometer: --match: 1:2: parse error");
    assertThat(run("tsdb", "dump", data.toString(), "--min-time", "x")).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void dumpAsOpenMetrics_importedAgain_isTheSame() throws Exception {
    load(SAMPLES.replace("up{", "up{A=\"1\","));
    assertThat(run("tsdb", "dump", data.toString(), "--format", "openmetrics")).isZero();
    String file = out;
    assertThat(file).startsWith("c_total{a=\"b\"} 1.234567e+06 1700000000\n").endsWith("# EOF\n");
    assertThat(run("tsdb", "dump", data.toString())).isZero();
    String dump = out;
    data = folder.resolve("again");
    load(file);
    assertThat(run("tsdb", "dump", data.toString())).isZero();
    assertThat(out).isEqualTo(dump);
  }

  // ------------------------------------------------------------------------------------ verify

  @Test
  void verify_ofAGoodDirectory_isShort() throws Exception {
    load(SAMPLES);
    assertThat(run("tsdb", "verify", data.toString())).isZero();
    assertThat(out).isEqualTo("2 blocks with 7 samples, 0 records of the log read; all good\n");
  }

  @Test
  void verify_tellsWhatIsDamagedAndChangesNothing() throws Exception {
    load(SAMPLES);
    Path chunks = firstBlock().resolve("chunks/000001");
    byte[] bytes = Files.readAllBytes(chunks);
    bytes[bytes.length - 6] ^= 1;
    Files.write(chunks, bytes);
    Files.createDirectories(data.resolve("wal"));
    Files.write(data.resolve("wal/00000000"), new byte[] {1, 0, 99, 1, 2, 3, 4, 5});
    Files.createDirectories(data.resolve("01JA3V6Y3T8M2Q4N5W7X9Z0BCD.tmp-for-creation"));
    List<String> before = names();
    assertThat(run("tsdb", "verify", data.toString())).isEqualTo(ExitCode.FOUND);
    assertThat(out)
        .contains(chunks.toString(), "wal/00000000: offset 0: ", "left unfinished")
        .contains("\n  of the samples from 2023-11-14T22:13:20.000Z to ")
        .endsWith("2 blocks with 6 samples, 0 records of the log read; 4 findings\n");
    assertThat(names()).isEqualTo(before);
    assertThat(run("tsdb", "verify", data.toString(), "--format", "json"))
        .isEqualTo(ExitCode.FOUND);
    assertThat(json().path("findings")).hasSize(4);
    assertThat(json().path("findings").path(0).path("lost").asText()).isNotEmpty();
  }

  // ------------------------------------------------------------------------------------- query

  @Test
  void query_takesTheNewestSampleForNow() {
    load(SAMPLES);
    assertThat(run("query", "c_total", "--data", data.toString())).as(err).isZero();
    assertThat(err)
        .isEqualTo("now is 2023-11-15T01:00:15.000Z, the time of the newest sample\nno series\n");
    assertThat(run("query", "c_total", "--data", data.toString(), "--at", "now-15m15s")).isZero();
    assertThat(out).contains("+Inf");
    assertThat(run("query", "c_total", "--data", data.toString(), "--at", "1700000100")).isZero();
    assertThat(err).isEmpty();
    assertThat(out).contains("1e+21");
  }

  @Test
  void query_overTimeEndsAtTheNewestSample() {
    load(SAMPLES);
    assertThat(run("query", "up", "--data", data.toString(), "--start", "now-1m", "--step", "15s"))
        .isZero();
    assertThat(out).startsWith("2023-11-15T01:00:15Z to 2023-11-15T01:00:15Z\n");
  }

  @Test
  void query_ofASeriesFileNeedsNoDirectory() throws Exception {
    Path file = Files.writeString(folder.resolve("x.om"), SAMPLES);
    assertThat(run("query", "up", "--series", file.toString(), "--at", "1700000000.5")).isZero();
    assertThat(out).contains("a             1", "b           0.1");
    input = SAMPLES;
    assertThat(run("query", "up{instance=\"b\"}", "--series", "-", "--at", "1700000000.5"))
        .isZero();
    assertThat(out).contains("0.1");
    assertThat(run("query", "up", "--series", "absent")).isEqualTo(ExitCode.USAGE);
    assertThat(run("query", "up{", "--series", file.toString())).isEqualTo(ExitCode.USAGE);
    assertThat(err)
        .endsWith("inferometer: 1:4: parse error: unexpected end of input inside braces\n");
  }

  @Test
  void query_asksOneSource() {
    assertThat(run("query", "up", "--data", "x", "--server", "y")).isEqualTo(ExitCode.USAGE);
    assertThat(err)
        .isEqualTo("inferometer: expected one of --server, --data, --series and --snapshot\n");
  }
}
