package org.inferometer.exposition;

import java.nio.charset.StandardCharsets;

/** Checks of UTF-8 bytes and the escapes of the exposition formats. */
final class Utf8 {
  private Utf8() {}

  /** The first byte that doesn't belong to valid UTF-8, or -1. */
  static int firstInvalid(byte[] text, int from, int to) {
    int i = from;
    while (i < to) {
      int length = text[i] >= 0 ? 1 : sequence(text, i, to);
      if (length == 0) {
        return i;
      }
      i += length;
    }
    return -1;
  }

  /** The length of a sequence of two bytes or more, or 0 if it isn't valid. */
  private static int sequence(byte[] text, int at, int to) {
    int lead = text[at] & 0xff;
    int length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
    if (at + length > to) {
      return 0;
    }
    for (int i = 1; i < length; i++) {
      if ((text[at + i] & 0xc0) != 0x80) {
        return 0;
      }
    }
    return length > 2 && !secondFits(lead, text[at + 1] & 0xff) ? 0 : length;
  }

  /** Shuts out overlong forms, surrogates and what lies above U+10FFFF. */
  private static boolean secondFits(int lead, int second) {
    return switch (lead) {
      case 0xe0 -> second >= 0xa0;
      case 0xed -> second < 0xa0;
      case 0xf0 -> second >= 0x90;
      case 0xf4 -> second < 0x90;
      default -> true;
    };
  }

  /** Characters, that is code points, in valid UTF-8; in other bytes about as many. */
  static int characters(byte[] text, int from, int to) {
    int count = 0;
    for (int i = from; i < to; i++) {
      if ((text[i] & 0xc0) != 0x80) {
        count++;
      }
    }
    return count;
  }

  static String decode(byte[] text, int from, int to) {
    return new String(text, from, to - from, StandardCharsets.UTF_8);
  }

  /**
   * A text with {@code \\}, {@code \n} and, if asked for, {@code \"} replaced; any other backslash
   * stays with what follows.
   */
  static String unescape(byte[] text, int from, int to, boolean quotes) {
    if (!hasBackslash(text, from, to)) {
      return decode(text, from, to);
    }
    byte[] out = new byte[to - from];
    int length = 0;
    for (int i = from; i < to; i++) {
      byte b = text[i];
      if (b == '\\' && i + 1 < to) {
        byte next = text[++i];
        if (next == 'n') {
          b = '\n';
        } else if (next == '\\' || (next == '"' && quotes)) {
          b = next;
        } else {
          out[length++] = b;
          b = next;
        }
      }
      out[length++] = b;
    }
    return decode(out, 0, length);
  }

  static boolean hasBackslash(byte[] text, int from, int to) {
    for (int i = from; i < to; i++) {
      if (text[i] == '\\') {
        return true;
      }
    }
    return false;
  }
}
