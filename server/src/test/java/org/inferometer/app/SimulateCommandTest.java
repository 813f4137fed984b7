package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.inferometer.model.Labels;
import org.inferometer.simulator.scenario.Scenarios;
import org.inferometer.time.Ticker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulateCommandTest {
  private static final long NOW_MS = 1_800_000_000_000L;

  private static final String SMALL =
      """
      title: Small
      duration: 90s
      fleet:
        replicas:
          - {name: llama, release: 0.15.0, model: llama-3.1-8b, gpu: L40S, start: 20s, flags: {max_model_len: 8192}}
      workloads:
        - {name: chat, arrivals: {law: poisson, rate: 2}, prompt: {law: fixed, value: 200}, output: {law: fixed, value: 50}}
      events:
        - {at: 30s, set: {engine.overhead: 2}}
      truth: {cause: host-cpu, layer: host, start: 30s, scope: llama, says: 'The CPU around each step is slow, "very".'}
      """;

  @TempDir Path folder;
  private Captured captured = new Captured();

  private int run(String... args) {
    captured = new Captured();
    String[] all = new String[args.length + 1];
    all[0] = "simulate";
    System.arraycopy(args, 0, all, 1, args.length);
    return new Cli(captured.console(false), () -> NOW_MS, Ticker.system()).run(all);
  }

  private String small() throws IOException {
    Path file = folder.resolve("small.yaml");
    Files.writeString(file, SMALL);
    return file.toString();
  }

  private String out() {
    return folder.resolve("out.om").toString();
  }

  private String written() throws IOException {
    return Files.readString(Path.of(out()));
  }

  /** Times in milliseconds and values of each series, "name instance" as its key. */
  private static Map<String, Map<Long, Double>> series(String text) throws IOException {
    Map<String, Map<Long, Double>> all = new HashMap<>();
    List<String> keys = new ArrayList<>();
    SeriesFile.Sink sink =
        new SeriesFile.Sink() {
          @Override
          public int series(Labels labels) {
            keys.add(labels.metricName() + " " + labels.get("instance"));
            return keys.size() - 1;
          }

          @Override
          public void sample(int series, long timestampMs, double value) {
            all.computeIfAbsent(keys.get(series), _ -> new HashMap<>()).put(timestampMs, value);
          }
        };
    new SeriesFile("out.om")
        .read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), sink, _ -> {});
    return all;
  }

  private static Map<Long, Double> one(Map<String, Map<Long, Double>> all, String key) {
    Map<Long, Double> samples = all.get(key);
    if (samples == null) {
      throw new AssertionError("expected samples of " + key);
    }
    return samples;
  }

  // ---------------------------------------------------------------------------------------- out

  @Test
  void out_isASeriesFile_thatEndsNow() throws IOException {
    assertThat(run("--scenario", small(), "--out", out())).as(captured.err()).isZero();
    Map<Long, Double> up = one(series(written()), "up llama.sim:8000");
    assertThat(up).hasSize(6).containsValues(1.0);
    assertThat(up.keySet()).allSatisfy(ms -> assertThat(ms).isBetween(NOW_MS - 90_000, NOW_MS));
    assertThat(captured.err()).contains("out.om: ").contains(" series of 1m30s");
    assertThat(captured.out()).isEmpty();
  }

  @Test
  void out_beginsWithTheTruth() throws IOException {
    run("--scenario", small(), "--out", out(), "--start", "2026-01-31T12:00:00Z", "--seed", "7");
    assertThat(written().lines().takeWhile(line -> line.startsWith("# ")))
        .containsExactly(
            "# HELP truth:scenario small",
            "# HELP truth:title Small",
            "# HELP truth:seed 7",
            "# HELP truth:from 2026-01-31T12:00:00.000Z",
            "# HELP truth:to 2026-01-31T12:01:30.000Z",
            "# HELP truth:cause host-cpu",
            "# HELP truth:layer host",
            "# HELP truth:start 2026-01-31T12:00:30.000Z",
            "# HELP truth:scope llama",
            "# HELP truth:says The CPU around each step is slow, \\\"very\\\".");
    assertThat(written()).endsWith("# EOF\n");
  }

  @Test
  void metrics_standTogether() throws IOException {
    run("--scenario", small(), "--out", out(), "--for", "30s");
    Set<String> seen = new TreeSet<>();
    String before = "";
    for (String line : written().lines().filter(one -> !one.startsWith("#")).toList()) {
      String metric = line.substring(0, line.indexOf('{'));
      if (!metric.equals(before)) {
        assertThat(seen.add(metric)).as(metric).isTrue();
        before = metric;
      }
    }
    assertThat(seen).hasSizeGreaterThan(100);
  }

  @Test
  void out_isTheSame_forTheSameSeedAndStart() throws IOException {
    String scenario = small();
    run("--scenario", scenario, "--out", out(), "--start", "1790000000");
    String first = written();
    run("--scenario", scenario, "--out", out(), "--start", "1790000000");
    assertThat(written()).isEqualTo(first);
    run("--scenario", scenario, "--out", out(), "--start", "1790000000", "--seed", "2");
    assertThat(written()).isNotEqualTo(first);
  }

  @Test
  void outToStandardOutput_isNothingElse() throws IOException {
    assertThat(run("--scenario", small(), "--out", "-", "--for", "30s")).isZero();
    assertThat(captured.out()).startsWith("# HELP truth:scenario small\n").endsWith("# EOF\n");
    assertThat(captured.err()).startsWith("standard output: ");
  }

  @Test
  void restart_showsInUpAndInCounters() throws IOException {
    String name = "vllm:prompt_tokens_total llama.sim:8000";
    run("--scenario", small(), "--out", out(), "--for", "3m", "--restart", "60s", "--scrape", "5s");
    Map<String, Map<Long, Double>> all = series(written());
    assertThat(one(all, "up llama.sim:8000").values()).contains(0.0, 1.0);
    List<Double> tokens =
        one(all, name).entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(Map.Entry::getValue)
            .toList();
    int falls = 0;
    for (int i = 1; i < tokens.size(); i++) {
      falls += tokens.get(i) < tokens.get(i - 1) ? 1 : 0;
    }
    assertThat(falls).isOne();
  }

  @Test
  void missedScrapes_areDown_andJitterMovesTimes() throws IOException {
    run("--scenario", small(), "--out", out(), "--for", "10m", "--missed", "0.2", "--jitter", "3s");
    Map<Long, Double> up = one(series(written()), "up llama.sim:8000");
    assertThat(up.values()).contains(0.0, 1.0);
    assertThat(up.keySet().stream().map(ms -> ms % 15_000).distinct().count()).isGreaterThan(20);
  }

  // --------------------------------------------------------------------------------- what it says

  @Test
  void list_showsEveryScenario_inEightyColumns() {
    assertThat(run("--list")).isZero();
    assertThat(captured.out().lines()).allMatch(line -> line.length() <= 80);
    for (String name : Scenarios.builtIn().names()) {
      assertThat(captured.out()).contains("  " + name + ": ");
    }
  }

  @Test
  void list_hasEachCauseOnce_withItsHealthySideMarked() {
    run("--list");
    List<String> lines = captured.out().lines().toList();
    assertThat(lines.stream().filter(line -> !line.startsWith(" ")))
        .doesNotHaveDuplicates()
        .startsWith("healthy", "no-traffic", "capacity", "kv-exhaustion");
    int at = lines.indexOf("kv-exhaustion");
    assertThat(lines.subList(at + 1, lines.indexOf("prefill-bound")))
        .containsSubsequence(
            "  kv-exhaustion: The KV cache is too small for the conversations",
            "    like prefix-cache-loss)",
            "  kv-exhaustion-twin: A well filled KV cache (healthy)");
  }

  @Test
  void listAsJson_hasNameTitleAndCause() throws IOException {
    assertThat(run("--list", "--format", "json")).isZero();
    var all = new ObjectMapper().readTree(captured.out());
    assertThat(all.size()).isEqualTo(Scenarios.builtIn().names().size());
    assertThat(all.get(0).get("name").asText()).isEqualTo("healthy");
    assertThat(all.get(0).get("cause").asText()).isEqualTo("healthy");
    assertThat(all.get(0).get("title").asText()).isNotEmpty();
    assertThat(all.get(0).get("twin_of").isNull()).isTrue();
    assertThat(all.findValuesAsText("looks_like")).contains("kv-exhaustion");
  }

  @Test
  void describe_tellsTheTruth_inEightyColumns() {
    assertThat(run("--scenario", "kv-exhaustion", "--describe")).isZero();
    assertThat(captured.out()).contains("kv-exhaustion", "begins", "says", "fleet");
    assertThat(captured.out().lines()).allMatch(line -> line.length() <= 80);
    assertThat(run("--scenario", "kv-exhaustion", "--describe", "--format", "json")).isZero();
    assertThat(captured.out()).contains("\"cause\":\"kv-exhaustion\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--out x.om | expected --scenario",
        "--scenario healthy | --out FILE.om writes a series file",
        "--scenario nothing-like-it --out x.om | neither a scenario nor a file \"nothing-like-it\"",
        "--scenario healthy --out - --for 400d | --for: expected at most 31d",
        "--scenario healthy --out - --for x | --for: expected a duration",
        "--scenario healthy --out - --scrape 1ms | --scrape: expected 100ms to 10m",
        "--scenario healthy --out - --jitter 20s | --jitter: expected at most 10s",
        "--scenario healthy --out - --scrape 1s --jitter 2s | not more than --scrape",
        "--scenario healthy --out - --missed 2 | --missed: expected 0 to 1",
        "--scenario healthy --out - --start yesterday | --start: expected Unix seconds",
        "--scenario healthy --out - --restart never | --restart: expected a duration",
        "--scenario healthy --out - --seed x | --seed"
      })
  void wrongUsage_isExplained(String args, String says) {
    assertThat(run(args.split(" "))).isEqualTo(ExitCode.USAGE);
    assertThat(captured.err()).contains(says);
  }

  @Test
  void badScenarioFile_isToldWithLineAndColumn() throws IOException {
    Path bad = folder.resolve("bad.yaml");
    Files.writeString(bad, SMALL.replace("rate: 2", "rate: fast").replace("L40S", "abacus"));
    assertThat(run("--scenario", bad.toString(), "--out", out())).isEqualTo(ExitCode.USAGE);
    assertThat(captured.err()).contains(bad + ":5:", bad + ":7:", "abacus", "fast");
    assertThat(Path.of(out())).doesNotExist();
  }

  @Test
  void fleetThatCantBe_isToldBeforeAnythingRuns() throws IOException {
    Path bad = folder.resolve("big.yaml");
    Files.writeString(bad, SMALL.replace("max_model_len: 8192", "kv_blocks: 100"));
    assertThat(run("--scenario", bad.toString(), "--out", out())).isEqualTo(ExitCode.USAGE);
    assertThat(captured.err()).contains("llama: expected room in the KV cache");
  }

  @Test
  void folderAsFile_isRefused() throws IOException {
    assertThat(run("--scenario", small(), "--out", folder.toString(), "--for", "10s"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(captured.err()).contains("expected a file, found a folder");
    assertThat(run("--scenario", folder.toString(), "--out", out())).isEqualTo(ExitCode.USAGE);
  }

  /** A device or a pipe in its place would be gone for all. */
  @Test
  void outToADevice_isWrittenThere() throws IOException {
    assertThat(run("--scenario", small(), "--for", "10s", "--out", "/dev/null"))
        .as(captured.err())
        .isEqualTo(ExitCode.OK);
    assertThat(Files.isRegularFile(Path.of("/dev/null"))).isFalse();
  }

  @Test
  void outThroughALink_leavesTheLink() throws IOException {
    Path behind = folder.resolve("behind.om");
    Files.writeString(behind, "old");
    Path link = Files.createSymbolicLink(Path.of(out()), behind);
    Path neighbour = folder.resolve("behind.om.part");
    Files.writeString(neighbour, "not ours");
    assertThat(run("--scenario", small(), "--for", "10s", "--out", link.toString())).isZero();
    assertThat(link).isSymbolicLink();
    assertThat(behind).content().startsWith("# HELP truth:");
    assertThat(neighbour).content().isEqualTo("not ours");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).hasSize(4);
    }
  }

  @Test
  void outIntoAFolderThatIsnt_isRefusedBeforeTheWork() throws IOException {
    String nowhere = folder.resolve("no/such/file.om").toString();
    assertThat(run("--scenario", small(), "--for", "31d", "--out", nowhere))
        .isEqualTo(ExitCode.USAGE);
    assertThat(captured.err()).contains("there is no folder");
  }

  @ParameterizedTest
  @CsvSource({
    "--start, 0001-01-01T00:00:00Z, 1970 to 9999",
    "--start, +20000-01-01T00:00:00Z, 1970 to 9999",
    "--restart, 999999999d, as long as it runs",
    "--missed, NaN, expected 0 to 1",
    "--jitter, 16s, not more than --scrape",
    "--for, 1000d, at most 31d",
    "--scrape, 1ms, 100ms to 10m",
  })
  void timeThatCantBe_isRefused(String option, String value, String says) throws IOException {
    List<String> all =
        new ArrayList<>(List.of("--scenario", small(), "--out", out(), option, value));
    if (!option.equals("--for")) {
      all.addAll(List.of("--for", "10s"));
    }
    assertThat(run(all.toArray(String[]::new))).isEqualTo(ExitCode.USAGE);
    assertThat(captured.err()).contains(says);
  }

  @Test
  void scenarioWithoutEnd_isRefused() {
    assertThat(run("--scenario", "/dev/zero", "--out", out())).isEqualTo(ExitCode.FAILED);
    assertThat(captured.err()).contains("/dev/zero has more than");
  }

  @Test
  void scenarioThatIsNoText_isRefused() throws IOException {
    Path binary = folder.resolve("binary.yaml");
    Files.write(binary, new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1});
    assertThat(run("--scenario", binary.toString(), "--describe")).isEqualTo(ExitCode.FAILED);
    assertThat(captured.err()).contains("binary.yaml isn't UTF-8 text");
  }

  @Test
  void fullMemory_isTold_andLeavesNoFile() throws IOException {
    RecordedSeries tiny = new RecordedSeries(FakeSimulation.START_MS, 2_000);
    FakeSimulation simulation = new FakeSimulation();
    for (int i = 0; i < 100; i++) {
      simulation.add("e" + i);
    }
    SimulatedHistory.of(1_000, 1)
        .fill(simulation, tiny, FakeSimulation.START_MS + 600_000, _ -> {});
    assertThat(tiny.isWhole()).isFalse();
  }

  @Test
  void truth_hasNoStart_whereNothingIsWrong() throws IOException {
    var truth = SimulationFile.truth(Scenarios.builtIn().get("healthy"), 1, 0, 1000);
    assertThat(truth).doesNotContainKeys("start", "scope").containsEntry("cause", "healthy");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    SimulationFile.write(Map.of("says", "a \\ b\nc"), new RecordedSeries(0), out);
    assertThat(out.toString(StandardCharsets.UTF_8))
        .isEqualTo("# HELP truth:says a \\\\ b\\nc\n# EOF\n");
  }
}
