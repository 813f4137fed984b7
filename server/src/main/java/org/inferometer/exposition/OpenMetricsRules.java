package org.inferometer.exposition;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.inferometer.model.Labels;
import org.inferometer.model.MetricType;
import org.jspecify.annotations.Nullable;

/**
 * The rules of OpenMetrics 1.0 beyond its grammar: metadata once and before the samples, families
 * and groups of a family together, names that don't clash, samples that fit their type, values in
 * range, whole histograms, exemplars where they may stand, time that goes forward.
 */
final class OpenMetricsRules implements SpecRules {
  private static final int EXEMPLAR_LIMIT = 128;

  private final FloatReader floats = new FloatReader();

  /** Each name that a sample may have or has had, and the family it belongs to. */
  private final Map<String, String> owners = new HashMap<>();

  private final HistogramRules histogram = new HistogramRules();

  // The family.
  private String family = "";
  private @Nullable MetricType declared;
  private boolean helpSeen;
  private boolean unitSeen;
  private String unit = "";
  private boolean samplesSeen;

  // The group: the samples of one metric of the family.
  private final Set<Labels> groups = new HashSet<>();
  private final Set<Labels> seriesOfGroup = new HashSet<>();
  private @Nullable Labels group;
  private boolean timed;
  private long timestampMs;

  @Override
  public void reset() {
    owners.clear();
    begin("");
  }

  private void begin(String name) {
    family = name;
    declared = null;
    helpSeen = false;
    unitSeen = false;
    unit = "";
    samplesSeen = false;
    groups.clear();
    seriesOfGroup.clear();
    group = null;
    histogram.reset();
  }

  @Override
  public void finish(LineParser parser) {
    histogram.finish(parser);
  }

  @Override
  public void check(LineParser parser, Event event) {
    switch (event) {
      case HELP -> help(parser);
      case TYPE -> type(parser);
      case UNIT -> unit(parser);
      case SERIES -> sample(parser);
      case HISTOGRAM, BAD_LINE, END -> {}
    }
  }

  // -------------------------------------------------------------------------------- metadata

  private void help(LineParser parser) {
    enter(parser);
    if (helpSeen) {
      throw refuse(parser, "second HELP of " + family, "one HELP per family");
    }
    helpSeen = true;
  }

  private void type(LineParser parser) {
    enter(parser);
    if (declared != null) {
      throw refuse(parser, "second TYPE of " + family, "one TYPE per family");
    }
    declared = parser.type();
    for (String suffix : suffixes(declared)) {
      claim(parser, family + suffix);
    }
    checkUnit(parser);
  }

  private void unit(LineParser parser) {
    enter(parser);
    if (unitSeen) {
      throw refuse(parser, "second UNIT of " + family, "one UNIT per family");
    }
    unitSeen = true;
    unit = parser.text();
    checkUnit(parser);
  }

  private void checkUnit(LineParser parser) {
    if (!unit.isEmpty() && (declared == MetricType.INFO || declared == MetricType.STATE_SET)) {
      throw refuse(parser, "unit of a family of type " + declared.word(), "no unit");
    }
  }

  private void enter(LineParser parser) {
    String name = parser.name();
    if (!name.equals(family)) {
      leave(parser, name);
    } else if (samplesSeen) {
      throw refuse(parser, "metadata of " + name + " after its samples", "metadata before them");
    }
  }

  private void leave(LineParser parser, String next) {
    histogram.finish(parser);
    begin(next);
    if (owners.containsKey(next)) {
      throw refuse(
          parser,
          next + " was already there, or belongs to family " + owners.get(next),
          "a family's lines together, under names of its own");
    }
    owners.put(next, next);
  }

  private void claim(LineParser parser, String name) {
    String owner = owners.putIfAbsent(name, family);
    if (owner != null && !owner.equals(family)) {
      throw refuse(parser, name + " clashes with family " + owner, "names of its own");
    }
  }

  static List<String> suffixes(MetricType type) {
    return switch (type) {
      case COUNTER -> List.of("_total", "_created");
      case HISTOGRAM -> List.of("_bucket", "_count", "_sum", "_created");
      case GAUGE_HISTOGRAM -> List.of("_bucket", "_gcount", "_gsum");
      case SUMMARY -> List.of("", "_count", "_sum", "_created");
      case INFO -> List.of("_info");
      case GAUGE, STATE_SET, UNKNOWN -> List.of("");
    };
  }

  // --------------------------------------------------------------------------------- samples

  private void sample(LineParser parser) {
    String name = parser.name();
    String suffix = suffix(name);
    if (suffix == null) {
      if (name.equals(family)) {
        throw refuse(
            parser,
            "sample " + name + " in a family of type " + effective().word(),
            "one of the suffixes " + suffixes(effective()));
      }
      leave(parser, name);
      suffix = "";
    }
    samplesSeen = true;
    Labels labels = parser.sentLabels();
    checkLabels(parser, labels, suffix);
    checkValue(parser, suffix);
    checkExemplar(parser, suffix);
    checkGroup(parser, labels, suffix);
  }

  private MetricType effective() {
    return declared == null ? MetricType.UNKNOWN : declared;
  }

  private @Nullable String suffix(String name) {
    if (!name.startsWith(family)) {
      return null;
    }
    String suffix = name.substring(family.length());
    return !family.isEmpty() && suffixes(effective()).contains(suffix) ? suffix : null;
  }

