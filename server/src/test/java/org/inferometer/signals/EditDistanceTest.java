package org.inferometer.signals;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EditDistanceTest {
  @Test
  void of_wordsWithinTheBound_isTheirDistance() {
    assertThat(EditDistance.of("", "abc", 9)).isEqualTo(3);
    assertThat(EditDistance.of("kitten", "sitting", 3)).isEqualTo(3);
    assertThat(EditDistance.of("running", "runing", 9)).isEqualTo(1);
    assertThat(EditDistance.of("ab", "ba", 9)).isEqualTo(2);
    assertThat(EditDistance.of("same", "same", 0)).isZero();
  }

  @Test
  void of_wordsFurtherApart_isOneMoreThanTheBound() {
    assertThat(EditDistance.of("kitten", "sitting", 2)).isEqualTo(3);
    assertThat(EditDistance.of("a", "abcdefgh", 4)).isEqualTo(5);
    assertThat(EditDistance.of("abcdef", "uvwxyz", 1)).isEqualTo(2);
  }
}
