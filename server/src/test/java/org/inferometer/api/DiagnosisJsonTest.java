package org.inferometer.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.StringWriter;
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
import org.inferometer.signals.Layer;
import org.inferometer.signals.Quality;
import org.junit.jupiter.api.Test;

class DiagnosisJsonTest {
  private static Diagnosis diagnosis(double value) {
    Evidence evidence =
        new Evidence(
            "engine",
            "kv_usage",
            value,
            "ratio",
            null,
            0.95,
            Quality.EXACT,
            "a:8000",
            null,
            "avg(kv)",
            "KV \"full\"\u001b[2J");
    Finding finding =
        new Finding(
            "kv-exhaustion",
            1 / 3.0,
            new Scope("vllm/m", "m", null, null),
            new Effect("ttft_p95", Double.NaN, value, Double.POSITIVE_INFINITY, null),
            "It is full.",
            List.of(evidence),
            List.of(),
            1_500L);
    Action action = new Action("do", "why", "expect", null, "confirm");
    return new Diagnosis(
        "vllm/m",
        new Period(1_000, 301_000),
        null,
        Diagnosis.State.NO_TRAFFIC,
        "One.",
        List.of(new Verdict(finding, "KV cache exhausted", null, List.of(action))),
        List.of(new PathStep("q", "a", null, Double.NaN, null, null)),
        List.of(new RuledOut("capacity", "no", true)),
        List.of(new TelemetryProblem("p", "t", List.of("s"), "says", true)),
        List.of(new LayerLine("gpu", "gpu_util", null, 0.5, "ratio", 0.25, null, "says")),
        List.of(new Change("config", null, "says", 0.5, null)),
        List.of(new Happening(2_000, Happening.Kind.CAME, null, "", null, "b", "says")),
        List.of(new ChangePoint("kv_usage", Layer.ENGINE, null, 3_000, 0.1, 0.9, 12)));
  }

  private static String text(Report report) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      DiagnosisJson.write(json, report);
    }
    return text.toString();
  }

  private static JsonNode json(double value) throws IOException {
    Diagnosis one = diagnosis(value);
    return new ObjectMapper().readTree(text(new Report(one, List.of(one))));
  }

  @Test
  void write_everyPart_hasItsKeys() throws IOException {
    JsonNode json = json(0.98);
    assertThat(json.properties())
        .extracting(java.util.Map.Entry::getKey)
        .containsExactly(
            "window",
            "baseline",
            "state",
            "summary",
            "service",
            "verdicts",
            "path",
            "ruledOut",
            "telemetry",
            "layers",
            "changes",
            "happenings",
            "timeline",
            "services");
    assertThat(json.path("state").asText()).isEqualTo("no-traffic");
    assertThat(json.path("window").toString()).isEqualTo("{\"start\":1,\"end\":301}");
    JsonNode verdict = json.path("verdicts").path(0);
    assertThat(verdict.path("onset").asDouble()).isEqualTo(1.5);
    assertThat(verdict.path("confidence").toString()).isEqualTo("0.333");
    assertThat(verdict.path("evidence").path(0).path("quality").asText()).isEqualTo("exact");
    assertThat(json.path("happenings").path(0).path("kind").asText()).isEqualTo("came");
    assertThat(json.path("timeline").path(0).path("layer").asText()).isEqualTo("engine");
    assertThat(json.path("services").path(0).path("verdicts")).isEqualTo(json.path("verdicts"));
    assertThat(json.path("services").path(0).has("services")).isFalse();
  }

  @Test
  void write_whatIsNotKnown_isNull() throws IOException {
    JsonNode json = json(Double.NaN);
    JsonNode effect = json.path("verdicts").path(0).path("effect");
    for (String key : List.of("share", "value", "without", "text")) {
      assertThat(effect.get(key).isNull()).as(key).isTrue();
    }
    assertThat(json.get("baseline").isNull()).isTrue();
    assertThat(json.path("path").path(0).get("value").isNull()).isTrue();
    assertThat(json.path("verdicts").path(0).path("next").path(0).get("risk").isNull()).isTrue();
  }

  @Test
  void write_numbers_areRoundedAlikeEverywhere() throws IOException {
    assertThat(value(1 / 3.0)).isEqualTo("0.333333");
    assertThat(value(Math.nextUp(1 / 3.0))).isEqualTo("0.333333");
    assertThat(value(80e9)).isEqualTo("80000000000");
    assertThat(value(1234567.8)).isEqualTo("1234570");
    assertThat(value(-0.0)).isEqualTo("0");
    assertThat(value(Double.MIN_VALUE)).isEqualTo("4.94066E-324");
    assertThat(value(1e300)).isEqualTo("1E+300");
    assertThat(value(0.5)).isEqualTo("0.5");
  }

  /** As it stands in the text. */
  private static String value(double value) throws IOException {
    Diagnosis one = diagnosis(value);
    String text = text(new Report(one, List.of()));
    int begin = text.indexOf("\"kv_usage\",\"value\":") + "\"kv_usage\",\"value\":".length();
    return text.substring(begin, text.indexOf(',', begin));
  }

  @Test
  void write_inAnotherLocale_givesTheSameBytes() throws IOException {
    Diagnosis one = diagnosis(1234.5);
    String before = text(new Report(one, List.of(one)));
    Locale own = Locale.getDefault();
    Locale.setDefault(Locale.of("tr", "TR"));
    try {
      assertThat(text(new Report(one, List.of(one)))).isEqualTo(before);
    } finally {
      Locale.setDefault(own);
    }
  }

  @Test
  void reader_readsWhatWasWritten() throws IOException {
    Diagnosis one = diagnosis(0.98);
    for (Report report : List.of(new Report(one, List.of(one)), new Report(one, List.of()))) {
      String text = text(report);
      assertThat(text(DiagnosisReader.read(new ObjectMapper().readTree(text)))).isEqualTo(text);
    }
    for (String bad : List.of("{}", "[]", "null", "{\"window\":{\"start\":1,\"end\":2}}")) {
      assertThatThrownBy(() -> DiagnosisReader.read(new ObjectMapper().readTree(bad)))
          .as(bad)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
