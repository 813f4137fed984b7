package org.inferometer.store;

import static org.assertj.core.api.Assertions.assertThat;

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

  private long[] starts() {
    long[] starts = new long[columns.size()];
    for (int i = 0; i < starts.length; i++) {
      starts[i] = columns.startMs(i);
    }
    return starts;
  }
}
