package org.inferometer.exposition;

import org.inferometer.model.MetricType;
import org.jspecify.annotations.Nullable;

/** The Prometheus text format, 0.0.4 and 1.0.0. */
final class TextParser extends LineParser {
  private static final String TYPES = "counter, gauge, histogram, summary or untyped";

  TextParser(Mode mode) {
    super(mode, true);
  }

  @Override
  SpecRules specRules() {
    return new TextRules();
  }

  @Override
  void start() {}

  @Override
  boolean atEnd() {
    boolean cut = mode == Mode.SPEC && length > 0 && body[length - 1] != '\n';
    return !cut || fail(length, "last line without a line feed", "a line feed") >= 0;
  }

  @Override
  @Nullable Event line(int start) {
    int i = skipBlanks(start);
    byte b = at(i);
    if (b == '\n') {
      position = i + 1;
      return null;
    }
    if (b == '#') {
      return comment(i);
    }
    if (b != '{' && !Chars.startsMetric(b)) {
      return bad(i, "no start of a line", "a metric name, { or #");
    }
    if (b != '{' && i > start && mode != Mode.SPEC) {
      return bad(start, "blank before the metric name", "a metric name");
    }
    int end = series(i);
    return end < 0 ? Event.BAD_LINE : sample(skipBlanks(end));
  }

  private Event sample(int from) {
    int end = from;
    while (end < length && !Chars.endsValue(body[end])) {
      end++;
    }
    if (!number(from, end, "value")) {
      return Event.BAD_LINE;
    }
    value = floats.value();
    int i = skipBlanks(end);
    hasTimestamp = false;
    if (at(i) != '\n') {
      i = timestamp(i);
      if (i < 0) {
        return Event.BAD_LINE;
      }
    }
    position = i + 1;
    return Event.SERIES;
  }

  /** Reads a timestamp and the rest of the line; the line feed, or -1. */
  private int timestamp(int from) {
    long ms = 0;
    // The specification has 64 bits with a sign, Prometheus's lexer digits only.
    boolean negative = mode == Mode.SPEC && body[from] == '-';
    int start = negative ? from + 1 : from;
    int i = start;
    for (; i < length && body[i] >= '0' && body[i] <= '9'; i++) {
      int digit = body[i] - '0';
      if (ms > (Long.MAX_VALUE - digit) / 10) {
        return fail(from, "timestamp too big", "milliseconds in 64 bits");
      }
      ms = ms * 10 + digit;
    }
    if (i == start) {
      return noTimestamp(from);
    }
    hasTimestamp = true;
    timestampMs = negative ? -ms : ms;
    int end = skipBlanks(i);
    return at(end) == '\n' ? end : fail(end, "more after the timestamp", "the end of the line");
  }

  private int noTimestamp(int at) {
    return switch (body[at]) {
      case '#' ->
          fail(at, "# after the value", "the end of the line: exemplars are OpenMetrics only");
      case '-', '+' -> fail(at, "timestamp with a sign", "a timestamp in digits");
      case '\r' -> fail(at, "carriage return", "lines that end in a line feed alone");
      default -> fail(at, "no timestamp", "a timestamp in milliseconds or the end of the line");
    };
  }

  private @Nullable Event comment(int hash) {
    int from = skipBlanks(hash + 1);
    int to = from;
    while (to < length && body[to] >= 'A' && body[to] <= 'Z') {
      to++;
    }
    // A keyword alone is a comment; with blanks behind, to the specification only.
    boolean alone = mode == Mode.SPEC && at(skipBlanks(to)) == '\n';
    boolean keyword = from > hash + 1 && Chars.isBlank(at(to)) && !alone;
    if (keyword && isWord(from, to, "HELP")) {
      return help(skipBlanks(to));
    }
    if (keyword && isWord(from, to, "TYPE")) {
      return type(skipBlanks(to));
    }
    position = lineEnd(hash) + 1;
    return null;
  }

  private Event help(int from) {
    int name = familyName(from, "HELP");
    if (name < 0) {
      return Event.BAD_LINE;
    }
    int end = lineEnd(name);
    int text = Math.min(end, name + 1);
    int invalid = Utf8.firstInvalid(body, text, end);
    if (invalid >= 0) {
      return bad(invalid, "invalid UTF-8", "UTF-8");
    }
    metadata(text, end, end);
    return Event.HELP;
  }

  /** A refused type is no longer the type before, either. */
  private Event type(int from) {
    setType(MetricType.UNKNOWN);
    int name = familyName(from, "TYPE");
    if (name < 0) {
      return Event.BAD_LINE;
    }
    int end = lineEnd(name);
    int text = Math.min(end, name + 1);
    MetricType type = typeOf(text, end);
    if (type == null) {
      return bad(text, "invalid metric type", TYPES + " after one blank, and nothing behind");
    }
    setType(type);
    metadata(text, end, end);
    return Event.TYPE;
  }

  private @Nullable MetricType typeOf(int from, int to) {
    if (isWord(from, to, "counter")) {
      return MetricType.COUNTER;
    } else if (isWord(from, to, "gauge")) {
      return MetricType.GAUGE;
    } else if (isWord(from, to, "histogram")) {
      return MetricType.HISTOGRAM;
    } else if (isWord(from, to, "summary")) {
      return MetricType.SUMMARY;
    }
    return isWord(from, to, "untyped") ? MetricType.UNKNOWN : null;
  }

  @Override
  String unescapeText(int from, int to) {
    return Utf8.unescape(body, from, to, false);
  }
}
