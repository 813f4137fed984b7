package org.inferometer.tsdb.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class UlidTest {
  @Test
  void toString_parsesToTheSame() {
    Random random = new Random(1);
    for (int i = 0; i < 1_000; i++) {
      Ulid ulid = new Ulid(random.nextLong(), random.nextLong());
      assertThat(Ulid.isUlid(ulid.toString())).isTrue();
      assertThat(Ulid.parse(ulid.toString())).isEqualTo(ulid);
    }
    assertThat(new Ulid(-1, -1)).hasToString("7ZZZZZZZZZZZZZZZZZZZZZZZZZ");
    assertThat(new Ulid(0, 0)).hasToString("00000000000000000000000000");
  }

  /** The example of the specification. */
  @Test
  void timeMs_ofAKnownOne() {
    assertThat(Ulid.parse("01ARZ3NDEKTSV4RRFFQ69G5FAV").timeMs()).isEqualTo(1_469_922_850_259L);
  }

  @Test
  void of_keepsTheTime() {
    assertThat(Ulid.of(1_700_000_000_123L, new Random(2)).timeMs()).isEqualTo(1_700_000_000_123L);
  }

  @Test
  void order_isThatOfTheText() {
    Random random = new Random(3);
    List<Ulid> ulids =
        Stream.generate(() -> new Ulid(random.nextLong(), random.nextLong())).limit(500).toList();
    assertThat(ulids.stream().sorted().toList())
        .isEqualTo(ulids.stream().sorted(Comparator.comparing(Ulid::toString)).toList());
  }

  @Test
  void parse_refusesOthers() {
    for (String text :
        List.of(
            "",
            "01ARZ3NDEKTSV4RRFFQ69G5FA",
            "01ARZ3NDEKTSV4RRFFQ69G5FAVV",
            "01arz3ndektsv4rrffq69g5fav",
            "01ARZ3NDEKTSV4RRFFQ69G5FAI",
            "81ARZ3NDEKTSV4RRFFQ69G5FAV",
            "01ARZ3NDEKTSV4RRFFQ69G5FA\u00e9")) {
      assertThat(Ulid.isUlid(text)).as(text).isFalse();
      assertThatThrownBy(() -> Ulid.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
  }
}
