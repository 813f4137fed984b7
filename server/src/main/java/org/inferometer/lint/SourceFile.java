package org.inferometer.lint;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A file to be judged: its name, its text, and where its lines begin. */
final class SourceFile {
  /** The largest dashboards have some 2 MB. */
  static final int BYTES_MAX = 16 << 20;

  private final String name;
  private final String text;
  private final int[] lineStarts;

  SourceFile(String name, String text) {
    this.name = name;
    this.text = text;
    this.lineStarts = lineStarts(text);
  }

  /**
   * Takes bytes as UTF-8.
   *
   * @throws LintFileException if they aren't, or are too many
   */
  static SourceFile of(String name, byte[] bytes) throws LintFileException {
    if (bytes.length > BYTES_MAX) {
      throw new LintFileException(
          name + ": found " + bytes.length + " bytes, expected at most " + BYTES_MAX);
    }
    CharsetDecoder decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    ByteBuffer in = ByteBuffer.wrap(bytes);
    CharBuffer out = CharBuffer.allocate(bytes.length + 1);
    CoderResult result = decoder.decode(in, out, true);
    if (result.isError()) {
      throw new LintFileException(
          name
              + ":"
              + line(bytes, in.position())
              + ": found bytes that aren't UTF-8, expected text");
    }
    return new SourceFile(name, out.flip().toString());
  }

  private static int line(byte[] bytes, int position) {
    int line = 1;
    for (int i = 0; i < position; i++) {
      line += bytes[i] == '\n' ? 1 : 0;
    }
    return line;
  }

  private static int[] lineStarts(String text) {
    int[] starts = new int[(int) text.chars().filter(c -> c == '\n').count() + 1];
    int line = 0;
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == '\n') {
        starts[++line] = i + 1;
      }
    }
    return starts;
  }

  String name() {
    return name;
  }

  String text() {
    return text;
  }

  /** The line of an offset, from 1. */
  int line(int offset) {
    int found = Arrays.binarySearch(lineStarts, offset);
    return found >= 0 ? found + 1 : -found - 1;
  }

  /** The column of an offset in characters, from 1. */
  int column(int offset) {
    int start = lineStarts[line(offset) - 1];
    return text.codePointCount(start, Math.min(offset, text.length())) + 1;
  }

  /** The offset of a line and a column, both from 1, the column in characters; kept in bounds. */
  int offset(int line, int column) {
    int start = lineStarts[Math.clamp(line - 1, 0, lineStarts.length - 1)];
    int end = line < lineStarts.length ? lineStarts[Math.max(line, 1)] : text.length();
    int points = Math.clamp(column - 1, 0, text.codePointCount(start, end));
    return text.offsetByCodePoints(start, points);
  }

  LintFileException problem(int offset, String problem) {
    return new LintFileException(name, line(offset), column(offset), problem);
  }
}
