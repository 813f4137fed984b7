package org.inferometer.query.stepwise;

import java.util.List;
import org.inferometer.model.Labels;

/** What happens to a metric name that an operation drops. */
final class Names {
  private static final List<String> METADATA = List.of(Labels.NAME, "__type__", "__unit__");

  private final boolean delayed;

  Names(boolean delayed) {
    this.delayed = delayed;
  }

  boolean areDelayed() {
    return delayed;
  }

  Element drop(Element element) {
    return delayed
        ? new Element(element.labels(), element.value(), true)
        : element.withLabels(withoutName(element.labels()));
  }

  /** What is left at the end. */
  static Labels atTheEnd(Element element) {
    return element.dropsName() ? withoutName(element.labels()) : element.labels();
  }

  static Labels withoutName(Labels labels) {
    return labels.without(METADATA);
  }
}
