package org.inferometer.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
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
import org.inferometer.signals.Layer;
import org.inferometer.signals.Quality;
import org.jspecify.annotations.Nullable;

/** Reads diagnoses back that {@link DiagnosisJson} wrote, here or in another release. */
public final class DiagnosisReader {
  private DiagnosisReader() {}

  /**
   * The report of all services, or of the one that was asked for.
   *
   * @throws IllegalArgumentException if it isn't one
   */
  public static Report read(JsonNode json) {
    Diagnosis whole = diagnosis(json);
    if (json.has("services")) {
      return new Report(whole, list(json.path("services"), DiagnosisReader::diagnosis));
    }
    return new Report(whole, List.of(whole));
  }

  private static Diagnosis diagnosis(JsonNode json) {
    Period window = period(json.path("window"));
    if (window == null) {
      throw new IllegalArgumentException("expected a window");
    }
    return new Diagnosis(
        textOrNull(json, "service"),
        window,
        period(json.path("baseline")),
        state(json.path("state").asText()),
        text(json, "summary"),
        list(json.path("verdicts"), DiagnosisReader::verdict),
        list(json.path("path"), DiagnosisReader::step),
        list(json.path("ruledOut"), DiagnosisReader::ruledOut),
        list(json.path("telemetry"), DiagnosisReader::telemetry),
        list(json.path("layers"), DiagnosisReader::layer),
        list(json.path("changes"), DiagnosisReader::change),
        list(json.path("happenings"), DiagnosisReader::happening),
        list(json.path("timeline"), DiagnosisReader::moved));
  }

  private static Diagnosis.State state(String id) {
    for (Diagnosis.State state : Diagnosis.State.values()) {
      if (state.id().equals(id)) {
        return state;
      }
    }
    throw new IllegalArgumentException("found the state \"" + id + "\"");
  }

  private static @Nullable Period period(JsonNode json) {
    Long start = time(json, "start");
    Long end = time(json, "end");
    return start == null || end == null ? null : new Period(start, end);
  }

  private static Verdict verdict(JsonNode json) {
    JsonNode scope = json.path("scope");
    JsonNode effect = json.path("effect");
    Finding finding =
        new Finding(
            text(json, "cause"),
            number(json, "confidence"),
            new Scope(
                text(scope, "service"),
                textOrNull(scope, "model"),
                textOrNull(scope, "instance"),
                textOrNull(scope, "gpu")),
            new Effect(
                text(effect, "signal"),
                number(effect, "share"),
                number(effect, "value"),
                number(effect, "without"),
                textOrNull(effect, "text")),
            text(json, "says"),
            list(json.path("evidence"), DiagnosisReader::evidence),
            list(json.path("against"), DiagnosisReader::evidence),
            time(json, "onset"));
    return new Verdict(
        finding,
        text(json, "title"),
        textOrNull(json, "follows"),
        list(json.path("next"), DiagnosisReader::action));
  }

  private static Evidence evidence(JsonNode json) {
    return new Evidence(
        text(json, "layer"),
        text(json, "signal"),
        number(json, "value"),
        text(json, "unit"),
        numberOrNull(json, "baseline"),
        numberOrNull(json, "threshold"),
        constant(Quality.class, text(json, "quality")),
        textOrNull(json, "of"),
        textOrNull(json, "service"),
        textOrNull(json, "query"),
        text(json, "says"));
  }

  private static Action action(JsonNode json) {
    return new Action(
        text(json, "action"),
        text(json, "why"),
        text(json, "expect"),
        textOrNull(json, "risk"),
        text(json, "confirm"));
  }

  private static PathStep step(JsonNode json) {
    return new PathStep(
        text(json, "question"),
        text(json, "answer"),
        textOrNull(json, "signal"),
        number(json, "value"),
        textOrNull(json, "unit"),
        numberOrNull(json, "threshold"));
  }

  private static RuledOut ruledOut(JsonNode json) {
    return new RuledOut(
        text(json, "cause"), text(json, "because"), json.path("unknown").asBoolean());
  }

  private static TelemetryProblem telemetry(JsonNode json) {
    return new TelemetryProblem(
        text(json, "problem"),
        text(json, "target"),
        list(json.path("signals"), JsonNode::asText),
        text(json, "says"),
        json.path("fault").asBoolean());
  }

  private static LayerLine layer(JsonNode json) {
    return new LayerLine(
        text(json, "layer"),
        text(json, "signal"),
        textOrNull(json, "of"),
        number(json, "value"),
        text(json, "unit"),
        numberOrNull(json, "baseline"),
        textOrNull(json, "query"),
        text(json, "says"));
  }

  private static Change change(JsonNode json) {
    return new Change(
        text(json, "kind"),
        textOrNull(json, "of"),
        text(json, "says"),
        number(json, "share"),
        time(json, "time"));
  }

  private static Happening happening(JsonNode json) {
    return new Happening(
        moment(json),
        constant(Happening.Kind.class, text(json, "kind")),
        textOrNull(json, "instance"),
        text(json, "name"),
        textOrNull(json, "from"),
        textOrNull(json, "to"),
        text(json, "says"));
  }

  private static ChangePoint moved(JsonNode json) {
    return new ChangePoint(
        text(json, "signal"),
        constant(Layer.class, text(json, "layer")),
        textOrNull(json, "instance"),
        moment(json),
        number(json, "before"),
        number(json, "after"),
        number(json, "score"));
  }

  // --------------------------------------------------------------------------------- values

  private static <T> List<T> list(JsonNode json, Function<JsonNode, T> reading) {
    List<T> all = new ArrayList<>();
    json.forEach(one -> all.add(reading.apply(one)));
    return all;
  }

  private static String text(JsonNode json, String name) {
    return json.path(name).asText();
  }

  private static @Nullable String textOrNull(JsonNode json, String name) {
    return json.path(name).isTextual() ? json.path(name).asText() : null;
  }

  private static double number(JsonNode json, String name) {
    return json.path(name).asDouble(Double.NaN);
  }

  private static @Nullable Double numberOrNull(JsonNode json, String name) {
    return json.path(name).isNumber() ? json.path(name).asDouble() : null;
  }

  private static @Nullable Long time(JsonNode json, String name) {
    return json.path(name).isNumber() ? Math.round(json.path(name).asDouble() * 1000) : null;
  }

  private static long moment(JsonNode json) {
    Long time = time(json, "time");
    if (time == null) {
      throw new IllegalArgumentException("expected a time");
    }
    return time;
  }

  private static <E extends Enum<E>> E constant(Class<E> kind, String word) {
    return Enum.valueOf(kind, word.toUpperCase(Locale.ROOT));
  }
}
