package org.inferometer.app;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.inferometer.check.Pause;
import org.inferometer.time.Ticker;
import org.inferometer.time.WallClock;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code inferometer snapshot}: everything that endpoints say of a moment, in one file. */
@Command(
    name = "snapshot",
    description =
        "Writes everything that endpoints say for a while into one file, to be looked at later"
            + " and elsewhere. It only reads. User names, passwords and tokens are left out;"
            + " prompts and answers are never read.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footer = {
      "",
      "Exit codes: 0 done; 2 wrong usage or bad input; 3 no endpoint could be reached,",
      "or the file couldn't be written.",
      "",
      "Examples:",
      "  inferometer snapshot http://gpu-7:8000/metrics -o incident.zip",
      "  inferometer snapshot a:8000 b:8000 a:9400 --for 2m -o incident.zip",
      "  inferometer snapshot --config prometheus.yml -o incident.zip",
      "  inferometer diagnose --snapshot incident.zip"
    })
final class SnapshotCommand implements Callable<Integer> {
  private static final long FOR_MS_DEFAULT = 15_000;

  @Parameters(
      arity = "0..*",
      paramLabel = "URL",
      description = "Where metrics are served, such as http://host:8000/metrics or host:8000.")
  private List<String> urls = new ArrayList<>();

  @Option(
      names = {"-o", "--out"},
      required = true,
      paramLabel = "FILE",
      description = "The file to write, a zip.")
  private @Nullable Path out;

  @Option(
      names = "--for",
      paramLabel = "DURATION",
      description = "How long they are asked again and again; 15s if not given.")
  private @Nullable String duration;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "A config file: its targets are asked as well, its goals, deployments and thresholds go"
              + " into the file.")
  private @Nullable Path config;

  private final Console console;
  private final WallClock clock;
  private final Ticker ticker;
  private final Pause pause;

  SnapshotCommand(Console console, WallClock clock, Ticker ticker, Pause pause) {
    this.console = console;
    this.clock = clock;
    this.ticker = ticker;
    this.pause = pause;
  }

  @Override
  public Integer call() throws InterruptedException {
    Path file = out;
    if (file == null) {
      throw CommandException.badInput("expected -o FILE");
    }
    long forMs = duration == null ? FOR_MS_DEFAULT : Times.durationMs("--for", duration);
    Settings settings = Settings.load(urls, config);
    LiveLook look = new LiveLook(console, clock, ticker, pause);
    List<Snapshot.Extra> extras = new ArrayList<>(LocalGpus.look("nvidia-smi"));
    if (config != null) {
      byte[] text = Redaction.config(settings.config()).getBytes(StandardCharsets.UTF_8);
      extras.add(new Snapshot.Extra("config.yml", Snapshot.Packed.of(text)));
    }
    Snapshot snapshot = look.take(settings, forMs, extras);
    try {
      SnapshotFile.write(file, snapshot);
    } catch (IOException e) {
      throw CommandException.failed(file + ": can't be written: " + DataCommand.reason(e), e);
    }
    console.say(
        "%s: %s of %s over %s"
            .formatted(
                file,
                Amounts.count(snapshot.pages(), "page"),
                Amounts.count(snapshot.targets().size(), "target"),
                Amounts.duration(snapshot.endMs() - snapshot.startMs())));
    return ExitCode.OK;
  }
}
