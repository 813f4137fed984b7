package org.inferometer.exposition;

import org.inferometer.histogram.NativeHistogram;
import org.inferometer.model.Labels;
import org.inferometer.model.MetricType;
import org.jspecify.annotations.Nullable;

/**
 * A parser of formats that are text, line by line. Sources: the Prometheus text format 0.0.4 and
 * 1.0.0, OpenMetrics 1.0, and what Prometheus 3 makes of them.
 *
 * <p>Once the parser has seen the longest line, {@code next} allocates nothing except for bad
 * lines, for label names that may be there twice, and for numbers that {@link FloatReader} leaves
 * to the JDK. Work is linear in the length of the body, memory bounded by {@value
 * LabelSpans#MAX_LABELS} labels and {@value #MAX_KEPT} reports.
 *
 * <p>{@link Mode#TOLERANT} and {@link Mode#PROMETHEUS} read one grammar. It differs from
 * Prometheus's in corners where that is an accident of its lexer: a NUL at the start of a line
 * doesn't end the body silently, blanks before a metric name aren't part of it, a label name
 * without quotes never stands for the metric name, the value ends in no NUL.
 */
abstract sealed class LineParser extends ExpositionParser permits TextParser, OpenMetricsParser {
  private static final int EXCERPT = 80;
  private static final String NOT_CLOSED = "quote not closed";
  private static final String CLOSING_QUOTE = "a closing \"";

  final FloatReader floats = new FloatReader();
  private final LabelSpans labels = new LabelSpans(true);
  private final @Nullable SpecRules rules;

  /** Whether runs of blanks may stand between tokens. */
  private final boolean blanks;

  byte[] body = {};
  int length;

  /** The next byte to read; always the start of a line between events. */
  int position;

  private int lineStart;
  private boolean ended;

  /** Whether nothing comes behind this body. */
  private boolean last;

  /** The lines of the pieces before. */
  private int linesBefore;

  // The event.
  private int rawStart;
  private int rawEnd;
  int nameStart;
  int nameEnd;
  private int textStart;
  private int textEnd;
  double value;
  boolean hasTimestamp;
  long timestampMs;
  private MetricType type = MetricType.UNKNOWN;

  /** Set by {@link #stringEnd}: whether bytes outside of ASCII were in the string. */
  private boolean wide;

  /** The opening quote of the first string of the line that goes on on the next one, or -1. */
  private int quoteOverLines;

  // The failure.
  private int failedAt;
  private String failure = "";
  private String expectation = "";

  // The reports.
  private int linesCountedTo;
  private int linesCounted;

  LineParser(Mode mode, boolean blanks) {
    super(mode);
    this.blanks = blanks;
    this.rules = mode == Mode.SPEC ? specRules() : null;
  }

  abstract SpecRules specRules();

  @Override
  public final void reset(byte[] newBody, int newLength) {
    if (newLength < 0 || newLength > newBody.length) {
      throw new IllegalArgumentException(newLength + " of " + newBody.length + " bytes");
    }
    body = newBody;
    length = newLength;
    type = MetricType.UNKNOWN;
    forgetBadLines();
    linesBefore = 0;
    last = true;
    begin();
    if (rules != null) {
      rules.reset();
    }
    start();
  }

  private void begin() {
    position = 0;
    lineStart = 0;
    ended = false;
    linesCountedTo = 0;
    linesCounted = 0;
  }

  /**
   * Goes on with a piece of whole lines behind the one before, of which nothing is left to read.
   */
  final void resume(byte[] newBody, int newLength) {
    body = newBody;
    length = newLength;
    begin();
  }

  /** Says whether the body is the last piece. */
  final void setLast(boolean isLast) {
    last = isLast;
  }

  final boolean isLast() {
    return last;
  }

  /** Forgets what is known of the body before. */
  abstract void start();

  @Override
  public final Event next() {
    while (!ended && position < length) {
      lineStart = position;
      quoteOverLines = -1;
      Event event = line(position);
      if (event == Event.BAD_LINE) {
        return badLine();
      }
      if (event != null) {
        if (rules != null) {
          rules.check(this, event);
        }
        return event;
      }
    }
    return ended ? Event.END : finish();
  }

  /**
   * Reads a line and moves {@link #position} behind it; null if there is nothing to tell. After a
   * failure the position doesn't matter.
   */
  abstract @Nullable Event line(int start);

