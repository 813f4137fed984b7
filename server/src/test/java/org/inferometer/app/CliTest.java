package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.time.Ticker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CliTest {
  private final Captured captured = new Captured();

  @TempDir Path folder;

  private int run(String... args) {
    return new Cli(captured.console(false), () -> 0, Ticker.system()).run(args);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "serve",
        "demo",
        "query",
        "lint",
        "simulate",
        "test",
        "test promql",
        "tsdb",
        "tsdb list",
        "tsdb analyze",
        "tsdb dump",
        "tsdb import",
        "tsdb verify"
      })
  void help_fitsIntoEightyColumns(String command) {
    assertThat(run((command + " --help").strip().split(" "))).isZero();
    assertThat(captured.out().lines()).isNotEmpty().allMatch(line -> line.length() <= 80);
    assertThat(captured.out()).contains("Usage: inferometer");
  }

  @Test
  void helpOfServe_namesEveryFeatureAndSplitsNoOption() {
    run("serve", "--help");
    assertThat(captured.out()).contains(QueryLimits.knownFeatures());
    assertThat(captured.out()).startsWith("Usage: inferometer serve [OPTIONS] [URL...]\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "serve",
        "demo",
        "query",
        "lint",
        "simulate",
        "test promql",
        "tsdb list",
        "tsdb analyze",
        "tsdb dump",
        "tsdb import",
        "tsdb verify"
      })
  void help_hasExamples(String command) {
    run((command + " --help").split(" "));
    assertThat(captured.out()).contains("Example").contains("  inferometer " + command + " ");
  }

  @Test
  void help_listsWhatWorksAndOnlyThat() {
    assertThat(run("--help")).isZero();
    assertThat(captured.out()).contains("serve", "query", "test").doesNotContain("train");
  }

  @Test
  void version_isTold() {
    assertThat(run("--version")).isZero();
    assertThat(captured.out()).startsWith("inferometer ").contains("Java");
  }

  @Test
  void noCommand_showsTheCommands() {
    assertThat(run()).isEqualTo(ExitCode.USAGE);
    assertThat(captured.err()).contains("Usage: inferometer");
    assertThat(run("test")).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void wrongUsage_isToldInOneLineWithWhereHelpIs() {
    assertThat(run("serve", "--nonsense")).isEqualTo(ExitCode.USAGE);
    assertThat(captured.err())
        .isEqualTo(
            "inferometer: Unknown option: '--nonsense'\nFor help: inferometer serve --help\n");
  }

  @Test
  void unknownCommand_isWrongUsage() {
    assertThat(run("srve")).isEqualTo(ExitCode.USAGE);
    assertThat(captured.err())
        .isEqualTo(
            "inferometer: no command \"srve\"; did you mean serve?\n"
                + "For help: inferometer --help\n");
    assertThat(run("zzz")).isEqualTo(ExitCode.USAGE);
    assertThat(captured.err())
        .contains(
            "no command \"zzz\"; there are serve, demo, check, diagnose, snapshot, lint, query, test, tsdb, simulate\n");
  }

  @Test
  void unknownCommandOfAGroup_isWrongUsage() {
    assertThat(run("tsdb", "lst")).isEqualTo(ExitCode.USAGE);
    assertThat(captured.err())
        .isEqualTo(
            "inferometer: no command \"lst\"; did you mean list?\n"
                + "For help: inferometer tsdb --help\n");
    assertThat(run("tsdb")).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void serve_namesWhatIsWrongInAConfigFile() throws Exception {
    Path file = Files.writeString(folder.resolve("bad.yml"), "scrape_configs: 3\nnonsense: 1\n");
    assertThat(run("serve", "--config", file.toString())).isEqualTo(ExitCode.USAGE);
    assertThat(captured.err()).contains("bad.yml:1:").contains("bad.yml:2:1: ");
  }

  @Test
  void serve_refusesBadInput() {
    assertThat(run("serve", "--config", folder.resolve("absent.yml").toString()))
        .isEqualTo(ExitCode.USAGE);
    assertThat(captured.err()).contains("absent.yml: no such file");
    assertThat(run("serve", "--listen", "nowhere", "localhost:1")).isEqualTo(ExitCode.USAGE);
    assertThat(run("serve", "--retention", "long", "localhost:1")).isEqualTo(ExitCode.USAGE);
    assertThat(run("serve", "ftp://x", "http://:99999")).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void serve_saysWhenThePortIsTaken() throws Exception {
    var loopback = java.net.InetAddress.getLoopbackAddress();
    try (var taken = new java.net.ServerSocket(0, 1, loopback)) {
      String address = "127.0.0.1:" + taken.getLocalPort();
      assertThat(run("serve", "--listen", address, "127.0.0.1:1")).isEqualTo(ExitCode.FAILED);
      assertThat(captured.err())
          .contains("inferometer: can't listen on " + address)
          .contains("--listen HOST:PORT");
    }
  }

  @Test
  void testPromql_countsAndNamesFailures() throws Exception {
    Path good =
        Files.writeString(
            folder.resolve("good.test"), "load 1m\n  x 1 2 3\n\neval instant at 2m x\n  x 3\n");
    Path bad = Files.writeString(folder.resolve("bad.test"), "eval instant at 0 1 + 1\n  3\n");
    assertThat(run("test", "promql", good.toString())).isZero();
    assertThat(captured.out()).isEqualTo("1 passed, 0 failed\n");
    assertThat(run("test", "promql", good.toString(), bad.toString())).isEqualTo(ExitCode.FOUND);
    List<String> lines = captured.out().lines().skip(1).toList();
    assertThat(lines.getFirst()).startsWith("bad.test:1: ");
    assertThat(lines.getLast()).isEqualTo("1 passed, 1 failed");
  }

  @Test
  void testPromql_refusesWhatIsNoScript() throws Exception {
    Path file = Files.writeString(folder.resolve("odd.test"), "nonsense\n");
    assertThat(run("test", "promql", file.toString())).isEqualTo(ExitCode.USAGE);
    assertThat(captured.err()).contains("odd.test");
    assertThat(run("test", "promql", folder.resolve("absent.test").toString()))
        .isEqualTo(ExitCode.USAGE);
  }
}
