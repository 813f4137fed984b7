package org.inferometer.api;

import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.query.QueryService.BatchQuery;
import org.jspecify.annotations.Nullable;

/** Reads the body of a request for many queries. */
final class BatchRequest {
  /** As many as a large dashboard has panels, with room. */
  static final int QUERIES_MAX = 200;

  private final JsonBody json;
  private final Map<String, Double> times = new LinkedHashMap<>();
  private @Nullable Map<String, String> queries;

  private BatchRequest(JsonBody json) {
    this.json = json;
  }

  /**
   * What is asked for.
   *
   * @param ids of the queries, in the order of the batch
   */
  record Asked(List<String> ids, BatchQuery batch) {}

  static Asked read(byte[] body) throws ApiException {
    return JsonBody.read(body, json -> new BatchRequest(json).read());
  }

  private Asked read() throws IOException, ApiException {
    json.object("an object", this::field);
    Map<String, String> found = queries;
    if (found == null) {
      throw ApiException.badData("expected \"queries\"");
    }
    return new Asked(List.copyOf(found.keySet()), batch(List.copyOf(found.values())));
  }

  private void field(String name) throws IOException, ApiException {
    switch (name) {
      case "start", "end", "step", "time" -> times.put(name, json.number(name));
      case "queries" -> queries = queries();
      default ->
          throw ApiException.badData(
              "unknown key \"" + name + "\", expected queries, start, end, step or time");
    }
  }

  private BatchQuery batch(List<String> texts) throws ApiException {
    if (times.containsKey("time")) {
      if (times.size() > 1) {
        throw ApiException.badData("expected either \"time\" or \"start\", \"end\" and \"step\"");
      }
      return BatchQuery.at(texts, ms("time"));
    }
    long startMs = ms("start");
    long endMs = ms("end");
    long stepMs = ms("step");
    if (endMs < startMs) {
      throw ApiException.badData("expected \"end\" at or after \"start\"");
    }
    if (stepMs <= 0) {
      throw ApiException.badData("expected a \"step\" above 0");
    }
    QueryParameters.requireSteps(startMs, endMs, stepMs);
    return new BatchQuery(texts, startMs, endMs, stepMs);
  }

  private long ms(String name) throws ApiException {
    Double seconds = times.get(name);
    if (seconds == null) {
      throw ApiException.badData("expected \"start\", \"end\" and \"step\", or \"time\"");
    }
    return RequestValues.ms(seconds, name);
  }

  private Map<String, String> queries() throws IOException, ApiException {
    Map<String, String> found = new LinkedHashMap<>();
    json.list("queries", () -> addQuery(found));
    return found;
  }

  private void addQuery(Map<String, String> found) throws IOException, ApiException {
    Map<String, String> fields = new HashMap<>();
    json.object("an object in \"queries\"", name -> fields.put(known(name), json.text(name)));
    String id = fields.get("id");
    String query = fields.get("query");
    if (id == null || query == null) {
      throw ApiException.badData("expected \"id\" and \"query\" in each query");
    }
    if (found.put(id, query) != null) {
      throw ApiException.badData("expected each \"id\" once, got \"" + id + "\" again");
    }
    if (found.size() > QUERIES_MAX) {
      throw ApiException.badData(
          "more queries than query.max-batch-queries = "
              + QUERIES_MAX
              + ", which is fixed; send several batches");
    }
  }

  private static String known(String name) throws ApiException {
    if (!name.equals("id") && !name.equals("query")) {
      throw ApiException.badData("unknown key \"" + name + "\" in a query, expected id or query");
    }
    return name;
  }
}
