package org.inferometer.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.inferometer.model.Labels;
import org.inferometer.model.XxHash64;
import org.junit.jupiter.api.Test;

class SeriesPlaceTest {
  @Test
  void emptyLabelsHaveThePlaceOfTheEmptyText() {
    assertThat(SeriesPlace.of(Labels.EMPTY)).isEqualTo(0xef46db3751d8e999p-64);
  }

  @Test
  void namesAndValuesAreBehindTheirLengthsInBytes() {
    byte[] encoded = "\u0008__name__\u0001m\u0001a\u0002é".getBytes(StandardCharsets.UTF_8);
    assertThat(SeriesPlace.of(Labels.of(Labels.NAME, "m", "a", "é"))).isEqualTo(place(encoded));
  }

  @Test
  void longTextsHaveThreeBytesOfLengthMore() {
    byte[] encoded = new byte[2 + 4 + 300];
    encoded[0] = 1;
    encoded[1] = 'a';
    encoded[2] = (byte) 255;
    encoded[3] = (byte) (300 & 0xff);
    encoded[4] = 300 >> 8;
    java.util.Arrays.fill(encoded, 6, encoded.length, (byte) 'x');
    assertThat(SeriesPlace.of(Labels.of("a", "x".repeat(300)))).isEqualTo(place(encoded));
  }

  @Test
  void ratioTakesTheSeriesBelowIt() throws QueryException {
    QueryBench bench = new QueryBench();
    for (int i = 0; i < 50; i++) {
      bench.load(Labels.of(Labels.NAME, "m", "i", String.valueOf(i)), 1, i);
    }
    for (String i : new String[] {"0", "17", "49"}) {
      double place = SeriesPlace.of(Labels.of(Labels.NAME, "m", "i", i));
      String selector = "m{i=\"" + i + "\"}";
      String below = "limit_ratio(" + Math.nextUp(place) + ", " + selector + ")";
      assertThat(bench.instant(0, below)).hasSize(1);
      assertThat(bench.instant(0, "limit_ratio(" + place + ", " + selector + ")")).isEmpty();
    }
    assertThat(bench.instant(0, "limit_ratio(0.3, m) or limit_ratio(-0.7, m)")).hasSize(50);
    assertThat(bench.instant(0, "limit_ratio(0.3, m) and limit_ratio(-0.7, m)")).isEmpty();
  }

  private static double place(byte[] encoded) {
    String digits = Long.toUnsignedString(XxHash64.of(encoded, encoded.length));
    return new java.math.BigDecimal(digits).doubleValue() / 0x1p64;
  }
}
