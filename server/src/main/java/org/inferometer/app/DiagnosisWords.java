package org.inferometer.app;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.inferometer.diagnosis.Change;
import org.inferometer.diagnosis.Diagnosis;
import org.inferometer.diagnosis.LayerLine;
import org.inferometer.diagnosis.PathStep;
import org.inferometer.diagnosis.RuledOut;
import org.inferometer.diagnosis.Verdict;
import org.inferometer.diagnosis.finding.Effect;
import org.inferometer.diagnosis.finding.Scope;
import org.inferometer.diagnosis.world.Happening;
import org.inferometer.diagnosis.world.Period;
import org.inferometer.signals.Phrases;
import org.jspecify.annotations.Nullable;

/** Parts of a diagnosis in words, for every format that people read. */
final class DiagnosisWords {
  /** What signals of it begin with. */
  private static final List<String> FELT = List.of("ttft", "tpot", "itl", "e2e", "error_share");

  private DiagnosisWords() {}

  static String state(Diagnosis one) {
    return switch (one.state()) {
      case HEALTHY -> "healthy";
      case NO_TRAFFIC -> "no traffic";
      case CANNOT_TELL -> "can't tell";
      case DEGRADED -> "degraded";
      case CRITICAL -> "critical";
    };
  }

  /** The stretch of time that was judged, and what it was compared with. */
  static String stretch(Diagnosis one) {
    String judged = "Judged: " + period(one.window()) + " UTC";
    return one.baseline() == null
        ? judged + "; there is nothing before to compare it with."
        : judged + "; before: " + period(one.baseline()) + ".";
  }

  private static String period(Period period) {
    String start = Amounts.time(period.startMs());
    String end = Amounts.time(period.endMs());
    boolean isOneDay = start.substring(0, 10).equals(end.substring(0, 10));
    return start.substring(0, 10)
        + " "
        + start.substring(11, 19)
        + " to "
        + (isOneDay ? "" : end.substring(0, 10) + " ")
        + end.substring(11, 19);
  }

  static String moment(long timeMs) {
    return Amounts.time(timeMs).substring(11, 19);
  }

  /** "KV cache exhausted (kv-exhaustion, 95 % sure)". */
  static String heading(Verdict verdict) {
    String id = verdict.title().equals(verdict.cause()) ? "" : verdict.cause() + ", ";
    String sure = Phrases.number(verdict.finding().confidence() * 100);
    return verdict.title() + " (" + id + sure + " % sure)";
  }

  /** Where it is, since when, what it follows from. */
  static String place(Verdict verdict, Period window) {
    List<String> parts = new ArrayList<>();
    Scope scope = verdict.finding().scope();
    if (scope.instance() != null) {
      parts.add("at " + scope.instance());
    }
    if (scope.gpu() != null) {
      parts.add("on " + scope.gpu());
    }
    if (verdict.follows() != null) {
      parts.add("follows from " + verdict.follows());
    }
    Long onset = verdict.finding().onsetMs();
    parts.add(
        onset == null
            ? "it was there all along"
            : "since "
                + moment(onset)
                + " UTC, for "
                + Amounts.duration(Math.max(0, window.endMs() - onset) / 1000 * 1000));
    String text = String.join("; ", parts) + ".";
    return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
  }

  static String effect(Effect effect) {
    if (effect.text() != null && !effect.text().isBlank()) {
      return effect.text();
    }
    return Double.isNaN(effect.share())
        ? ""
        : "It carries " + Phrases.number(effect.share() * 100) + " % of " + effect.signal() + ".";
  }

  /** A value with its unit; nothing if it isn't known. */
  static String value(String unit, @Nullable Double value) {
    if (value == null || Double.isNaN(value)) {
      return "";
    }
    return Double.isInfinite(value) ? (value > 0 ? "∞" : "-∞") : Phrases.value(unit, value);
  }

  static String answer(PathStep step) {
    String unit = step.unit() == null ? "" : step.unit();
    String value = value(unit, step.value());
    String threshold = value(unit, step.threshold());
    if (step.signal() == null || value.isEmpty()) {
      return step.answer();
    }
    if (step.answer().contains(value)) {
      return step.answer() + " [" + step.signal() + "]";
    }
    String held = threshold.isEmpty() ? "" : ", held against " + threshold;
    return step.answer() + " [" + step.signal() + " " + value + held + "]";
  }

  /** The causes that aren't the matter, or about which nothing can be told; each once. */
  static List<String> ruledOut(List<RuledOut> all, boolean isUnknown) {
    return all.stream()
        .filter(out -> out.isUnknown() == isUnknown)
        .map(out -> out.cause() + ": " + out.because())
        .distinct()
        .toList();
  }

  /** Whether a line is of something that users feel: how long they wait, and what fails. */
  static boolean isFelt(LayerLine line) {
    boolean isNear = List.of("client", "gateway", "request").contains(line.layer());
    return isNear
        && FELT.stream().anyMatch(line.signal()::startsWith)
        && !line.signal().endsWith("_residual");
  }

  /** What changed and what happened. */
  static List<String> changed(Diagnosis one) {
    return Stream.concat(
            one.changes().stream().map(DiagnosisWords::change),
            one.happenings().stream().map(DiagnosisWords::happening))
        .toList();
  }

  /** What can't be trusted or isn't measured. */
  static List<String> telemetry(Diagnosis one) {
    return one.telemetry().stream().map(p -> p.target() + ": " + p.says()).toList();
  }

  private static String change(Change change) {
    String when = change.timeMs() == null ? "" : moment(change.timeMs()) + " ";
    String of = change.of() == null ? "" : change.of() + ": ";
    String share =
        Double.isNaN(change.share())
            ? ""
            : " (can carry " + Phrases.number(change.share() * 100) + " % of what got slower)";
    return when + of + change.says() + share;
  }

  private static String happening(Happening happening) {
    String of = happening.instance() == null ? "" : happening.instance() + ": ";
    return moment(happening.timeMs()) + " " + of + happening.says();
  }
}