  private Event finish() {
    ended = true;
    lineStart = length;
    if (!last) {
      linesBefore += linesCountedUpTo(length);
      linesCounted = 0;
      return Event.END;
    }
    if (!atEnd()) {
      return badLine();
    }
    if (rules != null) {
      rules.finish(this);
    }
    return Event.END;
  }

  /** Looks at the end of the body; false after a failure. */
  abstract boolean atEnd();

  // ------------------------------------------------------------------------------- accessors

  @Override
  public final byte[] raw() {
    return body;
  }

  @Override
  public final int rawStart() {
    return rawStart;
  }

  @Override
  public final int rawEnd() {
    return rawEnd;
  }

  /** By type; one series may also come under several keys by blanks, order of labels or escapes. */
  @Override
  public final int seriesKeyFlags() {
    return type == MetricType.HISTOGRAM ? 1 : type == MetricType.SUMMARY ? 2 : 0;
  }

  @Override
  public final double value() {
    return value;
  }

  @Override
  public final NativeHistogram histogram() {
    throw new IllegalStateException("no histogram");
  }

  @Override
  public final boolean hasTimestamp() {
    return hasTimestamp;
  }

  @Override
  public final long timestampMs() {
    return timestampMs;
  }

  /** The type by the last TYPE line, of whatever family it was. */
  @Override
  public final MetricType type() {
    return type;
  }

  @Override
  public final String name() {
    return Utf8.unescape(body, nameStart, nameEnd, true);
  }

  /** The text of a HELP line, unescaped, or the unit of a UNIT line. */
  @Override
  public final String text() {
    return unescapeText(textStart, textEnd);
  }

  abstract String unescapeText(int from, int to);

  @Override
  public final Labels labels() {
    Labels.Builder all = new Labels.Builder();
    all.add(Labels.NAME, name());
    String number = NumberLabels.of(type);
    for (int i = 0; i < labels.count(); i++) {
      String label = labels.name(body, i);
      String text = labels.value(body, i);
      all.add(label, label.equals(number) ? NumberLabels.normalize(text) : text);
    }
    return all.build();
  }

  @Override
  public final boolean sends(String labelName) {
    return labels.has(body, labelName);
  }

  /** The name and the labels as they were sent, nothing rewritten. */
  final Labels sentLabels() {
    Labels sent = labels.toLabels(body);
    return sent.with(Labels.NAME, name());
  }

  @Override
  public boolean hasExemplar() {
    return false;
  }

  @Override
  public Labels exemplarLabels() {
    throw new IllegalStateException("no exemplar");
  }

  /** For the rules: the first label name that the exemplar has twice, or -1. */
  int repeatedExemplarLabel() {
    return -1;
  }

  @Override
  public int exemplarLength() {
    throw new IllegalStateException("no exemplar");
  }

  @Override
  public double exemplarValue() {
    throw new IllegalStateException("no exemplar");
  }

  @Override
  public boolean hasExemplarTimestamp() {
    return false;
  }

  @Override
  public long exemplarTimestampMs() {
    throw new IllegalStateException("no exemplar");
  }

  // ---------------------------------------------------------------------------------- lexing

  /** Notes a failure; always -1. */
  final int fail(int at, String reason, String expected) {
    failedAt = at;
    failure = reason;
    expectation = expected;
    return -1;
  }

  final Event bad(int at, String reason, String expected) {
    fail(at, reason, expected);
    return Event.BAD_LINE;
  }

  final byte at(int index) {
    return index < length ? body[index] : (byte) '\n';
  }

  final int skipBlanks(int from) {
    int i = from;
    while (i < length && Chars.isBlank(body[i])) {
      i++;
    }
    return i;
  }

  private int skip(int from) {
    return blanks ? skipBlanks(from) : from;
  }

  final int lineEnd(int from) {
    int i = from;
    while (i < length && body[i] != '\n') {
      i++;
    }
    return i;
  }

  private int metricNameEnd(int from) {
    int i = from;
    while (i < length && Chars.isMetric(body[i])) {
      i++;
    }
    return i;
  }

  private int labelNameEnd(int from) {
    int i = from;
    while (i < length && Chars.isLabel(body[i])) {
      i++;
    }
    return i;
  }

