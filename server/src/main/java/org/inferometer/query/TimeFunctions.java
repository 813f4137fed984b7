package org.inferometer.query;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.function.DoubleUnaryOperator;

/** Calendar fields, in UTC, of a time in seconds since the Unix epoch. */
final class TimeFunctions {
  private static final long DAY_SECONDS = 86_400;

  private TimeFunctions() {}

  /** A field of the date. */
  @FunctionalInterface
  private interface DateField {
    int of(LocalDate date);
  }

  static DoubleUnaryOperator year() {
    return date(LocalDate::getYear);
  }

  static DoubleUnaryOperator month() {
    return date(LocalDate::getMonthValue);
  }

  static DoubleUnaryOperator dayOfMonth() {
    return date(LocalDate::getDayOfMonth);
  }

  static DoubleUnaryOperator dayOfYear() {
    return date(LocalDate::getDayOfYear);
  }

  static DoubleUnaryOperator daysInMonth() {
    return date(LocalDate::lengthOfMonth);
  }

  /** Sunday is 0. */
  static DoubleUnaryOperator dayOfWeek() {
    return date(
        date -> date.getDayOfWeek() == DayOfWeek.SUNDAY ? 0 : date.getDayOfWeek().getValue());
  }

  static DoubleUnaryOperator hour() {
    return seconds -> hourOf(secondOfDay(seconds));
  }

  static DoubleUnaryOperator minute() {
    return seconds -> minuteOf(secondOfDay(seconds));
  }

  private static int hourOf(int secondOfDay) {
    return secondOfDay / 3600;
  }

  private static int minuteOf(int secondOfDay) {
    return secondOfDay % 3600 / 60;
  }

  private static int secondOfDay(double seconds) {
    return Math.toIntExact(Math.floorMod((long) seconds, DAY_SECONDS));
  }

  /** Times that no calendar reaches have no date. */
  private static DoubleUnaryOperator date(DateField field) {
    return seconds -> {
      long day = Math.floorDiv((long) seconds, DAY_SECONDS);
      boolean known = day >= LocalDate.MIN.toEpochDay() && day <= LocalDate.MAX.toEpochDay();
      return known && !Double.isNaN(seconds) ? field.of(LocalDate.ofEpochDay(day)) : Double.NaN;
    };
  }
}
