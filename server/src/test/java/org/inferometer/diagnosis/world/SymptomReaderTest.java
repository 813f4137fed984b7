package org.inferometer.diagnosis.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.signals.Layer;
import org.inferometer.signals.Quality;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SymptomReaderTest {
  private final Map<String, Reading> readings = new LinkedHashMap<>();

  private SymptomReaderTest put(String signal, double value, double baseline) {
    return put(signal, value, baseline, null, Reading.Detail.NONE, Double.NaN);
  }

  private SymptomReaderTest put(
      String signal,
      double value,
      double baseline,
      @Nullable Double goal,
      Reading.Detail detail,
      double low) {
    readings.put(
        signal,
        new Reading(
            signal,
            signal,
            "seconds",
            Layer.REQUEST,
            Quality.EXACT,
            null,
            "q",
            value,
            low,
            Double.NaN,
            baseline,
            value,
            value,
            new long[0],
            new double[0],
            goal,
            detail));
    return this;
  }

  private static Reading.Detail of(double count, double baselineHigh, double spread) {
    return new Reading.Detail(count, Double.NaN, baselineHigh, spread, Map.of());
  }

  private Symptoms symptoms() {
    return new SymptomReader(Thresholds.builtIn(), 300_000).read(new Readings(readings), List.of());
  }

  @Test
  void read_twiceTheTimeToTheFirstToken_isFelt() {
    put("ttft_p95", 0.8, 0.4).put("ttft_mean", 0.4, 0.2);
    assertThat(symptoms().has(Symptom.Kind.TTFT)).isTrue();
  }

  /** Within the strictest limit that was published for conversations. */
  @Test
  void read_aFirstTokenThatIsSoonEnough_isNone() {
    put("ttft_p95", 0.4, 0.1).put("ttft_mean", 0.3, 0.07);
    assertThat(symptoms().isEmpty()).isTrue();
    put("ttft_p95", 0.6, 0.15, null, of(1000, 0.25, Double.NaN), 0.25);
    assertThat(symptoms().isEmpty()).as("its bucket begins below").isTrue();
    put("ttft_p95", 0.6, 0.15, null, of(1000, 0.25, Double.NaN), 0.5);
    assertThat(symptoms().has(Symptom.Kind.TTFT)).isTrue();
  }

  @Test
  void read_aFirstTokenAsLateAsItsLongerPrompt_isNone() {
    put("ttft_p95", 0.9, 0.2).put("ttft_mean", 0.4, 0.1).put("prefill_time_mean", 0.4, 0.1);
    put("prompt_length_mean", 4000, 1000).put("prompt_length_p95", 9000, 2000);
    assertThat(symptoms().has(Symptom.Kind.TTFT)).isFalse();
  }

  @Test
  void read_aFirstTokenLaterThanItsLongerPrompt_isFelt() {
    put("ttft_p95", 5, 0.2).put("ttft_mean", 1.5, 0.1).put("prefill_time_mean", 0.5, 0.1);
    put("prompt_length_mean", 4000, 1000).put("prompt_length_p95", 9000, 2000);
    assertThat(symptoms().has(Symptom.Kind.TTFT)).isTrue();
  }

  @Test
  void read_aMeanWithinATailThatStays_isNone() {
    put("ttft_p95", 0.48, 0.44).put("ttft_mean", 0.27, 0.16);
    assertThat(symptoms().isEmpty()).isTrue();
  }

  @Test
  void read_aRiseThatNobodyNotices_isNone() {
    put("ttft_p95", 0.12, 0.05).put("ttft_mean", 0.08, 0.03);
    assertThat(symptoms().isEmpty()).isTrue();
  }

  @Test
  void read_aQuantileInTheSameBucket_isNone() {
    put("ttft_p95", 0.9, 0.55, null, of(1000, 1.0, Double.NaN), 0.5).put("ttft_mean", 0.3, 0.3);
    assertThat(symptoms().isEmpty()).isTrue();
  }

  @Test
  void read_aQuantileThatItsMeanContradicts_isNone() {
    put("ttft_p95", 0.9, 0.45).put("ttft_mean", 0.2, 0.2);
    assertThat(symptoms().isEmpty()).isTrue();
  }

  @Test
  void read_aQuantileOfFewRequests_isNone() {
    put("ttft_p95", 0.9, 0.3, null, of(8, Double.NaN, Double.NaN), Double.NaN)
        .put("ttft_mean", 0.5, 0.2);
    assertThat(symptoms().isEmpty()).isTrue();
  }

  @Test
  void read_aBaselineThatJumpsAsMuch_isNone() {
    put("ttft_p95", 0.9, 0.3, null, of(1000, Double.NaN, 0.4), Double.NaN);
    put("ttft_mean", 0.3, 0.25);
    assertThat(symptoms().isEmpty()).isTrue();
  }

  @Test
  void read_aGoal_standsWhateverWasBefore() {
    put("ttft_p95", 0.9, 0.3, 1.0, Reading.Detail.NONE, Double.NaN);
    assertThat(symptoms().isEmpty()).isTrue();
    put("ttft_p95", 1.3, 1.3, 1.0, Reading.Detail.NONE, Double.NaN);
    Symptom symptom = Objects.requireNonNull(symptoms().find(Symptom.Kind.TTFT));
    assertThat(symptom.because()).isEqualTo("its goal");
    assertThat(symptom.isCritical()).isFalse();
  }

  @Test
  void read_withoutBaseline_commonLimitsCount() {
    put("ttft_p95", 9, Double.NaN).put("prefill_time_p95", 0.5, Double.NaN);
    assertThat(Objects.requireNonNull(symptoms().find(Symptom.Kind.TTFT)).because())
        .isEqualTo("a common limit");
  }

  @Test
  void read_whatWasBadBefore_isCriticalIfItIsWorse() {
    put("ttft_p95", 155, 77).put("ttft_mean", 100, 50);
    Symptom late = Objects.requireNonNull(symptoms().find(Symptom.Kind.TTFT));
    assertThat(late.because()).isEqualTo("what it was before");
    assertThat(late.isCritical()).isTrue();
  }

  @Test
  void read_aLongPromptsFirstToken_isNoneWithoutBaseline() {
    put("ttft_p95", 6, Double.NaN).put("prefill_time_p95", 5, Double.NaN);
    assertThat(symptoms().isEmpty()).isTrue();
  }

  @Test
  void read_oneTokenInAHundredLate_isATail() {
    put("itl_p99", 0.3, 0.03);
    assertThat(symptoms().has(Symptom.Kind.ITL_TAIL)).isTrue();
    put("itl_p99", 0.145, 0.05);
    assertThat(symptoms().has(Symptom.Kind.ITL_TAIL)).as("felt, though less than that").isTrue();
  }

  @Test
  void read_oneTokenInAHundredLate_asByTheMixOfSteps_isNone() {
    put("itl_p99", 0.13, 0.07);
    assertThat(symptoms().isEmpty()).isTrue();
  }

  @Test
  void read_oneTokenInAHundredLate_thatNobodyNotices_isNone() {
    put("itl_p99", 0.09, 0.02);
    assertThat(symptoms().isEmpty()).isTrue();
  }

  @Test
  void read_oneFailureByChance_isNone() {
    put("error_share", 0.03, 0).put("request_rate", 0.1, 0.1);
    assertThat(symptoms().isEmpty()).isTrue();
    put("request_rate", 10, 10);
    assertThat(symptoms().has(Symptom.Kind.FAILURES)).isTrue();
  }

  @Test
  void read_requestsThatStopped_areMissed() {
    put("request_rate", 0, 10);
    assertThat(symptoms().has(Symptom.Kind.TRAFFIC)).isTrue();
    put("request_rate", 4, 10);
    assertThat(symptoms().isEmpty()).isTrue();
  }

  @Test
  void read_aMeanThatRoseWithinItsTailsBucket() {
    Reading.Detail wide = new Reading.Detail(500, 0.01, 0.025, 0.0001, Map.of());
    put("tpot_p95", 0.026, 0.024, null, wide, 0.025).put("tpot_mean", 0.02, 0.011);
    assertThat(symptoms().has(Symptom.Kind.TPOT)).isTrue();
    Reading.Detail narrow = new Reading.Detail(500, 0.023, 0.025, 0.0001, Map.of());
    put("tpot_p95", 0.026, 0.024, null, narrow, 0.025);
    assertThat(symptoms().isEmpty()).as("the tail was as slow before").isTrue();
  }

  @Test
  void read_noneOfFewRequestsThatWasTrafficBefore_isNoProof() {
    // One in five minutes, where six are a fiftieth of what came: chance leaves as few.
    put("request_rate", 1 / 300.0, 0.5);
    assertThat(symptoms().isEmpty()).isTrue();
    put("request_rate", 1 / 300.0, 10);
    assertThat(symptoms().has(Symptom.Kind.TRAFFIC)).isTrue();
  }

  @Test
  void read_aTailOfFewRequests_isJudgedByItsMean() {
    put("ttft_p95", 0.9, 0.45, null, of(34, 0.5, Double.NaN), 0.5).put("ttft_mean", 0.26, 0.2);
    assertThat(symptoms().isEmpty()).isTrue();
    put("ttft_mean", 0.5, 0.2);
    assertThat(symptoms().has(Symptom.Kind.TTFT)).isTrue();
  }

  @Test
  void read_gapsOfAnAnswerThatIsReadAtOnce_areNone() {
    put("itl_p99", 0.17, 0.01, null, of(1000, 0.01, Double.NaN), 0.15);
    put("itl_mean", 0.02, 0.01).put("output_length_mean", 9, 9);
    assertThat(symptoms().isEmpty()).isTrue();
    put("output_length_mean", 200, 200);
    assertThat(symptoms().has(Symptom.Kind.ITL_TAIL)).isTrue();
  }

  /** Old engines call the gaps between tokens the time per token. */
  @Test
  void read_longGapsThatTheAnswersPaceMakesUpFor_areNone() {
    put("ttft_p95", 0.1, 0.1, null, of(500, Double.NaN, Double.NaN), Double.NaN);
    put("tpot_p95", 0.043, 0.025, null, of(100_000, Double.NaN, Double.NaN), Double.NaN);
    put("tpot_mean", 0.0165, 0.0125);
    assertThat(symptoms().isEmpty()).isTrue();
    put("tpot_mean", 0.025, 0.0125);
    assertThat(symptoms().has(Symptom.Kind.TPOT)).isTrue();
  }

  @Test
  void read_theSamePaceOfRequests_isFelt() {
    put("ttft_p95", 0.1, 0.1, null, of(500, Double.NaN, Double.NaN), Double.NaN);
    put("tpot_p95", 0.043, 0.025, null, of(500, Double.NaN, Double.NaN), Double.NaN);
    put("tpot_mean", 0.0165, 0.0125);
    assertThat(symptoms().has(Symptom.Kind.TPOT)).isTrue();
  }

  @Test
  void read_theSecondOfTwoTokens_isNoPace() {
    put("tpot_p95", 0.22, Double.NaN).put("tpot_mean", 0.06, Double.NaN);
    put("output_length_mean", 2, 2);
    assertThat(symptoms().isEmpty()).isTrue();
    put("output_length_mean", 200, 200);
    assertThat(symptoms().has(Symptom.Kind.TPOT)).isTrue();
  }
}
