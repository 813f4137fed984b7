package org.inferometer.query.script;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.inferometer.model.Labels;
import org.inferometer.promql.Durations;
import org.inferometer.promql.ParseException;
import org.inferometer.promql.Parser;
import org.jspecify.annotations.Nullable;

/**
 * When the samples of the series line below say that they began to count, in the scripts'
 * shorthand: {@code metric{a="b"}@st _ -1m -2m-1mx3}.
 *
 * @param offsetsMs for each slot how far from its sample's time; null for not known
 */
record StartLine(Labels labels, List<@Nullable Long> offsetsMs) {
  private static final String MARK = "@st";
  private static final String DURATION = "(?:0|(?:[0-9]+(?:ms|[smhdwy]))+)";
  private static final Pattern ITEM =
      Pattern.compile(
          "([+-]?)("
              + DURATION
              + ")(?:([+-])("
              + DURATION
              + "))?(?:x([0-9]{1,6}))?|_(?:x([0-9]{1,6}))?");

  static boolean is(String line) {
    return line.split("\\s", 2)[0].endsWith(MARK);
  }

  /**
   * @throws ScriptException if it isn't such a line
   */
  static StartLine parse(String line) throws ScriptException {
    String[] words = line.split("\\s+");
    List<@Nullable Long> offsets = new ArrayList<>();
    for (int i = 1; i < words.length; i++) {
      Matcher item = ITEM.matcher(words[i]);
      if (!item.matches()) {
        throw new ScriptException(
            "expected \"_\" or an offset as \"-1m\", got \"" + words[i] + "\"");
      }
      add(item, offsets);
    }
    try {
      String metric = words[0].substring(0, words[0].length() - MARK.length());
      return new StartLine(Parser.parseMetric(metric), offsets);
    } catch (ParseException e) {
      throw new ScriptException("not a metric: " + e.getMessage(), e);
    }
  }

  private static void add(Matcher item, List<@Nullable Long> offsets) {
    if (item.group(2) == null) {
      int times = item.group(6) == null ? 1 : Integer.parseInt(item.group(6));
      offsets.addAll(Collections.nCopies(times, null));
      return;
    }
    long offset = signed(item.group(1), item.group(2));
    long step = item.group(4) == null ? 0 : signed(item.group(3), item.group(4));
    int more = item.group(5) == null ? 0 : Integer.parseInt(item.group(5));
    for (int i = 0; i <= more; i++) {
      offsets.add(offset + i * step);
    }
  }

  private static long signed(String sign, String duration) {
    long ms = duration.equals("0") ? 0 : Durations.parseMs(duration);
    return sign.equals("-") ? -ms : ms;
  }

  /**
   * The series line with these starts.
   *
   * @throws ScriptException if it is another series or has more or fewer slots
   */
  SeriesLine on(SeriesLine series) throws ScriptException {
    if (!labels.equals(series.labels()) || offsetsMs.size() != series.slots().size()) {
      throw new ScriptException(
          "expected below the start times of %s a line of it with %d values, got %s with %d"
              .formatted(labels, offsetsMs.size(), series.labels(), series.slots().size()));
    }
    return new SeriesLine(series.labels(), series.slots(), offsetsMs);
  }
}
