package org.inferometer.api;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a request: those of a form body first, then those of the URL, each name with
 * its values in order. Reads {@code application/x-www-form-urlencoded} text strictly.
 */
final class Parameters {
  /** More than any dashboard sends; a client that sends more is broken or hostile. */
  static final int COUNT_MAX = 10_000;

  private final Map<String, List<String>> values = new HashMap<>();
  private int count;

  /**
   * Adds the pairs of one encoded text.
   *
   * @throws ApiException if an escape is broken, the bytes aren't UTF-8, or there are too many
   */
  Parameters add(String encoded) throws ApiException {
    int start = 0;
    while (start < encoded.length()) {
      int end = encoded.indexOf('&', start);
      if (end < 0) {
        end = encoded.length();
      }
      if (end > start) {
        addPair(encoded.substring(start, end));
      }
      start = end + 1;
    }
    return this;
  }

  private void addPair(String pair) throws ApiException {
    if (++count > COUNT_MAX) {
      throw ApiException.badData("more than " + COUNT_MAX + " parameters");
    }
    int equals = pair.indexOf('=');
    String name = decode(equals < 0 ? pair : pair.substring(0, equals), true);
    String value = equals < 0 ? "" : decode(pair.substring(equals + 1), true);
    values.computeIfAbsent(name, _ -> new ArrayList<>(1)).add(value);
  }

  /** Adds a pair that isn't encoded. */
  void put(String name, String value) {
    values.computeIfAbsent(name, _ -> new ArrayList<>(1)).add(value);
  }

  /** The first value of a parameter, or "". */
  String get(String name) {
    List<String> all = values.get(name);
    return all == null ? "" : all.getFirst();
  }

  /** The first value of a parameter, or null if it isn't there or is empty. */
  @Nullable String find(String name) {
    String value = get(name);
    return value.isEmpty() ? null : value;
  }

  List<String> all(String name) {
    return values.getOrDefault(name, List.of());
  }

  /**
   * Text without its percent escapes.
   *
   * @param form whether a plus is a space
   */
  static String decode(String text, boolean form) throws ApiException {
    if (isPlain(text, form)) {
      return text;
    }
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    byte[] decoded = new byte[bytes.length];
    int length = 0;
    for (int i = 0; i < bytes.length; i++) {
      byte b = bytes[i];
      if (b == '%') {
        decoded[length++] = escaped(text, i);
        i += 2;
      } else {
        decoded[length++] = form && b == '+' ? (byte) ' ' : b;
      }
    }
    return utf8(decoded, length);
  }

  private static boolean isPlain(String text, boolean form) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '%' || c >= 0x80 || (form && c == '+')) {
        return false;
      }
    }
    return true;
  }

  private static byte escaped(String text, int index) throws ApiException {
    int high = index + 1 < text.length() ? Character.digit(text.charAt(index + 1), 16) : -1;
    int low = index + 2 < text.length() ? Character.digit(text.charAt(index + 2), 16) : -1;
    if (high < 0 || low < 0) {
      String escape = text.substring(index, Math.min(text.length(), index + 3));
      throw ApiException.badData(
          "error parsing form values: invalid URL escape \"" + escape + "\"");
    }
    return (byte) (high << 4 | low);
  }

  private static String utf8(byte[] bytes, int length) throws ApiException {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .onUnmappableCharacter(CodingErrorAction.REPORT)
          .decode(ByteBuffer.wrap(bytes, 0, length))
          .toString();
    } catch (CharacterCodingException e) {
      throw ApiException.badData("error parsing form values: a parameter isn't valid UTF-8");
    }
  }
}
