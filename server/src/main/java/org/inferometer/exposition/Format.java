package org.inferometer.exposition;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** An exposition format. */
public enum Format {
  /** The Prometheus text format, 0.0.4 and 1.0.0. */
  TEXT("text/plain", "text/plain; version=0.0.4; charset=utf-8"),
  /** OpenMetrics 1.0. */
  OPENMETRICS(
      "application/openmetrics-text", "application/openmetrics-text; version=1.0.0; charset=utf-8"),
  /** Protobuf messages, each behind its length: the only one with native histograms. */
  PROTOBUF(
      "application/vnd.google.protobuf",
      "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited");

  private final String mediaType;
  private final String contentType;

  Format(String mediaType, String contentType) {
    this.mediaType = mediaType;
    this.contentType = contentType;
  }

  public String mediaType() {
    return mediaType;
  }

  /** The {@code Content-Type} header of a page in this format. */
  public String contentType() {
    return contentType;
  }

  /** What a {@code Content-Type} header says about a body. */
  public sealed interface Answer {
    record Supported(Format format) implements Answer {}

    /**
     * No format that is read here.
     *
     * @param mediaType in lower case without parameters, but those that make other protobuf of it;
     *     "" if the header is absent or malformed
     */
    record Unsupported(String mediaType) implements Answer {}
  }

  /**
   * The format of a response; parameters such as version and charset don't matter. Protobuf must be
   * of length-delimited metric families, as far as it says anything.
   */
  public static Answer of(@Nullable String contentType) {
    String header = contentType == null ? "" : contentType;
    String media = mediaType(header);
    if (media.equals(PROTOBUF.mediaType)) {
      return protobuf(header);
    }
    for (Format format : values()) {
      if (format.mediaType.equals(media)) {
        return new Answer.Supported(format);
      }
    }
    return new Answer.Unsupported(media);
  }

  private static Answer protobuf(String header) {
    String proto = parameter(header, "proto");
    String encoding = parameter(header, "encoding");
    boolean families = proto.isEmpty() || proto.equals("io.prometheus.client.MetricFamily");
    boolean delimited = encoding.isEmpty() || encoding.equals("delimited");
    return families && delimited
        ? new Answer.Supported(PROTOBUF)
        : new Answer.Unsupported(
            PROTOBUF.mediaType + (families ? ";encoding=" + encoding : ";proto=" + proto));
  }

  /**
   * The format to answer a request in: OpenMetrics if the {@code Accept} header names it with a
   * weight that isn't below that of text, else text, also if neither is accepted.
   */
  public static Format forAccept(@Nullable String accept) {
    double open = 0;
    double text = 0;
    for (String range : (accept == null ? "" : accept).split(",", -1)) {
      String media = mediaType(range);
      if (media.equals(OPENMETRICS.mediaType) && isKnownVersion(range)) {
        open = Math.max(open, weight(range));
      } else if (media.equals(TEXT.mediaType)) {
        text = Math.max(text, weight(range));
      }
    }
    return open > 0 && open >= text ? OPENMETRICS : TEXT;
  }

  private static boolean isKnownVersion(String range) {
    String version = parameter(range, "version");
    return version.isEmpty() || version.equals("1.0.0") || version.equals("0.0.1");
  }

  private static double weight(String range) {
    String q = parameter(range, "q");
    try {
      return q.isEmpty() ? 1 : Double.parseDouble(q);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private static String parameter(String range, String name) {
    String[] parts = range.split(";", -1);
    for (int i = 1; i < parts.length; i++) {
      int equals = parts[i].indexOf('=');
      if (equals > 0 && parts[i].substring(0, equals).strip().equalsIgnoreCase(name)) {
        return parts[i].substring(equals + 1).strip().replace("\"", "");
      }
    }
    return "";
  }

  private static String mediaType(String header) {
    int end = header.indexOf(';');
    String media = (end < 0 ? header : header.substring(0, end)).strip();
    int slash = media.indexOf('/');
    return slash > 0 && slash < media.length() - 1 ? media.toLowerCase(Locale.ROOT) : "";
  }
}
