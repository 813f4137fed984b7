package org.inferometer.query;

import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.function.ToDoubleFunction;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.model.Labels;
import org.inferometer.query.Value.Rows;

/** Functions that turn each value into another by itself. */
final class MathFunctions {
  static final Map<String, DoubleUnaryOperator> BY_NAME =
      Map.ofEntries(
          Map.entry("abs", Math::abs),
          Map.entry("ceil", Math::ceil),
          Map.entry("floor", Math::floor),
          Map.entry("exp", Math::exp),
          Map.entry("sqrt", Math::sqrt),
          Map.entry("ln", Math::log),
          Map.entry("log2", MathFunctions::log2),
          Map.entry("log10", Math::log10),
          Map.entry("sgn", Math::signum),
          Map.entry("sin", Math::sin),
          Map.entry("cos", Math::cos),
          Map.entry("tan", Math::tan),
          Map.entry("asin", Math::asin),
          Map.entry("acos", Math::acos),
          Map.entry("atan", Math::atan),
          Map.entry("sinh", Math::sinh),
          Map.entry("cosh", Math::cosh),
          Map.entry("tanh", Math::tanh),
          Map.entry("asinh", MathFunctions::asinh),
          Map.entry("acosh", MathFunctions::acosh),
          Map.entry("atanh", MathFunctions::atanh),
          Map.entry("rad", v -> v * Math.PI / 180),
          Map.entry("deg", v -> v * 180 / Math.PI));

  private MathFunctions() {}

  static Row mapped(Row row, DoubleUnaryOperator function) {
    double[] values = new double[row.steps()];
    for (int i = 0; i < values.length; i++) {
      if (row.isPresent(i)) {
        values[i] = function.applyAsDouble(row.value(i));
      }
    }
    return new Row(row.labels(), row.nameDropped(), values, row.present());
  }

  /** A number of each histogram; floats have none. */
  static Row ofHistograms(Row row, ToDoubleFunction<NativeHistogram> number) {
    Row numbers = new Row(row.labels(), row.nameDropped(), row.steps());
    if (row.hasHistograms()) {
      for (int i = 0; i < row.steps(); i++) {
        NativeHistogram histogram = row.histogram(i);
        if (histogram != null) {
          numbers.set(i, number.applyAsDouble(histogram));
        }
      }
    }
    return numbers;
  }

  /** Everything with the sign turned; a histogram becomes a gauge. */
  static Row negated(Row row) {
    Row negated = mapped(row.floatsOnly(), v -> -v);
    if (!row.hasHistograms()) {
      return negated;
    }
    Row all = negated.copy();
    for (int i = 0; i < row.steps(); i++) {
      NativeHistogram histogram = row.histogram(i);
      if (histogram != null) {
        all.set(i, histogram.times(-1));
      }
    }
    return all;
  }

  /** Scalars as a vector with one element without labels. */
  static Rows vector(double[] scalars) {
    Row row = new Row(Labels.EMPTY, false, scalars.length);
    for (int i = 0; i < scalars.length; i++) {
      row.set(i, scalars[i]);
    }
    return Rows.of(List.of(row));
  }

  /** The value of the only float at each step; NaN if there are none or several. */
  static double[] scalar(Rows rows, int steps) {
    double[] scalars = new double[steps];
    for (int i = 0; i < steps; i++) {
      int elements = 0;
      for (Row row : rows.rows()) {
        if (row.isPresent(i)) {
          elements++;
          scalars[i] = row.value(i);
        }
      }
      if (elements != 1) {
        scalars[i] = Double.NaN;
      }
    }
    return scalars;
  }

  /** Values kept within bounds; no element where the bounds are the wrong way round. */
  static Row clamped(Row row, double[] min, double[] max) {
    Row clamped = new Row(row.labels(), row.nameDropped(), row.steps());
    for (int i = 0; i < row.steps(); i++) {
      if (row.isPresent(i) && !(min[i] > max[i])) {
        clamped.set(i, larger(min[i], smaller(max[i], row.value(i))));
      }
    }
    return clamped;
  }

  /** As Go does it: an infinity that wins over every number wins over NaN too. */
  private static double larger(double a, double b) {
    boolean infinite = a == Double.POSITIVE_INFINITY || b == Double.POSITIVE_INFINITY;
    return infinite ? Double.POSITIVE_INFINITY : Math.max(a, b);
  }

  private static double smaller(double a, double b) {
    boolean infinite = a == Double.NEGATIVE_INFINITY || b == Double.NEGATIVE_INFINITY;
    return infinite ? Double.NEGATIVE_INFINITY : Math.min(a, b);
  }

  /** Values rounded to the nearest multiple; halves go up. */
  static Row rounded(Row row, double[] nearest) {
    Row rounded = new Row(row.labels(), row.nameDropped(), row.steps());
    for (int i = 0; i < row.steps(); i++) {
      if (row.isPresent(i)) {
        double inverse = 1 / nearest[i];
        rounded.set(i, Math.floor(row.value(i) * inverse + 0.5) / inverse);
      }
    }
    return rounded;
  }

  /** Exact for powers of two. */
  private static double log2(double v) {
    if (!(v > 0) || Double.isInfinite(v)) {
      return Math.log(v);
    }
    int exponent = Math.getExponent(v);
    if (exponent < Double.MIN_EXPONENT) {
      return Math.log(v) / Math.log(2);
    }
    return exponent + Math.log(Math.scalb(v, -exponent)) / Math.log(2);
  }

  private static double asinh(double v) {
    double size = Math.abs(v);
    double result =
        size > 0x1p28
            ? Math.log(size) + Math.log(2)
            : Math.log1p(size + size * size / (1 + Math.sqrt(size * size + 1)));
    return Math.copySign(result, v);
  }

  private static double acosh(double v) {
    return v > 0x1p28 ? Math.log(v) + Math.log(2) : Math.log(v + Math.sqrt(v * v - 1));
  }

  private static double atanh(double v) {
    return 0.5 * Math.log1p(2 * v / (1 - v));
  }
}
