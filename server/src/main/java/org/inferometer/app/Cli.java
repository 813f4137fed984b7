package org.inferometer.app;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.inferometer.io.Disk;
import org.inferometer.time.Ticker;
import org.inferometer.time.WallClock;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The commands: reads the command line, runs one, turns its outcome into an exit code. */
final class Cli {
  @Command(
      name = "inferometer",
      description =
          "Observability for LLM inference: scrapes engines, GPUs and hosts, answers"
              + " PromQL, shows what users feel and why.",
      synopsisSubcommandLabel = "COMMAND",
      mixinStandardHelpOptions = true,
      versionProvider = Version.class,
      footer = {
        "",
        "A first look, at a simulated fleet and at your own server:",
        "  inferometer demo",
        "  inferometer serve http://localhost:8000/metrics",
        "",
        "Exit codes: 0 done and nothing wrong; 1 done and something found;",
        "2 wrong usage or bad input; 3 couldn't do it."
      })
  private static final class Root {}

  /** Runs the commands below it. */
  @Command(
      name = "test",
      description = "Runs tests that are written as text.",
      synopsisSubcommandLabel = "KIND",
      mixinStandardHelpOptions = true)
  private static final class TestRoot {}

  /** Runs the commands below it. */
  @Command(
      name = "tsdb",
      description = "Looks into a data directory, and puts samples into it.",
      synopsisSubcommandLabel = "COMMAND",
      mixinStandardHelpOptions = true,
      footer = {
        "",
        "Reads any directory of Prometheus's format, also while a server has it open.",
        "",
        "Examples:",
        "  inferometer tsdb list",
        "  inferometer tsdb verify /var/lib/prometheus"
      })
  private static final class TsdbRoot {}

  private final Disk disk = Disk.real();
  private final Console console;
  private final WallClock clock;
  private final Ticker ticker;

  /** Made when needed: looking into a command's class takes time at each start. */
  private final Map<String, Supplier<CommandLine>> commands = new LinkedHashMap<>();

  Cli(Console console, WallClock clock, Ticker ticker) {
    this.console = console;
    this.clock = clock;
    this.ticker = ticker;
    commands.put("serve", () -> new CommandLine(new ServeCommand(console, clock, ticker)));
    commands.put("demo", () -> new CommandLine(new DemoCommand(console, clock, ticker)));
    commands.put("check", () -> new CommandLine(new CheckCommand(console, clock, ticker)));
    commands.put(
        "diagnose",
        () -> new CommandLine(new DiagnoseCommand(console, disk, clock, ticker, Thread::sleep)));
    commands.put(
        "snapshot",
        () -> new CommandLine(new SnapshotCommand(console, clock, ticker, Thread::sleep)));
    commands.put("lint", () -> new CommandLine(new LintCommand(console, disk, clock, ticker)));
    commands.put("query", () -> new CommandLine(new QueryCommand(console, disk, clock, ticker)));
    commands.put(
        "test",
        () ->
            new CommandLine(new TestRoot())
                .addSubcommand(new CommandLine(new TestPromqlCommand(console, ticker))));
    commands.put("tsdb", this::tsdb);
    commands.put(
        "simulate", () -> new CommandLine(new SimulateCommand(console, disk, clock, ticker)));
    commands.put("train", () -> new CommandLine(new TrainCommand(console, clock, ticker)));
  }

  private CommandLine tsdb() {
    return new CommandLine(new TsdbRoot())
        .addSubcommand(new CommandLine(new TsdbListCommand(console, disk)))
        .addSubcommand(new CommandLine(new TsdbAnalyzeCommand(console, disk)))
        .addSubcommand(new CommandLine(new TsdbDumpCommand(console, disk, clock)))
        .addSubcommand(new CommandLine(new TsdbImportCommand(console, disk, clock, ticker)))
        .addSubcommand(new CommandLine(new TsdbVerifyCommand(console, disk)));
  }

  /**
   * @return the exit code
   */
  int run(String... args) {
    if (args.length > 0 && args[0].equals("serve")) {
      ServeArguments plain = ServeArguments.plain(List.of(args).subList(1, args.length));
      if (plain != null) {
        return serve(plain);
      }
    }
    return runWithPicocli(args);
  }

  private int serve(ServeArguments arguments) {
    try {
      new ServeRun(console, clock, ticker).run(arguments);
      return ExitCode.OK;
    } catch (CommandException | InterruptedException e) {
      return failed(e);
    }
  }

  private int runWithPicocli(String... args) {
    CommandLine cli = new CommandLine(new Root());
    commands.forEach(
        (name, command) -> {
          if (args.length == 0 || args[0].equals(name) || !commands.containsKey(args[0])) {
            cli.addSubcommand(name, command.get());
          }
        });
    PrintWriter out = new PrintWriter(console.out(), true, console.out().charset());
    PrintWriter err = new PrintWriter(console.err(), true, console.err().charset());
    cli.setOut(out)
        .setErr(err)
        .setColorScheme(
            CommandLine.Help.defaultColorScheme(console.coloured() ? Ansi.ON : Ansi.OFF))
        .setParameterExceptionHandler(this::wrongUsage)
        .setExecutionExceptionHandler((e, _, _) -> failed(e))
        // A bare "inferometer" or "inferometer test" shows what there is.
        .setExecutionStrategy(
            parsed -> {
              CommandLine last = parsed.asCommandLineList().getLast();
              Integer helped = CommandLine.executeHelpRequest(parsed);
              if (helped != null) {
                return helped;
              }
              if (last.getCommand() instanceof Callable<?>) {
                return new CommandLine.RunLast().execute(parsed);
              }
              last.usage(err);
              return ExitCode.USAGE;
            });
    return cli.execute(args);
  }

  private int wrongUsage(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    console.problem(words(e));
    console.say("For help: " + command.getCommandSpec().qualifiedName() + " --help");
    return ExitCode.USAGE;
  }

  /** Where a command was expected, something else is no argument but a command that isn't there. */
  private static String words(ParameterException e) {
    CommandLine command = e.getCommandLine();
    if (e instanceof UnmatchedArgumentException unmatched
        && !command.getSubcommands().isEmpty()
        && !unmatched.isUnknownOption()) {
      String name = unmatched.getUnmatched().getFirst();
      List<String> near = unmatched.getSuggestions();
      String known =
          command.getSubcommands().values().stream()
              .filter(sub -> !sub.getCommandSpec().usageMessage().hidden())
              .map(CommandLine::getCommandName)
              .collect(Collectors.joining(", "));
      return "no command \"%s\"; %s"
          .formatted(
              name,
              near.isEmpty() ? "there are " + known : "did you mean " + near.getFirst() + "?");
    }
    return String.valueOf(e.getMessage());
  }

  /** What isn't foreseen is a bug, and shown with where it happened. */
  private int failed(Exception e) {
    if (e instanceof CommandException known) {
      console.problem(String.valueOf(e.getMessage()));
      return known.exitCode();
    }
    console.problem("this is a bug: " + e);
    e.printStackTrace(console.err());
    return ExitCode.FAILED;
  }
}
