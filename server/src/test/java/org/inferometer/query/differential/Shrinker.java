package org.inferometer.query.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.inferometer.promql.Expr;
import org.inferometer.promql.Expr.TimeShift;
import org.inferometer.promql.ParseException;
import org.inferometer.promql.Parser;
import org.inferometer.promql.Printer;
import org.inferometer.promql.ValueType;

/** Makes a question smaller as long as something stays true of it. */
public final class Shrinker {
  private Shrinker() {}

  public static Question shrink(Question question, Predicate<Question> stillTrue) {
    Question smallest = question;
    for (boolean smaller = true; smaller; ) {
      smaller = false;
      for (Question candidate : simpler(smallest)) {
        if (isSmaller(candidate, smallest) && stillTrue.test(candidate)) {
          smallest = candidate;
          smaller = true;
          break;
        }
      }
    }
    return smallest;
  }

  /** Without it, parentheses taken away and put back would go on for ever. */
  private static boolean isSmaller(Question candidate, Question than) {
    int lengths = Integer.compare(candidate.query().length(), than.query().length());
    return lengths < 0 || (lengths == 0 && candidate.steps() < than.steps());
  }

  private static List<Question> simpler(Question question) {
    List<Question> candidates = new ArrayList<>();
    if (!question.isInstant()) {
      for (long t = question.startMs(); t <= question.endMs(); t += question.stepMs()) {
        candidates.add(question.at(t));
      }
      if (question.endMs() > question.startMs()) {
        candidates.add(
            new Question(
                question.query(),
                question.startMs() + question.stepMs(),
                question.endMs(),
                question.stepMs(),
                question.delayedNames()));
        candidates.add(
            new Question(
                question.query(),
                question.startMs(),
                question.endMs() - question.stepMs(),
                question.stepMs(),
                question.delayedNames()));
      }
    }
    try {
      for (Expr expr : simpler(Parser.parse(question.query()))) {
        candidates.add(0, question.withQuery(Printer.print(expr)));
      }
    } catch (ParseException e) {
      return candidates;
    }
    return candidates;
  }

  /** The expression with one node less, in all ways. */
  private static List<Expr> simpler(Expr expr) {
    List<Expr> simpler = new ArrayList<>();
    List<Expr> parts = expr.children();
    for (int i = 0; i < parts.size(); i++) {
      Expr part = parts.get(i);
      if (part.type() == expr.type()) {
        simpler.add(part);
      }
      for (Expr other : simpler(part)) {
        if (other.type() == part.type()) {
          simpler.add(replace(expr, i, other));
        }
      }
    }
    switch (expr) {
      case Expr.VectorSelector s when !s.shift().equals(TimeShift.NONE) ->
          simpler.add(
              new Expr.VectorSelector(
                  s.metricName(), s.matchers(), TimeShift.NONE, s.extension(), s.span()));
      case Expr.Subquery s when !s.shift().equals(TimeShift.NONE) ->
          simpler.add(new Expr.Subquery(s.inner(), s.range(), s.step(), TimeShift.NONE, s.span()));
      case Expr.Call c when c.type() == ValueType.SCALAR ->
          simpler.add(new Expr.NumberLiteral(1, false, c.span()));
      case Expr.Aggregate a when !a.grouping().isEmpty() ->
          simpler.add(
              new Expr.Aggregate(
                  a.op(), a.operand(), a.parameter(), List.of(), a.without(), a.span()));
      case Expr other -> {}
    }
    return simpler;
  }

  /** A node with another operand at an index of its children. */
  static Expr replace(Expr expr, int index, Expr other) {
    return switch (expr) {
      case Expr.NumberLiteral n -> n;
      case Expr.StringLiteral s -> s;
      case Expr.VectorSelector s -> s;
      case Expr.Paren p -> new Expr.Paren(other, p.span());
      case Expr.Unary u -> new Expr.Unary(u.minus(), paren(other), u.span());
      case Expr.Binary b ->
          new Expr.Binary(
              b.op(),
              index == 0 ? paren(other) : b.left(),
              index == 1 ? paren(other) : b.right(),
              b.returnBool(),
              b.matching(),
              b.span());
      case Expr.Aggregate a ->
          new Expr.Aggregate(
              a.op(),
              index == 0 ? other : a.operand(),
              index == 1 ? other : a.parameter(),
              a.grouping(),
              a.without(),
              a.span());
      case Expr.Call c -> {
        List<Expr> arguments = new ArrayList<>(c.arguments());
        arguments.set(index, other);
        yield new Expr.Call(c.function(), arguments, c.span());
      }
      case Expr.MatrixSelector m ->
          other instanceof Expr.VectorSelector s
              ? new Expr.MatrixSelector(s, m.range(), m.span())
              : m;
      case Expr.Subquery s ->
          new Expr.Subquery(paren(other), s.range(), s.step(), s.shift(), s.span());
    };
  }

  private static Expr paren(Expr expr) {
    return expr instanceof Expr.Binary || expr instanceof Expr.Unary
        ? new Expr.Paren(expr, expr.span())
        : expr;
  }
}
