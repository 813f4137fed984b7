package org.inferometer.tsdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SampleSorterTest {
  private final SampleSorter sorter = new SampleSorter();

  @Test
  void samples_comeByTime_theFirstOfEachKept() {
    long[] times = {99, 3, 1, 3, 2, 3, 99};
    double[] values = {9, 30, 10, 31, Double.NaN, 30, 9};
    int end = sorter.sort(times, values, 1, 6);
    assertThat(Arrays.copyOfRange(times, 1, end)).containsExactly(1, 2, 3);
    assertThat(Arrays.copyOfRange(values, 1, end)).containsExactly(10, Double.NaN, 30);
    assertThat(sorter.repeated()).isEqualTo(1);
    assertThat(sorter.contradicting()).isEqualTo(1);
    assertThat(times[0]).isEqualTo(99);
    assertThat(times[6]).isEqualTo(99);
  }

  @Test
  void randomSamples_areThoseOfAMap() {
    Random random = new Random(5);
    for (int round = 0; round < 200; round++) {
      int count = random.nextInt(50);
      long base = random.nextInt(3) == 0 ? -1000 : 1_700_000_000_000L;
      long[] times = random.longs(count, base, base + 60).toArray();
      double[] values = random.doubles(count).toArray();
      Map<Long, Double> expected = new TreeMap<>();
      for (int i = 0; i < count; i++) {
        expected.putIfAbsent(times[i], values[i]);
      }
      int end = sorter.sort(times, values, 0, count);
      Map<Long, Double> sorted = new TreeMap<>();
      for (int i = 0; i < end; i++) {
        sorted.put(times[i], values[i]);
      }
      assertThat(end).isEqualTo(expected.size());
      assertThat(sorted).isEqualTo(expected);
    }
  }

  @Test
  void reversedSamples_costLittle() {
    int count = 2_000_000;
    long[] times = new long[count];
    Arrays.setAll(times, i -> count - i);
    assertThat(sorter.sort(times, new double[count], 0, count)).isEqualTo(count);
    assertThat(times[0]).isEqualTo(1);
  }
}
