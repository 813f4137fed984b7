package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
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
        .isEqualTo(new WebOptions("https://x", true));
  }

  /** An option that is added to one of the two would be forgotten in the other. */
  @Test
  void everyOption_isKnownToBoth() {
    ServeCommand command =
        new ServeCommand(new Captured().console(false), () -> 0, Ticker.system());
    CommandLine.Model.CommandSpec spec = new CommandLine(command).getCommandSpec();
    List<String> names = spec.options().stream().map(o -> o.longestName()).sorted().toList();
    assertThat(names)
        .containsExactly(
            "--allow-host",
            "--config",
            "--enable-feature",
            "--help",
            "--listen",
            "--query.lookback-delta",
            "--query.max-concurrency",
            "--query.max-samples",
            "--query.max-series",
            "--query.timeout",
            "--retention",
            "--version",
            "--web.cors.origin",
            "--web.enable-remote-write-receiver");
    for (String name : names) {
      if (name.equals("--help") || name.equals("--version") || name.startsWith("--web.")) {
        continue;
      }
      assertThat(ServeArguments.plain(List.of(name, "value"))).isNotNull();
    }
  }
}