  private void checkLabels(LineParser parser, Labels labels, String suffix) {
    if (suffix.equals("_bucket")) {
      double le = number(parser, labels, "le");
      boolean infinite = Double.isInfinite(le) && !labels.get("le").matches("[+-]Inf");
      if (infinite || Double.isNaN(le)) {
        throw refuse(parser, "le=\"" + labels.get("le") + "\"", "a number or +Inf");
      }
    } else if (declared == MetricType.SUMMARY && suffix.isEmpty()) {
      double quantile = number(parser, labels, "quantile");
      if (!(quantile >= 0 && quantile <= 1)) {
        throw refuse(parser, "quantile out of range", "a quantile from 0 to 1");
      }
    } else if (declared == MetricType.STATE_SET && !labels.has(family)) {
      throw refuse(parser, "state without its name", "a label " + family);
    }
  }

  private double number(LineParser parser, Labels labels, String label) {
    byte[] text = labels.get(label).getBytes(StandardCharsets.UTF_8);
    if (!floats.read(text, 0, text.length)) {
      throw refuse(parser, "no label " + label + " with a number", label);
    }
    return floats.value();
  }

  private void checkValue(LineParser parser, String suffix) {
    double value = parser.value();
    boolean counts =
        switch (suffix) {
          case "_bucket", "_count", "_gcount", "_total" -> true;
          case "_sum" -> declared != MetricType.GAUGE_HISTOGRAM;
          default -> false;
        };
    if ((counts || suffix.equals("_gsum") || suffix.equals("_created")) && Double.isNaN(value)) {
      throw refuse(parser, "NaN in " + family + suffix, "a number");
    }
    if (counts && value < 0) {
      throw refuse(parser, "negative value of " + family + suffix, "0 or more");
    }
    if (isWhole(suffix) && value != Math.rint(value)) {
      throw refuse(parser, "fraction in " + family + suffix, "a whole number");
    }
    checkPlainValue(parser, suffix, value);
  }

  private static boolean isWhole(String suffix) {
    return suffix.equals("_bucket") || suffix.equals("_count") || suffix.equals("_gcount");
  }

  private void checkPlainValue(LineParser parser, String suffix, double value) {
    if (declared == MetricType.SUMMARY && suffix.isEmpty() && value < 0) {
      throw refuse(parser, "negative quantile value", "0 or more, or NaN");
    }
    if (declared == MetricType.INFO && value != 1) {
      throw refuse(parser, "info that isn't 1", "1");
    }
    if (declared == MetricType.STATE_SET && value != 0 && value != 1) {
      throw refuse(parser, "state that is neither 0 nor 1", "0 or 1");
    }
  }

  private void checkExemplar(LineParser parser, String suffix) {
    if (!parser.hasExemplar()) {
      return;
    }
    boolean counter = declared == MetricType.COUNTER && suffix.equals("_total");
    if (!counter && !suffix.equals("_bucket")) {
      throw refuse(parser, "exemplar of " + parser.name(), "exemplars of _total and _bucket only");
    }
    int characters = parser.exemplarLength();
    if (characters > EXEMPLAR_LIMIT) {
      throw refuse(
          parser, "exemplar labels of " + characters + " characters", EXEMPLAR_LIMIT + " at most");
    }
    int repeated = parser.repeatedExemplarLabel();
    if (repeated >= 0) {
      throw parser.refusal(
          parser.lineStart(), repeated, "label name twice", "each label name once");
    }
  }

  // ---------------------------------------------------------------------------------- groups

  private void checkGroup(LineParser parser, Labels labels, String suffix) {
    Labels next = groupOf(labels, suffix);
    boolean same = next.equals(group);
    if (!same && !groups.add(next)) {
      throw refuse(parser, "group " + next + " in two places", "a metric's lines together");
    }
    boolean sameTime =
        same && timed == parser.hasTimestamp() && (!timed || timestampMs == parser.timestampMs());
    if (same) {
      checkTime(parser);
    } else {
      group = next;
      seriesOfGroup.clear();
    }
    timed = parser.hasTimestamp();
    timestampMs = parser.timestampMs();
    if (!seriesOfGroup.add(labels) && !timed) {
      throw refuse(parser, "series twice", "each series once");
    }
    if (declared == MetricType.HISTOGRAM || declared == MetricType.GAUGE_HISTOGRAM) {
      if (!sameTime) {
        histogram.finish(parser);
      }
      double le = suffix.equals("_bucket") ? number(parser, labels, "le") : 0;
      histogram.add(parser, suffix, le);
    }
  }

  private void checkTime(LineParser parser) {
    if (timed != parser.hasTimestamp()) {
      throw refuse(parser, "timestamps on some lines only", "on all lines of a metric or on none");
    }
    if (timed && parser.timestampMs() < timestampMs && declared != MetricType.INFO) {
      throw refuse(parser, "timestamp earlier than the one before", "time going forward");
    }
  }

  /** The labels that all samples of a metric share. */
  private Labels groupOf(Labels labels, String suffix) {
    if (declared == MetricType.INFO) {
      return Labels.EMPTY;
    }
    Labels shared = labels.without(Labels.NAME);
    if (suffix.equals("_bucket")) {
      return shared.without("le");
    } else if (declared == MetricType.SUMMARY && suffix.isEmpty()) {
      return shared.without("quantile");
    }
    return declared == MetricType.STATE_SET ? shared.without(family) : shared;
  }

  private static ExpositionException refuse(LineParser parser, String why, String expected) {
    return parser.refusal(parser.lineStart(), parser.lineStart(), why, expected);
  }
}
