package org.inferometer.diagnosis.cause;

import org.inferometer.diagnosis.finding.Evidence;
import org.inferometer.diagnosis.world.EdgeWorld;
import org.inferometer.diagnosis.world.Reading;
import org.inferometer.signals.Phrases;
import org.jspecify.annotations.Nullable;

/** Evidence of what is before an engine, and numbers in words. */
final class OutsideEvidence {
  private OutsideEvidence() {}

  static Evidence of(EdgeWorld edge, Reading reading, @Nullable Double threshold, String says) {
    return Evidence.of(reading, threshold, says).by(layer(edge), edge.id(), edge.name());
  }

  /** A quantity computed of what an edge and others measure. */
  static Evidence computed(
      EdgeWorld edge, String name, double value, String unit, double threshold, String says) {
    return Evidence.computed(layer(edge), name, value, unit, threshold, says)
        .by(layer(edge), edge.id(), edge.name());
  }

  static String layer(EdgeWorld edge) {
    return edge.vantage() == EdgeWorld.Vantage.CLIENT ? "client" : "gateway";
  }

  /** "Clients" or "Gateway edge", to begin a sentence. */
  static String subject(EdgeWorld edge) {
    return edge.vantage() == EdgeWorld.Vantage.CLIENT ? "clients" : "gateway " + edge.name();
  }

  static String seconds(double value) {
    return Phrases.value("seconds", value);
  }

  static String share(double value) {
    return Phrases.value("ratio", value);
  }

  static String number(double value) {
    return Phrases.number(value);
  }
}
