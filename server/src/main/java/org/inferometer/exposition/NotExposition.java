package org.inferometer.exposition;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Recognises bodies that aren't metrics at all, so that people read one sentence instead of a
 * syntax error on line 1.
 */
public final class NotExposition {
  /** As much as is looked at. */
  private static final int SAMPLE = 8192;

  private static final String[] TRTLLM_KEYS = {
    "\"iterLatencyMS\"", "\"kvCacheStats\"", "\"inflightBatchingStats\"", "\"cpuMemUsage\""
  };

  private static final Pattern NUMBER_AT_END =
      Pattern.compile("[ \\t}][-+]?(\\d|\\.\\d|nan|inf)\\S*\\s*$", Pattern.CASE_INSENSITIVE);

  private NotExposition() {}

  /**
   * What a body is, in one sentence; empty if it may well be metrics. To be asked when a body gave
   * no sample; of an empty body, which is a good scrape of nothing, it says just that.
   */
  public static Optional<String> explain(byte[] body, int length) {
    if (length == 0) {
      return Optional.of("The body is empty: the target answers, but exposes no metrics.");
    }
    if (length >= 2 && (body[0] & 0xff) == 0x1f && (body[1] & 0xff) == 0x8b) {
      return Optional.of(
          "The body is gzip, although no Content-Encoding header says so: the target or a proxy"
              + " compresses it without telling.");
    }
    String start = start(body, length);
    if (start.isEmpty()) {
      return Optional.of("The body is blank: the target answers, but exposes no metrics.");
    }
    return switch (start.charAt(0)) {
      case '<' -> markup(start);
      case '[', '{', '"' -> json(start);
      default -> binaryOrWords(body, length, start);
    };
  }

  private static String start(byte[] body, int length) {
    int from = length >= 3 && (body[0] & 0xff) == 0xef && (body[1] & 0xff) == 0xbb ? 3 : 0;
    int sample = Math.min(SAMPLE, length - from);
    return new String(body, from, sample, StandardCharsets.UTF_8).strip();
  }

  private static Optional<String> markup(String start) {
    String lower = start.toLowerCase(Locale.ROOT);
    if (lower.startsWith("<?xml")) {
      return Optional.of("The body is XML, not metrics: check the path of the target's address.");
    }
    int from = lower.indexOf("<title>");
    int to = from < 0 ? -1 : lower.indexOf("</title>", from);
    String title =
        to < 0 ? "" : " with the title \"" + shortened(start.substring(from + 7, to)) + "\"";
    return Optional.of(
        "The body is an HTML page"
            + title
            + ", not metrics: check the path of the target's address, and whether a login or a"
            + " proxy stands before it.");
  }

  private static Optional<String> json(String start) {
    // {"my.metric"} 1 is a sample whose name stands in quotes.
    if (start.startsWith("{\"") && isQuotedSeries(start)) {
      return Optional.empty();
    }
    if (isTensorRtLlmStats(start)) {
      return Optional.of(
          "This is TensorRT-LLM's JSON stats page, not metrics; use /prometheus/metrics with"
              + " return_perf_metrics: true.");
    }
    if (start.equals("[]")) {
      return Optional.of(
          "The body is an empty JSON list, not metrics; if the target is TensorRT-LLM, this is its"
              + " stats page: use /prometheus/metrics with return_perf_metrics: true.");
    }
    return Optional.of(
        "The body is JSON, not metrics: check the path of the target's address; it starts "
            + shortened(start)
            + ".");
  }

  private static boolean isTensorRtLlmStats(String start) {
    if (start.contains("\"iter\"")) {
      for (String key : TRTLLM_KEYS) {
        if (start.contains(key)) {
          return true;
        }
      }
    }
    return start.contains("\"iterLatencyMS\"") || start.contains("\"inflightBatchingStats\"");
  }

  private static boolean isQuotedSeries(String start) {
    int i = 2;
    while (i < start.length() && start.charAt(i) != '"') {
      i += start.charAt(i) == '\\' ? 2 : 1;
    }
    String rest = i + 1 < start.length() ? start.substring(i + 1).stripLeading() : "";
    return rest.startsWith("}") || rest.startsWith(",") || rest.startsWith("=");
  }

  private static Optional<String> binaryOrWords(byte[] body, int length, String start) {
    if (isDelimitedProtobuf(body, length)) {
      return Optional.of(
          "The body is protobuf, but the target says something else: its Content-Type has to be"
              + " application/vnd.google.protobuf.");
    }
    if (hasControlCharacters(body, Math.min(SAMPLE, length))) {
      return Optional.of("The body is binary data, not metrics.");
    }
    if (isHttpHeader(start)) {
      return Optional.of("The body starts with HTTP headers: a proxy sends them twice.");
    }
    return looksLikeProse(start)
        ? Optional.of("The body is plain text, not metrics; it says: " + shortened(start) + ".")
        : Optional.empty();
  }

  private static boolean isHttpHeader(String start) {
    return start.startsWith("HTTP/1.");
  }

  /** One or a few lines without a number at the end of any, and no comment. */
  private static boolean looksLikeProse(String start) {
    if (start.length() >= SAMPLE / 2) {
      return false;
    }
    return start
        .lines()
        .noneMatch(line -> line.startsWith("#") || NUMBER_AT_END.matcher(line).find());
  }

  /**
   * Length, then field 1, a string: the name of the family. So do delimited MetricFamily messages
   * start.
   */
  public static boolean isDelimitedProtobuf(byte[] body, int length) {
    int i = 0;
    while (i < length && i < 5 && body[i] < 0) {
      i++;
    }
    i++;
    if (i + 2 >= length || body[i] != 0x0a) {
      return false;
    }
    int name = body[i + 1];
    if (name <= 0 || i + 2 + name > length) {
      return false;
    }
    for (int j = i + 2; j < i + 2 + name; j++) {
      if (!Chars.isMetric(body[j])) {
        return false;
      }
    }
    return true;
  }

  private static boolean hasControlCharacters(byte[] body, int length) {
    int count = 0;
    for (int i = 0; i < length; i++) {
      byte b = body[i];
      if (b >= 0 && b < ' ' && b != '\n' && b != '\t' && b != '\r') {
        count++;
      }
    }
    return count > length / 20;
  }

  private static String shortened(String text) {
    String line = text.strip().replaceAll("\\s+", " ");
    return line.length() <= 80 ? line : line.substring(0, 80) + "...";
  }
}
