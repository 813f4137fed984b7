package org.inferometer.lint;

/**
 * Finds for each character of a YAML scalar the one in the file that it came from. The parser has
 * decoded the scalar already; where this comes to another text, only the beginning is told.
 */
final class YamlScalar {
  private final String text;
  private final int end;
  private final MappedText.Builder out;

  private YamlScalar(MappedText source, int end) {
    this.text = source.text();
    this.end = end;
    this.out = new MappedText.Builder(source);
  }

  /**
   * @param start offset of its first character, quotes and block headers included
   * @param end offset behind its last character
   * @param decoded what the parser made of it
   */
  static MappedText decode(MappedText source, int start, int end, String decoded) {
    try {
      MappedText own = new YamlScalar(source, end).decode(start);
      if (own.text().equals(decoded)) {
        return own;
      }
      // How a block ends isn't worth following: the rest of the file is the same either way.
      if (decoded.length() < own.text().length() && own.text().startsWith(decoded)) {
        return own.part(0, decoded.length());
      }
    } catch (IndexOutOfBoundsException | NumberFormatException e) {
      // A form that isn't followed here.
    }
    return source.inexact(decoded, start);
  }

  private MappedText decode(int start) {
    char first = start < end ? text.charAt(start) : 0;
    switch (first) {
      case '\'' -> quoted(start + 1, end - 1, false);
      case '"' -> quoted(start + 1, end - 1, true);
      case '|' -> block(start, false);
      case '>' -> block(start, true);
      default -> quoted(start, end, false);
    }
    return out.build(end);
  }

  /** A flow scalar, whose line breaks are folded; of a plain one the quote is an apostrophe. */
  private void quoted(int start, int stop, boolean escapes) {
    boolean single = start > 0 && text.charAt(start - 1) == '\'';
    int i = start;
    while (i < stop) {
      char c = text.charAt(i);
      if (c == '\n' || c == '\r') {
        i = fold(i, stop);
      } else if (single && c == '\'') {
        out.add('\'', i);
        i += 2;
      } else if (escapes && c == '\\') {
        i = escape(i, stop);
      } else {
        out.add(c, i);
        i++;
      }
    }
  }

  /** A line break becomes a space, each empty line after it a line break. */
  private int fold(int at, int stop) {
    while (out.length() > 0 && (out.last() == ' ' || out.last() == '\t')) {
      out.cut(out.length() - 1);
    }
    int breaks = 0;
    int i = at;
    while (i < stop && Character.isWhitespace(text.charAt(i))) {
      boolean ends = text.charAt(i) == '\n' || (text.charAt(i) == '\r' && !isPair(i));
      breaks += ends ? 1 : 0;
      i++;
    }
    if (breaks == 1) {
      out.add(' ', at);
    } else {
      out.add("\n".repeat(breaks - 1), at);
    }
    return i;
  }

  private boolean isPair(int at) {
    return at + 1 < text.length() && text.charAt(at + 1) == '\n';
  }

  private int escape(int at, int stop) {
    char c = text.charAt(at + 1);
    switch (c) {
      case '\n' -> {
        int i = at + 2;
        while (i < stop && (text.charAt(i) == ' ' || text.charAt(i) == '\t')) {
          i++;
        }
        return i;
      }
      case 'x' -> out.add((char) Integer.parseInt(text, at + 2, at + 4, 16), at);
      case 'u' -> out.add((char) Integer.parseInt(text, at + 2, at + 6, 16), at);
      default -> out.add(escaped(c), at);
    }
    return at + (c == 'x' ? 4 : c == 'u' ? 6 : 2);
  }

  private static char escaped(char c) {
    return switch (c) {
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      case '0' -> 0;
      case 'e' -> 27;
      default -> c;
    };
  }

  private void block(int start, boolean folded) {
    int line = text.indexOf('\n', start) + 1;
    int indent = indent(start, line);
    boolean foldBefore = false;
    int contentEnd = 0;
    for (int at = line; at < end && at > 0; at = next(at)) {
      int stop = lineEnd(at);
      int from = Math.min(at + indent, stop);
      boolean blank = text.substring(at, stop).isBlank() && stop - at <= indent;
      boolean indented = !blank && Character.isWhitespace(text.charAt(from));
      if (folded && foldBefore && !blank && !indented && out.last() == '\n') {
        out.cut(out.length() - 1);
        if (out.length() > 0 && out.last() != '\n') {
          out.add(' ', at - 1);
        }
      }
      if (!blank) {
        out.copy(from, stop);
        contentEnd = out.length() + 1;
      }
      out.add('\n', Math.min(stop, text.length() - 1));
      foldBefore = blank ? foldBefore : !indented;
    }
    chomp(text.substring(start, Math.max(start, line)), contentEnd);
  }

  private void chomp(String header, int contentEnd) {
    if (!header.contains("+") && out.length() > contentEnd) {
      out.cut(contentEnd);
    }
    if (header.contains("-") && out.length() > 0 && out.last() == '\n') {
      out.cut(out.length() - 1);
    }
  }

  private int indent(int start, int line) {
    for (int at = line; at < end && at > 0; at = next(at)) {
      int stop = lineEnd(at);
      int i = at;
      while (i < stop && text.charAt(i) == ' ') {
        i++;
      }
      if (i < stop) {
        char digit = text.charAt(start + 1);
        return Character.isDigit(digit) ? parentIndent(start) + (digit - '0') : i - at;
      }
    }
    return 0;
  }

  /** With an indentation indicator the content is indented from the key's column. */
  private int parentIndent(int start) {
    int at = text.lastIndexOf('\n', start) + 1;
    int i = at;
    while (text.charAt(i) == ' ' || (text.charAt(i) == '-' && text.charAt(i + 1) == ' ')) {
      i++;
    }
    return i - at;
  }

  private int lineEnd(int at) {
    int stop = text.indexOf('\n', at);
    return stop < 0 ? text.length() : stop;
  }

  private int next(int at) {
    int stop = text.indexOf('\n', at);
    return stop < 0 ? end : stop + 1;
  }
}
