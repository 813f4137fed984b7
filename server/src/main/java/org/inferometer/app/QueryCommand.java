package org.inferometer.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.inferometer.time.WallClock;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code inferometer query}: PromQL against a running server. */
@Command(
    name = "query",
    description =
        "Asks a running server in PromQL: at one moment, or with --start over a stretch of"
            + " time.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  inferometer query up",
      "  inferometer query 'sum by (instance) (rate(http_requests_total[5m]))'",
      "  inferometer query up --start now-1h --step 1m",
      "  inferometer query up --at 2026-01-31T12:00:00Z --format json",
      "  inferometer query up --server http://prometheus:9090"
    })
final class QueryCommand implements Callable<Integer> {
  /** How the answer is shown. */
  enum OutputFormat {
    text,
    json
  }

  /** What a sparkline has room for. */
  private static final int STEPS_DEFAULT = 60;

  @Parameters(paramLabel = "EXPR", description = "The PromQL expression.")
  private String expression = "";

  @Option(
      names = "--server",
      paramLabel = "URL",
      description = "The server to ask; ${DEFAULT-VALUE} if not given.")
  private String server = "http://127.0.0.1:9765";

  @Option(
      names = "--at",
      paramLabel = "TIME",
      description = "The moment: Unix seconds, RFC 3339, now, or now-10m.")
  private @Nullable String at;

  @Option(names = "--start", paramLabel = "TIME", description = "The first moment of a stretch.")
  private @Nullable String start;

  @Option(
      names = "--end",
      paramLabel = "TIME",
      description = "The last moment of a stretch; now if not given.")
  private @Nullable String end;

  @Option(
      names = "--step",
      paramLabel = "DURATION",
      description = "From moment to moment; a 60th of the stretch if not given.")
  private @Nullable String step;

  @Option(
      names = "--format",
      paramLabel = "text|json",
      description = "A table, or the JSON of Prometheus's API; ${DEFAULT-VALUE} if not given.")
  private OutputFormat format = OutputFormat.text;

  private final Console console;
  private final WallClock clock;

  QueryCommand(Console console, WallClock clock) {
    this.console = console;
    this.clock = clock;
  }

  @Override
  public Integer call() {
    ServerClient client = new ServerClient(serverAddress());
    Map<String, String> form = new LinkedHashMap<>();
    form.put("query", expression);
    boolean overTime = start != null;
    if (overTime) {
      putStretch(form, clock.nowMs());
    } else if (end != null || step != null) {
      throw CommandException.badInput("--end and --step go with --start");
    } else if (at != null) {
      form.put("time", seconds(Times.parseMs("--at", at, clock.nowMs())));
    }
    return show(client.post(overTime ? "/api/v1/query_range" : "/api/v1/query", form));
  }

  private void putStretch(Map<String, String> form, long nowMs) {
    if (at != null) {
      throw CommandException.badInput("--at is for one moment, --start for a stretch of time");
    }
    long startMs = Times.parseMs("--start", String.valueOf(start), nowMs);
    long endMs = end == null ? nowMs : Times.parseMs("--end", end, nowMs);
    if (endMs < startMs) {
      throw CommandException.badInput("--end: expected a time after --start");
    }
    long stepMs =
        step == null
            ? Math.max(1000, (endMs - startMs) / STEPS_DEFAULT / 1000 * 1000)
            : Times.durationMs("--step", step);
    form.put("start", seconds(startMs));
    form.put("end", seconds(endMs));
    form.put("step", seconds(stepMs));
  }

  private static String seconds(long ms) {
    return ms / 1000 + "." + "%03d".formatted(ms % 1000);
  }

  private URI serverAddress() {
    try {
      URI address = URI.create(server.contains("://") ? server : "http://" + server);
      if (address.getHost() != null && address.getScheme().startsWith("http")) {
        return address;
      }
    } catch (IllegalArgumentException e) {
      // Falls through to the common message.
    }
    throw CommandException.badInput(
        "--server: expected an address such as http://127.0.0.1:9765, got \"" + server + "\"");
  }

  private int show(ServerClient.Answer answer) {
    JsonNode body = parsed(answer);
    if (format == OutputFormat.json) {
      console.out().println(answer.body());
    }
    if (!body.path("status").asText().equals("success")) {
      return fail(answer, body);
    }
    if (format == OutputFormat.text) {
      new QueryView(console).print(body.path("data"));
    }
    body.path("warnings").forEach(text -> console.say("warning: " + text.asText()));
    body.path("infos").forEach(text -> console.say("info: " + text.asText()));
    return ExitCode.OK;
  }

  private static JsonNode parsed(ServerClient.Answer answer) {
    try {
      return new ObjectMapper().readTree(answer.body());
    } catch (JsonProcessingException e) {
      throw CommandException.failed(
          "the server's answer (HTTP " + answer.status() + ") isn't that of a Prometheus API", e);
    }
  }

  private static int fail(ServerClient.Answer answer, JsonNode body) {
    String error = body.path("error").asText("HTTP " + answer.status());
    if (body.path("errorType").asText().equals("bad_data")) {
      throw CommandException.badInput(error);
    }
    throw CommandException.failed(error);
  }
}
