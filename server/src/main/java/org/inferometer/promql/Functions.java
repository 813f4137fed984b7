package org.inferometer.promql;

import static org.inferometer.promql.ValueType.INSTANT_VECTOR;
import static org.inferometer.promql.ValueType.RANGE_VECTOR;
import static org.inferometer.promql.ValueType.SCALAR;
import static org.inferometer.promql.ValueType.STRING;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The functions of PromQL 3.x by name. */
public final class Functions {
  private static final Map<String, FunctionSignature> BY_NAME = new TreeMap<>();

  static {
    vectorsOf(
        INSTANT_VECTOR,
        "abs absent acos acosh asin asinh atan atanh ceil cos cosh deg exp floor histogram_avg"
            + " histogram_count histogram_stddev histogram_stdvar histogram_sum ln log10 log2 rad"
            + " sgn sin sinh sort sort_desc sqrt tan tanh timestamp");
    vectorsOf(
        RANGE_VECTOR,
        "absent_over_time avg_over_time changes count_over_time delta deriv idelta increase irate"
            + " last_over_time max_over_time min_over_time present_over_time rate resets"
            + " stddev_over_time stdvar_over_time sum_over_time");
    for (String name :
        "days_in_month day_of_month day_of_week day_of_year hour minute month year".split(" ")) {
      add(name, 1, INSTANT_VECTOR, INSTANT_VECTOR);
    }
    add("clamp", 0, INSTANT_VECTOR, INSTANT_VECTOR, SCALAR, SCALAR);
    add("clamp_max", 0, INSTANT_VECTOR, INSTANT_VECTOR, SCALAR);
    add("clamp_min", 0, INSTANT_VECTOR, INSTANT_VECTOR, SCALAR);
    add("histogram_fraction", 0, INSTANT_VECTOR, SCALAR, SCALAR, INSTANT_VECTOR);
    add("histogram_quantile", 0, INSTANT_VECTOR, SCALAR, INSTANT_VECTOR);
    add("label_join", -1, INSTANT_VECTOR, INSTANT_VECTOR, STRING, STRING, STRING);
    add("label_replace", 0, INSTANT_VECTOR, INSTANT_VECTOR, STRING, STRING, STRING, STRING);
    add("pi", 0, SCALAR);
    add("predict_linear", 0, INSTANT_VECTOR, RANGE_VECTOR, SCALAR);
    add("quantile_over_time", 0, INSTANT_VECTOR, SCALAR, RANGE_VECTOR);
    add("round", 1, INSTANT_VECTOR, INSTANT_VECTOR, SCALAR);
    add("scalar", 0, SCALAR, INSTANT_VECTOR);
    add("time", 0, SCALAR);
    add("vector", 0, INSTANT_VECTOR, SCALAR);
    addExperimental();
  }

  private Functions() {}

  private static void addExperimental() {
    for (String name :
        ("first_over_time mad_over_time ts_of_first_over_time ts_of_last_over_time"
                + " ts_of_max_over_time ts_of_min_over_time")
            .split(" ")) {
      addExperimental(name, 0, INSTANT_VECTOR, List.of(RANGE_VECTOR));
    }
    for (String name : List.of("start", "end", "step", "range")) {
      addExperimental(name, 0, SCALAR, List.of());
    }
    addExperimental(
        "double_exponential_smoothing", 0, INSTANT_VECTOR, List.of(RANGE_VECTOR, SCALAR, SCALAR));
    addExperimental("info", 1, INSTANT_VECTOR, List.of(INSTANT_VECTOR, INSTANT_VECTOR));
    addExperimental("start_timestamp", 0, INSTANT_VECTOR, List.of(INSTANT_VECTOR));
    addExperimental("sort_by_label", -1, INSTANT_VECTOR, List.of(INSTANT_VECTOR, STRING));
    addExperimental("sort_by_label_desc", -1, INSTANT_VECTOR, List.of(INSTANT_VECTOR, STRING));
    // One to ten quantiles.
    List<ValueType> quantiles = new ArrayList<>(List.of(INSTANT_VECTOR, STRING));
    quantiles.addAll(Collections.nCopies(10, SCALAR));
    addExperimental("histogram_quantiles", 9, INSTANT_VECTOR, quantiles);
  }

  private static void vectorsOf(ValueType argument, String names) {
    for (String name : names.split(" ")) {
      add(name, 0, INSTANT_VECTOR, argument);
    }
  }

  private static void add(String name, int optional, ValueType result, ValueType... arguments) {
    BY_NAME.put(name, new FunctionSignature(name, List.of(arguments), optional, result, false));
  }

  private static void addExperimental(
      String name, int optional, ValueType result, List<ValueType> arguments) {
    BY_NAME.put(name, new FunctionSignature(name, arguments, optional, result, true));
  }

  /** The function of that name, or null. Names are case-sensitive. */
  public static @Nullable FunctionSignature find(String name) {
    return BY_NAME.get(name);
  }

  /** All of them, by name. */
  public static Collection<FunctionSignature> all() {
    return Collections.unmodifiableCollection(BY_NAME.values());
  }
}
