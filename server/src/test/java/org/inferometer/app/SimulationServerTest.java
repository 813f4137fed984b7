package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.inferometer.time.Ticker;
import org.inferometer.time.WallClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimulationServerTest {
  private static final String SCENARIO =
      """
      title: One small replica behind a gateway
      fleet:
        gateway: {name: edge, timeout: 60s}
        replicas:
          - {name: small, count: 1, engine: vllm, release: 0.15.0, model: llama-3.1-8b, served_name: small-8b, gpu: L40S}
      workloads:
        - name: chat
          arrivals: {law: poisson, rate: 2}
          prompt: 200
          output: 50
      truth: {cause: healthy, layer: none, says: "Nothing is wrong."}
      """;

  private final Captured captured = new Captured();
  @TempDir private Path folder;

  private int simulate(String... options) throws Exception {
    Path scenario = folder.resolve("small.yaml");
    Files.writeString(scenario, SCENARIO);
    String[] all = new String[options.length + 4];
    all[0] = "simulate";
    all[1] = "--serve";
    all[2] = "--scenario";
    all[3] = scenario.toString();
    System.arraycopy(options, 0, all, 4, options.length);
    return new Cli(captured.console(false), WallClock.system(), Ticker.system()).run(all);
  }

  @Test
  void servedScenario_saysWhereItIsAndEndsInTime() throws Exception {
    Path log = folder.resolve("access.log");
    int code =
        simulate(
            "--listen",
            "127.0.0.1:0",
            "--speed",
            "100",
            "--for",
            "25s",
            "--log",
            "stats",
            "--access-log",
            log.toString());
    assertThat(code).as(captured.err()).isEqualTo(ExitCode.OK);
    assertThat(captured.err())
        .startsWith("small at speed 100.0:\n  control  small")
        .contains("gateway  edge", "engine   small", "curl -N http://127.0.0.1:")
        .endsWith("Stopping.\n");
    assertThat(captured.err().lines()).allMatch(line -> line.length() < 100);
    assertThat(captured.out())
        .contains("Engine 000: Avg prompt throughput: ", "(APIServer pid=101) INFO ");
    assertThat(Files.readAllLines(log))
        .isNotEmpty()
        .allMatch(line -> line.contains("\"POST /v1/chat/completions HTTP/1.1\" 200 "));
  }

  @Test
  void whatHasPassed_isMadeUpFor() throws Exception {
    int code =
        simulate(
            "--listen", "127.0.0.1:0", "--start", "now-60s", "--for", "60s", "--log", "access");
    assertThat(code).as(captured.err()).isEqualTo(ExitCode.OK);
    assertThat(captured.out().lines()).hasSizeBetween(60, 200);
  }

  @Test
  void portThatIsTaken_isSaid() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThat(simulate("--listen", "127.0.0.1:" + taken.getLocalPort()))
          .isEqualTo(ExitCode.FAILED);
      assertThat(captured.err())
          .contains("can't listen on 127.0.0.1:" + taken.getLocalPort(), "--listen");
    }
  }

  @Test
  void wrongOptions_areRefused() throws Exception {
    assertThat(simulate("--speed", "0")).isEqualTo(ExitCode.USAGE);
    assertThat(simulate("--out", "x.om")).isEqualTo(ExitCode.USAGE);
    assertThat(captured.err()).contains("--speed: expected", "either --serve or --out");
  }

  /** A minute passes whenever one looks: more than is made up for meanwhile. */
  @Test
  void simulationSlowerThanTime_goesLiveAllTheSame() throws Exception {
    Path scenario = folder.resolve("small.yaml");
    Files.writeString(scenario, SCENARIO);
    AtomicLong nowMs = new AtomicLong(1_790_000_000_000L);
    int code =
        new Cli(captured.console(false), () -> nowMs.addAndGet(60_000), Ticker.system())
            .run(
                "simulate",
                "--serve",
                "--scenario",
                scenario.toString(),
                "--listen",
                "127.0.0.1:0",
                "--start",
                "now-1m",
                "--for",
                "1s");
    assertThat(code).as(captured.err()).isEqualTo(ExitCode.OK);
    assertThat(captured.err()).contains("small in real time:").endsWith("Stopping.\n");
  }

  @Test
  void curlLine_isRightForAnyModel() throws Exception {
    Path scenario = folder.resolve("odd.yaml");
    Files.writeString(scenario, SCENARIO.replace("small-8b", "'a\"b''c'"));
    int code =
        new Cli(captured.console(false), WallClock.system(), Ticker.system())
            .run(
                "simulate",
                "--serve",
                "--scenario",
                scenario.toString(),
                "--listen",
                "127.0.0.1:0",
                "--speed",
                "100",
                "--for",
                "5s");
    assertThat(code).as(captured.err()).isEqualTo(ExitCode.OK);
    assertThat(captured.err()).contains("-d '{\"model\":\"a\\\"b'\\''c\",\"prompt\":");
  }
}
