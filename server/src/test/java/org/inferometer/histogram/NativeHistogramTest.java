package org.inferometer.histogram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NativeHistogramTest {
  private static final NativeHistogram BOTH_SIDES =
      NativeHistogram.exponential(
          0, 10, -1.5, 0.001, 2, Buckets.from(0, 1, 0, 2), Buckets.from(1, 1, 4));

  @Test
  void text_namesTheBucketsThatCount() {
    assertThat(BOTH_SIDES)
        .hasToString(
            "{count:10, sum:-1.5, [-4,-2):4, [-2,-1):1, [-0.001,0.001]:2, (0.5,1]:1, (2,4]:2}");
    assertThat(
            NativeHistogram.custom(
                2e6, Double.NaN, Buckets.from(0, 1, 2, 3), new double[] {-1, 5e7}))
        .hasToString("{count:2e+06, sum:NaN, [-Inf,-1]:1, (-1,5e+07]:2, (5e+07,+Inf]:3}");
    assertThat(NativeHistogram.exponential(0, 0, 0, 0, 0, Buckets.NONE, Buckets.NONE))
        .hasToString("{count:0, sum:0}");
  }

  @Test
  void buckets_ascendAndSayWhichEndsTheyHold() {
    assertThat(BOTH_SIDES.buckets())
        .containsExactly(
            new Bucket(-4, -2, true, false, 4),
            new Bucket(-2, -1, true, false, 1),
            new Bucket(-0.001, 0.001, true, true, 2),
            new Bucket(0.5, 1, false, true, 1),
            new Bucket(1, 2, false, true, 0),
            new Bucket(2, 4, false, true, 2));
  }

  @Test
  void walk_findsTheSameBucketsInBothDirections() {
    RandomHistograms random = new RandomHistograms(9);
    for (int i = 0; i < 500; i++) {
      NativeHistogram h = i % 3 == 0 ? random.custom(0, 1, 2) : random.exponential();
      List<Bucket> filled = h.buckets().stream().filter(b -> b.count() != 0).toList();
      assertThat(walked(BucketWalk.ascending(h))).isEqualTo(texts(filled));
      assertThat(walked(BucketWalk.descending(h))).isEqualTo(texts(filled.reversed()));
    }
  }

  private static List<String> texts(List<Bucket> buckets) {
    return buckets.stream().map(b -> b.lower() + " " + b.upper() + " " + b.count()).toList();
  }

  private static List<String> walked(BucketWalk walk) {
    List<String> texts = new ArrayList<>();
    while (walk.next()) {
      texts.add(walk.lower() + " " + walk.upper() + " " + walk.count());
    }
    return texts;
  }

  @Test
  void coarserSchema_countsTheSame() {
    RandomHistograms random = new RandomHistograms(2);
    for (int i = 0; i < 2000; i++) {
      NativeHistogram h = random.exponential();
      for (int target = NativeHistogram.SCHEMA_MIN; target <= h.schema(); target++) {
        NativeHistogram coarse = h.toSchema(target);
        assertThat(coarse.schema()).isEqualTo(target);
        assertThat(RandomHistograms.total(coarse.positive()))
            .isEqualTo(RandomHistograms.total(h.positive()));
        assertThat(RandomHistograms.total(coarse.negative()))
            .isEqualTo(RandomHistograms.total(h.negative()));
      }
    }
  }

  @Test
  void coarserSchema_canBeReachedInSteps() {
    RandomHistograms random = new RandomHistograms(4);
    for (int i = 0; i < 500; i++) {
      NativeHistogram h = random.exponential(8, 0);
      assertThat(h.toSchema(3).toSchema(-2)).isEqualTo(h.toSchema(-2));
    }
  }

  @Test
  void finerSchema_isRefused() {
    assertThatThrownBy(() -> BOTH_SIDES.toSchema(1)).isInstanceOf(IllegalArgumentException.class);
    NativeHistogram custom = NativeHistogram.custom(0, 0, Buckets.NONE, new double[] {1});
    assertThatThrownBy(() -> custom.toSchema(0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void emptyBuckets_makeNoDifference() {
    NativeHistogram sparse =
        NativeHistogram.exponential(
            0, 1, 1, 0, 0, Buckets.of(new int[] {-5, 0, 9}, new double[] {0, 1, 0}), Buckets.NONE);
    NativeHistogram compact =
        NativeHistogram.exponential(0, 1, 1, 0, 0, Buckets.from(0, 1), Buckets.NONE);
    assertThat(sparse).isEqualTo(compact).hasSameHashCodeAs(compact);
    assertThat(sparse.compact().positive().size()).isEqualTo(1);
    assertThat(compact.compact().positive()).isSameAs(compact.positive());
  }

  @Test
  void hint_isPartOfEqualityButNotOfSameness() {
    NativeHistogram gauge = BOTH_SIDES.withHint(ResetHint.GAUGE);
    assertThat(gauge).isNotEqualTo(BOTH_SIDES);
    assertThat(gauge.sameAs(BOTH_SIDES)).isTrue();
    assertThat(BOTH_SIDES.withHint(ResetHint.UNKNOWN)).isSameAs(BOTH_SIDES);
  }

  @Test
  void whatIsNoHistogram_isRefused() {
    assertThatThrownBy(() -> NativeHistogram.exponential(9, 0, 0, 0, 0, Buckets.NONE, Buckets.NONE))
        .hasMessage("expected schema -4 to 8, or -53, got 9");
    assertThatThrownBy(
            () -> NativeHistogram.exponential(0, 0, 0, -1, 0, Buckets.NONE, Buckets.NONE))
        .hasMessageContaining("zero threshold");
    for (double[] bounds :
        new double[][] {{1, 1}, {2, 1}, {Double.NaN}, {1, Double.POSITIVE_INFINITY}}) {
      assertThatThrownBy(() -> NativeHistogram.custom(0, 0, Buckets.NONE, bounds))
          .hasMessageStartingWith("expected finite, ascending bounds");
    }
    assertThatThrownBy(() -> NativeHistogram.custom(0, 0, Buckets.from(1, 1, 1), new double[] {1}))
        .hasMessage("expected indexes 0 to 1 of custom buckets, got 1 to 2");
    assertThatThrownBy(() -> NativeHistogram.custom(0, 0, Buckets.from(-1, 1), new double[] {1}))
        .hasMessageContaining("got -1 to -1");
  }

  @Test
  void bucketsThatDoNotAscend_areRefused() {
    assertThatThrownBy(() -> Buckets.of(new int[] {2, 2}, new double[] {1, 1}))
        .hasMessage("expected ascending bucket indexes, got 2 after 2");
    assertThatThrownBy(() -> Buckets.of(new int[] {2}, new double[] {}))
        .hasMessageContaining("expected a count for each of 1 buckets");
    assertThatThrownBy(() -> Buckets.from(Integer.MAX_VALUE, 1, 1))
        .isInstanceOf(ArithmeticException.class);
  }
}
