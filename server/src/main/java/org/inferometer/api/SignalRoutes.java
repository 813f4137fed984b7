package org.inferometer.api;

import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.util.function.Supplier;
import org.inferometer.query.QueryException;
import org.inferometer.signals.ServiceSnapshot;
import org.inferometer.signals.SignalAnswer;
import org.inferometer.signals.SignalBatch;
import org.inferometer.signals.Signals;

/** What the pages ask: the vocabulary, the services and their signals. */
public final class SignalRoutes implements HttpService {
  private final Supplier<Signals> signals;

  /**
   * @param signals may take a while the first time
   */
  public SignalRoutes(Supplier<Signals> signals) {
    this.signals = signals;
  }

  @Override
  public void routing(HttpRules rules) {
    Requests.read(rules, "/api/v1/signals", this::vocabulary);
    Requests.read(rules, "/api/v1/services", this::services);
    Requests.post(rules, "/api/v1/signals/query", this::query);
  }

  private void vocabulary(ServerRequest request, ServerResponse response) throws IOException {
    Answer.success(
        request, response, json -> SignalJson.vocabulary(json, signals.get().vocabulary()));
  }

  private void services(ServerRequest request, ServerResponse response)
      throws IOException, QueryException {
    ServiceSnapshot snapshot = signals.get().services();
    Answer.success(request, response, json -> SignalJson.services(json, snapshot));
  }

  private void query(ServerRequest request, ServerResponse response) throws Exception {
    SignalBatch batch = SignalRequest.read(Requests.body(request));
    SignalAnswer answer = Asking.ask(request, () -> signals.get().query(batch));
    Answer.success(request, response, json -> SignalJson.answer(json, answer));
  }
}
