package org.inferometer.check;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.inferometer.config.Urls;
import org.inferometer.exposition.Format;
import org.inferometer.scrape.TargetProbe;

/** A page that was kept in a file. */
public final class SavedPage extends TargetEndpoint {
  private static final String INSTANCE = "saved-page";

  private final byte[] body;

  /**
   * @param name of the file
   */
  @SuppressWarnings("EI_EXPOSE_REP2") // a page is handed over, not shared
  public SavedPage(String name, byte[] body) {
    super(name, TargetProbe.silent(Urls.scrapeConfig(INSTANCE)));
    this.body = body;
  }

  @Override
  public boolean isLive() {
    return false;
  }

  @Override
  public List<String> paths() {
    return List.of(target());
  }

  @Override
  public TargetProbe.Answer fetch(String path) {
    return new TargetProbe.Page(target(), body, null, null, 0);
  }

  /** OpenMetrics is known by its end; the rest is read as Prometheus's text. */
  @Override
  public Format fallback() {
    int from = Math.max(0, body.length - 16);
    String end = new String(body, from, body.length - from, StandardCharsets.UTF_8);
    return end.stripTrailing().endsWith("# EOF") ? Format.OPENMETRICS : Format.TEXT;
  }
}
