package org.inferometer.check;

import java.util.List;
import org.inferometer.config.Urls;
import org.inferometer.exposition.ExpositionParser;
import org.inferometer.exposition.Format;
import org.inferometer.model.Labels;
import org.inferometer.scrape.TargetProbe;
import org.jspecify.annotations.Nullable;

/** A page that was kept in a file. */
public final class SavedPage implements Endpoint {
  private static final String INSTANCE = "saved-page";

  private final String name;
  private final byte[] body;
  private final TargetProbe probe = TargetProbe.silent(Urls.scrapeConfig(INSTANCE));

  /**
   * @param name of the file
   */
  @SuppressWarnings("EI_EXPOSE_REP2") // a page is handed over, not shared
  public SavedPage(String name, byte[] body) {
    this.name = name;
    this.body = body;
  }

  @Override
  public String target() {
    return name;
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
    return false;
  }

  @Override
  public List<String> paths() {
    return List.of(name);
  }

  @Override
  public TargetProbe.Answer fetch(String path) {
    return new TargetProbe.Page(name, body, null, null, 0);
  }

  /** OpenMetrics is known by its end; the rest is read as Prometheus's text. */
  @Override
  public Format fallback() {
    int from = Math.max(0, body.length - 16);
    String end =
        new String(body, from, body.length - from, java.nio.charset.StandardCharsets.UTF_8);
    return end.stripTrailing().endsWith("# EOF") ? Format.OPENMETRICS : Format.TEXT;
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
