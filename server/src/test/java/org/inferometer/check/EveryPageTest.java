package org.inferometer.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.inferometer.config.Urls;
import org.inferometer.scrape.HttpFetcher;
import org.inferometer.scrape.TargetProbe;
import org.inferometer.signals.Facts;
import org.inferometer.signals.Goals;
import org.inferometer.signals.VersionRange;
import org.inferometer.time.Ticker;
import org.inferometer.time.VirtualTime;
import org.inferometer.time.WallClock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Every page that was ever kept, served over HTTP: what it is, and what is said of it. */
class EveryPageTest {
  private static final Path GOLDEN = Path.of("src/test/resources/check/verdicts.txt");

  /**
   * What each page truly is, by how its file's name begins: the engine, and the release if that is
   * known.
   */
  private static final Map<String, String> TRUE = new LinkedHashMap<>();

  static {
    TRUE.put("dcgm-exporter", "dcgm");
    TRUE.put("dynamo_2026", "dynamo");
    TRUE.put("ik-llamacpp", "llamacpp");
    TRUE.put("litellm", "litellm 1.95");
    TRUE.put("llamacpp", "llamacpp");
    TRUE.put("llm-d-router", "llm-d-router");
    TRUE.put("node_exporter", "node");
    TRUE.put("nvidia-nim", "nim");
    TRUE.put("nvidia_gpu_exporter", "nvidia-smi");
    TRUE.put("sglang_v0.3", "sglang 0.3");
    TRUE.put("sglang_v0.4", "sglang 0.4");
    TRUE.put("sglang_v0.5", "sglang 0.5");
    TRUE.put("tgi_v2", "tgi 2");
    TRUE.put("triton-trtllm_23.11", "triton-trtllm");
    TRUE.put("triton_server", "triton");
    TRUE.put("trtllm_1.1.0rc5", "trtllm 1.1");
    TRUE.put("vllm_v0.10-dp", "vllm 0.10");
    TRUE.put("vllm_v0.10.0", "vllm 0.10.0");
    TRUE.put("vllm_v0.26.0", "vllm 0.26.0");
    TRUE.put("vllm_v0.5.1", "vllm 0.5.1");
    TRUE.put("vllm_v0.6.1-empty", "nothing");
    TRUE.put("vllm_v0.7-v0.8", "vllm 0.7");
    TRUE.put("vllm_v0.9", "vllm 0.9");
  }

  @Test
  void isRecognised_withARangeThatHoldsItsRelease() throws IOException, InterruptedException {
    StringBuilder lines = new StringBuilder();
    try (DumpServer server = new DumpServer(FakeEndpoint.CATALOGUE);
        HttpFetcher fetcher = new HttpFetcher(Ticker.system(), "test")) {
      for (String name : server.names()) {
        EndpointReport report = look(server.url(name), fetcher);
        checkTruth(name, report);
        lines.append(name).append("\n  ").append(words(report)).append('\n');
      }
    }
    golden(lines.toString());
  }

  private static EndpointReport look(String url, HttpFetcher fetcher) throws InterruptedException {
    // Pages come over a real network, which takes real time; what is waited is made up.
    VirtualTime waited = new VirtualTime(0);
    WallClock clock = () -> WallClock.system().nowMs() + waited.nowMs();
    Checker checker =
        new Checker(
            FakeEndpoint.CATALOGUE,
            Goals.NONE,
            Facts.NONE,
            clock,
            Ticker.system(),
            waited::pass,
            5_000);
    try (TargetProbe probe = TargetProbe.of(Urls.scrapeConfig(url), fetcher).getFirst()) {
      return checker.check(new ProbedEndpoint(url, probe));
    }
  }

  private static void checkTruth(String name, EndpointReport report) {
    String truth =
        TRUE.entrySet().stream()
            .filter(entry -> name.startsWith(entry.getKey()))
            .map(Map.Entry::getValue)
            .findFirst()
            .orElseThrow(() -> new AssertionError("expected to be told what " + name + " is"));
    String[] words = truth.split(" ");
    if (truth.equals("nothing")) {
      assertThat(report.parts()).as(name).isEmpty();
      return;
    }
    Part part =
        report.parts().stream()
            .filter(one -> one.engine().id().equals(words[0]))
            .findFirst()
            .orElseThrow(() -> new AssertionError(name + " was taken for " + report.verdict()));
    if (words.length > 1) {
      assertThat(holds(part.version(), words[1]))
          .as("%s: %s holds %s", name, part.version(), words[1])
          .isTrue();
    }
  }

  private static boolean holds(@Nullable VersionRange range, String release) {
    return range == null
        || ((range.low() == null || compare(range.low(), release) <= 0)
            && (range.high() == null || compare(range.high(), release) >= 0));
  }

  /** As far as both of them are told. */
  private static int compare(String one, String other) {
    int[] a = numbers(one);
    int[] b = numbers(other);
    int n = Math.min(a.length, b.length);
    return Arrays.compare(a, 0, n, b, 0, n);
  }

  private static int[] numbers(String release) {
    return Arrays.stream(release.split("\\.")).mapToInt(Integer::parseInt).toArray();
  }

  private static String words(EndpointReport report) {
    return report.verdict()
        + "\n  to do: "
        + ids(report.todo())
        + "\n  notes: "
        + ids(report.notes());
  }

  private static String ids(List<Finding> findings) {
    return findings.stream().map(Finding::id).collect(Collectors.joining(", "));
  }

  /** A reviewed text; -Dinferometer.golden=write writes it anew. */
  private static void golden(String actual) throws IOException {
    if ("write".equals(System.getProperty("inferometer.golden"))) {
      Files.createDirectories(GOLDEN.getParent());
      Files.writeString(GOLDEN, actual);
    }
    assertThat(actual)
        .as(GOLDEN + " (rerun with -Dinferometer.golden=write and review)")
        .isEqualTo(Files.readString(GOLDEN));
  }
}