  /**
   * The closing quote of a string, or -1.
   *
   * @param lines whether line feeds may be in it
   */
  private int stringEnd(int open, boolean lines) {
    int bits = 0;
    int i = open + 1;
    while (i < length) {
      byte b = body[i];
      if (b == '"') {
        wide = bits < 0;
        return i;
      }
      if (b == '\\' && i + 1 < length) {
        i++;
        b = body[i];
        if (mode == Mode.SPEC && blanks && b != '\\' && b != '"' && b != 'n') {
          return fail(i, "unknown escape", "\\\\, \\\" or \\n");
        }
      }
      if (b == '\n') {
        if (!lines) {
          break;
        }
        quoteOverLines = quoteOverLines < 0 ? open : quoteOverLines;
      }
      bits |= b;
      i++;
    }
    return fail(open, NOT_CLOSED, CLOSING_QUOTE);
  }

  /** The closing quote of a string that is valid UTF-8, or -1. */
  private int utf8StringEnd(int open, boolean lines) {
    int close = stringEnd(open, lines);
    if (close >= 0 && wide) {
      int invalid = Utf8.firstInvalid(body, open + 1, close);
      if (invalid >= 0) {
        return fail(invalid, "invalid UTF-8", "UTF-8");
      }
    }
    return close;
  }

  /** The closing quote of a name, or -1. */
  private int quotedNameEnd(int open) {
    int close = utf8StringEnd(open, blanks && mode != Mode.SPEC);
    if (close == open + 1) {
      return fail(open, "empty name", "a name");
    }
    if (close >= 0 && mode == Mode.SPEC && !blanks) {
      return fail(open, "name in quotes", "a plain name, as OpenMetrics 1.0 has no others");
    }
    return close;
  }

  /** Reads the name in a metadata line; its end, or -1. */
  final int familyName(int from, String keyword) {
    if (at(from) == '"') {
      int close = quotedNameEnd(from);
      nameStart = from + 1;
      nameEnd = close;
      return close < 0 ? -1 : close + 1;
    }
    if (!Chars.startsMetric(at(from))) {
      return fail(from, "no metric name after " + keyword, "a metric name");
    }
    nameStart = from;
    nameEnd = metricNameEnd(from);
    return nameEnd;
  }

  final void metadata(int from, int to, int end) {
    rawStart = lineStart;
    rawEnd = end;
    textStart = from;
    textEnd = to;
    position = end + 1;
  }

  final void setType(MetricType newType) {
    type = newType;
  }

  /** Whether a name is a word: the type, the keyword. */
  final boolean isWord(int from, int to, String word) {
    if (to - from != word.length()) {
      return false;
    }
    for (int i = from; i < to; i++) {
      if (body[i] != word.charAt(i - from)) {
        return false;
      }
    }
    return true;
  }

  /** Reads name and labels; the end of them, or -1. */
  final int series(int from) {
    labels.clear();
    rawStart = from;
    nameStart = -1;
    int i = from;
    if (body[i] != '{') {
      nameStart = from;
      nameEnd = metricNameEnd(from);
      rawEnd = nameEnd;
      i = skip(nameEnd);
    }
    if (at(i) == '{') {
      i = labels(i + 1, labels, true);
      rawEnd = i;
    }
    if (i >= 0 && nameStart < 0) {
      return fail(from, "no metric name", "a metric name before or in the braces");
    }
    return i < 0 ? -1 : checkNames(i);
  }

  private int checkNames(int end) {
    int repeated = labels.repeated(body);
    if (repeated >= 0) {
      return fail(labels.nameStart(repeated), "label name twice", "each label name once");
    }
    return end;
  }

  /** Reads pairs up to and with the closing brace; the byte behind it, or -1. */
  final int labels(int from, LabelSpans into, boolean nameAllowed) {
    int i = skip(from);
    while (at(i) != '}') {
      i = label(i, into, nameAllowed);
      if (i < 0) {
        return -1;
      }
      boolean comma = at(i) == ',';
      if (comma) {
        i = skip(i + 1);
        if (at(i) == '}' && mode == Mode.SPEC && !blanks) {
          return fail(i, "comma after the last label", "a label");
        }
      } else if (at(i) != '}' && (!blanks || mode == Mode.SPEC)) {
        return fail(i, "no comma after a label", ", or }");
      }
    }
    return i + 1;
  }

