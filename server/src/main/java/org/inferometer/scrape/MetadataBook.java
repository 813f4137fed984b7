package org.inferometer.scrape;

import java.util.HashMap;
import java.util.Map;
import org.inferometer.exposition.Event;
import org.inferometer.exposition.ExpositionParser;
import org.inferometer.exposition.SeriesTextIndex;
import org.inferometer.model.MetricMetadata;
import org.inferometer.model.MetricType;

/**
 * What a target tells about its metric families. As long as its lines stay the same nothing is read
 * anew. Written by one thread, read by any.
 */
final class MetadataBook {
  /** Families of one target that are remembered. */
  static final int FAMILIES_MAX = 20_000;

  /** Characters of a help text that are kept. */
  static final int HELP_MAX = 2_000;

  private static final int LINE_BYTES_MAX = 1 << 24;

  private final SeriesTextIndex lines;
  private long scrape;
  private int seen;
  private boolean changed;
  private volatile Map<String, MetricMetadata> families = Map.of();

  MetadataBook(long seed) {
    lines = new SeriesTextIndex(3 * FAMILIES_MAX, LINE_BYTES_MAX, seed);
  }

  Map<String, MetricMetadata> families() {
    return families;
  }

  void begin() {
    scrape++;
    seen = 0;
    changed = false;
  }

  /** Notes a HELP, TYPE or UNIT that the parser is at. */
  void line(ExpositionParser parser) {
    int id = lines.find(parser.raw(), parser.rawStart(), parser.rawEnd(), 0);
    if (id == SeriesTextIndex.NONE) {
      id = lines.add(parser.raw(), parser.rawStart(), parser.rawEnd(), 0);
      changed |= id != SeriesTextIndex.NONE;
    }
    if (id != SeriesTextIndex.NONE && lines.see(id, scrape)) {
      seen++;
    }
  }

  /** After a body that was taken: reads it again if a line is new or gone. */
  void finish(ExpositionParser parser, byte[] body, int length) {
    if (seen < lines.size()) {
      lines.removeUnseenSince(scrape, id -> {});
      changed = true;
    }
    if (changed) {
      parser.reset(body, length);
      families = read(parser);
    }
  }

  private static Map<String, MetricMetadata> read(ExpositionParser parser) {
    Map<String, MetricMetadata> read = new HashMap<>();
    for (Event event = parser.next(); event != Event.END; event = parser.next()) {
      if (event == Event.HELP || event == Event.TYPE || event == Event.UNIT) {
        String name = parser.name();
        MetricMetadata before =
            read.getOrDefault(name, new MetricMetadata(MetricType.UNKNOWN, "", ""));
        if (read.size() < FAMILIES_MAX || read.containsKey(name)) {
          read.put(name, with(before, parser, event));
        }
      }
    }
    return Map.copyOf(read);
  }

  private static MetricMetadata with(MetricMetadata before, ExpositionParser parser, Event event) {
    return switch (event) {
      case TYPE -> new MetricMetadata(parser.type(), before.unit(), before.help());
      case UNIT -> new MetricMetadata(before.type(), parser.text(), before.help());
      case HELP -> new MetricMetadata(before.type(), before.unit(), shortened(parser.text()));
      case SERIES, HISTOGRAM, BAD_LINE, END -> before;
    };
  }

  private static String shortened(String help) {
    return help.length() <= HELP_MAX ? help : help.substring(0, HELP_MAX) + "...";
  }
}
