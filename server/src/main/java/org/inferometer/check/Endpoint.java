package org.inferometer.check;

import java.util.List;
import org.inferometer.exposition.ExpositionParser;
import org.inferometer.exposition.Format;
import org.inferometer.model.Labels;
import org.inferometer.scrape.TargetProbe;
import org.jspecify.annotations.Nullable;

/** Where pages come from. Not thread-safe. */
public interface Endpoint extends AutoCloseable {
  /** What it is called in reports; without user and password. */
  String target();

  /** The labels that its series get, {@code job} and {@code instance} among them. */
  Labels labels();

  /** From scrape to scrape, once it is watched. */
  long intervalMs();

  long timeoutMs();

  /** Whether it can be asked again and may answer something else then. */
  boolean isLive();

  /** The paths at which there may be metrics, in order, at least one. */
  List<String> paths();

  /**
   * Asks once.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  TargetProbe.Answer fetch(String path) throws InterruptedException;

  /** The format of a body that doesn't say a known one. */
  Format fallback();

  /** The labels under which a sample would be stored; null if relabeling leaves it out. */
  @Nullable Labels stored(ExpositionParser parser);

  @Override
  void close();
}
