package org.inferometer.exposition;

import org.inferometer.exposition.Bodies.Outcome;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.model.Labels;

/** What holds for every body whatsoever that is read as protobuf; for mutants and the fuzzer. */
final class ProtobufProperties {
  private ProtobufProperties() {}

  static void check(byte[] body) {
    Outcome strict = Bodies.read(Format.PROTOBUF, Mode.PROMETHEUS, body);
    Outcome tolerant = Bodies.read(Format.PROTOBUF, Mode.TOLERANT, body);
    expect(strict.accepted() == tolerant.badLines().isEmpty(), "same verdict", strict, tolerant);
    if (strict.accepted()) {
      expect(strict.samples().equals(tolerant.samples()), "same samples", strict, tolerant);
    } else {
      expect(strict.reason().equals(tolerant.badLines().getFirst()), "same", strict, tolerant);
    }
    for (HistogramKinds kinds : HistogramKinds.values()) {
      checkEvents(body, kinds);
    }
  }

  /** Places lie in the body, keys aren't empty, there are no more events than bytes allow. */
  private static void checkEvents(byte[] body, HistogramKinds kinds) {
    ExpositionParser parser = ExpositionParser.of(Format.PROTOBUF, Mode.TOLERANT, kinds);
    parser.reset(body, body.length);
    int events = 0;
    int bad = 0;
    for (Event event = parser.next(); event != Event.END; event = parser.next()) {
      events++;
      switch (event) {
        case BAD_LINE -> {
          bad++;
          int at = parser.lastBadLine().column();
          expect(at >= 0 && at <= body.length, "place", at, parser.lastBadLine());
        }
        case SERIES, HISTOGRAM -> sample(parser, event);
        case HELP, TYPE, UNIT -> {
          expect(!parser.name().isEmpty(), "name", event, parser.name());
          parser.text();
        }
        case END -> {}
      }
    }
    expect(bad == parser.badLineCount(), "count", bad, parser.badLineCount());
    // A metric of two bytes or more is four series at most that aren't sent themselves.
    expect(events <= 4L * body.length + 1, "events", events, body.length);
  }

  private static void sample(ExpositionParser parser, Event event) {
    expect(parser.rawStart() < parser.rawEnd(), "key", event, parser.rawEnd());
    Labels labels = parser.labels();
    expect(!labels.metricName().isEmpty(), "name", event, labels);
    labels.forEach(
        (name, value) ->
            expect(parser.sends(name) || name.equals(Labels.NAME), "label", name, value));
    if (parser.hasExemplar()) {
      parser.exemplarLabels();
      parser.exemplarLength();
      parser.exemplarValue();
    }
    if (event == Event.HISTOGRAM) {
      histogram(parser.histogram());
    }
  }

  /** What the store and queries may rely on. */
  private static void histogram(NativeHistogram histogram) {
    expect(histogram.count() >= 0, "count", histogram, "");
    histogram.buckets().forEach(b -> expect(b.count() >= 0, "bucket", histogram, b));
    NativeHistogram coarsest = histogram.toSchema(NativeHistogram.SCHEMA_MIN);
    expect(coarsest.count() == histogram.count(), "same count", histogram, coarsest);
  }

  private static void expect(boolean holds, String what, Object a, Object b) {
    if (!holds) {
      throw new AssertionError(what + ": " + a + " / " + b);
    }
  }
}
