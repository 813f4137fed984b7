package org.inferometer.app;

import java.util.List;
import org.inferometer.model.ExemplarSeries;
import org.inferometer.model.Matcher;
import org.inferometer.store.Appender;
import org.inferometer.store.ExemplarSource;
import org.inferometer.store.Querier;
import org.inferometer.store.Queryable;
import org.inferometer.store.SampleSink;
import org.inferometer.tsdb.Store;
import org.jspecify.annotations.Nullable;

/**
 * A store that is opened after the parts which use it are made: reading its logs may take a while,
 * and the server answers meanwhile that it lives. Thread-safe.
 */
final class LateStore implements SampleSink, Queryable, ExemplarSource {
  private volatile @Nullable Store store;

  /** Gives it to all who use it. */
  void open(Store opened) {
    store = opened;
  }

  /** Null until it is open. */
  @Nullable Store ifOpen() {
    return store;
  }

  Store get() {
    Store opened = store;
    if (opened == null) {
      throw new IllegalStateException("expected a store that is open, and nobody who asks before");
    }
    return opened;
  }

  @Override
  public Appender appender() {
    return get().appender();
  }

  @Override
  public Querier querier(long minMs, long maxMs) {
    return get().querier(minMs, maxMs);
  }

  @Override
  public List<ExemplarSeries> exemplars(List<List<Matcher>> selections, long minMs, long maxMs) {
    return get().exemplars(selections, minMs, maxMs);
  }
}
