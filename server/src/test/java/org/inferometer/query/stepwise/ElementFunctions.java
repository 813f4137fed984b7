package org.inferometer.query.stepwise;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;

/** Functions of one number and scalars. */
final class ElementFunctions {
  private final Noise noise;

  ElementFunctions(Noise noise) {
    this.noise = noise;
  }

  /**
   * @return null if there is no result, or no such function of floats
   */
  @Nullable Double apply(String name, double v, double[] parameters) {
    return switch (name) {
      case "abs" -> Math.abs(v);
      case "ceil" -> Math.ceil(v);
      case "floor" -> Math.floor(v);
      case "sqrt" -> Math.sqrt(v);
      case "sgn" -> v > 0 ? 1.0 : v < 0 ? -1.0 : v;
      case "exp" -> noise.near(Math.exp(v));
      case "ln" -> noise.near(Math.log(v), 1 + Math.abs(Math.log(v)));
      case "log2" -> log(v, 2);
      case "log10" -> log(v, 10);
      case "deg" -> noise.near(v * 180 / Math.PI);
      case "rad" -> noise.near(v * Math.PI / 180);
      case "round" -> round(v, parameters.length == 0 ? 1 : parameters[0]);
      case "clamp" -> clamp(v, parameters[0], parameters[1]);
      case "clamp_min" -> larger(v, parameters[0]);
      case "clamp_max" -> smaller(v, parameters[0]);
      case "histogram_avg",
          "histogram_count",
          "histogram_sum",
          "histogram_stddev",
          "histogram_stdvar" ->
          null;
      default -> isDate(name) ? Double.valueOf(date(name, v)) : angular(name, v);
    };
  }

  private double log(double v, double base) {
    double log = Math.log(v) / Math.log(base);
    // Whole powers are exact everywhere.
    double whole = Math.rint(log);
    return Math.pow(base, whole) == v ? whole : noise.near(log, 1 + Math.abs(log));
  }

  private double angular(String name, double v) {
    double result =
        switch (name) {
          case "sin" -> Math.sin(v);
          case "cos" -> Math.cos(v);
          case "tan" -> Math.tan(v);
          case "asin" -> Math.asin(v);
          case "acos" -> Math.acos(v);
          case "atan" -> Math.atan(v);
          case "sinh" -> Math.sinh(v);
          case "cosh" -> Math.cosh(v);
          case "tanh" -> Math.tanh(v);
          case "asinh" ->
              Math.copySign(Math.log(Math.abs(v) + Math.sqrt(Math.abs(v) * Math.abs(v) + 1)), v);
          case "acosh" -> Math.log(v + Math.sqrt(v * v - 1));
          case "atanh" -> 0.5 * Math.log((1 + v) / (1 - v));
          default -> throw new IllegalArgumentException("expected a function, got " + name);
        };
    return v == 0 ? result : noise.near(result, 1 + Math.abs(result));
  }

  private double round(double v, double to) {
    double inverse = 1 / to;
    double rounded = Math.floor(v * inverse + 0.5) / inverse;
    return to == 1 ? rounded : noise.near(rounded);
  }

  private static @Nullable Double clamp(double v, double min, double max) {
    return min > max ? null : Double.valueOf(larger(min, smaller(max, v)));
  }

  /** An infinity wins over NaN, as in Go. */
  private static double larger(double a, double b) {
    boolean infinite = a == Double.POSITIVE_INFINITY || b == Double.POSITIVE_INFINITY;
    return infinite ? Double.POSITIVE_INFINITY : Math.max(a, b);
  }

  private static double smaller(double a, double b) {
    boolean infinite = a == Double.NEGATIVE_INFINITY || b == Double.NEGATIVE_INFINITY;
    return infinite ? Double.NEGATIVE_INFINITY : Math.min(a, b);
  }

  static boolean isDate(String name) {
    return switch (name) {
      case "minute",
          "hour",
          "day_of_week",
          "day_of_month",
          "day_of_year",
          "days_in_month",
          "month",
          "year" ->
          true;
      default -> false;
    };
  }

  double date(String name, double seconds) {
    if (!Double.isFinite(seconds) || Math.abs(seconds) > 1e11) {
      noise.byChance();
      return Double.NaN;
    }
    ZonedDateTime time = Instant.ofEpochSecond((long) seconds).atZone(ZoneOffset.UTC);
    LocalDate day = time.toLocalDate();
    return switch (name) {
      case "minute" -> time.getMinute();
      case "hour" -> time.getHour();
      case "day_of_week" -> day.getDayOfWeek().getValue() % 7;
      case "day_of_month" -> day.getDayOfMonth();
      case "day_of_year" -> day.getDayOfYear();
      case "days_in_month" -> day.lengthOfMonth();
      case "month" -> day.getMonthValue();
      case "year" -> day.getYear();
      default -> throw new IllegalArgumentException(name);
    };
  }
}
