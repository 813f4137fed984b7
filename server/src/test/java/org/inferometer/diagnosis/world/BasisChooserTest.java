package org.inferometer.diagnosis.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.function.LongToDoubleFunction;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.Basis.Kind;
import org.junit.jupiter.api.Test;

/** An hour of minutes, with a window of the last five; values are seconds of the first token. */
class BasisChooserTest {
  private static final long SECOND = 1_000;
  private static final long MINUTE = 60 * SECOND;
  private static final long STEP_MS = 15 * SECOND;
  private static final Period WINDOW = new Period(55 * MINUTE, 60 * MINUTE);

  private static Line line(LongToDoubleFunction byMs) {
    int count = (int) (60 * MINUTE / STEP_MS) + 1;
    long[] times = new long[count];
    double[] values = new double[count];
    for (int i = 0; i < count; i++) {
      times[i] = i * STEP_MS;
      values[i] = byMs.applyAsDouble(times[i]);
    }
    return new Line(times, values);
  }

  private static BasisChooser.Past past(Line ttft, Line traffic, double yesterday, long firstMs) {
    return new BasisChooser.Past(
        List.of(new Felt("ttft_mean", ttft, 0.05)),
        List.of(traffic),
        traffic,
        List.of(),
        firstMs,
        firstMs > 0,
        0,
        STEP_MS,
        MINUTE,
        yesterday);
  }

  private static Basis choose(BasisChooser.Past past) {
    return new BasisChooser(WINDOW, past, Thresholds.builtIn()).choose(null);
  }

  private static Basis choose(LongToDoubleFunction ttft) {
    return choose(past(line(ttft), line(_ -> 10), Double.NaN, 0));
  }

  @Test
  void choose_whatTheUserNamed() {
    Period given = new Period(0, MINUTE);
    BasisChooser.Past past = past(line(_ -> 0.2), line(_ -> 10), Double.NaN, 0);
    Basis basis = new BasisChooser(WINDOW, past, Thresholds.builtIn()).choose(given);
    assertThat(basis.kind()).isEqualTo(Kind.GIVEN);
    assertThat(basis.baseline()).isEqualTo(given);
    assertThat(basis.judged()).isEqualTo(WINDOW);
  }

  @Test
  void choose_aFaultThatBeganLongAgo_isComparedWithBefore() {
    Basis basis = choose(ms -> ms < 35 * MINUTE ? 0.2 : 0.8);
    assertThat(basis.kind()).isEqualTo(Kind.BEFORE_ONSET);
    assertThat(basis.onsetMs()).isEqualTo(35 * MINUTE);
    assertThat(Objects.requireNonNull(basis.baseline()).endMs()).isLessThanOrEqualTo(34 * MINUTE);
    assertThat(Objects.requireNonNull(basis.baseline()).lengthMs()).isEqualTo(10 * MINUTE);
    assertThat(basis.judged()).isEqualTo(WINDOW);
  }

  @Test
  void choose_aFaultThatBeganWithinTheWindow_judgesOnlyWhatCameAfter() {
    Basis basis = choose(ms -> ms < 58 * MINUTE ? 0.2 : 0.8);
    assertThat(basis.kind()).isEqualTo(Kind.BEFORE_ONSET);
    assertThat(basis.judged()).isEqualTo(new Period(58 * MINUTE, 60 * MINUTE));
    assertThat(Objects.requireNonNull(basis.baseline()).endMs()).isEqualTo(57 * MINUTE);
  }

  @Test
  void choose_aFaultOfHalfAMinute_judgesAMinute() {
    Basis basis = choose(ms -> ms < 59 * MINUTE + 15 * SECOND ? 0.2 : 2);
    assertThat(basis.judged()).isEqualTo(new Period(59 * MINUTE, 60 * MINUTE));
  }

  @Test
  void choose_aLoadThatRoseBefore_endsTheBaselineThere() {
    Line ttft = line(ms -> ms < 45 * MINUTE ? 0.2 : 0.8);
    Line traffic = line(ms -> ms < 43 * MINUTE ? 10 : 20);
    Basis basis = choose(past(ttft, traffic, Double.NaN, 0));
    assertThat(basis.onsetMs()).isEqualTo(45 * MINUTE);
    assertThat(Objects.requireNonNull(basis.baseline()).endMs()).isEqualTo(42 * MINUTE);
  }

  @Test
  void choose_aRamp_isComparedWithItsFoot() {
    Basis basis =
        choose(ms -> ms < 40 * MINUTE ? 0.2 : ms < 44 * MINUTE ? 0.5 : ms < 47 * MINUTE ? 1 : 3);
    assertThat(basis.onsetMs()).isEqualTo(40 * MINUTE);
  }

