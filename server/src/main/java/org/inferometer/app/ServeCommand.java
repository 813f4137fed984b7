package org.inferometer.app;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.inferometer.time.Ticker;
import org.inferometer.time.WallClock;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code inferometer serve}: the server, until a signal ends it. */
@Command(
    name = "serve",
    description = "Scrapes, keeps the samples on disk, answers PromQL and shows the pages.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    abbreviateSynopsis = true,
    footer = {
      "",
      "Without URL and config it looks at the ports of this machine where inference",
      "servers and exporters usually listen. SIGHUP reads the config again.",
      "",
      "Examples:",
      "  inferometer serve http://localhost:8000/metrics",
      "  inferometer serve gpu-1:8000 gpu-1:9400 node-1:9100",
      "  inferometer serve --config prometheus.yml",
      "  inferometer serve --listen 0.0.0.0:9765 --allow-host meter.example",
      "  inferometer serve --data /var/lib/prometheus --read-only"
    })
final class ServeCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "URL",
      arity = "0..*",
      description = "What to scrape; /metrics if it has no path.")
  private List<String> urls = new ArrayList<>();

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "A config file as Prometheus has it.")
  private @Nullable Path config;

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      description = "Where to answer; ${DEFAULT-VALUE} if not given.")
  private String listen = ServeArguments.LISTEN_DEFAULT;

  @Option(
      names = "--allow-host",
      paramLabel = "NAME",
      description =
          "A name besides localhost that clients may call this server by. May be repeated.")
  private List<String> allowedHosts = new ArrayList<>();

  @Mixin private StorageFlagOptions storage = new StorageFlagOptions();

  @Mixin private QueryLimitOptions queries = new QueryLimitOptions();

  @Option(
      names = "--web.cors.origin",
      paramLabel = "REGEX",
      description =
          "Origins whose pages may read answers in a browser: a regular expression for the whole"
              + " of one, such as https?://(a|b)\\.example. None if not given.")
  private @Nullable String corsOrigin;

  @Option(
      names = "--web.enable-remote-write-receiver",
      description = "Takes samples that are sent to /api/v1/write.")
  private boolean remoteWriteReceiver;

  @Option(
      names = "--web.enable-admin-api",
      description = "Takes requests to delete series and to copy the data, /api/v1/admin/tsdb.")
  private boolean adminApi;

  private final Console console;
  private final WallClock clock;
  private final Ticker ticker;

  ServeCommand(Console console, WallClock clock, Ticker ticker) {
    this.console = console;
    this.clock = clock;
    this.ticker = ticker;
  }

  ServeArguments arguments() {
    return new ServeArguments(
        urls,
        config,
        listen,
        allowedHosts,
        storage.flags(),
        queries.limits(),
        new WebOptions(corsOrigin, remoteWriteReceiver, adminApi));
  }

  @Override
  public Integer call() throws InterruptedException {
    new ServeRun(console, clock, ticker).run(arguments());
    return ExitCode.OK;
  }
}
