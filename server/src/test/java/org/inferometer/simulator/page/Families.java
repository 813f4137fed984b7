package org.inferometer.simulator.page;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.inferometer.exposition.Event;
import org.inferometer.exposition.ExpositionParser;
import org.inferometer.exposition.Format;
import org.inferometer.exposition.Mode;
import org.inferometer.model.Labels;

/** What a page has, as a parser that forgives nothing reads it. */
final class Families {
  /** A family without the suffixes of its samples, but with {@code _total}. */
  static final class Found {
    final String type;
    final TreeSet<String> labels = new TreeSet<>();
    final List<Double> bounds = new ArrayList<>();
    int samples;

    Found(String type) {
      this.type = type;
    }
  }

  private final Map<String, Found> families = new LinkedHashMap<>();

  static Map<String, Found> of(String page) {
    boolean isOpenMetrics = page.endsWith("# EOF\n");
    Families families = new Families();
    byte[] body = page.getBytes(StandardCharsets.UTF_8);
    ExpositionParser parser =
        ExpositionParser.of(isOpenMetrics ? Format.OPENMETRICS : Format.TEXT, Mode.SPEC);
    parser.reset(body, body.length);
    for (Event event = parser.next(); event != Event.END; event = parser.next()) {
      if (event == Event.TYPE) {
        families.type(parser, isOpenMetrics);
      } else if (event == Event.SERIES) {
        families.series(parser.labels());
      }
    }
    return families.families;
  }

  private void type(ExpositionParser parser, boolean isOpenMetrics) {
    String type = parser.type().name().toLowerCase(java.util.Locale.ROOT);
    boolean isTotal = isOpenMetrics && type.equals("counter");
    families.put(parser.name() + (isTotal ? "_total" : ""), new Found(type));
  }

  private void series(Labels labels) {
    String name = labels.get("__name__");
    Found family = families.get(name);
    boolean isBucket = false;
    for (String suffix : List.of("_bucket", "_sum", "_count")) {
      if (family == null && name.endsWith(suffix)) {
        family = families.get(name.substring(0, name.length() - suffix.length()));
        isBucket = suffix.equals("_bucket");
      }
    }
    if (family == null) {
      throw new AssertionError(name + " stands under no TYPE");
    }
    family.samples++;
    for (int i = 0; i < labels.size(); i++) {
      family.labels.add(labels.name(i));
    }
    family.labels.remove("__name__");
    if (isBucket) {
      family.labels.remove("le");
      double bound = Double.parseDouble(labels.get("le").replace("+Inf", "Infinity"));
      if (Double.isFinite(bound) && !family.bounds.contains(bound)) {
        family.bounds.add(bound);
      }
    }
  }
}
