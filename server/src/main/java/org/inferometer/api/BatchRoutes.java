package org.inferometer.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.util.List;
import org.inferometer.query.BatchOutcome;
import org.inferometer.query.QueryException;
import org.inferometer.query.QueryResult;
import org.inferometer.query.QueryService;

/** Many queries over the same times in one request; what they have in common is done once. */
public final class BatchRoutes implements HttpService {
  private final QueryService queries;

  public BatchRoutes(QueryService queries) {
    this.queries = queries;
  }

  @Override
  public void routing(HttpRules rules) {
    Requests.post(rules, "/api/v1/query_batch", this::batch);
  }

  private void batch(ServerRequest request, ServerResponse response) throws Exception {
    BatchRequest.Asked asked = BatchRequest.read(Requests.body(request));
    List<BatchOutcome> outcomes = Asking.ask(request, () -> queries.batch(asked.batch()));
    Requests.holdResult(request, samples(outcomes));
    Answer.success(request, response, json -> write(json, asked.ids(), outcomes));
  }

  private static long samples(List<BatchOutcome> outcomes) {
    long samples = 0;
    for (BatchOutcome outcome : outcomes) {
      samples +=
          switch (outcome) {
            case BatchOutcome.Answered answered -> answered.result().value().sampleEquivalents();
            case BatchOutcome.Failed _ -> 0;
          };
    }
    return samples;
  }

  private static void write(JsonGenerator json, List<String> ids, List<BatchOutcome> outcomes)
      throws IOException {
    json.writeStartObject();
    json.writeArrayFieldStart("results");
    for (int i = 0; i < ids.size(); i++) {
      json.writeStartObject();
      json.writeStringField("id", ids.get(i));
      switch (outcomes.get(i)) {
        case BatchOutcome.Answered answered -> answered(json, answered.result());
        case BatchOutcome.Failed failed -> failed(json, failed.error());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void answered(JsonGenerator json, QueryResult result) throws IOException {
    json.writeStringField("status", "success");
    json.writeFieldName("data");
    QueryJson.write(json, result.value());
    QueryJson.texts(json, "warnings", result.warnings());
    QueryJson.texts(json, "infos", result.infos());
  }

  private static void failed(JsonGenerator json, QueryException e) throws IOException {
    ApiException error = ApiException.of(e);
    json.writeStringField("status", "error");
    json.writeStringField("errorType", error.kind().type());
    json.writeStringField("error", error.getMessage());
  }
}
