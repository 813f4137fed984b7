package org.inferometer.signals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.inferometer.query.QueryException;
import org.junit.jupiter.api.Test;

class CachedTest {
  private long now;
  private int made;
  private long cost;
  private final Cached<Integer> cached =
      new Cached<>(
          () -> now,
          1000,
          () -> {
            now += cost;
            return ++made;
          });

  @Test
  void madeOnceWhileFresh() throws QueryException {
    assertThat(cached.get()).isEqualTo(1);
    now += 999;
    assertThat(cached.get()).isEqualTo(1);
    now += 1;
    assertThat(cached.get()).isEqualTo(2);
  }

  @Test
  void whatIsDearIsKeptLonger() throws QueryException {
    cost = 5000;
    assertThat(cached.get()).isEqualTo(1);
    now += 4999;
    assertThat(cached.get()).isEqualTo(1);
    now += 1;
    assertThat(cached.get()).isEqualTo(2);
  }

  @Test
  void aFailureIsNotKept() throws QueryException {
    boolean[] fails = {true};
    Cached<Integer> failing =
        new Cached<>(
            () -> 0,
            1000,
            () -> {
              if (fails[0]) {
                throw new QueryException(QueryException.Kind.UNAVAILABLE, "gone");
              }
              return 7;
            });
    assertThatThrownBy(failing::get).isInstanceOf(QueryException.class);
    fails[0] = false;
    assertThat(failing.get()).isEqualTo(7);
  }
}