  /** As the pace of tokens that came all at once: it is where it had been. */
  @Test
  void choose_aMomentThatWasBetter_isNoOnset() {
    Basis basis = choose(ms -> ms >= 55 * MINUTE && ms < 58 * MINUTE ? 0.02 : 0.2);
    assertThat(basis.kind()).isEqualTo(Kind.WINDOW_BEFORE);
    assertThat(basis.onsetMs()).isNull();
  }

  @Test
  void choose_aTroubleAfterAMomentThatWasBetter_isOne() {
    Basis basis = choose(ms -> ms < 53 * MINUTE ? 0.2 : ms < 56 * MINUTE ? 0.02 : 0.8);
    assertThat(basis.kind()).isEqualTo(Kind.BEFORE_ONSET);
    assertThat(basis.onsetMs()).isNotNull();
  }

  @Test
  void choose_aTroubleThatIsOver_judgesWhatCameAfterIt() {
    Basis basis = choose(ms -> ms >= 45 * MINUTE && ms < 58 * MINUTE ? 0.8 : 0.2);
    assertThat(basis.kind()).isEqualTo(Kind.BEFORE_TROUBLE);
    assertThat(basis.judged()).isEqualTo(new Period(58 * MINUTE, 60 * MINUTE));
    assertThat(Objects.requireNonNull(basis.baseline()).endMs()).isEqualTo(44 * MINUTE);
    assertThat(basis.onsetMs()).isNull();
  }

  @Test
  void choose_calmSeries_areComparedWithTheStretchBefore() {
    Basis basis = choose(_ -> 0.2);
    assertThat(basis.kind()).isEqualTo(Kind.WINDOW_BEFORE);
    assertThat(basis.baseline()).isEqualTo(new Period(45 * MINUTE, 55 * MINUTE));
  }

  @Test
  void choose_calmSeriesWithAYesterday_areComparedWithIt() {
    Basis basis = choose(past(line(_ -> 0.2), line(_ -> 10), 8, 0));
    assertThat(basis.kind()).isEqualTo(Kind.YESTERDAY);
    assertThat(Objects.requireNonNull(basis.baseline()).lengthMs()).isEqualTo(WINDOW.lengthMs());
  }

  @Test
  void choose_aYesterdayOfAnotherLoad_isNoBaseline() {
    assertThat(choose(past(line(_ -> 0.2), line(_ -> 10), 2, 0)).kind())
        .isEqualTo(Kind.WINDOW_BEFORE);
  }

  @Test
  void choose_aStretchWithHardlyAnyTraffic_isLeftOut() {
    Line traffic = line(ms -> ms >= 50 * MINUTE && ms < 55 * MINUTE ? 0.5 : 10);
    Basis basis = choose(past(line(_ -> 0.2), traffic, Double.NaN, 0));
    assertThat(Objects.requireNonNull(basis.baseline()).endMs()).isLessThan(50 * MINUTE);
  }

  @Test
  void choose_seriesThatBeginWithTheWindow_haveNoBaseline() {
    LongToDoubleFunction since = ms -> ms < 55 * MINUTE ? Double.NaN : 1;
    Basis basis = choose(past(line(since), line(since), Double.NaN, 55 * MINUTE));
    assertThat(basis.kind()).isEqualTo(Kind.NONE);
    assertThat(basis.baseline()).isNull();
  }

  @Test
  void choose_requestsThatStopped_areComparedWithBefore() {
    Line traffic = line(ms -> ms < 40 * MINUTE ? 10 : 0);
    Line ttft = line(ms -> ms < 40 * MINUTE ? 0.2 : Double.NaN);
    Basis basis = choose(past(ttft, traffic, Double.NaN, 0));
    assertThat(basis.kind()).isEqualTo(Kind.BEFORE_ONSET);
    assertThat(Objects.requireNonNull(basis.baseline()).endMs()).isLessThanOrEqualTo(39 * MINUTE);
  }

  @Test
  void choose_seriesThatBeganWithinTheWindow_judgesWhatThereIs() {
    Line brief = line(ms -> ms < 58 * MINUTE ? Double.NaN : 0.2);
    Basis basis = choose(past(brief, brief, Double.NaN, 58 * MINUTE));
    assertThat(basis.judged()).isEqualTo(new Period(58 * MINUTE - STEP_MS, 60 * MINUTE));
    assertThat(basis.kind()).isEqualTo(Kind.NONE);
  }

  @Test
  void choose_noSeriesAtAll_judgesTheWindow() {
    Line none = line(_ -> Double.NaN);
    assertThat(choose(past(none, none, Double.NaN, 60 * MINUTE)).judged()).isEqualTo(WINDOW);
  }
}
