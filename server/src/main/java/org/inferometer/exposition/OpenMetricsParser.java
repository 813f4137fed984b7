package org.inferometer.exposition;

import org.inferometer.model.Labels;
import org.inferometer.model.MetricType;
import org.jspecify.annotations.Nullable;

/** OpenMetrics 1.0 text. */
final class OpenMetricsParser extends LineParser {
  private static final MetricType[] TYPES = MetricType.values();

  private static final String TYPE_WORDS =
      "counter, gauge, histogram, gaugehistogram, summary, info, stateset or unknown";

  private final LabelSpans exemplar = new LabelSpans(true);
  private boolean hasExemplar;
  private double exemplarValue;
  private boolean hasExemplarTimestamp;
  private long exemplarTimestampMs;

  /** Whether an EOF line was there, and what came after it. */
  private boolean eof;

  OpenMetricsParser(Mode mode) {
    super(mode, false);
  }

  @Override
  SpecRules specRules() {
    return new OpenMetricsRules();
  }

  @Override
  void start() {
    eof = false;
    hasExemplar = false;
  }

  @Override
  boolean atEnd() {
    return eof || fail(length, "no # EOF at the end", "# EOF; the body may be cut off") >= 0;
  }

  @Override
  @Nullable Event line(int start) {
    byte b = body[start];
    if (b == '#') {
      return comment(start);
    }
    if (b != '{' && !Chars.startsMetric(b)) {
      return badStart(start, b);
    }
    int end = series(start);
    return end < 0 ? Event.BAD_LINE : sample(end);
  }

  private Event badStart(int start, byte b) {
    String reason =
        b == '\n' ? "blank line" : Chars.isBlank(b) ? "blank at the start" : "no start of a line";
    return bad(start, reason, "a metric name, { or #");
  }

  private Event sample(int from) {
    hasExemplar = false;
    hasTimestamp = false;
    int i = spacedNumber(from, "value");
    if (i < 0) {
      return Event.BAD_LINE;
    }
    value = floats.value();
    if (at(i) == ' ' && !exemplarStarts(i)) {
      i = spacedTimestamp(i);
      timestampMs = millis();
      hasTimestamp = true;
    }
    if (i >= 0 && exemplarStarts(i)) {
      i = exemplar(i + 4);
    }
    if (i < 0) {
      return Event.BAD_LINE;
    }
    return endOfSample(i);
  }

  private Event endOfSample(int at) {
    if (at == length) {
      return bad(at, "line without a line feed", "a line feed; the body may be cut off");
    }
    if (body[at] != '\n') {
      return bad(at, "more after the sample", "the end of the line");
    }
    position = at + 1;
    return Event.SERIES;
  }

  private boolean exemplarStarts(int from) {
    return at(from) == ' ' && at(from + 1) == '#' && at(from + 2) == ' ' && at(from + 3) == '{';
  }

  /** Reads a space and a number up to the next space or the end of the line; the end, or -1. */
  private int spacedNumber(int from, String what) {
    if (at(from) != ' ') {
      return fail(from, "no " + what, "one space and a number");
    }
    int end = from + 1;
    while (end < length && body[end] != ' ' && body[end] != '\n') {
      end++;
    }
    return number(from + 1, end, what) ? end : -1;
  }

  private int spacedTimestamp(int from) {
    int end = spacedNumber(from, "timestamp");
    if (end >= 0 && !Double.isFinite(floats.value())) {
      return fail(from + 1, "timestamp that is no point in time", "seconds as a number");
    }
    return end;
  }

  /** Cut off toward zero; what is beyond 64 bits becomes the furthest time. */
  private long millis() {
    return (long) (floats.value() * 1000);
  }

  /** Reads an exemplar behind its opening brace; the end, or -1. */
  private int exemplar(int from) {
    exemplar.clear();
    int i = labels(from, exemplar, false);
    if (i < 0) {
      return -1;
    }
    i = spacedNumber(i, "exemplar value");
    if (i < 0) {
      return -1;
    }
    exemplarValue = floats.value();
    hasExemplar = true;
    hasExemplarTimestamp = at(i) == ' ';
    if (hasExemplarTimestamp) {
      i = spacedTimestamp(i);
      exemplarTimestampMs = millis();
    }
    return i;
  }

