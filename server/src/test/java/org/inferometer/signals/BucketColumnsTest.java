package org.inferometer.signals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.EnumSet;
import java.util.List;
import org.inferometer.model.Labels;
import org.junit.jupiter.api.Test;

class BucketColumnsTest {
  private static final double NAN = Double.NaN;

  @Test
  void eachBucketAlone() {
    List<SignalSeries> each =
        only(column("+Inf", 10, 0, NAN), column("2", 7, 0, 3), column("1", 4, 0, NAN)).each();
    assertThat(each)
        .extracting(series -> series.labels().get("le"))
        .containsExactly("1", "2", "+Inf");
    assertThat(each.get(0).values()).containsExactly(4, 0, NAN);
    assertThat(each.get(1).values()).containsExactly(3, 0, 3);
    assertThat(each.get(2).values()).containsExactly(3, 0, NAN);
  }

  @Test
  void edgesWrittenInTwoWaysAreOne() {
    List<SignalSeries> each =
        only(column("1", 4), column("1.0", 2), column("2.0", 9), column("2", NAN)).each();
    assertThat(each).hasSize(2);
    assertThat(each.getFirst().values()).containsExactly(6);
    assertThat(each.getLast().values()).containsExactly(3);
  }

  @Test
  void countsThatFallAreNothing() {
    List<SignalSeries> each = only(column("1", 4), column("2", 3), column("3", 6)).each();
    assertThat(each.get(1).values()).containsExactly(0);
    assertThat(each.get(2).values()).containsExactly(2);
  }

  @Test
  void whatHasNoEdgeIsLeftOut() {
    assertThat(BucketColumns.of(List.of(column("x", 1), column("", 1)))).isEmpty();
  }

  @Test
  void observationsBehindAQuantile() {
    SignalSeries series =
        only(column("1", 1, 0, 2), column("2", 2, 0, 2), column("+Inf", 2, 0, 4))
            .quantile(0.5, 60_000, EnumSet.noneOf(BucketQuantile.Remark.class));
    assertThat(series.counts()).containsExactly(120, 0, 240);
    assertThat(series.values()[0]).isCloseTo(1, within(1e-9));
    assertThat(series.side(0)).isEqualTo(SignalSeries.Side.BELOW);
    assertThat(series.side(1)).isEqualTo(SignalSeries.Side.WITHIN);
  }

  @Test
  void everyValueTellsItsSide() {
    SignalSeries series =
        only(column("1", 9, 1, 1), column("2", 10, 9, 2), column("+Inf", 10, 10, 10))
            .quantile(0.9, 60_000, EnumSet.noneOf(BucketQuantile.Remark.class));
    assertThat(series.side(0)).isEqualTo(SignalSeries.Side.BELOW);
    assertThat(series.side(1)).isEqualTo(SignalSeries.Side.WITHIN);
    assertThat(series.side(2)).isEqualTo(SignalSeries.Side.ABOVE);
  }

  private static BucketColumns only(ColumnQueries.Column... columns) {
    List<BucketColumns> all = BucketColumns.of(List.of(columns));
    assertThat(all).hasSize(1);
    return all.getFirst();
  }

  private static ColumnQueries.Column column(String edge, double... values) {
    return new ColumnQueries.Column(Labels.of("le", edge), values);
  }
}
