package org.inferometer.query.script;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.promql.Expr;
import org.inferometer.promql.ParseException;
import org.inferometer.promql.Parser;
import org.inferometer.promql.Printer;
import org.inferometer.query.QueryException;
import org.inferometer.query.QueryResult;
import org.inferometer.query.QueryValue;
import org.inferometer.store.MemorySeries;
import org.jspecify.annotations.Nullable;

/**
 * Runs scripts: loads their series into memory, asks their queries, holds the answers against what
 * they expect.
 *
 * <p>An instant eval runs more than once, with one expectation: as it is; with {@code @} its time
 * on every selector, at other times of evaluation; and each of these as a middle point of a range
 * query.
 */
public final class ScriptRunner {
  private static final long MINUTE_MS = 60_000;

  private final Evaluation evaluation;
  private MemorySeries data = new MemorySeries();

  public ScriptRunner(Evaluation evaluation) {
    this.evaluation = evaluation;
  }

  /**
   * @throws ScriptException if it isn't a script; the message names file and line
   * @throws IOException if the file can't be read
   */
  public ScriptReport run(Path file) throws IOException, ScriptException {
    String text = Files.readString(file, StandardCharsets.UTF_8);
    return run(String.valueOf(file.getFileName()), text);
  }

  ScriptReport run(String name, String text) throws ScriptException {
    List<Command> commands;
    try {
      commands = Script.parse(text.lines().toList());
    } catch (ScriptException e) {
      throw new ScriptException(name + ": " + e.getMessage(), e);
    }
    clear();
    int passed = 0;
    List<String> failures = new ArrayList<>();
    for (Command command : commands) {
      switch (command) {
        case Command.Clear clear -> clear();
        case Command.Load load -> load(load);
        case Command.Eval eval -> {
          String difference = run(eval);
          if (difference == null) {
            passed++;
          } else {
            failures.add(name + ":" + eval.line() + ": " + eval.query() + ": " + difference);
          }
        }
      }
    }
    return new ScriptReport(passed, failures);
  }

  private void clear() {
    data = new MemorySeries();
  }

  private void load(Command.Load load) throws ScriptException {
    CustomBuckets custom = new CustomBuckets();
    for (SeriesLine line : load.series()) {
      for (int i = 0; i < line.slots().size(); i++) {
        long timeMs = i * load.stepMs();
        long startMs = line.startMs(i, timeMs);
        switch (line.slots().get(i)) {
          case Slot.Omitted omitted -> {}
          case Slot.Value slot -> data.add(line.labels(), timeMs, startMs, slot.value());
          case Slot.Histogram slot -> data.add(line.labels(), timeMs, startMs, slot.value());
        }
      }
      if (load.customBuckets()) {
        custom.add(line, load.stepMs());
      }
    }
    custom.loadInto(data);
  }

  private @Nullable String run(Command.Eval eval) {
    return eval.isRange() ? range(eval) : instant(eval);
  }

  private @Nullable String range(Command.Eval eval) {
    Command.Expectation expected = eval.expectation();
    Command.Times times = new Command.Times(eval.startMs(), eval.endMs(), eval.stepMs());
    return judge(
        expected,
        () -> evaluation.range(data, eval.query(), eval.startMs(), eval.endMs(), eval.stepMs()),
        value -> Comparison.matrix(value, expected.series(), times));
  }

  private @Nullable String instant(Command.Eval eval) {
    Command.Expectation expected = eval.expectation();
    String difference = instantOnce(eval.query(), eval.startMs(), expected);
    if (difference != null || expected.fail() != null) {
      return difference;
    }
    Expr tree;
    try {
      tree = Parser.parse(eval.query());
    } catch (ParseException e) {
      return String.valueOf(e.getMessage());
    }
    difference = asRange(eval.query(), tree, eval.startMs(), eval.startMs(), expected);
    if (difference != null || QueryShape.dependsOnTime(tree)) {
      return difference;
    }
    String fixed = Printer.print(QueryShape.fixedAt(tree, eval.startMs()));
    for (long time : otherTimes(eval.startMs())) {
      difference = instantOnce(fixed, time, expected);
      if (difference == null) {
        difference = asRange(fixed, tree, time, eval.startMs(), expected);
      }
      if (difference != null) {
        return "as " + fixed + " evaluated at " + time + " ms: " + difference;
      }
    }
    return null;
  }

  private static long[] otherTimes(long timeMs) {
    return timeMs == 0
        ? new long[] {-1000, 0, 1000}
        : new long[] {-10 * timeMs, 0, timeMs / 5, timeMs, 10 * timeMs};
  }

  private @Nullable String instantOnce(String query, long timeMs, Command.Expectation expected) {
    return judge(
        expected,
        () -> evaluation.instant(data, query, timeMs),
        value -> Comparison.instant(value, expected));
  }

  /**
   * The query over a minute before and after; its middle point must be what is expected. There may
   * be something else to say of it, about the minutes around or that it is a range query.
   */
  private @Nullable String asRange(
      String query, Expr tree, long timeMs, long originalMs, Command.Expectation expected) {
    if (expected.ordered()
        || expected.string() != null
        || expected.rangeVector() != null
        || QueryShape.dependsOnRange(tree)) {
      return null;
    }
    String difference =
        judgeValue(
            expected,
            () -> evaluation.range(data, query, timeMs - MINUTE_MS, timeMs + MINUTE_MS, MINUTE_MS),
            value -> Comparison.instant(pointOf(value, timeMs, expected), expected));
    return difference == null
        ? null
        : "as a range query around " + timeMs + " ms (asked for " + originalMs + "): " + difference;
  }

  private static QueryValue pointOf(QueryValue value, long timeMs, Command.Expectation expected) {
    List<QueryValue.Element> elements = new ArrayList<>();
    if (value instanceof QueryValue.Matrix matrix) {
      for (QueryValue.MatrixSeries series : matrix.series()) {
        for (int i = 0; i < series.values().length; i++) {
          if (series.timestampsMs()[i] == timeMs) {
            elements.add(
                new QueryValue.Element(
                    series.labels(), timeMs, series.values()[i], series.histogram(i)));
          }
        }
      }
    }
    if (expected.scalar() != null && elements.size() == 1) {
      return new QueryValue.Scalar(timeMs, elements.getFirst().value());
    }
    return new QueryValue.Vector(elements);
  }

  @FunctionalInterface
  private interface Asking {
    QueryResult ask() throws QueryException;
  }

  @FunctionalInterface
  private interface Judging {
    @Nullable String judge(QueryValue value);
  }

  private static @Nullable String judge(
      Command.Expectation expected, Asking asking, Judging judging) {
    return judge(expected, asking, judging, true);
  }

  /** The same without what the evaluator has to say. */
  private static @Nullable String judgeValue(
      Command.Expectation expected, Asking asking, Judging judging) {
    return judge(expected, asking, judging, false);
  }

  private static @Nullable String judge(
      Command.Expectation expected, Asking asking, Judging judging, boolean annotations) {
    Command.Text fail = expected.fail();
    QueryResult result;
    try {
      result = asking.ask();
    } catch (QueryException e) {
      String message = String.valueOf(e.getMessage());
      if (fail == null) {
        return "failed: " + message;
      }
      return fail.matches(message)
          ? null
          : "expected to fail with \"" + fail.text() + "\", failed with \"" + message + "\"";
    }
    if (fail != null) {
      return "expected to fail, but answered";
    }
    String difference = judging.judge(result.value());
    return difference == null && annotations
        ? Comparison.annotations(result, expected)
        : difference;
  }
}
