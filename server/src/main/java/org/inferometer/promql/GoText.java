package org.inferometer.promql;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.inferometer.model.Names;

/**
 * Quoting and unquoting of strings as Go's {@code strconv} does. A byte that isn't UTF-8 (as from
 * {@code "\xff"}) is kept as the lone surrogate U+DC00 + byte, which no valid text holds.
 */
final class GoText {
  private static final int RAW_BYTE = 0xDC00;

  private GoText() {}

  /** In double quotes. */
  static String quote(String text) {
    StringBuilder out = new StringBuilder(text.length() + 2);
    int from = 0;
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      if (isRawByte(text, i)) {
        appendEscaped(text.substring(from, i), out);
        out.append(String.format("\\x%02x", text.charAt(i) - RAW_BYTE));
        from = i + 1;
      }
    }
    appendEscaped(text.substring(from), out);
    return out.append('"').toString();
  }

  private static void appendEscaped(String text, StringBuilder out) {
    String quoted = Names.quote(text);
    out.append(quoted, 1, quoted.length() - 1);
  }

  private static boolean isRawByte(String text, int i) {
    char c = text.charAt(i);
    return c >= RAW_BYTE + 0x80
        && c <= RAW_BYTE + 0xff
        && (i == 0 || !Character.isHighSurrogate(text.charAt(i - 1)));
  }

  /** A token's text in double quotes, all of it if it is a name, else its beginning. */
  static String quoteShort(Token token) {
    boolean whole =
        token.is(TokenType.IDENTIFIER)
            || token.is(TokenType.METRIC_IDENTIFIER)
            || token.text().length() <= 10;
    return whole
        ? quote(token.text())
        : quote(token.text().substring(0, token.text().offsetByCodePoints(0, 10))) + "...";
  }

  /** A character in single quotes. */
  static String quote(int codePoint) {
    return switch (codePoint) {
      case '\'' -> "'\\''";
      case '"' -> "'\"'";
      case Lexer.END_OF_TEXT -> "'\uFFFD'";
      default -> {
        String quoted = quote(Character.toString(codePoint));
        yield "'" + quoted.substring(1, quoted.length() - 1) + "'";
      }
    };
  }

  /** A number as {@code %f} prints it. */
  static String sixDecimals(double value) {
    if (Double.isNaN(value)) {
      return "NaN";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "+Inf" : "-Inf";
    }
    return new BigDecimal(value).setScale(6, RoundingMode.HALF_EVEN).toPlainString();
  }

  /** What a quoted or raw string token stands for. The lexer has checked its escapes. */
  static String unquote(String token) {
    String body = token.substring(1, token.length() - 1);
    if (token.charAt(0) == '`' || body.indexOf('\\') < 0) {
      return body;
    }
    Unescaper unescaper = new Unescaper(body);
    return unescaper.unescape();
  }

  /** Collects the bytes that escapes may give one by one. */
  private static final class Unescaper {
    private final String body;
    private final StringBuilder out = new StringBuilder();
    private final java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream();
    private int position;

    Unescaper(String body) {
      this.body = body;
    }

    String unescape() {
      while (position < body.length()) {
        char c = body.charAt(position++);
        if (c == '\\') {
          escape(body.charAt(position++));
        } else {
          flush();
          out.append(c);
        }
      }
      flush();
      return out.toString();
    }

    private void escape(char kind) {
      switch (kind) {
        case 'x' -> bytes.write(number(2, 16));
        case '0', '1', '2', '3', '4', '5', '6', '7' -> {
          position--;
          bytes.write(number(3, 8));
        }
        case 'u' -> codePoint(number(4, 16));
        case 'U' -> codePoint(number(8, 16));
        default -> codePoint(simple(kind));
      }
    }

    private static int simple(char kind) {
      return switch (kind) {
        case 'a' -> 7;
        case 'b' -> '\b';
        case 'f' -> '\f';
        case 'n' -> '\n';
        case 'r' -> '\r';
        case 't' -> '\t';
        case 'v' -> 11;
        default -> kind;
      };
    }

    private int number(int digits, int base) {
      int value = Integer.parseInt(body, position, position + digits, base);
      position += digits;
      return value;
    }

    private void codePoint(int value) {
      flush();
      out.appendCodePoint(value);
    }

    private void flush() {
      if (bytes.size() > 0) {
        appendUtf8(bytes.toByteArray(), out);
        bytes.reset();
      }
    }
  }

  private static void appendUtf8(byte[] bytes, StringBuilder out) {
    var decoder = java.nio.charset.StandardCharsets.UTF_8.newDecoder();
    int from = 0;
    while (from < bytes.length) {
      int length = Math.min(4, bytes.length - from);
      int taken = 0;
      for (int n = 1; n <= length && taken == 0; n++) {
        try {
          out.append(decoder.decode(java.nio.ByteBuffer.wrap(bytes, from, n)));
          taken = n;
        } catch (java.nio.charset.CharacterCodingException incomplete) {
          taken = 0;
        }
      }
      if (taken == 0) {
        out.append((char) (RAW_BYTE + (bytes[from] & 0xff)));
        taken = 1;
      }
      from += taken;
    }
  }
}
