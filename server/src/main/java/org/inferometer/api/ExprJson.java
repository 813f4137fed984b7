package org.inferometer.api;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import org.inferometer.model.FloatFormat;
import org.inferometer.model.Matcher;
import org.inferometer.promql.DurationExpr;
import org.inferometer.promql.Expr;
import org.inferometer.promql.FunctionSignature;
import org.inferometer.promql.ValueType;
import org.jspecify.annotations.Nullable;

/**
 * A parsed query as JSON, in the form of Prometheus's {@code /api/v1/parse_query}: each node an
 * object with its {@code type}, keys sorted, lengths of time in milliseconds. A range or offset
 * that depends on the query's step or range is 0, as there. Source: prometheus/prometheus, {@code
 * web/api/v1/translate_ast.go}.
 */
final class ExprJson {
  private ExprJson() {}

  static void write(JsonGenerator json, Expr expr) throws IOException {
    json.writeStartObject();
    switch (expr) {
      case Expr.NumberLiteral number -> {
        json.writeStringField("type", "numberLiteral");
        json.writeStringField("val", FloatFormat.plain(number.value()));
      }
      case Expr.StringLiteral string -> {
        json.writeStringField("type", "stringLiteral");
        json.writeStringField("val", string.value());
      }
      case Expr.Paren paren -> {
        child(json, "expr", paren.inner());
        json.writeStringField("type", "parenExpr");
      }
      case Expr.Unary unary -> {
        child(json, "expr", unary.operand());
        json.writeStringField("op", unary.minus() ? "-" : "+");
        json.writeStringField("type", "unaryExpr");
      }
      case Expr.Binary binary -> binary(json, binary);
      case Expr.Aggregate aggregate -> aggregate(json, aggregate);
      case Expr.Call call -> call(json, call);
      case Expr.VectorSelector vector -> selector(json, vector, "vectorSelector", null);
      case Expr.MatrixSelector matrix ->
          selector(json, matrix.selector(), "matrixSelector", matrix.range());
      case Expr.Subquery subquery -> subquery(json, subquery);
    }
    json.writeEndObject();
  }

  private static void child(JsonGenerator json, String name, @Nullable Expr expr)
      throws IOException {
    json.writeFieldName(name);
    if (expr == null) {
      json.writeNull();
    } else {
      write(json, expr);
    }
  }

  private static void binary(JsonGenerator json, Expr.Binary binary) throws IOException {
    json.writeBooleanField("bool", binary.returnBool());
    child(json, "lhs", binary.left());
    json.writeFieldName("matching");
    if (binary.matching() == null) {
      json.writeNull();
    } else {
      matching(json, binary.matching());
    }
    json.writeStringField("op", binary.op().symbol());
    child(json, "rhs", binary.right());
    json.writeStringField("type", "binaryExpr");
  }

  private static void matching(JsonGenerator json, Expr.VectorMatching matching)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("card", cardinality(matching.cardinality()));
    json.writeObjectFieldStart("fillValues");
    fill(json, "lhs", matching.fillLeft());
    fill(json, "rhs", matching.fillRight());
    json.writeEndObject();
    QueryJson.texts(json, "include", matching.include());
    QueryJson.texts(json, "labels", matching.labels());
    json.writeBooleanField("on", matching.on());
    json.writeEndObject();
  }

  /** A number, but for those that JSON has none for, which are words. */
  private static void fill(JsonGenerator json, String name, @Nullable Double value)
      throws IOException {
    json.writeFieldName(name);
    if (value == null) {
      json.writeNull();
    } else if (value.isInfinite() || value.isNaN()) {
      json.writeString(FloatFormat.plain(value));
    } else {
      json.writeNumber(FloatFormat.sample(value));
    }
  }

  private static String cardinality(Expr.Cardinality cardinality) {
    return switch (cardinality) {
      case ONE_TO_ONE -> "one-to-one";
      case MANY_TO_ONE -> "many-to-one";
      case ONE_TO_MANY -> "one-to-many";
      case MANY_TO_MANY -> "many-to-many";
    };
  }

  private static void aggregate(JsonGenerator json, Expr.Aggregate aggregate) throws IOException {
    child(json, "expr", aggregate.operand());
    QueryJson.texts(json, "grouping", aggregate.grouping());
    json.writeStringField("op", aggregate.op().keyword());
    child(json, "param", aggregate.parameter());
    json.writeStringField("type", "aggregation");
    json.writeBooleanField("without", aggregate.without());
  }

  private static void call(JsonGenerator json, Expr.Call call) throws IOException {
    json.writeArrayFieldStart("args");
    for (Expr argument : call.arguments()) {
      write(json, argument);
    }
    json.writeEndArray();
    FunctionSignature function = call.function();
    json.writeObjectFieldStart("func");
    QueryJson.texts(
        json, "argTypes", function.arguments().stream().map(ValueType::shortName).toList());
    json.writeStringField("name", function.name());
    json.writeStringField("returnType", function.result().shortName());
    json.writeNumberField("variadic", function.optional());
    json.writeEndObject();
    json.writeStringField("type", "call");
  }

  /**
   * @param range null for an instant selector
   */
  private static void selector(
      JsonGenerator json, Expr.VectorSelector vector, String type, @Nullable DurationExpr range)
      throws IOException {
    json.writeBooleanField("anchored", vector.extension() == Expr.RangeExtension.ANCHORED);
    json.writeArrayFieldStart("matchers");
    for (Matcher matcher : vector.matchers()) {
      json.writeStartObject();
      json.writeStringField("name", matcher.name());
      json.writeStringField("type", matcher.type().symbol());
      json.writeStringField("value", matcher.value());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeStringField("name", vector.metricName());
    json.writeNumberField("offset", millis(vector.shift().offset()));
    if (range != null) {
      json.writeNumberField("range", millis(range));
    }
    json.writeBooleanField("smoothed", vector.extension() == Expr.RangeExtension.SMOOTHED);
    json.writeStringField("startOrEnd", startOrEnd(vector.shift()));
    timestamp(json, vector.shift());
    json.writeStringField("type", type);
  }

  private static void subquery(JsonGenerator json, Expr.Subquery subquery) throws IOException {
    child(json, "expr", subquery.inner());
    json.writeNumberField("offset", millis(subquery.shift().offset()));
    json.writeNumberField("range", millis(subquery.range()));
    json.writeStringField("startOrEnd", startOrEnd(subquery.shift()));
    json.writeNumberField("step", millis(subquery.step()));
    timestamp(json, subquery.shift());
    json.writeStringField("type", "subquery");
  }

  private static @Nullable String startOrEnd(Expr.TimeShift shift) {
    return switch (shift.at()) {
      case Expr.At.Start _ -> "start";
      case Expr.At.End _ -> "end";
      case Expr.At.Instant _ -> null;
      case null -> null;
    };
  }

  private static void timestamp(JsonGenerator json, Expr.TimeShift shift) throws IOException {
    json.writeFieldName("timestamp");
    if (shift.at() instanceof Expr.At.Instant(long timestampMs)) {
      json.writeNumber(timestampMs);
    } else {
      json.writeNull();
    }
  }

  private static long millis(@Nullable DurationExpr duration) {
    if (duration == null || duration.dependsOnQuery()) {
      return 0;
    }
    try {
      return duration.resolveMs(0, 0);
    } catch (ArithmeticException e) {
      // Such as 1/0: it parses, and evaluating it says what is wrong.
      return 0;
    }
  }
}
