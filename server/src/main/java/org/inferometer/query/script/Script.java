package org.inferometer.query.script;

import com.google.re2j.PatternSyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.inferometer.promql.Durations;
import org.inferometer.promql.Expr;
import org.inferometer.promql.ParseException;
import org.inferometer.promql.Parser;
import org.jspecify.annotations.Nullable;

/**
 * A script of {@code clear}, {@code load} and {@code eval} commands, in the language of
 * Prometheus's own query tests.
 */
final class Script {
  private static final Pattern LOAD = Pattern.compile("load(?:_(with_nhcb))?\\s+(.+?)");
  private static final Pattern INSTANT =
      Pattern.compile("eval(?:_(fail|warn|ordered|info))?\\s+instant\\s+(?:at\\s+(\\S+)\\s+)?(.+)");
  private static final Pattern RANGE =
      Pattern.compile(
          "eval(?:_(fail|warn|info))?\\s+range\\s+from\\s+(\\S+)\\s+to\\s+(\\S+)\\s+step\\s+(\\S+)"
              + "\\s+(.+)");
  private static final Pattern EXPECT_MATRIX =
      Pattern.compile("expect range vector from (\\S+) to (\\S+) step (\\S+)");
  private static final Pattern EXPECT =
      Pattern.compile(
          "expect\\s+(fail|warn|no_warn|info|no_info|ordered)(?:\\s+(msg|regex):\\s*(.*))?");

  private final List<String> lines;
  private final List<Command> commands = new ArrayList<>();
  private int at;

  private Script(List<String> lines) {
    this.lines = lines;
  }

  /**
   * @throws ScriptException that names the line
   */
  static List<Command> parse(List<String> lines) throws ScriptException {
    Script script = new Script(lines);
    while (script.at < lines.size()) {
      try {
        script.command();
      } catch (ScriptException | IllegalArgumentException e) {
        throw new ScriptException("line " + script.at + ": " + e.getMessage(), e);
      }
    }
    return script.commands;
  }

  private String trimmed(int index) {
    String line = lines.get(index).strip();
    return line.startsWith("#") ? "" : line;
  }

  private void command() throws ScriptException {
    String line = trimmed(at++);
    String word = line.split("\\s", 2)[0].toLowerCase(Locale.ROOT);
    if (word.isEmpty()) {
      return;
    }
    if (word.equals("clear")) {
      commands.add(new Command.Clear(at));
    } else if (word.startsWith("load")) {
      load(line);
    } else if (word.startsWith("eval")) {
      eval(line);
    } else {
      throw new ScriptException("expected clear, load or eval, got \"" + word + "\"");
    }
  }

  private void load(String line) throws ScriptException {
    Matcher load = LOAD.matcher(line);
    if (!load.matches()) {
      throw new ScriptException("expected \"load <step>\"");
    }
    int number = at;
    List<SeriesLine> series = new ArrayList<>();
    StartLine starts = null;
    while (at < lines.size() && !trimmed(at).isEmpty()) {
      String text = trimmed(at++);
      if (starts == null && StartLine.is(text)) {
        starts = StartLine.parse(text);
      } else {
        SeriesLine parsed = SeriesLine.parse(text);
        series.add(starts == null ? parsed : starts.on(parsed));
        starts = null;
      }
    }
    if (starts != null) {
      throw new ScriptException("expected a series below its start times");
    }
    commands.add(new Command.Load(number, duration(load.group(2)), load.group(1) != null, series));
  }

  private static long duration(String text) {
    return text.equals("0") ? 0 : Durations.parseMs(text);
  }

  private void eval(String line) throws ScriptException {
    int number = at;
    Matcher range = RANGE.matcher(line);
    Matcher instant = INSTANT.matcher(line);
    if (range.matches()) {
      Command.Expectation expectation = new Body(range.group(1)).read(true);
      commands.add(
          new Command.Eval(
              number,
              range.group(5),
              duration(range.group(2)),
              duration(range.group(3)),
              duration(range.group(4)),
              expectation));
    } else if (instant.matches()) {
      String time = instant.group(2);
      long timeMs = time == null ? 0 : duration(time);
      Command.Expectation expectation = new Body(instant.group(1)).read(false);
      commands.add(new Command.Eval(number, instant.group(3), timeMs, timeMs, 0, expectation));
    } else {
      throw new ScriptException(
          "expected \"eval instant at <t> <expr>\" or \"eval range from ...\"");
    }
  }