  private @Nullable Event comment(int hash) {
    int from = hash + 2;
    int to = Math.min(length, hash + 6);
    if (at(hash + 1) != ' ') {
      return bad(hash, "comment", "# HELP, # TYPE, # UNIT or # EOF");
    }
    if (at(hash + 6) == ' ') {
      if (isWord(from, to, "HELP")) {
        return help(hash + 7);
      } else if (isWord(from, to, "TYPE")) {
        return type(hash + 7);
      } else if (isWord(from, to, "UNIT")) {
        return unit(hash + 7);
      }
    }
    if (isWord(from, Math.min(length, hash + 5), "EOF")) {
      return endOfFile(hash);
    }
    return bad(hash, "comment", "# HELP, # TYPE, # UNIT or # EOF");
  }

  /** Lines after it are still read, as they may be another page behind the first. */
  private @Nullable Event endOfFile(int hash) {
    eof = true;
    int end = hash + 5;
    if (at(end) != '\n') {
      return bad(end, "text after # EOF", "the end of the body");
    }
    if (end + 1 < length || !isLast()) {
      return bad(end, "lines after # EOF", "the end of the body");
    }
    position = length;
    return null;
  }

  /** The text behind a name and one space, up to a line feed: its start, or -1. */
  private int metadataText(int from, String keyword) {
    int name = familyName(from, keyword);
    if (name < 0) {
      return -1;
    }
    if (at(name) != ' ') {
      return fail(name, "no text in " + keyword, "one space and a text");
    }
    return name + 1;
  }

  private int metadataEnd(int text) {
    int end = lineEnd(text);
    return end < length
        ? end
        : fail(end, "line without a line feed", "a line feed; the body may be cut off");
  }

  private Event help(int from) {
    int text = metadataText(from, "HELP");
    int end = text < 0 ? -1 : metadataEnd(text);
    if (end < 0) {
      return Event.BAD_LINE;
    }
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
    int text = metadataText(from, "TYPE");
    int end = text < 0 ? -1 : metadataEnd(text);
    if (end < 0) {
      return Event.BAD_LINE;
    }
    for (MetricType type : TYPES) {
      if (isWord(text, end, type.word())) {
        setType(type);
        metadata(text, end, end);
        return Event.TYPE;
      }
    }
    return bad(text, "invalid metric type", TYPE_WORDS);
  }

  private Event unit(int from) {
    int text = metadataText(from, "UNIT");
    int end = text < 0 ? -1 : metadataEnd(text);
    if (end < 0) {
      return Event.BAD_LINE;
    }
    if (end > text && !isUnitOfName(text, end)) {
      return bad(text, "unit that isn't the end of the name", "a name that ends in _ and the unit");
    }
    metadata(text, end, end);
    return Event.UNIT;
  }

  private boolean isUnitOfName(int from, int to) {
    int start = nameEnd - (to - from);
    if (start <= nameStart || body[start - 1] != '_') {
      return false;
    }
    for (int i = from; i < to; i++) {
      if (body[start + i - from] != body[i]) {
        return false;
      }
    }
    return true;
  }

  @Override
  String unescapeText(int from, int to) {
    return Utf8.unescape(body, from, to, true);
  }

  @Override
  int repeatedExemplarLabel() {
    int index = exemplar.repeated(body);
    return index < 0 ? -1 : exemplar.nameStart(index);
  }

  @Override
  public boolean hasExemplar() {
    return hasExemplar;
  }

  @Override
  public Labels exemplarLabels() {
    needExemplar();
    return exemplar.toLabels(body);
  }

  @Override
  public int exemplarLength() {
    needExemplar();
    return exemplar.characters(body);
  }

  @Override
  public double exemplarValue() {
    needExemplar();
    return exemplarValue;
  }

  @Override
  public boolean hasExemplarTimestamp() {
    return hasExemplar && hasExemplarTimestamp;
  }

  @Override
  public long exemplarTimestampMs() {
    needExemplar();
    return exemplarTimestampMs;
  }

  private void needExemplar() {
    if (!hasExemplar) {
      throw new IllegalStateException("no exemplar");
    }
  }
}
