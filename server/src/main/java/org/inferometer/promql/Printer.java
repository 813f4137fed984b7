package org.inferometer.promql;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.inferometer.model.FloatFormat;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.model.Names;

/** Turns a tree back to text that parses to the same tree; one line, Prometheus's spacing. */
public final class Printer {
  private final StringBuilder out = new StringBuilder();

  private Printer() {}

  public static String print(Expr expr) {
    Printer printer = new Printer();
    printer.append(expr);
    return printer.out.toString();
  }

  private void append(Expr expr) {
    switch (expr) {
      case Expr.NumberLiteral number -> out.append(number(number));
      case Expr.StringLiteral string -> Names.quote(string.value(), out);
      case Expr.Paren paren -> {
        out.append('(');
        append(paren.inner());
        out.append(')');
      }
      case Expr.Unary unary -> {
        out.append(unary.minus() ? '-' : '+');
        append(unary.operand());
      }
      case Expr.Binary binary -> binary(binary);
      case Expr.Aggregate aggregate -> aggregate(aggregate);
      case Expr.Call call -> {
        out.append(call.function().name()).append('(');
        list(call.arguments());
        out.append(')');
      }
      case Expr.VectorSelector selector -> {
        selector(selector);
        modifiers(selector.shift(), selector.extension());
      }
      case Expr.MatrixSelector matrix -> {
        selector(matrix.selector());
        out.append('[').append(duration(matrix.range())).append(']');
        modifiers(matrix.selector().shift(), matrix.selector().extension());
      }
      case Expr.Subquery subquery -> subquery(subquery);
    }
  }

  private static String number(Expr.NumberLiteral number) {
    double value = number.value();
    double millis = value * 1000;
    if (number.writtenAsDuration() && millis == Math.rint(millis) && Math.abs(millis) < 9e15) {
      return Durations.print((long) millis);
    }
    return FloatFormat.general(value);
  }

  private void list(List<Expr> items) {
    for (int i = 0; i < items.size(); i++) {
      out.append(i == 0 ? "" : ", ");
      append(items.get(i));
    }
  }

  private void binary(Expr.Binary binary) {
    append(binary.left());
    out.append(' ').append(binary.op().symbol()).append(binary.returnBool() ? " bool" : "");
    Expr.VectorMatching matching = binary.matching();
    if (matching != null) {
      matching(matching);
    }
    out.append(' ');
    append(binary.right());
  }

  private void matching(Expr.VectorMatching matching) {
    boolean grouped =
        matching.cardinality() == Expr.Cardinality.MANY_TO_ONE
            || matching.cardinality() == Expr.Cardinality.ONE_TO_MANY;
    if (matching.on() || grouped || !matching.labels().isEmpty()) {
      out.append(matching.on() ? " on " : " ignoring ").append(labels(matching.labels()));
    }
    if (grouped) {
      boolean left = matching.cardinality() == Expr.Cardinality.MANY_TO_ONE;
      out.append(left ? " group_left " : " group_right ").append(labels(matching.include()));
    }
    Double left = matching.fillLeft();
    Double right = matching.fillRight();
    if (left != null && left.equals(right)) {
      out.append(" fill (").append(FloatFormat.general(left)).append(')');
      return;
    }
    if (left != null) {
      out.append(" fill_left (").append(FloatFormat.general(left)).append(')');
    }
    if (right != null) {
      out.append(" fill_right (").append(FloatFormat.general(right)).append(')');
    }
  }

  private void aggregate(Expr.Aggregate aggregate) {
    out.append(aggregate.op().keyword());
    if (aggregate.without()) {
      out.append(" without ").append(labels(aggregate.grouping())).append(' ');
    } else if (!aggregate.grouping().isEmpty()) {
      out.append(" by ").append(labels(aggregate.grouping())).append(' ');
    }
    out.append('(');
    Expr parameter = aggregate.parameter();
    if (parameter != null) {
      append(parameter);
      out.append(", ");
    }
    append(aggregate.operand());
    out.append(')');
  }

  private static String labels(List<String> names) {
    return names.stream().map(Printer::label).collect(Collectors.joining(", ", "(", ")"));
  }

  private static String label(String name) {
    return Names.isLegacyLabelName(name) ? name : Names.quote(name);
  }

  private void selector(Expr.VectorSelector selector) {
    String name = selector.metricName();
    boolean plain = canStandBeforeBraces(name);
    String braces =
        selector.matchers().stream()
            .filter(m -> name.isEmpty() || !isNameMatcher(m, name))
            .map(Matcher::toString)
            .collect(Collectors.joining(","));
    if (plain) {
      out.append(name);
      out.append(braces.isEmpty() ? "" : "{" + braces + "}");
    } else {
      String quoted = name.isEmpty() ? "" : Names.quote(name);
      String comma = quoted.isEmpty() || braces.isEmpty() ? "" : ",";
      out.append('{').append(quoted).append(comma).append(braces).append('}');
    }
  }

  private static boolean isNameMatcher(Matcher matcher, String name) {
    return matcher.type() == Matcher.Type.EQUAL
        && matcher.name().equals(Labels.NAME)
        && matcher.value().equals(name);
  }

  /** Words of the language can name a metric only in quotes where they would be read as such. */
  private static boolean canStandBeforeBraces(String name) {
    return Names.isLegacyMetricName(name)
        && !List.of("bool", "on", "ignoring", "group_left", "group_right", "inf", "nan")
            .contains(name.toLowerCase(Locale.ROOT));
  }

  private void subquery(Expr.Subquery subquery) {
    append(subquery.inner());
    out.append('[').append(duration(subquery.range())).append(':');
    DurationExpr step = subquery.step();
    out.append(step == null ? "" : duration(step)).append(']');
    modifiers(subquery.shift(), Expr.RangeExtension.NONE);
  }

  private void modifiers(Expr.TimeShift shift, Expr.RangeExtension extension) {
    switch (extension) {
      case NONE -> {}
      case ANCHORED -> out.append(" anchored");
      case SMOOTHED -> out.append(" smoothed");
    }
    Expr.At at = shift.at();
    if (at != null) {
      out.append(" @ ")
          .append(
              switch (at) {
                case Expr.At.Start start -> "start()";
                case Expr.At.End end -> "end()";
                case Expr.At.Instant instant -> seconds(instant.timestampMs());
              });
    }
    DurationExpr offset = shift.offset();
    if (offset != null) {
      out.append(" offset ").append(offset(offset));
    }
  }

  private static String seconds(long timestampMs) {
    return String.format(
        Locale.ROOT,
        "%s%d.%03d",
        timestampMs < 0 ? "-" : "",
        Math.abs(timestampMs / 1000),
        Math.abs(timestampMs % 1000));
  }

  private static String duration(DurationExpr duration) {
    return switch (duration) {
      case DurationExpr.Fixed fixed -> Durations.print(fixed.durationMs());
      case DurationExpr.Computed computed -> computed.text();
    };
  }

  private static String offset(DurationExpr duration) {
    return switch (duration) {
      case DurationExpr.Fixed fixed -> Durations.print(fixed.durationMs());
      case DurationExpr.Computed computed -> computed.text();
    };
  }
}
