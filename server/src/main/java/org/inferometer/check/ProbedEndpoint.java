package org.inferometer.check;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.inferometer.config.Urls;
import org.inferometer.exposition.Format;
import org.inferometer.scrape.TargetProbe;

/** An endpoint that is asked over the network. */
public final class ProbedEndpoint extends TargetEndpoint {
  /**
   * @param target what it is called in reports
   */
  public ProbedEndpoint(String target, TargetProbe probe) {
    super(target, probe);
  }

  @Override
  public boolean isLive() {
    return true;
  }

  @Override
  public List<String> paths() {
    String own = probe().path();
    Set<String> paths = new LinkedHashSet<>(List.of(own));
    int question = own.indexOf('?');
    String query = question < 0 ? "" : own.substring(question);
    Urls.USUAL_PATHS.forEach(path -> paths.add(path + query));
    return List.copyOf(paths);
  }

  @Override
  public TargetProbe.Answer fetch(String path) throws InterruptedException {
    return probe().fetch(path);
  }

  @Override
  public Format fallback() {
    return switch (probe().config().fallback()) {
      case NONE, TEXT -> Format.TEXT;
      case OPENMETRICS -> Format.OPENMETRICS;
      case PROTOBUF -> Format.PROTOBUF;
    };
  }
}
