package org.inferometer.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.inferometer.app.ServerClient.Answer;
import org.inferometer.io.Disk;
import org.inferometer.store.StoreException;
import org.inferometer.time.Ticker;
import org.inferometer.time.WallClock;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code inferometer query}: PromQL against a running server, a data directory or a file. */
@Command(
    name = "query",
    description =
        "Asks a running server, a data directory or a series file in PromQL: at one moment, or"
            + " with --start over a stretch of time.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  inferometer query up",
      "  inferometer query 'sum by (instance) (rate(http_requests_total[5m]))'",
      "  inferometer query up --start now-1h --step 1m",
      "  inferometer query up --at 2026-01-31T12:00:00Z --format json",
      "  inferometer query up --server http://prometheus:9090",
      "  inferometer query up --data /var/lib/prometheus --start now-6h",
      "  inferometer query up --series night.om",
      "  inferometer query up --snapshot incident.zip"
    })
final class QueryCommand implements Callable<Integer> {
  private static final String SERVER_DEFAULT = "http://127.0.0.1:9765";

  /** What a sparkline has room for. */
  private static final int STEPS_DEFAULT = 60;

  @Parameters(paramLabel = "EXPR", description = "The PromQL expression.")
  private String expression = "";

  @Option(
      names = "--server",
      paramLabel = "URL",
      description = "The server to ask; " + SERVER_DEFAULT + " if not given.")
  private @Nullable String server;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "A data directory to ask instead, of this program, of Prometheus, or a folder of"
              + " blocks; it may be in use.")
  private @Nullable Path data;

  @Option(
      names = "--series",
      paramLabel = "FILE.om",
      description =
          "A file to ask instead: OpenMetrics text with timestamps; - for standard input.")
  private @Nullable String seriesFile;

  @Option(
      names = "--snapshot",
      paramLabel = "FILE",
      description = "A file to ask instead that inferometer snapshot wrote.")
  private @Nullable Path snapshot;

  @Option(
      names = "--at",
      paramLabel = "TIME",
      description =
          "The moment: Unix seconds, RFC 3339, now, or now-10m. Of a directory or file now is"
              + " the newest sample's time if that has passed.")
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
  private final Disk disk;
  private final WallClock clock;
  private final Ticker ticker;

  QueryCommand(Console console, Disk disk, WallClock clock, Ticker ticker) {
    this.console = console;
    this.disk = disk;
    this.clock = clock;
    this.ticker = ticker;
  }

  @Override
  public Integer call() {
    checkOptions();
    try (QuerySource source = source()) {
      long nowMs = asksForNow() ? source.nowMs() : 0;
      return show(start == null ? instant(source, nowMs) : range(source, nowMs));
    } catch (IOException e) {
      throw CommandException.failed(DataCommand.reason(e), e);
    } catch (StoreException e) {
      throw CommandException.failed(String.valueOf(e.getMessage()), e);
    }
  }

  private void checkOptions() {
    long sources = Stream.of(server, data, seriesFile, snapshot).filter(Objects::nonNull).count();
    if (sources > 1) {
      throw CommandException.badInput("expected one of --server, --data, --series and --snapshot");
    }
    if (start == null && (end != null || step != null)) {
      throw CommandException.badInput("--end and --step go with --start");
    }
    if (start != null && at != null) {
      throw CommandException.badInput("--at is for one moment, --start for a stretch of time");
    }
  }

  /** A moment is now unless it is given, and given times may count from now. */
  private boolean asksForNow() {
    return start == null
        ? at == null || at.startsWith("now")
        : start.startsWith("now") || end == null || end.startsWith("now");
  }

  private QuerySource source() throws IOException {
    if (data != null) {
      return new QuerySource.Local(SeriesSource.ofData(console, disk, data, clock, ticker));
    }
    if (seriesFile != null) {
      return new QuerySource.Local(SeriesSource.ofSeriesFile(console, seriesFile, clock, ticker));
    }
    if (snapshot != null) {
      return new QuerySource.Local(SeriesSource.ofSnapshot(SnapshotFile.read(snapshot), ticker));
    }
    return new QuerySource.Server(serverAddress(server == null ? SERVER_DEFAULT : server), clock);
  }

  private Answer instant(QuerySource source, long nowMs) {
    if (at != null) {
      return source.instant(expression, Times.parseMs("--at", at, nowMs));
    }
    return source.instant(
        expression, source instanceof QuerySource.Server ? QuerySource.Server.NOW : nowMs);
  }

  private Answer range(QuerySource source, long nowMs) {
    long startMs = Times.parseMs("--start", String.valueOf(start), nowMs);
    long endMs = end == null ? nowMs : Times.parseMs("--end", end, nowMs);
    if (endMs < startMs) {
      throw CommandException.badInput("--end: expected a time after --start");
    }
    long stepMs =
        step == null
            ? Math.max(1000, (endMs - startMs) / STEPS_DEFAULT / 1000 * 1000)
            : Times.durationMs("--step", step);
    return source.range(expression, startMs, endMs, stepMs);
  }

  private static URI serverAddress(String server) {
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

  private int show(Answer answer) {
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

  private static JsonNode parsed(Answer answer) {
    try {
      return new ObjectMapper().readTree(answer.body());
    } catch (JsonProcessingException e) {
      throw CommandException.failed(
          "the server's answer (HTTP " + answer.status() + ") isn't that of a Prometheus API", e);
    }
  }

  private static int fail(Answer answer, JsonNode body) {
    String error = body.path("error").asText("HTTP " + answer.status());
    if (body.path("errorType").asText().equals("bad_data")) {
      throw CommandException.badInput(error);
    }
    throw CommandException.failed(error);
  }
}
