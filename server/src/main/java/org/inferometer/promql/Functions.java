package org.inferometer.promql;

import static org.inferometer.promql.ValueType.INSTANT_VECTOR;
import static org.inferometer.promql.ValueType.RANGE_VECTOR;
import static org.inferometer.promql.ValueType.SCALAR;
import static org.inferometer.promql.ValueType.STRING;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Every function of the language. */
public final class Functions {
  private static final Map<String, FunctionSignature> ALL = new TreeMap<>();

  private Functions() {}

  static {
    for (String name :
        List.of(
            "abs", "acos", "acosh", "asin", "asinh", "atan", "atanh", "ceil", "cos", "cosh", "deg",
            "exp", "floor", "ln", "log10", "log2", "rad", "sgn", "sin", "sinh", "sqrt", "tan",
            "tanh", "absent", "sort", "sort_desc", "timestamp", "histogram_avg", "histogram_count",
            "histogram_sum", "histogram_stddev", "histogram_stdvar")) {
      add(name, INSTANT_VECTOR, 0, INSTANT_VECTOR);
    }
    for (String name :
        List.of(
            "absent_over_time", "avg_over_time", "changes", "count_over_time", "delta", "deriv",
            "idelta", "increase", "irate", "last_over_time", "max_over_time", "min_over_time",
            "present_over_time", "rate", "resets", "stddev_over_time", "stdvar_over_time",
            "sum_over_time")) {
      add(name, INSTANT_VECTOR, 0, RANGE_VECTOR);
    }
    for (String name :
        List.of(
            "first_over_time", "mad_over_time", "ts_of_first_over_time", "ts_of_last_over_time",
            "ts_of_max_over_time", "ts_of_min_over_time")) {
      addExperimental(name, INSTANT_VECTOR, 0, RANGE_VECTOR);
    }
    for (String name :
        List.of(
            "day_of_month", "day_of_week", "day_of_year", "days_in_month", "hour", "minute",
            "month", "year")) {
      add(name, INSTANT_VECTOR, 1, INSTANT_VECTOR);
    }
    add("clamp", INSTANT_VECTOR, 0, INSTANT_VECTOR, SCALAR, SCALAR);
    add("clamp_max", INSTANT_VECTOR, 0, INSTANT_VECTOR, SCALAR);
    add("clamp_min", INSTANT_VECTOR, 0, INSTANT_VECTOR, SCALAR);
    add("histogram_fraction", INSTANT_VECTOR, 0, SCALAR, SCALAR, INSTANT_VECTOR);
    add("histogram_quantile", INSTANT_VECTOR, 0, SCALAR, INSTANT_VECTOR);
    addExperimental(
        "histogram_quantiles", INSTANT_VECTOR, -1, INSTANT_VECTOR, STRING, SCALAR, SCALAR);
    addExperimental(
        "double_exponential_smoothing", INSTANT_VECTOR, 0, RANGE_VECTOR, SCALAR, SCALAR);
    addExperimental("info", INSTANT_VECTOR, 1, INSTANT_VECTOR, INSTANT_VECTOR);
    add("label_join", INSTANT_VECTOR, -1, INSTANT_VECTOR, STRING, STRING, STRING);
    add("label_replace", INSTANT_VECTOR, 0, INSTANT_VECTOR, STRING, STRING, STRING, STRING);
    add("pi", SCALAR, 0);
    add("predict_linear", INSTANT_VECTOR, 0, RANGE_VECTOR, SCALAR);
    add("quantile_over_time", INSTANT_VECTOR, 0, SCALAR, RANGE_VECTOR);
    add("round", INSTANT_VECTOR, 1, INSTANT_VECTOR, SCALAR);
    add("scalar", SCALAR, 0, INSTANT_VECTOR);
    addExperimental("sort_by_label", INSTANT_VECTOR, -1, INSTANT_VECTOR, STRING);
    addExperimental("sort_by_label_desc", INSTANT_VECTOR, -1, INSTANT_VECTOR, STRING);
    addExperimental("start_timestamp", INSTANT_VECTOR, 0, INSTANT_VECTOR);
    add("time", SCALAR, 0);
    add("vector", INSTANT_VECTOR, 0, SCALAR);
    for (String name : List.of("start", "end", "range", "step")) {
      addExperimental(name, SCALAR, 0);
    }
  }

  private static void add(String name, ValueType result, int optional, ValueType... arguments) {
    ALL.put(name, new FunctionSignature(name, Arrays.asList(arguments), optional, result, false));
  }

  private static void addExperimental(
      String name, ValueType result, int optional, ValueType... arguments) {
    ALL.put(name, new FunctionSignature(name, Arrays.asList(arguments), optional, result, true));
  }

  /** The function of a name, or null. Names are case-sensitive. */
  public static @Nullable FunctionSignature find(String name) {
    return ALL.get(name);
  }

  /** All functions by name. */
  public static List<FunctionSignature> all() {
    return List.copyOf(ALL.values());
  }
}
