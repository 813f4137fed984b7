package org.inferometer.tsdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import org.inferometer.model.Exemplar;
import org.inferometer.model.ExemplarSeries;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.junit.jupiter.api.Test;

class ExemplarRingTest {
  private static final Labels A = Labels.of("__name__", "a");
  private static final Labels B = Labels.of("__name__", "b");

  private final ExemplarRing ring = new ExemplarRing(3);

  private static Exemplar exemplar(long timeMs, double value) {
    return new Exemplar(Labels.of("trace_id", "t" + value), value, timeMs);
  }

  private static List<List<Matcher>> named(String... names) {
    return List.of(names).stream().map(n -> List.of(Matcher.equal("__name__", n))).toList();
  }

  @Test
  void exemplarsAreFoundBySeriesAndTime() {
    assertThat(ring.add(B, exemplar(10, 1))).isTrue();
    assertThat(ring.add(A, exemplar(20, 2))).isTrue();
    assertThat(ring.add(A, exemplar(30, 3))).isTrue();
    assertThat(ring.exemplars(named("a", "b"), 10, 20))
        .containsExactly(
            new ExemplarSeries(A, List.of(exemplar(20, 2))),
            new ExemplarSeries(B, List.of(exemplar(10, 1))));
    assertThat(ring.exemplars(named("a"), 0, 100))
        .containsExactly(new ExemplarSeries(A, List.of(exemplar(20, 2), exemplar(30, 3))));
    assertThat(ring.exemplars(named("c"), 0, 100)).isEmpty();
    assertThat(ring.exemplars(named("a"), 31, 100)).isEmpty();
  }

  @Test
  void whatIsSentAgainOrTooLate_isNotKept() {
    assertThat(ring.add(A, exemplar(20, 2))).isTrue();
    assertThat(ring.add(A, exemplar(20, 2))).isFalse();
    assertThat(ring.add(A, exemplar(25, 2))).isFalse();
    assertThat(ring.add(A, exemplar(10, 1))).isFalse();
    assertThat(ring.add(A, exemplar(20, 3))).isTrue();
    assertThat(ring.size()).isEqualTo(2);
  }

  @Test
  void longLabels_areNotKept() {
    assertThat(ring.add(A, new Exemplar(Labels.of("t", "é".repeat(127)), 1, 1))).isTrue();
    assertThat(ring.add(A, new Exemplar(Labels.of("t", "é".repeat(128)), 1, 2))).isFalse();
  }

  @Test
  void fullRing_pushesOutTheOneAddedFirst() {
    ring.add(B, exemplar(100, 1));
    ring.add(A, exemplar(1, 2));
    ring.add(A, exemplar(2, 3));
    ring.add(A, exemplar(3, 4));
    assertThat(ring.size()).isEqualTo(3);
    assertThat(ring.exemplars(named("b"), 0, 1000)).isEmpty();
    ring.add(B, exemplar(101, 5));
    assertThat(ring.exemplars(named("a"), 0, 1000).getFirst().exemplars())
        .containsExactly(exemplar(2, 3), exemplar(3, 4));
  }

  @Test
  void anyOrderOfSeries_keepsTheNewestOfAll() {
    SplittableRandom random = new SplittableRandom(3);
    ExemplarRing large = new ExemplarRing(50);
    for (int i = 0; i < 5_000; i++) {
      Labels series = Labels.of("__name__", "a", "i", "" + random.nextInt(20));
      assertThat(large.add(series, exemplar(i, i))).isTrue();
    }
    assertThat(large.size()).isEqualTo(50);
    assertThat(large.exemplars(named("a"), 0, 5_000))
        .allSatisfy(s -> assertThat(s.exemplars()).isNotEmpty())
        .flatExtracting(ExemplarSeries::exemplars)
        .extracting(Exemplar::timestampMs)
        .hasSize(50)
        .allSatisfy(time -> assertThat(time).isBetween(4_950L, 4_999L));
  }
}
