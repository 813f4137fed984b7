package org.inferometer.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.inferometer.query.script.LocalEvaluation;
import org.inferometer.query.script.ScriptException;
import org.inferometer.query.script.ScriptReport;
import org.inferometer.query.script.ScriptRunner;
import org.inferometer.time.Ticker;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code inferometer test promql}: what queries must answer, written as text. */
@Command(
    name = "promql",
    description = "Runs PromQL test scripts: one line a failure, the last line N passed, M failed.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Exit code 1 if any failed.",
      "",
      "Example:",
      "  inferometer test promql functions.test operators.test"
    })
final class TestPromqlCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", arity = "1..*", description = "Scripts to run.")
  private List<Path> files = new ArrayList<>();

  private final Console console;
  private final Ticker ticker;

  TestPromqlCommand(Console console, Ticker ticker) {
    this.console = console;
    this.ticker = ticker;
  }

  @Override
  public Integer call() {
    ScriptRunner runner = new ScriptRunner(new LocalEvaluation(ticker));
    int passed = 0;
    int failed = 0;
    boolean broken = false;
    for (Path file : files) {
      try {
        ScriptReport report = runner.run(file);
        report.failures().forEach(console.out()::println);
        passed += report.passed();
        failed += report.failed();
      } catch (ScriptException e) {
        console.problem(String.valueOf(e.getMessage()));
        broken = true;
      } catch (IOException e) {
        console.problem(file + ": " + (Files.exists(file) ? "can't be read" : "no such file"));
        broken = true;
      }
    }
    console.out().println(passed + " passed, " + failed + " failed");
    if (broken) {
      return ExitCode.USAGE;
    }
    return failed > 0 ? ExitCode.FOUND : ExitCode.OK;
  }
}
