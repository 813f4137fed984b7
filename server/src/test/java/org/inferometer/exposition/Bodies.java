package org.inferometer.exposition;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.inferometer.model.Labels;
import org.jspecify.annotations.Nullable;

/** Reads whole bodies for tests. */
final class Bodies {
  private Bodies() {}

  /** A sample as it is stored. */
  record Sample(Labels labels, double value, @Nullable Long timestampMs) {
    @Override
    public String toString() {
      return labels + " " + value + (timestampMs == null ? "" : " @" + timestampMs);
    }
  }

  /** What became of a body: the refusal is null if it was accepted. */
  record Outcome(List<Sample> samples, @Nullable BadLine refusal, List<BadLine> badLines) {
    /** Why it was refused. */
    BadLine reason() {
      return Objects.requireNonNull(refusal, "accepted");
    }

    boolean accepted() {
      return refusal == null;
    }
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static Outcome read(Format format, Mode mode, String body) {
    return read(format, mode, bytes(body));
  }

  static Outcome read(Format format, Mode mode, byte[] body) {
    ExpositionParser parser = ExpositionParser.of(format, mode);
    parser.reset(body, body.length);
    List<Sample> samples = new ArrayList<>();
    try {
      for (Event event = parser.next(); event != Event.END; event = parser.next()) {
        if (event == Event.SERIES) {
          samples.add(
              new Sample(
                  parser.labels(),
                  parser.value(),
                  parser.hasTimestamp() ? parser.timestampMs() : null));
        }
      }
    } catch (ExpositionException e) {
      return new Outcome(samples, e.badLine(), List.of());
    }
    return new Outcome(samples, null, parser.badLines());
  }
}
