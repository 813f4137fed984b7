package org.inferometer.scrape;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;

/**
 * Where a target is asked. Never holds a user or a password.
 *
 * @param host without brackets
 * @param port 0 if the address has none: then it is the scheme's
 * @param path with the query, encoded
 */
record TargetUrl(String scheme, String host, int port, String path) {
  private static final String HEX = "0123456789ABCDEF";

  /**
   * The URL of an address.
   *
   * @throws IllegalArgumentException if the address isn't host:port
   */
  static TargetUrl of(
      String scheme, String address, String path, SortedMap<String, List<String>> params) {
    int bracket = address.lastIndexOf(']');
    int colon = address.lastIndexOf(':');
    boolean hasPort = colon > bracket;
    String host = hasPort ? address.substring(0, colon) : address;
    int port = hasPort ? port(address, address.substring(colon + 1)) : 0;
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
      if (!host.matches("[0-9A-Fa-f:.]+(%[\\w.-]+)?")) {
        throw malformed(address);
      }
    } else if (!host.matches("[\\p{L}\\p{N}._~-]+")) {
      throw malformed(address);
    }
    if (!scheme.equals("http") && !scheme.equals("https")) {
      throw new IllegalArgumentException(
          "found the scheme \"" + scheme + "\", expected http or https");
    }
    String query = query(params);
    String rooted = path.startsWith("/") ? path : "/" + path;
    return new TargetUrl(
        scheme, host, port, encode(rooted, "$&+,/:;=@") + (query.isEmpty() ? "" : "?" + query));
  }

  private static int port(String address, String text) {
    if (!text.matches("[0-9]{1,5}") || Integer.parseInt(text) > 65_535 || text.equals("0")) {
      throw malformed(address);
    }
    return Integer.parseInt(text);
  }

  private static IllegalArgumentException malformed(String address) {
    String shown = address.substring(address.lastIndexOf('@') + 1);
    return new IllegalArgumentException("found the address \"" + shown + "\", expected host:port");
  }

  private static String query(SortedMap<String, List<String>> params) {
    StringBuilder query = new StringBuilder();
    params.forEach(
        (name, values) ->
            values.forEach(
                value ->
                    query
                        .append(query.isEmpty() ? "" : "&")
                        .append(encode(name, ""))
                        .append('=')
                        .append(encode(value, ""))));
    return query.toString();
  }

  private static String encode(String text, String allowed) {
    StringBuilder encoded = new StringBuilder();
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xff);
      boolean plain = Character.isLetterOrDigit(c) && c < 0x80;
      if (plain || "-_.~".indexOf(c) >= 0 || allowed.indexOf(c) >= 0) {
        encoded.append(c);
      } else {
        encoded.append('%').append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 15));
      }
    }
    return encoded.toString();
  }

  boolean isTls() {
    return scheme.equals("https");
  }

  int portToUse() {
    return port != 0 ? port : isTls() ? 443 : 80;
  }

  /** Host and, if there is one, port, as in a URL and in the {@code Host} header. */
  String authority() {
    String shown = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    return port == 0 ? shown : shown + ":" + port;
  }

  TargetUrl withPath(String otherPath) {
    return new TargetUrl(scheme, host, port, otherPath);
  }

  /** Whether the machine itself is meant, as others can't reach that by this name. */
  boolean isLocal() {
    String lower = host.toLowerCase(Locale.ROOT);
    return lower.equals("localhost") || lower.equals("::1") || lower.startsWith("127.");
  }

  @Override
  public String toString() {
    return scheme + "://" + authority() + path;
  }
}
