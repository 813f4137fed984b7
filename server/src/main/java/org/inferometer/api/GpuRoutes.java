package org.inferometer.api;

import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.function.Supplier;
import org.inferometer.signals.GpuSnapshot;
import org.inferometer.signals.Signals;

/** What the page of the GPUs asks. */
public final class GpuRoutes implements HttpService {
  private final Supplier<Signals> signals;

  /**
   * @param signals may take a while the first time
   */
  public GpuRoutes(Supplier<Signals> signals) {
    this.signals = signals;
  }

  @Override
  public void routing(HttpRules rules) {
    Requests.read(rules, "/api/v1/gpus", this::gpus);
  }

  private void gpus(ServerRequest request, ServerResponse response) throws Exception {
    GpuSnapshot snapshot = Asking.ask(request, () -> signals.get().gpus());
    Answer.success(request, response, json -> GpuJson.write(json, snapshot));
  }
}
