package org.inferometer.simulator.page;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.inferometer.model.FloatFormat;

/** How clients of different languages write the value of a sample. */
enum NumberText {
  /**
   * The Python client's {@code floatToGoString}: Python's own text, but from a million up an
   * exponent that always begins with a zero, for numbers above 0 alone: {@code 1e+06}, {@code
   * 1.2e+010}.
   */
  PYTHON {
    @Override
    void write(double value, Bytes out) {
      if (value == Math.rint(value) && Math.abs(value) < EXACT) {
        whole(value, out);
      } else {
        out.add(munged(value, repr(value)));
      }
    }

    private static void whole(double value, Bytes out) {
      if (isNegative(value)) {
        out.add('-');
      }
      int start = out.length();
      out.addDigits((long) Math.abs(value));
      int digits = out.length() - start;
      if (value > 0 && digits > EXPONENT_DIGITS) {
        String text =
            new String(out.array(), start, digits, java.nio.charset.StandardCharsets.US_ASCII);
        out.cutTo(start);
        out.add(munged(value, text + ".0"));
      } else {
        out.add(".0");
      }
    }

    private static String munged(double value, String text) {
      int point = text.indexOf('.');
      if (!(value > 0) || point <= EXPONENT_DIGITS) {
        return text;
      }
      String mantissa = text.charAt(0) + "." + text.substring(1, point) + text.substring(point + 1);
      int end = mantissa.length();
      while (mantissa.charAt(end - 1) == '0' || mantissa.charAt(end - 1) == '.') {
        end--;
      }
      return mantissa.substring(0, end) + "e+0" + (point - 1);
    }

    // Python's repr has an exponent below 1e-4 and from 1e16 on.
    private static String repr(double value) {
      double size = Math.abs(value);
      if (!Double.isFinite(value)) {
        return FloatFormat.plain(value);
      }
      if (size < 1e-4 || size >= 1e16) {
        return FloatFormat.scientific(value);
      }
      String text = FloatFormat.plain(value);
      return text.indexOf('.') < 0 ? text + ".0" : text;
    }
  },

  /** Go's shortest {@code %g}. */
  GO {
    @Override
    void write(double value, Bytes out) {
      if (value == Math.rint(value) && Math.abs(value) < 1e6) {
        integer(value, out);
      } else {
        out.add(FloatFormat.general(value));
      }
    }
  },

  /** Rust's {@code dtoa}: always a point, an exponent below 1e-5 and from 1e21 on. */
  DTOA {
    @Override
    void write(double value, Bytes out) {
      double size = Math.abs(value);
      if (!Double.isFinite(value)) {
        out.add(FloatFormat.plain(value));
      } else if (value == Math.rint(value) && size < EXACT) {
        integer(value, out);
        out.add(".0");
      } else if (size < 1e-6 || size >= 1e21) {
        out.add(FloatFormat.scientific(value).replace("e+", "e").replaceFirst("e(-?)0", "e$1"));
      } else {
        String text = FloatFormat.plain(value);
        out.add(text.indexOf('.') < 0 ? text + ".0" : text);
      }
    }
  },

  /** Rust's {@code Display}: never an exponent, a point only if there is something behind it. */
  PLAIN {
    @Override
    void write(double value, Bytes out) {
      if (value == Math.rint(value) && Math.abs(value) < EXACT) {
        integer(value, out);
      } else {
        out.add(FloatFormat.plain(value));
      }
    }
  },

  /** The nearest whole number. */
  INTEGER {
    @Override
    void write(double value, Bytes out) {
      if (Math.abs(value) < EXACT) {
        integer(Math.rint(value) + 0.0, out);
      } else {
        out.add(FloatFormat.plain(Math.rint(value)));
      }
    }
  },

  /** C's {@code %f}: six digits behind the point. */
  FIXED {
    @Override
    void write(double value, Bytes out) {
      out.add(
          Double.isFinite(value)
              ? new BigDecimal(value).setScale(6, RoundingMode.HALF_EVEN).toPlainString()
              : FloatFormat.plain(value));
    }
  };

  /** Whole numbers below are exact and have a text without exponent everywhere but in Python's. */
  private static final double EXACT = 1e15;

  /** Python's client writes an exponent if more digits than these stand before the point. */
  private static final int EXPONENT_DIGITS = 6;

  abstract void write(double value, Bytes out);

  String text(double value) {
    Bytes out = new Bytes(24);
    write(value, out);
    return out.toString();
  }

  private static void integer(double value, Bytes out) {
    if (isNegative(value)) {
      out.add('-');
    }
    out.addDigits((long) Math.abs(value));
  }

  private static boolean isNegative(double value) {
    return Double.doubleToRawLongBits(value) < 0;
  }
}
