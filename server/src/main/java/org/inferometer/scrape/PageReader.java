package org.inferometer.scrape;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.inferometer.config.HistogramConfig;
import org.inferometer.config.ScrapeConfig;
import org.inferometer.exposition.BadLine;
import org.inferometer.exposition.ExpositionException;
import org.inferometer.exposition.ExpositionParser;
import org.inferometer.exposition.Format;
import org.inferometer.exposition.HistogramKinds;
import org.inferometer.exposition.Mode;
import org.inferometer.exposition.NotExposition;
import org.inferometer.store.Appender;

/** Reads the pages of one target into the store. Not thread-safe. */
final class PageReader {
  private final SampleCounts counts;
  private final MetadataBook metadata;
  private final BodyAppender appender;
  private final Map<Format, ExpositionParser> parsers = new EnumMap<>(Format.class);
  private ScrapeConfig config;
  private List<BadLine> badLines = List.of();

  PageReader(Target target, TargetCache cache, SampleCounts counts, long seed) {
    this.counts = counts;
    this.metadata = new MetadataBook(seed);
    this.appender = new BodyAppender(cache, counts, target);
    this.config = target.config();
  }

  void settings(Target target) {
    config = target.config();
    appender.settings(target);
    parsers.clear();
  }

  MetadataBook metadata() {
    return metadata;
  }

  /** Bad lines of the last page. */
  List<BadLine> badLines() {
    return badLines;
  }

  /** Appends a page, and the ends of the series that it doesn't have any more. */
  void read(Fetcher.Page page, Appender into, long timeMs) throws ScrapeException {
    badLines = List.of();
    Format format = format(page);
    ExpositionParser parser = parsers.computeIfAbsent(format, this::parser);
    parser.reset(page.body(), page.length());
    try {
      appender.append(parser, metadata, into, timeMs);
    } catch (ExpositionException e) {
      throw unreadable(page, format, e.badLine());
    } finally {
      badLines = counts.badLines == 0 ? List.of() : parser.badLines();
    }
    if (counts.scraped == 0 && counts.badLines > 0) {
      throw unreadable(page, format, badLines.getFirst());
    }
    appender.finish(into);
    metadata.finish(parser, page.body(), page.length());
  }

  /** Appends the ends of all series. */
  void fail(Appender into, long timeMs) {
    appender.fail(into, timeMs);
  }

  private ExpositionParser parser(Format format) {
    return ExpositionParser.of(
        format, config.failOnBadLine() ? Mode.PROMETHEUS : Mode.TOLERANT, histogramKinds());
  }

  private HistogramKinds histogramKinds() {
    HistogramConfig histograms = config.histograms();
    if (!histograms.scrapeNative()) {
      return HistogramKinds.CLASSIC;
    }
    return histograms.alwaysScrapeClassic() ? HistogramKinds.BOTH : HistogramKinds.NATIVE;
  }

  private Format format(Fetcher.Page page) throws ScrapeException {
    return switch (Format.of(page.contentType())) {
      case Format.Answer.Supported supported -> supported.format();
      case Format.Answer.Unsupported(String mediaType)
          when mediaType.startsWith(Format.PROTOBUF.mediaType()) ->
          throw otherProtobuf(mediaType);
      case Format.Answer.Unsupported unsupported ->
          switch (config.fallback()) {
            case TEXT -> Format.TEXT;
            case OPENMETRICS -> Format.OPENMETRICS;
            case PROTOBUF -> Format.PROTOBUF;
            case NONE -> throw contentType(page, unsupported.mediaType());
          };
    };
  }

  private static ScrapeException contentType(Fetcher.Page page, String mediaType) {
    String sent = mediaType.isEmpty() ? "no usable Content-Type" : "the Content-Type " + mediaType;
    return new ScrapeException(
        FailureReason.CONTENT_TYPE,
        "received " + sent + " and no fallback_scrape_protocol is set",
        NotExposition.explain(page.body(), page.length())
            .orElse(
                "The target sent "
                    + HttpFailure.printable(sent)
                    + ", which isn't that of metrics; if it is metrics anyway, set"
                    + " fallback_scrape_protocol: PrometheusText0.0.4."));
  }

  private static ScrapeException otherProtobuf(String mediaType) {
    return new ScrapeException(
        FailureReason.CONTENT_TYPE,
        "received the Content-Type " + mediaType,
        "The target sent the Content-Type "
            + HttpFailure.printable(mediaType)
            + "; of protobuf only length-delimited metric families are read"
            + " (proto=io.prometheus.client.MetricFamily; encoding=delimited).");
  }

  private static ScrapeException unreadable(Fetcher.Page page, Format format, BadLine line) {
    boolean asSaid =
        format == Format.PROTOBUF && NotExposition.isDelimitedProtobuf(page.body(), page.length());
    Optional<String> explained =
        asSaid ? Optional.empty() : NotExposition.explain(page.body(), page.length());
    return new ScrapeException(
        explained.isPresent() ? FailureReason.NOT_METRICS : FailureReason.PARSE,
        line.toString(),
        explained.orElse("The body can't be read as metrics: " + line + "."));
  }
}
