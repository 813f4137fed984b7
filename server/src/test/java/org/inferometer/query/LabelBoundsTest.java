package org.inferometer.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.inferometer.query.QueryService.InstantQuery;
import org.inferometer.store.MemorySeries;
import org.inferometer.store.MetadataSource;
import org.junit.jupiter.api.Test;

/** Functions that make labels can't be nested into texts without bound. */
class LabelBoundsTest {
  private static final QueryService SERVICE =
      new LocalQueryService(
          new MemorySeries(), MetadataSource.none(), EngineOptions.DEFAULT, () -> 0);

  private static String nested(int levels, String before, String after) {
    return before.repeat(levels)
        + "label_replace(vector(1), \"a\", \"aaaaaaaa\", \"\", \"\")"
        + after.repeat(levels);
  }

  private static QueryResult ask(String query) throws QueryException {
    return SERVICE.instant(new InstantQuery(query, 0));
  }

  @Test
  void nestedJoins_endAtTheLongestValue() throws Exception {
    String after = ", \"a\", \"\", \"a\", \"a\", \"a\", \"a\")";
    assertThat(ask(nested(6, "label_join(", after)).value()).isNotNull();
    assertThatThrownBy(() -> ask(nested(40, "label_join(", after)))
        .isInstanceOf(QueryException.class)
        .hasMessage("a label value would be longer than 65536 characters");
  }

  @Test
  void nestedReplacements_endAtTheLongestValue() {
    String after = ", \"a\", \"$1$1$1$1\", \"a\", \"(.*)\")";
    assertThatThrownBy(() -> ask(nested(40, "label_replace(", after)))
        .isInstanceOf(QueryException.class)
        .hasMessage("a label value would be longer than 65536 characters");
  }

  @Test
  void queriesTogether_holdNoMoreThanTheirShare() {
    SampleBudget.Together together = new SampleBudget.Together(100);
    SampleBudget one = new SampleBudget(1_000, together);
    SampleBudget other = new SampleBudget(1_000, together);
    one.acquire(60);
    assertThatThrownBy(() -> other.acquire(60)).isInstanceOf(Abort.class);
    other.close();
    one.settle(0, 10);
    one.close();
    SampleBudget later = new SampleBudget(1_000, together);
    later.acquire(100);
    later.close();
  }
}
