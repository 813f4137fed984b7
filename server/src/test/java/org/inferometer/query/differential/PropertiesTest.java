package org.inferometer.query.differential;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A few seeds of what {@code bin/fuzz} does with many. */
class PropertiesTest {
  private static final int QUESTIONS = 150;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void rangeAtAStepIsInstantAtThatTime(long seed) {
    Properties properties = new Properties(seed);
    assertThat(properties.rangeIsManyInstants(QUESTIONS)).isEmpty();
    assertThat(properties.compared()).isGreaterThan(QUESTIONS);
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13})
  void pinnedSelectorsGiveTheSameAtAnyTime(long seed) {
    Properties properties = new Properties(seed);
    assertThat(properties.pinnedIsTheSameAtAnyTime(QUESTIONS)).isEmpty();
    assertThat(properties.compared()).isGreaterThan(QUESTIONS / 2);
  }

  @ParameterizedTest
  @ValueSource(longs = {21, 22, 23})
  void orderOfSeriesDoesNotMatterToASum(long seed) throws Exception {
    Properties properties = new Properties(seed);
    assertThat(properties.orderDoesNotMatterToASum()).isEmpty();
    assertThat(properties.compared()).isPositive();
  }
}
