package org.inferometer.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.inferometer.histogram.Buckets;
import org.inferometer.histogram.NativeHistogram;
import org.junit.jupiter.api.Test;

class SampleColumnsTest {
  private final SampleColumns columns = new SampleColumns(1);

  @Test
  void startsAreOfTheirSamples() {
    columns.add(10, 1);
    assertThat(columns.hasStarts()).isFalse();
    columns.setStart(0, 0);
    assertThat(columns.hasStarts()).isFalse();
    columns.add(20, 2);
    columns.setStart(1, 15);
    columns.add(30, 3);
    columns.setStart(columns.put(5, 0.5, null), 4);
    assertThat(columns.hasStarts()).isTrue();
    assertThat(starts()).containsExactly(4, 0, 15, 0);
    columns.put(20, 7);
    assertThat(starts()).containsExactly(4, 0, 0, 0);
    columns.setStart(3, 29);
    columns.remove(0, 2);
    assertThat(starts()).containsExactly(0, 29);
    columns.copy(1, 0);
    assertThat(starts()).containsExactly(29, 29);
  }

  @Test
  void clearedColumnsKnowNoStarts() {
    columns.add(10, 1);
    columns.setStart(0, 5);
    columns.clear();
    columns.add(20, 2);
    assertThat(columns.hasStarts()).isFalse();
    assertThat(columns.startMs(0)).isZero();
  }

  @Test
  void roomThatWasUsedBeforeHoldsNoStart() {
    columns.add(10, 1);
    columns.setStart(0, 5);
    columns.resize(0);
    columns.add(20, 2);
    assertThat(columns.startMs(0)).isZero();
  }

  @Test
  void samplesOfOthersAreAppendedWithAllTheyHave() {
    NativeHistogram histogram =
        NativeHistogram.exponential(0, 1, 1, 0, 0, Buckets.from(0, 1), Buckets.NONE);
    SampleColumns others = new SampleColumns();
    others.add(10, 1);
    others.add(20, histogram);
    others.add(30, 3);
    others.setStart(2, 25);
    columns.add(5, 0);
    columns.addAll(others, 1, 3);
    columns.addAll(others, 0, 0);
    assertThat(columns.size()).isEqualTo(3);
    assertThat(columns.timestampMs(2)).isEqualTo(30);
    assertThat(columns.value(2)).isEqualTo(3);
    assertThat(columns.histogram(0)).isNull();
    assertThat(columns.histogram(1)).isSameAs(histogram);
    assertThat(starts()).containsExactly(0, 0, 25);
    columns.add(40, 4);
    assertThat(columns.histogram(3)).isNull();
    assertThat(columns.startMs(3)).isZero();
  }

  private long[] starts() {
    long[] starts = new long[columns.size()];
    for (int i = 0; i < starts.length; i++) {
      starts[i] = columns.startMs(i);
    }
    return starts;
  }
}
