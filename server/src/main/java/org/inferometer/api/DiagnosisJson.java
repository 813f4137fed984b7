package org.inferometer.api;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import org.inferometer.diagnosis.Change;
import org.inferometer.diagnosis.Diagnosis;
import org.inferometer.diagnosis.LayerLine;
import org.inferometer.diagnosis.PathStep;
import org.inferometer.diagnosis.Report;
import org.inferometer.diagnosis.RuledOut;
import org.inferometer.diagnosis.Verdict;
import org.inferometer.diagnosis.finding.Action;
import org.inferometer.diagnosis.finding.Effect;
import org.inferometer.diagnosis.finding.Evidence;
import org.inferometer.diagnosis.finding.Finding;
import org.inferometer.diagnosis.finding.Scope;
import org.inferometer.diagnosis.world.ChangePoint;
import org.inferometer.diagnosis.world.Happening;
import org.inferometer.diagnosis.world.Period;
import org.inferometer.diagnosis.world.TelemetryProblem;
import org.jspecify.annotations.Nullable;

/**
 * Diagnoses as JSON, as docs/reference/diagnosis-json.md has it. The same diagnosis gives the same
 * bytes everywhere: numbers are rounded, so that the last bit of a processor's exponential function
 * isn't seen.
 */
public final class DiagnosisJson {
  /** More than anybody reads, fewer than what differs between processors. */
  private static final MathContext DIGITS = new MathContext(6, RoundingMode.HALF_EVEN);

  private static final int CONFIDENCE_DECIMALS = 3;

  private static final int PLAIN_DIGITS_MAX = 15;

  private DiagnosisJson() {}