  /** Reads a pair, or the metric name in quotes; the next byte that isn't blank, or -1. */
  private int label(int from, LabelSpans into, boolean nameAllowed) {
    boolean quoted = at(from) == '"';
    if (!quoted && !Chars.startsLabel(at(from))) {
      return fail(from, "no label name", nameAllowed ? "a label name or }" : "a label name");
    }
    int end = quoted ? quotedNameEnd(from) : labelNameEnd(from);
    if (end < 0) {
      return -1;
    }
    int start = quoted ? from + 1 : from;
    int i = skip(quoted ? end + 1 : end);
    if (quoted && nameAllowed && (at(i) == ',' || at(i) == '}')) {
      return nameInBraces(start, end, i);
    }
    if (at(i) != '=') {
      return fail(i, "no = after a label name", "=");
    }
    if (nameAllowed && isWord(start, end, Labels.NAME)) {
      return fail(start, "label " + Labels.NAME, "the metric name before the braces only");
    }
    return labelValue(start, end, skip(i + 1), into);
  }

  private int nameInBraces(int start, int end, int next) {
    if (nameStart >= 0) {
      return fail(start - 1, "second metric name", "a label");
    }
    nameStart = start;
    nameEnd = end;
    return next;
  }

  private int labelValue(int nameFrom, int nameTo, int open, LabelSpans into) {
    if (at(open) != '"') {
      return fail(open, "label value without quotes", "a value in double quotes");
    }
    int close = utf8StringEnd(open, blanks && mode != Mode.SPEC);
    if (close < 0) {
      return -1;
    }
    if (!into.add(body, nameFrom, nameTo, open + 1, close)) {
      return fail(
          nameFrom,
          "more than " + LabelSpans.MAX_LABELS + " labels",
          "at most " + LabelSpans.MAX_LABELS);
    }
    return skip(close + 1);
  }

  /** Reads a number that fills a range into {@link #floats}; false after a failure. */
  final boolean number(int from, int to, String what) {
    if (from == to) {
      fail(from, "no " + what, "a number");
      return false;
    }
    if (floats.read(body, from, to)) {
      return true;
    }
    if (body[to - 1] == '\r') {
      fail(to - 1, "carriage return", "lines that end in a line feed alone");
    } else {
      fail(from, floats.problem(), "a number such as 1, 0.5, 1e-3, NaN or +Inf");
    }
    return false;
  }

  // --------------------------------------------------------------------------------- reports

  private Event badLine() {
    ended |= mode != Mode.TOLERANT;
    countBadLine();
    position = Math.min(length, lineEnd(lineStart) + 1);
    return Event.BAD_LINE;
  }

  /** A refusal by {@link SpecRules} of the line that starts at a place. */
  final ExpositionException refusal(int line, int at, String reason, String expected) {
    fail(at, reason, expected);
    lineStart = line;
    ended = true;
    return new ExpositionException(describe());
  }

  /** A refusal of the line before, at its end. */
  final ExpositionException refusalAtEnd(String reason, String expected) {
    return refusal(lineStart, Math.max(lineStart, position - 1), reason, expected);
  }

  /** A refusal of what comes next, which isn't in the body. */
  final ExpositionException refusalOfNext(String reason, String expected) {
    return refusal(length, length, reason, expected);
  }

  final int lineStart() {
    return lineStart;
  }

  /** What failed on a later line did so because a quote of this one wasn't closed. */
  @Override
  BadLine describe() {
    int end = lineEnd(lineStart);
    boolean later = failedAt > end && quoteOverLines >= 0;
    int at = Math.max(lineStart, Math.min(later ? quoteOverLines : failedAt, end));
    int column = Utf8.characters(body, lineStart, at) + 1;
    return later
        ? new BadLine(lineNumber(), column, NOT_CLOSED, CLOSING_QUOTE, excerpt(at, end))
        : new BadLine(lineNumber(), column, failure, expectation, excerpt(at, end));
  }

  /** Counts line feeds from where it stopped the time before. */
  private int lineNumber() {
    return linesBefore + linesCountedUpTo(lineStart) + 1;
  }

  private int linesCountedUpTo(int end) {
    for (; linesCountedTo < end; linesCountedTo++) {
      if (body[linesCountedTo] == '\n') {
        linesCounted++;
      }
    }
    return linesCounted;
  }

  private String excerpt(int at, int end) {
    int from = Math.max(lineStart, Math.min(at - EXCERPT / 2, end - EXCERPT));
    int to = Math.min(end, from + EXCERPT);
    StringBuilder text = new StringBuilder(EXCERPT + 8);
    text.append(from > lineStart ? "..." : "");
    String shown = Utf8.decode(body, from, to);
    for (int i = 0; i < shown.length(); i++) {
      char c = shown.charAt(i);
      text.append(c == '\t' ? "\\t" : c == '\r' ? "\\r" : c < ' ' ? "\\" + (int) c : "" + c);
    }
    return text.append(to < end ? "..." : "").toString();
  }
}
