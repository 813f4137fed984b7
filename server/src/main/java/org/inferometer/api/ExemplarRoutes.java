package org.inferometer.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.util.List;
import org.inferometer.model.Exemplar;
import org.inferometer.model.ExemplarSeries;
import org.inferometer.model.FloatFormat;
import org.inferometer.model.Matcher;
import org.inferometer.promql.Expr;
import org.inferometer.promql.ParseException;
import org.inferometer.promql.Parser;
import org.inferometer.promql.ParserOptions;

/** The exemplars of the series that a query selects, wherever in it. */
public final class ExemplarRoutes implements HttpService {
  /** Where exemplars are kept. */
  @FunctionalInterface
  public interface Source {
    /** Those in a stretch of time of the series that pass any of the selections. */
    List<ExemplarSeries> exemplars(List<List<Matcher>> selections, long minMs, long maxMs);
  }

  private final Source source;
  private final ParserOptions language;

  /**
   * @param language which parts of it queries may use
   */
  public ExemplarRoutes(Source source, ParserOptions language) {
    this.source = source;
    this.language = language;
  }

  @Override
  public void routing(HttpRules rules) {
    Requests.readOrPost(rules, "/api/v1/query_exemplars", this::exemplars);
  }

  private void exemplars(ServerRequest request, ServerResponse response) throws Exception {
    Parameters parameters = Requests.parameters(request);
    long startMs = RequestValues.timeMs(parameters, "start", -RequestValues.TIME_BOUND_MS);
    long endMs = RequestValues.timeMs(parameters, "end", RequestValues.TIME_BOUND_MS);
    if (endMs < startMs) {
      throw ApiException.badParameter("end", "end timestamp must not be before start timestamp");
    }
    List<List<Matcher>> selections = selections(parameters.get("query"));
    List<ExemplarSeries> found =
        selections.isEmpty() ? List.of() : source.exemplars(selections, startMs, endMs);
    Answer.success(request, response, json -> write(json, found));
  }

  private List<List<Matcher>> selections(String query) throws ApiException {
    try {
      return Parser.parse(query, language).selectors().stream()
          .map(Expr.VectorSelector::matchers)
          .toList();
    } catch (ParseException e) {
      throw ApiException.badParameter("query", String.valueOf(e.getMessage()));
    }
  }

  private static void write(JsonGenerator json, List<ExemplarSeries> found) throws IOException {
    json.writeStartArray();
    for (ExemplarSeries series : found) {
      json.writeStartObject();
      json.writeFieldName("seriesLabels");
      QueryJson.labels(json, series.labels());
      json.writeArrayFieldStart("exemplars");
      for (Exemplar exemplar : series.exemplars()) {
        json.writeStartObject();
        json.writeFieldName("labels");
        QueryJson.labels(json, exemplar.labels());
        json.writeStringField("value", FloatFormat.sample(exemplar.value()));
        json.writeFieldName("timestamp");
        QueryJson.time(json, exemplar.timestampMs());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
