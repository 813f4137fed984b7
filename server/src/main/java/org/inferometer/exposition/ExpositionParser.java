package org.inferometer.exposition;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.model.Labels;
import org.inferometer.model.MetricType;

/**
 * A pull parser of an exposition format: give it a body, then call {@link #next} until {@link
 * Event#END}; the accessors tell about the event before. Reused for many bodies. Not thread-safe.
 *
 * <pre>{@code
 * parser.reset(body, length);
 * for (Event event = parser.next(); event != Event.END; event = parser.next()) {
 *   if (event == Event.SERIES) {
 *     int flags = parser.seriesKeyFlags();
 *     int id = index.find(parser.raw(), parser.rawStart(), parser.rawEnd(), flags);
 *   }
 * }
 * }</pre>
 *
 * <p>In the steady state {@code next} allocates nothing but native histograms, reports of what is
 * bad and what the formats' parsers name. What returns strings or {@link Labels} allocates. The
 * body isn't copied: it mustn't change until the next {@code reset}.
 */
public abstract sealed class ExpositionParser permits LineParser, ProtobufParser {
  /** Reports of bad lines kept per body; all are counted. */
  public static final int MAX_KEPT = 100;

  final Mode mode;
  private final List<BadLine> badLines = new ArrayList<>();
  private int badLineCount;

  ExpositionParser(Mode mode) {
    this.mode = mode;
  }

  /** A parser of a format that takes native histograms where they are sent. */
  public static ExpositionParser of(Format format, Mode mode) {
    return of(format, mode, HistogramKinds.NATIVE);
  }

  /**
   * A parser of a format.
   *
   * @param kinds of histograms that are taken; the text formats have classic ones only
   */
  public static ExpositionParser of(Format format, Mode mode, HistogramKinds kinds) {
    return switch (format) {
      case TEXT -> new TextParser(mode);
      case OPENMETRICS -> new OpenMetricsParser(mode);
      case PROTOBUF -> new ProtobufParser(mode, kinds);
    };
  }

  /** Starts over with another body: the first {@code length} bytes of an array. */
  public abstract void reset(byte[] newBody, int newLength);

  /**
   * Reads on to the next event; {@link Event#END} again and again at the end.
   *
   * @throws ExpositionException if the body is refused, in all modes but {@link Mode#TOLERANT}
   */
  public abstract Event next();

  /**
   * The array that {@link #rawStart} and {@link #rawEnd} count in: the body, or else one of the
   * parser's own. Valid until the next event.
   */
  public abstract byte[] raw();

  /**
   * Where the bytes start that stand for the series, for {@link Event#SERIES} and {@link
   * Event#HISTOGRAM}, or for the line or the piece of metadata. They hold name and labels as they
   * were sent, so that they can be the key of a cache, with {@link #seriesKeyFlags}.
   */
  public abstract int rawStart();

  /** Behind the last of these bytes. */
  public abstract int rawEnd();

  /**
   * What makes equal bytes different series, such as the type that decides how {@code le} and
   * {@code quantile} are rewritten. A cache must have these flags in its key. The reverse doesn't
   * hold: one series may come under several keys.
   */
  public abstract int seriesKeyFlags();

  /** The value; NaN is always {@link org.inferometer.model.StalenessMarker#NORMAL_NAN}. */
  public abstract double value();

  /**
   * The value after {@link Event#HISTOGRAM}.
   *
   * @throws IllegalStateException after another event
   */
  public abstract NativeHistogram histogram();

  public abstract boolean hasTimestamp();

  /** Milliseconds since 1970. Meaningless without {@link #hasTimestamp}. */
  public abstract long timestampMs();

  /** The type by what was said of it last, of whatever family that was. */
  public abstract MetricType type();

  /** The name of the metric or, in metadata, of the family. */
  public abstract String name();

  /** The text of HELP, or the unit of UNIT. */
  public abstract String text();

  /**
   * The series as it is stored: {@code le} of histograms and {@code quantile} of summaries in
   * OpenMetrics's notation of floats, labels with an empty value left out.
   */
  public abstract Labels labels();

  /** Whether a label of this name was sent, be its value empty or not. Allocates. */
  public abstract boolean sends(String labelName);

  public abstract boolean hasExemplar();

  /** The labels of the exemplar; of equal names the last. */
  public abstract Labels exemplarLabels();

  /** Characters in the names and values of the exemplar's labels. The limit is 128. */
  public abstract int exemplarLength();

  public abstract double exemplarValue();

  public abstract boolean hasExemplarTimestamp();

  /** Milliseconds since 1970. */
  public abstract long exemplarTimestampMs();

  /** How many lines of this body were bad so far. */
  public final int badLineCount() {
    return badLineCount;
  }

  /** The first {@value #MAX_KEPT} bad lines. */
  public final List<BadLine> badLines() {
    return List.copyOf(badLines);
  }

  /** The bad line before, after {@link Event#BAD_LINE}; also one that is no longer kept. */
  public final BadLine lastBadLine() {
    return describe();
  }

  /** The failure before, in words. */
  abstract BadLine describe();

  final void forgetBadLines() {
    badLines.clear();
    badLineCount = 0;
  }

  /**
   * Counts a failure and keeps the first ones.
   *
   * @throws ExpositionException in all modes but {@link Mode#TOLERANT}
   */
  final void countBadLine() {
    if (mode != Mode.TOLERANT) {
      throw new ExpositionException(describe());
    }
    badLineCount++;
    if (badLines.size() < MAX_KEPT) {
      badLines.add(describe());
    }
  }
}
