package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.inferometer.time.Ticker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class ServeArgumentsTest {
  private static ServeArguments byPicocli(List<String> words) {
    ServeCommand command =
        new ServeCommand(new Captured().console(false), () -> 0, Ticker.system());
    new CommandLine(command).parseArgs(words.toArray(String[]::new));
    return command.arguments();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "http://a:8000/metrics?x=1&y=%2F",
        "a:8000 --listen 0.0.0.0:1 b:9100",
        "--config a.yml --retention 2h",
        "--data d --read-only",
        "--read-only --storage.tsdb.path=d --storage.tsdb.retention.time 1w",
        "--storage.tsdb.retention.size 1GB --storage.tsdb.wal-segment-size=20MB",
        "--storage.tsdb.min-block-duration 1h --storage.tsdb.max-block-duration=1d",
        "--config=a.yml --listen=:0 --allow-host=x --allow-host y",
        "--query.max-samples 10 --query.timeout=5s --enable-feature a,b --enable-feature=c",
        "--query.lookback-delta=1m --query.max-series=1 --query.max-concurrency 3",
      })
  void plainArguments_areReadAsPicocliDoes(String line) {
    List<String> words = line.isEmpty() ? List.of() : List.of(line.split(" "));
    assertThat(ServeArguments.plain(words)).isEqualTo(byPicocli(words));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--help",
        "-h",
        "--version",
        "--nonsense",
        "--listen",
        "--listen --config",
        "--listen=",
        "-- a:1",
        "@file",
        "--list :1",
        "--web.cors.origin .*",
        "--web.enable-remote-write-receiver",
        "--web.enable-admin-api",
        "--storage.tsdb.wal-compression",
        "--no-storage.tsdb.wal-compression",
        "--read-only --read-only",
        "--read-only=true",
        "--data a --storage.tsdb.path b",
        "--listen :1 --listen :2",
        "--query.timeout 1s --query.timeout 1s",
        "--query.nonsense 1",
        "a:1 --config \"x\"",
        "-"
      })
  void anythingElse_isLeftToPicocli(String line) {
    assertThat(ServeArguments.plain(List.of(line.split(" ")))).isNull();
  }

  @Test
  void webOptions_areReadByPicocli() {
    assertThat(byPicocli(List.of("a:1")).web()).isEqualTo(WebOptions.DEFAULT);
    assertThat(
            byPicocli(
                    List.of("--web.cors.origin", "https://x", "--web.enable-remote-write-receiver"))
                .web())
        .isEqualTo(new WebOptions("https://x", true, false));
    assertThat(byPicocli(List.of("--web.enable-admin-api")).web())
        .isEqualTo(new WebOptions(null, false, true));
  }

  @Test
  void compressionOfTheLog_canBeSwitchedOff() {
    assertThat(byPicocli(List.of("a:1")).storage().compressesWal()).isTrue();
    assertThat(byPicocli(List.of("--storage.tsdb.wal-compression")).storage().compressesWal())
        .isTrue();
    assertThat(byPicocli(List.of("--no-storage.tsdb.wal-compression")).storage().compressesWal())
        .isFalse();
  }

  /** An option that is added to one of the two would be forgotten in the other. */
  @Test
  void everyOption_isKnownToBoth() {
    ServeCommand command =
        new ServeCommand(new Captured().console(false), () -> 0, Ticker.system());
    CommandLine.Model.CommandSpec spec = new CommandLine(command).getCommandSpec();
    List<String> names =
        spec.options().stream()
            .flatMap(option -> Stream.of(option.names()))
            .filter(name -> name.startsWith("--"))
            .sorted()
            .toList();
    assertThat(names)
        .containsExactly(
            "--allow-host",
            "--config",
            "--data",
            "--enable-feature",
            "--help",
            "--listen",
            "--no-storage.tsdb.wal-compression",
            "--query.lookback-delta",
            "--query.max-concurrency",
            "--query.max-samples",
            "--query.max-series",
            "--query.timeout",
            "--read-only",
            "--retention",
            "--storage.tsdb.max-block-duration",
            "--storage.tsdb.min-block-duration",
            "--storage.tsdb.path",
            "--storage.tsdb.retention.size",
            "--storage.tsdb.retention.time",
            "--storage.tsdb.wal-compression",
            "--storage.tsdb.wal-segment-size",
            "--version",
            "--web.cors.origin",
            "--web.enable-admin-api",
            "--web.enable-remote-write-receiver");
    for (String name : names) {
      if (name.matches("--help|--version|--web\\..*|--(no-)?storage.tsdb.wal-compression")) {
        continue;
      }
      assertThat(ServeArguments.plain(List.of(name, "value"))).isNotNull();
    }
  }
}
