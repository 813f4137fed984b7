package org.inferometer.store;

import org.inferometer.histogram.NativeHistogram;
import org.inferometer.model.Exemplar;
import org.inferometer.model.Labels;

/**
 * One batch of samples, usually one scrape: nothing is visible before {@link #commit}, all of it
 * after. Ended by exactly one of {@code commit} and {@code rollback}. Not thread-safe; one per
 * batch.
 */
public interface Appender {
  /** What {@link #series} answers when the store may not take another series. */
  long NO_SERIES = 0;

  /**
   * The reference of a series, made if it isn't there; stays valid over appenders until an append
   * says {@link AppendOutcome#UNKNOWN_SERIES}.
   *
   * @return a positive number, or {@link #NO_SERIES} if the limit on series is reached
   */
  long series(Labels labels);

  AppendOutcome append(long seriesRef, long timestampMs, double value);

  /** The same for a native histogram; its series goes stale by a float marker. */
  AppendOutcome append(long seriesRef, long timestampMs, NativeHistogram histogram);

  /** Has an exemplar of a series kept with the batch, by stores that keep any. */
  default void exemplar(Labels series, Exemplar exemplar) {}

  /**
   * Makes the batch last and visible.
   *
   * @throws StoreException if it couldn't be written; nothing of it is kept then, and the appender
   *     has ended
   */
  void commit();

  void rollback();
}
