package org.inferometer.promql;

import java.nio.charset.StandardCharsets;

/**
 * Where a piece of a query stands in its text: UTF-8 byte offsets, the end excluded.
 *
 * @param start offset of the first byte
 * @param end offset after the last byte
 */
public record Span(int start, int end) {
  public static final Span NONE = new Span(0, 0);

  /** From the start of this to the end of another. */
  Span to(Span last) {
    return new Span(start, last.end);
  }

  /** "line:column" of the start, both from 1, the column in bytes, as Prometheus prints it. */
  public String lineAndColumn(String query) {
    if (query.isEmpty()) {
      return "unknown position";
    }
    byte[] bytes = query.getBytes(StandardCharsets.UTF_8);
    int line = 1;
    int lineStart = 0;
    for (int i = 0; i < Math.min(start, bytes.length); i++) {
      if (bytes[i] == '\n') {
        line++;
        lineStart = i + 1;
      }
    }
    return line + ":" + (start - lineStart + 1);
  }
}
