package org.inferometer.api;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.query.QueryService.BatchQuery;
import org.jspecify.annotations.Nullable;

/** Reads the body of a request for many queries; what is wrong with it is said with its place. */
final class BatchRequest {
  /** As many as a large dashboard has panels, with room. */
  static final int QUERIES_MAX = 200;

  private final JsonParser json;
  private final Map<String, Double> times = new LinkedHashMap<>();
  private @Nullable Map<String, String> queries;

  private BatchRequest(JsonParser json) {
    this.json = json;
  }

  /**
   * What is asked for.
   *
   * @param ids of the queries, in the order of the batch
   */
  record Asked(List<String> ids, BatchQuery batch) {}

  static Asked read(byte[] body) throws ApiException {
    try (JsonParser json = Answer.JSON.createParser(body)) {
      return new BatchRequest(json).read();
    } catch (JsonProcessingException e) {
      throw ApiException.badData("the body isn't JSON: " + e.getOriginalMessage() + at(e));
    } catch (IOException e) {
      throw ApiException.badData("the body can't be read: " + e.getMessage());
    }
  }

  private static String at(JsonProcessingException e) {
    return e.getLocation() == null
        ? ""
        : " at line " + e.getLocation().getLineNr() + ", column " + e.getLocation().getColumnNr();
  }

  private Asked read() throws IOException, ApiException {
    expect(json.nextToken(), JsonToken.START_OBJECT, "an object");
    while (json.nextToken() != JsonToken.END_OBJECT) {
      field(json.currentName());
    }
    if (json.nextToken() != null) {
      throw wrong("the end of the body");
    }
    Map<String, String> found = queries;
    if (found == null) {
      throw ApiException.badData("expected \"queries\"");
    }
    return new Asked(List.copyOf(found.keySet()), batch(List.copyOf(found.values())));
  }

  private void field(String name) throws IOException, ApiException {
    json.nextToken();
    switch (name) {
      case "start", "end", "step", "time" -> {
        if (!json.currentToken().isNumeric()) {
          throw wrong("a number for \"" + name + "\"");
        }
        times.put(name, json.getDoubleValue());
      }
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
    double ms = seconds * 1000;
    if (!(Math.abs(ms) < RequestValues.TIME_BOUND_MS)) {
      throw ApiException.badData("\"" + name + "\" is out of range");
    }
    return Math.round(ms);
  }

  private Map<String, String> queries() throws IOException, ApiException {
    expect(json.currentToken(), JsonToken.START_ARRAY, "a list for \"queries\"");
    Map<String, String> found = new LinkedHashMap<>();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      expect(json.currentToken(), JsonToken.START_OBJECT, "an object in \"queries\"");
      addQuery(found);
      if (found.size() > QUERIES_MAX) {
        throw ApiException.badData(
            "more queries than query.max-batch-queries = "
                + QUERIES_MAX
                + ", which is fixed; send several batches");
      }
    }
    return found;
  }

  private void addQuery(Map<String, String> found) throws IOException, ApiException {
    String id = null;
    String query = null;
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      expect(json.nextToken(), JsonToken.VALUE_STRING, "text for \"" + name + "\"");
      switch (name) {
        case "id" -> id = json.getText();
        case "query" -> query = json.getText();
        default ->
            throw ApiException.badData(
                "unknown key \"" + name + "\" in a query, expected id or query");
      }
    }
    if (id == null || query == null) {
      throw ApiException.badData("expected \"id\" and \"query\" in each query");
    }
    if (found.put(id, query) != null) {
      throw ApiException.badData("expected each \"id\" once, got \"" + id + "\" again");
    }
  }

  private void expect(@Nullable JsonToken actual, JsonToken expected, String words)
      throws ApiException {
    if (actual != expected) {
      throw wrong(words);
    }
  }

  private ApiException wrong(String expected) {
    return ApiException.badData(
        "expected "
            + expected
            + " at line "
            + json.currentTokenLocation().getLineNr()
            + ", column "
            + json.currentTokenLocation().getColumnNr());
  }
}