  /** The lines below an eval. */
  private final class Body {
    private Command.@Nullable Text fail;
    private final List<Command.Text> warnings = new ArrayList<>();
    private final List<Command.Text> infos = new ArrayList<>();
    private boolean noWarnings;
    private boolean noInfos;
    private boolean ordered;
    private @Nullable Double scalar;
    private @Nullable String string;
    private Command.@Nullable Times rangeVector;
    private final List<SeriesLine> series = new ArrayList<>();

    Body(@Nullable String oldForm) {
      if (oldForm != null) {
        switch (oldForm) {
          case "fail" -> fail = Command.Text.ANYTHING;
          case "warn" -> warnings.add(Command.Text.ANYTHING);
          case "info" -> infos.add(Command.Text.ANYTHING);
          default -> ordered = true;
        }
      }
    }

    Command.Expectation read(boolean range) throws ScriptException {
      boolean ended = false;
      while (!ended && at < lines.size() && !trimmed(at).isEmpty()) {
        ended = line(trimmed(at++), range);
      }
      return new Command.Expectation(
          fail,
          List.copyOf(warnings),
          List.copyOf(infos),
          noWarnings,
          noInfos,
          ordered,
          scalar,
          string,
          rangeVector,
          List.copyOf(series));
    }

    /** Takes in a line; true if it ends the body. */
    private boolean line(String line, boolean range) throws ScriptException {
      if (line.startsWith("expected_fail_message ")) {
        fail = new Command.Text(Command.Text.Kind.EQUAL, line.split("\\s+", 2)[1].strip());
        return true;
      }
      if (line.startsWith("expected_fail_regexp ")) {
        fail = regex(line.split("\\s+", 2)[1].strip());
        return true;
      }
      if (line.startsWith("expect ")) {
        expect(line);
        return false;
      }
      if (!range && line.matches("[+-]?(0[xX][0-9a-fA-F]+|[0-9.][0-9eE+.-]*|[nN]a[nN]|[iI]nf)")) {
        scalar =
            line.startsWith("0x") || line.startsWith("0X")
                ? Double.valueOf((double) Long.parseLong(line.substring(2), 16))
                : Double.valueOf(SeriesLine.number(line));
        return true;
      }
      series.add(SeriesLine.parse(line));
      return false;
    }

    private void expect(String line) throws ScriptException {
      Matcher matrix = EXPECT_MATRIX.matcher(line);
      if (matrix.matches()) {
        rangeVector =
            new Command.Times(
                duration(matrix.group(1)), duration(matrix.group(2)), duration(matrix.group(3)));
        return;
      }
      if (line.startsWith("expect string ")) {
        string = goString(line.substring("expect string ".length()).strip());
        return;
      }
      Matcher expect = EXPECT.matcher(line);
      if (!expect.matches()) {
        throw new ScriptException("unknown expectation: " + line);
      }
      Command.Text text = text(expect.group(2), expect.group(3));
      switch (expect.group(1)) {
        case "fail" -> fail = text;
        case "warn" -> warnings.add(text);
        case "info" -> infos.add(text);
        case "no_warn" -> noWarnings = true;
        case "no_info" -> noInfos = true;
        default -> ordered = true;
      }
    }

    private Command.Text text(@Nullable String kind, @Nullable String text) throws ScriptException {
      if (kind == null || text == null) {
        return Command.Text.ANYTHING;
      }
      return kind.equals("msg")
          ? new Command.Text(Command.Text.Kind.EQUAL, text.strip())
          : regex(text.strip());
    }

    private Command.Text regex(String text) throws ScriptException {
      try {
        com.google.re2j.Pattern.compile(text);
      } catch (PatternSyntaxException e) {
        throw new ScriptException("not a regular expression: " + e.getMessage(), e);
      }
      return new Command.Text(Command.Text.Kind.REGEX, text);
    }

    private String goString(String text) throws ScriptException {
      try {
        if (Parser.parse(text) instanceof Expr.StringLiteral literal) {
          return literal.value();
        }
      } catch (ParseException e) {
        throw new ScriptException("not a quoted string: " + text, e);
      }
      throw new ScriptException("not a quoted string: " + text);
    }
  }
}
