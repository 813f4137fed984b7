package org.inferometer.app;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.function.LongConsumer;
import org.inferometer.exposition.Event;
import org.inferometer.exposition.ExpositionException;
import org.inferometer.exposition.ExpositionParser;
import org.inferometer.exposition.NotExposition;
import org.inferometer.exposition.OpenMetricsStream;
import org.inferometer.exposition.SeriesTextIndex;
import org.inferometer.model.Labels;

/**
 * Reads a series file: OpenMetrics text in which every sample has a timestamp, of any length. In
 * memory is a piece of it at a time, and the text of the series that were seen, up to a limit. Not
 * thread-safe.
 */
final class SeriesFile {
  /** Whole lines of about so much are read at once. */
  static final int PIECE_BYTES = 1 << 20;

  /** A longer line is refused; a thousand times what a line with long labels has. */
  static final int LINE_BYTES_MAX = 1 << 26;

  /** Enough for some hundred thousand series; others are found by their labels, which is slow. */
  private static final int TEXT_BYTES_MAX = 1 << 26;

  private static final int TEXTS_MAX = 1 << 20;

  /** The end of the year 9999: what lies beyond are milliseconds, or worse. */
  private static final long TIME_MS_MAX = 253_402_300_799_999L;

  private static final String EXPECTED_TIME =
      "seconds since 1970 behind the value, as in: up{job=\"a\"} 1 1700000000.5";

  /** Takes what is in the file. */
  interface Sink {
    /** A number for a series that may have been asked for before. */
    int series(Labels labels) throws IOException;

    void sample(int series, long timestampMs, double value) throws IOException;
  }

  private final String name;
  private final int lineBytesMax;
  private final OpenMetricsStream stream = new OpenMetricsStream();
  private final SeriesTextIndex texts = new SeriesTextIndex(TEXTS_MAX, TEXT_BYTES_MAX, 0);
  private byte[] piece;
  private int filled;
  private boolean anySample;
  private long exemplars;

  /**
   * @param name for messages
   */
  SeriesFile(String name) {
    this(name, PIECE_BYTES, LINE_BYTES_MAX);
  }

  SeriesFile(String name, int pieceBytes, int lineBytesMax) {
    this.name = name;
    this.lineBytesMax = lineBytesMax;
    this.piece = new byte[pieceBytes];
  }

  /** How many exemplars were passed over. */
  long exemplars() {
    return exemplars;
  }

  /**
   * Reads all of it.
   *
   * @param readBytes is told how many bytes were read, again and again
   * @throws CommandException if the file is refused: names line and column
   */
  void read(InputStream in, Sink sink, LongConsumer readBytes) throws IOException {
    int kept = 0;
    long total = 0;
    boolean isLast = false;
    while (!isLast) {
      int count = in.readNBytes(piece, kept, piece.length - kept);
      total += count;
      filled = kept + count;
      isLast = filled < piece.length;
      int length = isLast ? filled : wholeLines();
      if (length == 0 && !isLast) {
        growFor();
        kept = filled;
        continue;
      }
      read(length, isLast, sink);
      readBytes.accept(total);
      kept = filled - length;
      System.arraycopy(piece, length, piece, 0, kept);
    }
  }

  /** The end of the last line that isn't the last byte, so that another piece follows surely. */
  private int wholeLines() {
    for (int i = piece.length - 2; i >= 0; i--) {
      if (piece[i] == '\n') {
        return i + 1;
      }
    }
    return 0;
  }

  private void growFor() {
    if (piece.length >= lineBytesMax) {
      throw refused(
          stream.refusalOfNext(
              "line too long", "at most " + lineBytesMax + " bytes, then a line feed"));
    }
    piece = Arrays.copyOf(piece, Math.min(lineBytesMax, 2 * piece.length));
  }

  private void read(int length, boolean isLast, Sink sink) throws IOException {
    try {
      stream.piece(piece, length, isLast);
      ExpositionParser parser = stream.parser();
      for (Event event = parser.next(); event != Event.END; event = parser.next()) {
        if (event == Event.SERIES) {
          sample(parser, sink);
        }
      }
    } catch (ExpositionException e) {
      throw refused(e);
    }
  }

  private void sample(ExpositionParser parser, Sink sink) throws IOException {
    if (!parser.hasTimestamp()) {
      throw stream.refusal("sample without a timestamp", EXPECTED_TIME);
    }
    long timestampMs = parser.timestampMs();
    if (timestampMs < 0 || timestampMs > TIME_MS_MAX) {
      throw stream.refusal(
          "timestamp before 1970 or after 9999",
          timestampMs < 0 ? EXPECTED_TIME : EXPECTED_TIME + "; these may be milliseconds");
    }
    exemplars += parser.hasExemplar() ? 1 : 0;
    anySample = true;
    sink.sample(series(parser, sink), timestampMs, parser.value());
  }

  private int series(ExpositionParser parser, Sink sink) throws IOException {
    byte[] raw = parser.raw();
    int flags = parser.seriesKeyFlags();
    int text = texts.find(raw, parser.rawStart(), parser.rawEnd(), flags);
    if (text != SeriesTextIndex.NONE) {
      return (int) texts.value(text);
    }
    int id = sink.series(parser.labels());
    text = texts.add(raw, parser.rawStart(), parser.rawEnd(), flags);
    if (text != SeriesTextIndex.NONE) {
      texts.setValue(text, id);
    }
    return id;
  }

  /** What isn't metrics at all is called by its name. */
  private CommandException refused(ExpositionException e) {
    String what = "";
    if (!anySample) {
      what = NotExposition.explain(piece, filled).map(sentence -> " (" + sentence + ")").orElse("");
    }
    var bad = e.badLine();
    return CommandException.badInput(
        "%s:%d:%d: %s, expected %s: %s%s"
            .formatted(
                name, bad.line(), bad.column(), bad.reason(), bad.expected(), bad.excerpt(), what));
  }
}
