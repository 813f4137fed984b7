package org.inferometer.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import org.inferometer.query.Explanation;
import org.inferometer.query.Explanation.Explained;
import org.inferometer.query.QueryException;
import org.inferometer.query.QueryResult;
import org.inferometer.query.QueryService;
import org.inferometer.time.WallClock;

/** How a query came to its result: what each node of it selected, read and took. */
public final class ExplainRoutes implements HttpService {
  private final QueryService queries;
  private final WallClock clock;

  public ExplainRoutes(QueryService queries, WallClock clock) {
    this.queries = queries;
    this.clock = clock;
  }

  @Override
  public void routing(HttpRules rules) {
    Requests.readOrPost(rules, "/api/v1/query_explain", this::explain);
  }

  /** With a start, an end or a step it is a range query. */
  private void explain(ServerRequest request, ServerResponse response) throws Exception {
    Parameters parameters = Requests.parameters(request);
    boolean range =
        parameters.find("start") != null
            || parameters.find("end") != null
            || parameters.find("step") != null;
    Explained explained = range ? range(request, parameters) : instant(request, parameters);
    QueryResult result = explained.result();
    Answer.success(
        request, response, json -> write(json, explained), result.warnings(), result.infos());
  }

  private Explained range(ServerRequest request, Parameters parameters)
      throws ApiException, QueryException {
    QueryService.RangeQuery query = QueryParameters.range(parameters);
    return Asking.askQuery(request, () -> queries.explain(query));
  }

  private Explained instant(ServerRequest request, Parameters parameters)
      throws ApiException, QueryException {
    QueryService.InstantQuery query = QueryParameters.instant(parameters, clock.nowMs());
    return Asking.askQuery(request, () -> queries.explain(query));
  }

  private static void write(JsonGenerator json, Explained explained) throws IOException {
    json.writeStartObject();
    QueryJson.writeFields(json, explained.result().value());
    json.writeFieldName("explain");
    node(json, explained.root());
    json.writeEndObject();
  }

  private static void node(JsonGenerator json, Explanation node) throws IOException {
    json.writeStartObject();
    json.writeStringField("expr", node.expr());
    json.writeNumberField("start", node.start());
    json.writeNumberField("end", node.end());
    json.writeStringField("kind", node.kind().word());
    json.writeNumberField("series", node.series());
    json.writeNumberField("samples", node.samples());
    json.writeNumberField("points", node.points());
    json.writeNumberField("seconds", node.seconds());
    json.writeBooleanField("reused", node.reused());
    json.writeArrayFieldStart("children");
    for (Explanation child : node.children()) {
      node(json, child);
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
