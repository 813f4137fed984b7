package org.inferometer.check;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.inferometer.config.Urls;
import org.inferometer.exposition.ExpositionParser;
import org.inferometer.exposition.Format;
import org.inferometer.model.Labels;
import org.inferometer.scrape.TargetProbe;
import org.jspecify.annotations.Nullable;

/** An endpoint that is asked over the network. */
public final class ProbedEndpoint implements Endpoint {
  private final String target;
  private final TargetProbe probe;

  /**
   * @param target what it is called in reports
   */
  public ProbedEndpoint(String target, TargetProbe probe) {
    this.target = target;
    this.probe = probe;
  }

  @Override
  public String target() {
    return target;
  }

  @Override
  public Labels labels() {
    return probe.labels();
  }

  @Override
  public long intervalMs() {
    return probe.intervalMs();
  }

  @Override
  public long timeoutMs() {
    return probe.timeoutMs();
  }

  @Override
  public boolean isLive() {
    return true;
  }

  @Override
  public List<String> paths() {
    Set<String> paths = new LinkedHashSet<>(List.of(probe.path()));
    int question = probe.path().indexOf('?');
    String query = question < 0 ? "" : probe.path().substring(question);
    Urls.USUAL_PATHS.forEach(path -> paths.add(path + query));
    return List.copyOf(paths);
  }

  @Override
  public TargetProbe.Answer fetch(String path) throws InterruptedException {
    return probe.fetch(path);
  }

  @Override
  public Format fallback() {
    return switch (probe.config().fallback()) {
      case NONE, TEXT -> Format.TEXT;
      case OPENMETRICS -> Format.OPENMETRICS;
      case PROTOBUF -> Format.PROTOBUF;
    };
  }

  @Override
  public @Nullable Labels stored(ExpositionParser parser) {
    return probe.stored(parser);
  }

  @Override
  public void close() {
    probe.close();
  }
}
