package org.inferometer.exposition;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.inferometer.exposition.Bodies.Outcome;
import org.inferometer.model.Labels;

/** What holds for every body whatsoever; for the mutation test and the fuzzer. */
final class ExpositionProperties {
  private ExpositionProperties() {}

  static void check(byte[] body) {
    check(Format.TEXT, body);
    check(Format.OPENMETRICS, body);
    checkPieces(body);
    ProtobufProperties.check(body);
    NotExposition.explain(body, body.length);
  }

  private static void check(Format format, byte[] body) {
    Outcome strict = Bodies.read(format, Mode.PROMETHEUS, body);
    Outcome tolerant = Bodies.read(format, Mode.TOLERANT, body);
    Outcome spec = Bodies.read(format, Mode.SPEC, body);
    expect(strict.accepted() == tolerant.badLines().isEmpty(), "same verdict", strict, tolerant);
    if (strict.accepted()) {
      expect(strict.samples().equals(tolerant.samples()), "same samples", strict, tolerant);
    } else {
      expect(strict.reason().equals(tolerant.badLines().getFirst()), "same", strict, tolerant);
    }
    if (spec.accepted() && format == Format.OPENMETRICS) {
      expect(strict.accepted(), "what the specification allows is accepted", strict, spec);
    }
    checkEvents(format, body);
    checkLinesAlone(format, body, tolerant.samples().size());
  }

  /** A line at a time is the same as all at once. */
  private static void checkPieces(byte[] body) {
    Outcome whole = Bodies.read(Format.OPENMETRICS, Mode.PROMETHEUS, body);
    OpenMetricsStream stream = new OpenMetricsStream();
    try {
      int from = 0;
      do {
        int to = lineEnd(body, from);
        stream.piece(Arrays.copyOfRange(body, from, to), to - from, to == body.length);
        while (stream.parser().next() != Event.END) {
          expect(stream.parser().rawEnd() <= to - from, "range", from, to);
        }
        from = to;
      } while (from < body.length);
      expect(whole.accepted(), "pieces are refused as well", whole, "accepted");
    } catch (ExpositionException e) {
      expect(e.badLine().equals(whole.reason()), "same refusal", e, whole);
    }
  }

  private static int lineEnd(byte[] body, int from) {
    int i = from;
    while (i < body.length && body[i] != '\n') {
      i++;
    }
    return Math.min(body.length, i + 1);
  }

  /** Ranges lie in the body and go forward, as many events as lines at most. */
  private static void checkEvents(Format format, byte[] body) {
    ExpositionParser parser = ExpositionParser.of(format, Mode.TOLERANT);
    parser.reset(body, body.length);
    int events = 0;
    int last = 0;
    int bad = 0;
    for (Event event = parser.next(); event != Event.END; event = parser.next()) {
      events++;
      if (event == Event.BAD_LINE) {
        bad++;
        expect(parser.lastBadLine().column() > 0, "column from 1", event, parser.lastBadLine());
        continue;
      }
      boolean forward = last <= parser.rawStart() && parser.rawStart() < parser.rawEnd();
      expect(forward && parser.rawEnd() <= body.length, "range", event, parser.rawStart());
      last = parser.rawEnd();
      expect(!parser.name().isEmpty(), "name", event, parser.name());
      touch(parser, event);
    }
    expect(bad == parser.badLineCount(), "count", bad, parser.badLineCount());
    expect(events <= lines(body) + 2, "events", events, lines(body));
  }

  private static void touch(ExpositionParser parser, Event event) {
    if (event != Event.SERIES) {
      parser.text();
      return;
    }
    expect(parser.labels().has(Labels.NAME), "name", event, parser.labels());
    if (parser.hasExemplar()) {
      parser.exemplarLabels();
      parser.exemplarLength();
      parser.exemplarValue();
    }
  }

  /** Where no quotes can reach over lines, each sample that is good by itself is kept. */
  private static void checkLinesAlone(Format format, byte[] body, int kept) {
    String text = new String(body, StandardCharsets.ISO_8859_1);
    if (format == Format.OPENMETRICS || text.indexOf('"') >= 0) {
      return;
    }
    int alone = 0;
    for (String line : text.split("\n", -1)) {
      byte[] bytes = line.getBytes(StandardCharsets.ISO_8859_1);
      alone += Bodies.read(Format.TEXT, Mode.PROMETHEUS, bytes).samples().size();
    }
    expect(kept == alone, "lines by themselves", kept, alone);
  }

  private static int lines(byte[] body) {
    int lines = 1;
    for (byte b : body) {
      lines += b == '\n' ? 1 : 0;
    }
    return lines;
  }

  private static void expect(boolean holds, String what, Object a, Object b) {
    if (!holds) {
      throw new AssertionError(what + ": " + a + " / " + b);
    }
  }
}
