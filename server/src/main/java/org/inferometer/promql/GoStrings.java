package org.inferometer.promql;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Escapes of Go's quoted strings. */
final class GoStrings {
  private GoStrings() {}

  /**
   * @throws IllegalArgumentException if an escape isn't one, or bytes don't make UTF-8
   */
  static String unescape(String body, char quote) {
    if (body.indexOf('\\') < 0) {
      return body;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(body.length());
    int at = 0;
    while (at < body.length()) {
      int c = body.codePointAt(at);
      if (c != '\\') {
        bytes.writeBytes(Character.toString(c).getBytes(StandardCharsets.UTF_8));
        at += Character.charCount(c);
        continue;
      }
      if (at + 1 >= body.length()) {
        throw new IllegalArgumentException("lone backslash");
      }
      at = escape(body, at + 1, quote, bytes);
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes.toByteArray()))
          .toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("not UTF-8", e);
    }
  }

  private static int escape(String body, int at, char quote, ByteArrayOutputStream bytes) {
    char c = body.charAt(at);
    switch (c) {
      case 'a' -> bytes.write(7);
      case 'b' -> bytes.write('\b');
      case 'f' -> bytes.write('\f');
      case 'n' -> bytes.write('\n');
      case 'r' -> bytes.write('\r');
      case 't' -> bytes.write('\t');
      case 'v' -> bytes.write(11);
      case '\\' -> bytes.write('\\');
      case 'x' -> {
        bytes.write(number(body, at + 1, 2, 16));
        return at + 3;
      }
      case 'u', 'U' -> {
        int digits = c == 'u' ? 4 : 8;
        int point = number(body, at + 1, digits, 16);
        if (!Character.isValidCodePoint(point) || (point >= 0xd800 && point < 0xe000)) {
          throw new IllegalArgumentException("not a code point");
        }
        bytes.writeBytes(Character.toString(point).getBytes(StandardCharsets.UTF_8));
        return at + 1 + digits;
      }
      case '0', '1', '2', '3', '4', '5', '6', '7' -> {
        int value = number(body, at, 3, 8);
        if (value > 255) {
          throw new IllegalArgumentException("octal escape above 255");
        }
        bytes.write(value);
        return at + 3;
      }
      default -> {
        if (c != quote) {
          throw new IllegalArgumentException("unknown escape \\" + c);
        }
        bytes.write(c);
      }
    }
    return at + 1;
  }

  private static int number(String body, int at, int digits, int radix) {
    if (at + digits > body.length()) {
      throw new IllegalArgumentException("escape too short");
    }
    int value = 0;
    for (int i = at; i < at + digits; i++) {
      int digit = Character.digit(body.charAt(i), radix);
      if (digit < 0 || body.charAt(i) > 127) {
        throw new IllegalArgumentException("not a digit: " + body.charAt(i));
      }
      value = value * radix + digit;
    }
    return value;
  }
}
