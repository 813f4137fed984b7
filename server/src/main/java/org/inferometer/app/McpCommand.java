package org.inferometer.app;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code inferometer mcp}: the Model Context Protocol over standard input and output, for agents
 * that start programs. A line is a message; a running server answers it.
 */
@Command(
    name = "mcp",
    description =
        "Speaks the Model Context Protocol over standard input and output, for agents that"
            + " start programs; a running server answers. It only reads.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footer = {
      "",
      "Agents that can ask by HTTP need no program: http://127.0.0.1:9765/mcp",
      "",
      "Example:",
      "  inferometer mcp --server http://meter:9765"
    })
final class McpCommand implements Callable<Integer> {
  private static final int ACCEPTED = 202;

  @Option(
      names = "--server",
      paramLabel = "URL",
      description = "A running Inferometer; ${DEFAULT-VALUE} if not given.")
  private URI server = URI.create("http://127.0.0.1:9765");

  private final Console console;

  McpCommand(Console console) {
    this.console = console;
  }

  /** Until the input ends. */
  @Override
  public Integer call() throws IOException {
    if (server.getHost() == null) {
      throw CommandException.badInput("--server: expected a URL such as http://127.0.0.1:9765");
    }
    ServerClient client = new ServerClient(server);
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(console.in(), StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (!line.isBlank()) {
        pass(client.postJson("/mcp", line));
      }
    }
    return ExitCode.OK;
  }

  private void pass(ServerClient.Answer answer) {
    if (answer.status() == ACCEPTED) {
      return;
    }
    if (!answer.body().startsWith("{\"jsonrpc\"")) {
      throw CommandException.failed(server + " answered: " + Printable.of(answer.body()));
    }
    console.out().print(answer.body() + "\n");
    console.out().flush();
  }
}
