package org.inferometer.app;

import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times and durations as users write them on the command line. */
final class Times {
  private static final Pattern SECONDS = Pattern.compile("\\d{1,12}(\\.\\d{1,9})?");
  private static final Pattern RELATIVE = Pattern.compile("now(?:-(.+))?");
  private static final Pattern DURATION =
      Pattern.compile(
          "(?:(\\d{1,9})d)?(?:(\\d{1,9})h)?(?:(\\d{1,9})m)?(?:(\\d{1,9})s)?" + "(?:(\\d{1,9})ms)?");
  private static final long[] UNIT_MS = {86_400_000L, 3_600_000L, 60_000L, 1_000L, 1L};

  private Times() {}

  /** A time in milliseconds: Unix seconds, RFC 3339, {@code now}, or {@code now-1h30m}. */
  static long parseMs(String option, String text, long nowMs) {
    Matcher relative = RELATIVE.matcher(text);
    if (relative.matches()) {
      return relative.group(1) == null ? nowMs : nowMs - durationMs(option, relative.group(1));
    }
    if (SECONDS.matcher(text).matches()) {
      return Math.round(Double.parseDouble(text) * 1000);
    }
    try {
      return OffsetDateTime.parse(text).toInstant().toEpochMilli();
    } catch (DateTimeException | ArithmeticException e) {
      throw CommandException.badInput(
          option
              + ": expected Unix seconds, a time such as 2026-01-31T12:00:00Z, now, or now-1h; got \""
              + text
              + "\"");
    }
  }

  /** A positive duration in milliseconds: {@code 15s}, {@code 1h30m}, or a number of seconds. */
  static long durationMs(String option, String text) {
    long ms = 0;
    Matcher units = DURATION.matcher(text);
    if (SECONDS.matcher(text).matches()) {
      ms = Math.round(Double.parseDouble(text) * 1000);
    } else if (units.matches()) {
      for (int i = 0; i < UNIT_MS.length; i++) {
        String digits = units.group(i + 1);
        ms += digits == null ? 0 : Long.parseLong(digits) * UNIT_MS[i];
      }
    }
    if (ms <= 0) {
      throw CommandException.badInput(
          option + ": expected a duration such as 15s, 5m or 1h30m; got \"" + text + "\"");
    }
    return ms;
  }
}
