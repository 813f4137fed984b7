package org.inferometer.signals;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestNameTest {
  @Test
  void nearest() {
    List<String> known = List.of("waiting", "running", "walking");
    assertThat(NearestName.of("runing", known)).isEqualTo("running");
    assertThat(NearestName.of("wairing", known)).isEqualTo("waiting");
    assertThat(NearestName.of("moon", known)).isNull();
    assertThat(NearestName.hint("moon", known)).isEmpty();
  }
}
