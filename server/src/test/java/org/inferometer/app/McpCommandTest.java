package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.inferometer.time.Ticker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class McpCommandTest {
  private final Captured captured = new Captured();

  private int run(String input, String... args) {
    Console plain = captured.console(false);
    Console console =
        new Console(
            new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
            plain.out(),
            plain.err(),
            false);
    return new Cli(console, () -> 0, Ticker.system()).run(args);
  }

  @Test
  void messages_areAnsweredLineByLine(@TempDir Path folder) throws Exception {
    try (LocalServer server = IdleServer.start(folder, () -> 0, WebOptions.DEFAULT)) {
      int code =
          run(
              """
              {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}
              {"jsonrpc":"2.0","method":"notifications/initialized"}

              {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"diagnose"}}
              nonsense
              {"jsonrpc":"2.0","id":3,"method":"ping"}
              """,
              "mcp",
              "--server",
              "http://127.0.0.1:" + server.port());
      assertThat(code).isZero();
      assertThat(captured.out().lines()).hasSize(4);
      assertThat(captured.out())
          .startsWith(
              "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-06-18\"")
          .contains("\"id\":2,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"cannot-tell: ")
          .contains("\"id\":null,\"error\":{\"code\":-32700,")
          .endsWith("{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}\n");
    }
  }

  @Test
  void serverThatIsNotThere_isTold() {
    String ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
    assertThat(run(ping, "mcp", "--server", "http://127.0.0.1:1")).isEqualTo(ExitCode.FAILED);
    assertThat(captured.err()).contains("no server answers at http://127.0.0.1:1");
    assertThat(run(ping, "mcp", "--server", "meter")).isEqualTo(ExitCode.USAGE);
  }
}
