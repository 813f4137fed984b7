package org.inferometer.exposition;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.inferometer.model.Labels;
import org.inferometer.model.MetricType;

/**
 * The rules of the Prometheus text format 0.0.4: one HELP and one TYPE per family, TYPE before its
 * samples, each series once, {@code le} and {@code quantile} numbers. That a family's lines stand
 * together isn't asked, as the format's reference parser doesn't ask it either.
 */
final class TextRules implements SpecRules {
  /** What was seen of a family. */
  private static final class Family {
    final String name;
    MetricType type = MetricType.UNKNOWN;
    boolean helpSeen;
    boolean typeSeen;
    boolean samplesSeen;

    Family(String name) {
      this.name = name;
    }
  }

  private record Point(Labels series, long timestampMs) {}

  private final FloatReader floats = new FloatReader();
  private final Map<String, Family> families = new HashMap<>();
  private final Set<Point> points = new HashSet<>();

  @Override
  public void reset() {
    families.clear();
    points.clear();
  }

  @Override
  public void finish(LineParser parser) {}

  @Override
  public void check(LineParser parser, Event event) {
    switch (event) {
      case HELP -> help(parser);
      case TYPE -> type(parser);
      case SERIES -> sample(parser);
      case UNIT, HISTOGRAM, BAD_LINE, END -> {}
    }
  }

  private void help(LineParser parser) {
    Family family = families.computeIfAbsent(parser.name(), Family::new);
    if (family.helpSeen && !parser.text().isEmpty()) {
      throw refuse(parser, "second HELP of " + family.name, "one HELP per family");
    }
    family.helpSeen |= !parser.text().isEmpty();
  }

  private void type(LineParser parser) {
    Family family = families.computeIfAbsent(parser.name(), Family::new);
    if (family.typeSeen) {
      throw refuse(parser, "second TYPE of " + family.name, "one TYPE per family");
    }
    if (family.samplesSeen) {
      throw refuse(parser, "TYPE after samples of " + family.name, "TYPE before them");
    }
    family.typeSeen = true;
    family.type = parser.type();
  }

  private void sample(LineParser parser) {
    String name = parser.name();
    Family family = familyOf(name);
    family.samplesSeen = true;
    Labels labels = parser.sentLabels();
    if (!points.add(new Point(labels, parser.hasTimestamp() ? parser.timestampMs() : 0))) {
      throw refuse(parser, "series twice", "each series once");
    }
    checkNumber(parser, family, labels);
  }

  /** The family that a name is part of by its suffix, or else the one of that name. */
  private Family familyOf(String name) {
    for (String suffix : List.of("_bucket", "_count", "_sum")) {
      Family family =
          name.endsWith(suffix)
              ? families.get(name.substring(0, name.length() - suffix.length()))
              : null;
      if (family != null && hasPart(family.type, suffix)) {
        return family;
      }
    }
    return families.computeIfAbsent(name, Family::new);
  }

  private static boolean hasPart(MetricType type, String suffix) {
    return type == MetricType.HISTOGRAM
        || (type == MetricType.SUMMARY && !suffix.equals("_bucket"));
  }

  private void checkNumber(LineParser parser, Family family, Labels labels) {
    String suffix = labels.metricName().substring(family.name.length());
    boolean bucket = family.type == MetricType.HISTOGRAM && suffix.equals("_bucket");
    boolean quantile = family.type == MetricType.SUMMARY && suffix.isEmpty();
    if (!bucket && !quantile) {
      return;
    }
    String label = NumberLabels.of(family.type);
    byte[] text = labels.get(label).getBytes(StandardCharsets.UTF_8);
    if (!floats.read(text, 0, text.length)) {
      throw refuse(parser, label + " is not a number", label + " with a number");
    }
  }

  private static ExpositionException refuse(LineParser parser, String why, String expected) {
    return parser.refusal(parser.lineStart(), parser.lineStart(), why, expected);
  }
}
