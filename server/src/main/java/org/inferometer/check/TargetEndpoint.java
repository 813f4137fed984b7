package org.inferometer.check;

import org.inferometer.exposition.ExpositionParser;
import org.inferometer.model.Labels;
import org.inferometer.scrape.TargetProbe;
import org.jspecify.annotations.Nullable;

/** What an endpoint has of the target that it is, asked over the network or not. */
abstract sealed class TargetEndpoint implements Endpoint permits ProbedEndpoint, SavedPage {
  private final String target;
  private final TargetProbe probe;

  TargetEndpoint(String target, TargetProbe probe) {
    this.target = target;
    this.probe = probe;
  }

  final TargetProbe probe() {
    return probe;
  }

  @Override
  public final String target() {
    return target;
  }

  @Override
  public final Labels labels() {
    return probe.labels();
  }

  @Override
  public final long intervalMs() {
    return probe.intervalMs();
  }

  @Override
  public final long timeoutMs() {
    return probe.timeoutMs();
  }

  @Override
  public final @Nullable Labels stored(ExpositionParser parser) {
    return probe.stored(parser);
  }

  @Override
  public final void close() {
    probe.close();
  }
}
