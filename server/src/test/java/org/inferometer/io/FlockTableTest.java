package org.inferometer.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FlockTableTest {
  private static final List<String> TABLE =
      List.of(
          "1: POSIX  ADVISORY  WRITE 11878 fe:00:2247236 0 EOF",
          "2: FLOCK  ADVISORY  WRITE 15391 fe:00:2245316 0 EOF",
          "2: -> FLOCK  ADVISORY  WRITE 15392 08:101:77 0 EOF");

  @Test
  void isLocked_byFileAndKind() {
    assertThat(FlockTable.isLocked(TABLE, 0xfe00, 2245316)).isTrue();
    assertThat(FlockTable.isLocked(TABLE, 0xfe00, 245316)).isFalse();
    assertThat(FlockTable.isLocked(TABLE, 0xfe01, 2245316)).isFalse();
    assertThat(FlockTable.isLocked(TABLE, 0xfe00, 2247236)).isFalse();
    assertThat(FlockTable.isLocked(TABLE, 0x100801, 77)).isTrue();
    assertThat(FlockTable.isLocked(List.of(), 0xfe00, 2245316)).isFalse();
  }
}
