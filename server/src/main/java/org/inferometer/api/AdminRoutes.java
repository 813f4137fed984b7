package org.inferometer.api;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.inferometer.exposition.ExpositionWriter;
import org.inferometer.exposition.Format;
import org.jspecify.annotations.Nullable;

/** What whoever runs the server asks: is it well, read the config again, its own metrics. */
public final class AdminRoutes implements HttpService {
  /** Reads the configuration again, all or nothing. */
  @FunctionalInterface
  public interface Reload {
    /**
     * @return what is wrong with it, the old one staying in force; or null
     */
    @Nullable String reload();
  }

  private final Reload reload;
  private final MetricsPage metrics;

  public AdminRoutes(Reload reload, MetricsPage metrics) {
    this.reload = reload;
    this.metrics = metrics;
  }

  @Override
  public void routing(HttpRules rules) {
    Requests.read(
        rules, Readiness.HEALTHY, (q, a) -> Answer.text(q, a, "Inferometer is healthy.\n"));
    Requests.read(rules, "/-/ready", (q, a) -> Answer.text(q, a, "Inferometer is ready.\n"));
    Requests.change(rules, "/-/reload", this::reload);
    Requests.read(rules, "/metrics", this::metrics);
  }

  private void reload(ServerRequest request, ServerResponse response) throws Exception {
    String problem = reload.reload();
    if (problem != null) {
      throw new ApiException(ApiException.Kind.INTERNAL, "failed to reload config: " + problem);
    }
    Answer.text(request, response, "");
  }

  private void metrics(ServerRequest request, ServerResponse response) throws Exception {
    String accept = request.headers().first(HeaderNames.ACCEPT).orElse(null);
    ExpositionWriter page = new ExpositionWriter(Format.forAccept(accept));
    metrics.write(page);
    try (OutputStream out = Answer.stream(request, response, page.contentType())) {
      out.write(page.finish().getBytes(StandardCharsets.UTF_8));
    }
  }
}