  /** All services as one, and each of them under {@code services}. */
  public static void write(JsonGenerator json, Report report) throws IOException {
    json.writeStartObject();
    fields(json, report.whole());
    json.writeArrayFieldStart("services");
    for (Diagnosis service : report.services()) {
      write(json, service);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  /** One diagnosis. */
  public static void write(JsonGenerator json, Diagnosis diagnosis) throws IOException {
    json.writeStartObject();
    fields(json, diagnosis);
    json.writeEndObject();
  }

  private static void fields(JsonGenerator json, Diagnosis diagnosis) throws IOException {
    period(json, "window", diagnosis.window());
    period(json, "baseline", diagnosis.baseline());
    json.writeStringField("state", diagnosis.state().id());
    json.writeStringField("summary", diagnosis.summary());
    text(json, "service", diagnosis.service());
    list(json, "verdicts", diagnosis.verdicts(), DiagnosisJson::verdict);
    list(json, "path", diagnosis.path(), DiagnosisJson::step);
    list(json, "ruledOut", diagnosis.ruledOut(), DiagnosisJson::ruledOut);
    list(json, "telemetry", diagnosis.telemetry(), DiagnosisJson::telemetry);
    list(json, "layers", diagnosis.layers(), DiagnosisJson::layer);
    list(json, "changes", diagnosis.changes(), DiagnosisJson::change);
    list(json, "happenings", diagnosis.happenings(), DiagnosisJson::happening);
    list(json, "timeline", diagnosis.timeline(), DiagnosisJson::moved);
  }

  private static void period(JsonGenerator json, String name, @Nullable Period period)
      throws IOException {
    if (period == null) {
      json.writeNullField(name);
      return;
    }
    json.writeObjectFieldStart(name);
    time(json, "start", period.startMs());
    time(json, "end", period.endMs());
    json.writeEndObject();
  }

  private static void verdict(JsonGenerator json, Verdict verdict) throws IOException {
    Finding finding = verdict.finding();
    json.writeStringField("cause", finding.cause());
    json.writeStringField("title", verdict.title());
    json.writeFieldName("confidence");
    confidence(json, finding.confidence());
    scope(json, finding.scope());
    effect(json, finding.effect());
    json.writeStringField("says", finding.says());
    text(json, "follows", verdict.follows());
    time(json, "onset", finding.onsetMs());
    list(json, "evidence", finding.evidence(), DiagnosisJson::evidence);
    list(json, "against", finding.against(), DiagnosisJson::evidence);
    list(json, "next", verdict.next(), DiagnosisJson::action);
  }

  private static void scope(JsonGenerator json, Scope scope) throws IOException {
    json.writeObjectFieldStart("scope");
    json.writeStringField("service", scope.service());
    text(json, "model", scope.model());
    text(json, "instance", scope.instance());
    text(json, "gpu", scope.gpu());
    json.writeEndObject();
  }

  private static void effect(JsonGenerator json, Effect effect) throws IOException {
    json.writeObjectFieldStart("effect");
    json.writeStringField("signal", effect.signal());
    number(json, "share", effect.share());
    number(json, "value", effect.value());
    number(json, "without", effect.without());
    text(json, "text", effect.text());
    json.writeEndObject();
  }

  private static void evidence(JsonGenerator json, Evidence evidence) throws IOException {
    json.writeStringField("layer", evidence.layer());
    json.writeStringField("signal", evidence.signal());
    number(json, "value", evidence.value());
    json.writeStringField("unit", evidence.unit());
    number(json, "threshold", evidence.threshold());
    number(json, "baseline", evidence.baseline());
    json.writeStringField("quality", word(evidence.quality()));
    text(json, "of", evidence.of());
    text(json, "service", evidence.service());
    text(json, "query", evidence.query());
    json.writeStringField("says", evidence.says());
  }

  private static void action(JsonGenerator json, Action action) throws IOException {
    json.writeStringField("action", action.action());
    json.writeStringField("why", action.why());
    json.writeStringField("expect", action.expect());
    text(json, "risk", action.risk());
    json.writeStringField("confirm", action.confirm());
  }

  private static void step(JsonGenerator json, PathStep step) throws IOException {
    json.writeStringField("question", step.question());
    json.writeStringField("answer", step.answer());
    text(json, "signal", step.signal());
    number(json, "value", step.value());
    text(json, "unit", step.unit());
    number(json, "threshold", step.threshold());
  }

  private static void ruledOut(JsonGenerator json, RuledOut out) throws IOException {
    json.writeStringField("cause", out.cause());
    json.writeStringField("because", out.because());
    json.writeBooleanField("unknown", out.isUnknown());
  }

  private static void telemetry(JsonGenerator json, TelemetryProblem problem) throws IOException {
    json.writeStringField("problem", problem.problem());
    json.writeStringField("target", problem.target());
    json.writeArrayFieldStart("signals");
    for (String signal : problem.signals()) {
      json.writeString(signal);
    }
    json.writeEndArray();
    json.writeStringField("says", problem.says());
    json.writeBooleanField("fault", problem.isFault());
  }

  private static void layer(JsonGenerator json, LayerLine line) throws IOException {
    json.writeStringField("layer", line.layer());
    json.writeStringField("signal", line.signal());
    text(json, "of", line.of());
    number(json, "value", line.value());
    json.writeStringField("unit", line.unit());
    number(json, "baseline", line.baseline());
    text(json, "query", line.query());
    json.writeStringField("says", line.says());
  }

  private static void change(JsonGenerator json, Change change) throws IOException {
    json.writeStringField("kind", change.kind());
    text(json, "of", change.of());
    json.writeStringField("says", change.says());
    number(json, "share", change.share());
    time(json, "time", change.timeMs());
  }

  static void happening(JsonGenerator json, Happening happening) throws IOException {
    time(json, "time", happening.timeMs());
    json.writeStringField("kind", word(happening.kind()));
    text(json, "instance", happening.instance());
    json.writeStringField("name", happening.name());
    text(json, "from", happening.from());
    text(json, "to", happening.to());
    json.writeStringField("says", happening.says());
  }

  static void moved(JsonGenerator json, ChangePoint change) throws IOException {
    time(json, "time", change.timeMs());
    json.writeStringField("signal", change.signal());
    json.writeStringField("layer", word(change.layer()));
    text(json, "instance", change.instance());
    number(json, "before", change.before());
    number(json, "after", change.after());
    number(json, "score", change.score());
  }

  // --------------------------------------------------------------------------------- values

  /** Writes the fields of an element. */
  private interface Fields<T> {
    void write(JsonGenerator json, T element) throws IOException;
  }

  private static <T> void list(
      JsonGenerator json, String name, List<T> elements, Fields<? super T> fields)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (T element : elements) {
      json.writeStartObject();
      fields.write(json, element);
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  static void time(JsonGenerator json, String name, @Nullable Long timeMs) throws IOException {
    if (timeMs == null) {
      json.writeNullField(name);
    } else {
      json.writeFieldName(name);
      QueryJson.time(json, timeMs);
    }
  }

  private static void confidence(JsonGenerator json, double confidence) throws IOException {
    json.writeNumber(
        plain(
            BigDecimal.valueOf(confidence).setScale(CONFIDENCE_DECIMALS, RoundingMode.HALF_EVEN)));
  }

  private static void number(JsonGenerator json, String name, @Nullable Double value)
      throws IOException {
    if (value == null || !Double.isFinite(value)) {
      json.writeNullField(name);
    } else {
      json.writeFieldName(name);
      json.writeNumber(plain(new BigDecimal(value).round(DIGITS)));
    }
  }

  private static String plain(BigDecimal value) {
    if (value.signum() == 0) {
      return "0";
    }
    BigDecimal shortest = value.stripTrailingZeros();
    // Beyond it digits stand for nothing, or there are more zeros than anybody counts.
    return Math.abs(shortest.precision() - shortest.scale()) > PLAIN_DIGITS_MAX
        ? shortest.toString()
        : shortest.toPlainString();
  }

  private static void text(JsonGenerator json, String name, @Nullable String value)
      throws IOException {
    if (value == null) {
      json.writeNullField(name);
    } else {
      json.writeStringField(name, value);
    }
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
