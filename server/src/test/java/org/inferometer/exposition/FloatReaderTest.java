package org.inferometer.exposition;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.inferometer.model.StalenessMarker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FloatReaderTest {
  private final FloatReader reader = new FloatReader();

  private boolean read(String text) {
    byte[] padded = ("7" + text + "7").getBytes(ISO_8859_1);
    return reader.read(padded, 1, padded.length - 1);
  }

  private void checkLikeJdk(String text) {
    double expected = Double.parseDouble(text);
    boolean finite = !Double.isInfinite(expected);
    if (read(text) != finite
        || (finite
            && Double.doubleToRawLongBits(reader.value())
                != Double.doubleToRawLongBits(expected))) {
      throw new AssertionError(text + ": expected " + expected + ", got " + reader.value());
    }
  }

  @Test
  void decimals_likeTheJdk() {
    Random random = new Random(1);
    for (int i = 0; i < 400_000; i++) {
      int digits = 1 + random.nextInt(25);
      StringBuilder text = new StringBuilder(random.nextBoolean() ? "-" : "");
      int point = random.nextInt(digits + 1);
      for (int d = 0; d < digits; d++) {
        text.append(d == point ? "." : "").append((char) ('0' + random.nextInt(10)));
      }
      if (random.nextInt(3) == 0) {
        text.append('e').append(random.nextInt(80) - 40);
      }
      checkLikeJdk(text.toString());
    }
  }

  @Test
  void shortestTextsOfDoubles_likeTheJdk() {
    Random random = new Random(2);
    for (int i = 0; i < 400_000; i++) {
      double value = Double.longBitsToDouble(random.nextLong());
      if (!Double.isNaN(value) && !Double.isInfinite(value)) {
        checkLikeJdk(Double.toString(value));
        double usual = random.nextDouble() * Math.pow(10, random.nextInt(12));
        checkLikeJdk(Double.toString(usual));
      }
    }
  }

  /** The exact middle between two doubles, and a digit above and below it: the hard cases. */
  @Test
  void halfways_likeTheJdk() {
    Random random = new Random(3);
    for (int i = 0; i < 100_000; i++) {
      double value = Double.longBitsToDouble(random.nextLong() >>> 1);
      if (!(value < Double.MAX_VALUE && value > 1e-40) || value > 1e40) {
        value = 1 + random.nextDouble() * 1e17;
      }
      String middle =
          new java.math.BigDecimal(value)
              .add(new java.math.BigDecimal(Math.ulp(value) / 2))
              .toString();
      checkLikeJdk(middle);
      checkLikeJdk(middle.contains("E") ? middle.replace("E", "1E") : middle + "1");
      checkLikeJdk(
          middle.substring(0, Math.min(19, middle.indexOf('E') < 0 ? middle.length() : 1)));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-0",
        "0.0",
        ".5",
        "5.",
        "+1",
        "1e5",
        "1E+5",
        "1e-5",
        "00001",
        "9007199254740993",
        "18446744073709551616",
        "1e22",
        "1e23",
        "1e308",
        "1.7976931348623157e308",
        "4.9e-324",
        "2.4703282292062327e-324",
        "2.2250738585072011e-308",
        "1e-999",
        "0e99999999999",
        "9223372036854775808",
        "123456789012345678901234567890",
        "0.000000000000000000000001",
        "8.988465674311580e307",
        "6.103515625e-05",
        "72057594037927945",
        "1e-400000000000"
      })
  void edges_likeTheJdk(String text) {
    checkLikeJdk(text);
  }

  @Test
  void manyDigits_likeTheJdk() {
    checkLikeJdk("0." + "0".repeat(2000) + "123456789012345678901e1990");
    checkLikeJdk("1" + "0".repeat(300));
    checkLikeJdk("9007199254740992" + "." + "0".repeat(1000) + "1");
    checkLikeJdk("9007199254740993" + "." + "0".repeat(1000) + "1");
  }

  @ParameterizedTest
  @CsvSource({
    "inf, Infinity",
    "+Inf, Infinity",
    "-INF, -Infinity",
    "infinity, Infinity",
    "-Infinity, -Infinity"
  })
  void words(String text, double expected) {
    assertThat(read(text)).isTrue();
    assertThat(reader.value()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"NaN", "nan", "NAN"})
  void everyNan_isTheNormalOne(String text) {
    assertThat(read(text)).isTrue();
    assertThat(Double.doubleToRawLongBits(reader.value()))
        .isEqualTo(StalenessMarker.NORMAL_NAN_BITS);
  }

  @ParameterizedTest
  @CsvSource({
    "'', not a number",
    "-, not a number",
    "., not a number",
    "e5, not a number",
    "1e, not a number",
    "1e+, not a number",
    "1.1.1, not a number",
    "1f, not a number",
    "1d, not a number",
    "infinit, not a number",
    "nano, not a number",
    "-nan, NaN with a sign",
    "+NaN, NaN with a sign",
    "1_000, underscore in a number",
    "0x10, 'hexadecimal, octal or binary number'",
    "0x1p4, 'hexadecimal, octal or binary number'",
    "0b1, 'hexadecimal, octal or binary number'",
    "1e999, number too big for a float64",
    "-1e309, number too big for a float64",
    "1.7976931348623159e308, number too big for a float64",
  })
  void refused(String text, String problem) {
    assertThat(read(text)).isFalse();
    assertThat(reader.problem()).isEqualTo(problem);
  }

  @Test
  void absurdLength_isRefused() {
    assertThat(read("1".repeat(5000))).isFalse();
    assertThat(reader.problem()).isEqualTo(FloatReader.TOO_LONG);
  }
}
