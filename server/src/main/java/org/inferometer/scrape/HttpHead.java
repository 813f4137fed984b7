package org.inferometer.scrape;

import java.io.IOException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Status and headers of a response.
 *
 * @param headers by name in lower case; of equal names the first
 */
record HttpHead(int status, String reason, boolean http11, Map<String, String> headers) {
  private static final int LINE_MAX = 16 * 1024;

  /** Bytes of all headers; servers send less than 4 KB. */
  private static final int TOTAL_MAX = 64 * 1024;

  private static final int INTERIM_MAX = 10;

  /** What came isn't HTTP/1. */
  static final class Malformed extends IOException {
    private static final long serialVersionUID = 1L;

    Malformed(String message) {
      super(message);
    }
  }

  static HttpHead read(HttpInput in) throws IOException {
    for (int i = 0; i < INTERIM_MAX; i++) {
      HttpHead head = readOne(in);
      if (head.status >= 200) {
        return head;
      }
    }
    throw new Malformed("more than " + INTERIM_MAX + " interim responses");
  }

  private static HttpHead readOne(HttpInput in) throws IOException {
    String line = in.line(LINE_MAX);
    if (!line.matches("HTTP/1\\.[01] [1-9][0-9][0-9]( .*)?")) {
      throw new Malformed("no status line of HTTP/1");
    }
    Map<String, String> headers = new HashMap<>();
    int total = 0;
    for (String header = in.line(LINE_MAX); !header.isEmpty(); header = in.line(LINE_MAX)) {
      total += header.length();
      if (total > TOTAL_MAX) {
        throw new Malformed("headers of more than " + TOTAL_MAX + " bytes");
      }
      int colon = header.indexOf(':');
      if (colon <= 0) {
        throw new Malformed("a header without a colon");
      }
      headers.putIfAbsent(
          header.substring(0, colon).strip().toLowerCase(Locale.ROOT),
          header.substring(colon + 1).strip());
    }
    String reason = line.length() > 13 ? line.substring(13) : "";
    return new HttpHead(
        Integer.parseInt(line.substring(9, 12)), reason, line.startsWith("HTTP/1.1"), headers);
  }

  @Nullable String header(String name) {
    return headers.get(name);
  }

  private boolean says(String name, String word) {
    String value = headers.get(name);
    return value != null && value.toLowerCase(Locale.ROOT).contains(word);
  }

  boolean isChunked() {
    return says("transfer-encoding", "chunked");
  }

  boolean isGzip() {
    return says("content-encoding", "gzip");
  }

  /** The length of the body, or -1 if it isn't said. */
  long contentLength() throws IOException {
    String value = headers.get("content-length");
    if (value == null || isChunked()) {
      return -1;
    }
    if (!value.matches("[0-9]{1,18}")) {
      throw new Malformed("a Content-Length that is no number");
    }
    return Long.parseLong(value);
  }

  /** Whether the connection can be used again once the body is read. */
  boolean keepsConnection() {
    return http11 ? !says("connection", "close") : says("connection", "keep-alive");
  }
}
