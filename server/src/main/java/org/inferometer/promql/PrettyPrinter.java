package org.inferometer.promql;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Breaks expressions that don't fit on a line, each part on its own line, one level deeper. */
final class PrettyPrinter {
  /** What Prometheus's own formatter takes for a line. */
  private static final int MAX_LINE = 100;

  private PrettyPrinter() {}

  static String print(Expr expr, int level) {
    String indent = "  ".repeat(level);
    String line = Printer.print(expr);
    if (line.length() <= MAX_LINE) {
      return indent + line;
    }
    return switch (expr) {
      case Expr.Paren paren ->
          indent + "(\n" + print(paren.inner(), level + 1) + "\n" + indent + ")";
      case Expr.Unary unary ->
          indent + Printer.sign(unary) + print(unary.operand(), level).stripLeading();
      case Expr.Binary binary ->
          left(binary, level + 1)
              + "\n"
              + indent
              + Printer.operator(binary)
              + "\n"
              + print(binary.right(), level + 1);
      case Expr.Aggregate aggregate ->
          indent + Printer.aggregation(aggregate) + block(operands(aggregate), level);
      case Expr.Call call -> indent + call.function().name() + block(call.arguments(), level);
      case Expr.Subquery subquery -> print(subquery.inner(), level) + Printer.window(subquery);
      case Expr.NumberLiteral number -> indent + line;
      case Expr.StringLiteral string -> indent + line;
      case Expr.VectorSelector vector -> indent + line;
      case Expr.MatrixSelector matrix -> indent + line;
    };
  }

  private static String left(Expr.Binary binary, int level) {
    return binary.left() instanceof Expr.NumberLiteral
        ? "  ".repeat(level) + Printer.leftOperand(binary)
        : print(binary.left(), level);
  }

  private static List<Expr> operands(Expr.Aggregate aggregate) {
    List<Expr> operands = new ArrayList<>();
    if (aggregate.parameter() != null) {
      operands.add(aggregate.parameter());
    }
    operands.add(aggregate.operand());
    return operands;
  }

  private static String block(List<Expr> parts, int level) {
    String lines = parts.stream().map(p -> print(p, level + 1)).collect(Collectors.joining(",\n"));
    return "(\n" + lines + "\n" + "  ".repeat(level) + ")";
  }
}
