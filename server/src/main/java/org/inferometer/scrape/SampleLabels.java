package org.inferometer.scrape;

import java.nio.charset.StandardCharsets;
import org.inferometer.config.ScrapeLimits;
import org.inferometer.exposition.ExpositionParser;
import org.inferometer.model.Labels;
import org.jspecify.annotations.Nullable;

/** Makes the labels of a series out of those that a target sent. Thread-safe. */
final class SampleLabels {
  private static final String EXPORTED = "exported_";

  private final Labels targetLabels;
  private final boolean honorLabels;
  private final Relabeling relabeling;
  private final ScrapeLimits limits;

  SampleLabels(Target target) {
    targetLabels = target.labels();
    honorLabels = target.config().honorLabels();
    relabeling = new Relabeling(target.config().metricRelabelRules());
    limits = target.config().limits();
  }

  /** The labels of the sample that the parser is at, or null if relabeling dropped it. */
  @Nullable Labels of(ExpositionParser parser) throws ScrapeException {
    Labels sent = parser.labels();
    Labels labels = relabeling.apply(honorLabels ? honored(sent, parser) : renamed(sent));
    if (labels == null || labels.isEmpty()) {
      return null;
    }
    if (labels.metricName().isEmpty()) {
      throw new ScrapeException(
          FailureReason.INVALID_LABELS,
          "sample without a metric name: " + labels,
          "After metric_relabel_configs a series has no name any more: " + labels + ".");
    }
    checkLimits(labels);
    return labels;
  }

  private Labels honored(Labels sent, ExpositionParser parser) {
    Labels.Builder labels = sent.toBuilder();
    targetLabels.forEach(
        (name, value) -> {
          if (!sent.has(name) && !parser.sends(name)) {
            labels.set(name, value);
          }
        });
    return labels.build();
  }

  private Labels renamed(Labels sent) {
    Labels.Builder labels = sent.toBuilder();
    targetLabels.forEach(labels::set);
    // Shorter names first, as their new names may meet longer ones.
    targetLabels.toMap().keySet().stream()
        .filter(sent::has)
        .sorted(java.util.Comparator.comparingInt(String::length))
        .forEach(name -> labels.set(freeName(name, labels, sent), sent.get(name)));
    return labels.build();
  }

  private static String freeName(String name, Labels.Builder labels, Labels sent) {
    String free = EXPORTED + name;
    while (!labels.get(free).isEmpty() || sent.has(free)) {
      free = EXPORTED + free;
    }
    return free;
  }

  private void checkLimits(Labels labels) throws ScrapeException {
    if (limits.label() > 0 && labels.size() > limits.label()) {
      throw limit("label_limit", limits.label(), labels.size() + " labels", labels);
    }
    if (limits.labelNameLength() == 0 && limits.labelValueLength() == 0) {
      return;
    }
    for (int i = 0; i < labels.size(); i++) {
      long name = bytes(labels.name(i));
      long value = bytes(labels.value(i));
      if (limits.labelNameLength() > 0 && name > limits.labelNameLength()) {
        throw limit(
            "label_name_length_limit",
            limits.labelNameLength(),
            "a label name of " + name + " bytes",
            labels);
      }
      if (limits.labelValueLength() > 0 && value > limits.labelValueLength()) {
        throw limit(
            "label_value_length_limit",
            limits.labelValueLength(),
            "a label value of " + value + " bytes",
            labels);
      }
    }
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private static ScrapeException limit(String name, long limit, String found, Labels labels) {
    String metric = labels.metricName();
    String shown = metric.length() > 200 ? metric.substring(0, 200) + "..." : metric;
    return new ScrapeException(
        FailureReason.LABEL_LIMIT,
        name + " exceeded (metric: " + shown + ", limit: " + limit + ")",
        "The series " + shown + " has " + found + ", more than the " + name + " of " + limit + ".");
  }
}
