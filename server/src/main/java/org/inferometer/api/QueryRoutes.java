package org.inferometer.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.model.MetricMetadata;
import org.inferometer.promql.ParseException;
import org.inferometer.query.Explanation;
import org.inferometer.query.Explanation.Explained;
import org.inferometer.query.QueryResult;
import org.inferometer.query.QueryService;
import org.inferometer.query.QueryService.InstantQuery;
import org.inferometer.query.QueryService.RangeQuery;
import org.inferometer.query.QueryService.TimeRange;
import org.inferometer.query.QueryValue;
import org.inferometer.time.WallClock;
import org.jspecify.annotations.Nullable;

/** Prometheus's query API: what Grafana, promtool and scripts read from. */
public final class QueryRoutes implements HttpService {
  private static final String LABEL_PREFIX = "/api/v1/label/";
  private static final String LABEL_SUFFIX = "/values";

  private static final List<String> TRUNCATED = List.of("results truncated due to limit");

  private final QueryService queries;
  private final SelectorReader selectors;
  private final WallClock clock;

  public QueryRoutes(QueryService queries, SelectorReader selectors, WallClock clock) {
    this.queries = queries;
    this.selectors = selectors;
    this.clock = clock;
  }

  @Override
  public void routing(HttpRules rules) {
    Requests.readOrPost(rules, "/api/v1/query", this::instant);
    Requests.readOrPost(rules, "/api/v1/query_range", this::range);
    Requests.readOrPost(rules, "/api/v1/series", this::series);
    Requests.readOrPost(rules, "/api/v1/labels", this::labelNames);
    Requests.read(rules, LABEL_PREFIX + "*", this::labelValues);
    Requests.read(rules, "/api/v1/metadata", this::metadata);
  }

  private void instant(ServerRequest request, ServerResponse response) throws Exception {
    Parameters parameters = Requests.parameters(request);
    int limit = RequestValues.limit(parameters);
    InstantQuery query = QueryParameters.instant(parameters, clock.nowMs());
    if (wantsStats(parameters)) {
      Explained explained = Asking.askQuery(request, () -> queries.explain(query));
      answer(request, response, explained.result(), limit, explained.root());
    } else {
      QueryResult result = Asking.askQuery(request, () -> queries.instant(query));
      answer(request, response, result, limit, null);
    }
  }

  private void range(ServerRequest request, ServerResponse response) throws Exception {
    Parameters parameters = Requests.parameters(request);
    int limit = RequestValues.limit(parameters);
    RangeQuery query = QueryParameters.range(parameters);
    if (wantsStats(parameters)) {
      Explained explained = Asking.askQuery(request, () -> queries.explain(query));
      answer(request, response, explained.result(), limit, explained.root());
    } else {
      QueryResult result = Asking.askQuery(request, () -> queries.range(query));
      answer(request, response, result, limit, null);
    }
  }

  /** Any text will do, as in Prometheus. */
  private static boolean wantsStats(Parameters parameters) {
    return parameters.find("stats") != null;
  }

  static void emptyArray(JsonGenerator json) throws IOException {
    json.writeStartArray();
    json.writeEndArray();
  }

  /**
   * @param measured null if the answer is to tell nothing of how it was made
   */
  private static void answer(
      ServerRequest request,
      ServerResponse response,
      QueryResult result,
      int limit,
      @Nullable Explanation measured)
      throws ApiException, IOException {
    QueryValue whole = result.value();
    Requests.holdResult(request, whole.sampleEquivalents());
    boolean truncated = limit > 0 && seriesCount(whole) > limit;
    QueryValue shown = truncated ? firstSeries(whole, limit) : whole;
    List<String> warnings = result.warnings();
    if (truncated) {
      warnings = new ArrayList<>(warnings);
      warnings.addAll(TRUNCATED);
    }
    Answer.success(
        request, response, json -> write(json, shown, measured), warnings, result.infos());
  }

  private static void write(JsonGenerator json, QueryValue value, @Nullable Explanation measured)
      throws IOException {
    json.writeStartObject();
    QueryJson.writeFields(json, value);
    if (measured != null) {
      json.writeObjectFieldStart("stats");
      json.writeObjectFieldStart("timings");
      json.writeNumberField("evalTotalTime", measured.seconds());
      json.writeNumberField("execTotalTime", measured.seconds());
      json.writeEndObject();
      json.writeObjectFieldStart("samples");
      json.writeNumberField("totalQueryableSamples", measured.samples());
      json.writeEndObject();
      json.writeEndObject();
    }
    json.writeEndObject();
  }

  private static int seriesCount(QueryValue value) {
    return switch (value) {
      case QueryValue.Vector(var elements) -> elements.size();
      case QueryValue.Matrix(var series) -> series.size();
      case QueryValue.Scalar _, QueryValue.Text _ -> 0;
    };
  }

  private static QueryValue firstSeries(QueryValue value, int count) {
    return switch (value) {
      case QueryValue.Vector(var elements) -> new QueryValue.Vector(elements.subList(0, count));
      case QueryValue.Matrix(var series) -> new QueryValue.Matrix(series.subList(0, count));
      case QueryValue.Scalar _, QueryValue.Text _ -> value;
    };
  }

  private void series(ServerRequest request, ServerResponse response) throws Exception {
    Parameters parameters = Requests.parameters(request);
    if (parameters.all("match[]").isEmpty()) {
      throw ApiException.badData("no match[] parameter provided");
    }
    List<List<Matcher>> selections = selections(parameters);
    TimeRange range = timeRange(parameters);
    int limit = RequestValues.limit(parameters);
    List<Labels> found =
        Asking.ask(request, () -> queries.series(selections, range, oneMoreThan(limit)));
    answerList(request, response, found, limit, QueryJson::labels);
  }

  private void labelNames(ServerRequest request, ServerResponse response) throws Exception {
    Parameters parameters = Requests.parameters(request);
    List<List<Matcher>> selections = selections(parameters);
    TimeRange range = timeRange(parameters);
    int limit = RequestValues.limit(parameters);
    List<String> names =
        Asking.ask(request, () -> queries.labelNames(selections, range, oneMoreThan(limit)));
    answerList(request, response, names, limit, JsonGenerator::writeString);
  }

  private void labelValues(ServerRequest request, ServerResponse response) throws Exception {
    String name = labelName(request.path().rawPath());
    Parameters parameters = Requests.parameters(request);
    List<List<Matcher>> selections = selections(parameters);
    TimeRange range = timeRange(parameters);
    int limit = RequestValues.limit(parameters);
    List<String> values =
        Asking.ask(request, () -> queries.labelValues(name, selections, range, oneMoreThan(limit)));
    answerList(request, response, values, limit, JsonGenerator::writeString);
  }

  /** The name in {@code /api/v1/label/NAME/values}; it may hold an escaped slash. */
  private static String labelName(String rawPath) throws ApiException {
    if (!rawPath.endsWith(LABEL_SUFFIX)
        || rawPath.length() < LABEL_PREFIX.length() + LABEL_SUFFIX.length()) {
      throw new ApiException(ApiException.Kind.NOT_FOUND, "no such route: " + rawPath);
    }
    String part =
        rawPath.substring(LABEL_PREFIX.length(), rawPath.length() - LABEL_SUFFIX.length());
    String name = EscapedName.decode(Parameters.decode(part, /* form= */ false));
    if (name.isEmpty()) {
      throw ApiException.badData("invalid label name: \"" + name + "\"");
    }
    return name;
  }

  private static int oneMoreThan(int limit) {
    return limit == 0 ? 0 : limit + 1;
  }

  /** Writes one value of a list. */
  @FunctionalInterface
  private interface Item<T> {
    void write(JsonGenerator json, T value) throws IOException;
  }

  private static <T> void answerList(
      ServerRequest request, ServerResponse response, List<T> found, int limit, Item<T> item)
      throws IOException {
    boolean truncated = limit > 0 && found.size() > limit;
    List<T> shown = truncated ? found.subList(0, limit) : found;
    Answer.success(
        request,
        response,
        json -> {
          json.writeStartArray();
          for (T value : shown) {
            item.write(json, value);
          }
          json.writeEndArray();
        },
        truncated ? TRUNCATED : List.of(),
        List.of());
  }

  private static TimeRange timeRange(Parameters parameters) throws ApiException {
    long startMs = RequestValues.timeMs(parameters, "start", -RequestValues.TIME_BOUND_MS);
    long endMs = RequestValues.timeMs(parameters, "end", RequestValues.TIME_BOUND_MS);
    if (endMs < startMs) {
      throw ApiException.badParameter("end", "end timestamp must not be before start time");
    }
    return new TimeRange(startMs, endMs);
  }

  private List<List<Matcher>> selections(Parameters parameters) throws ApiException {
    List<List<Matcher>> selections = new ArrayList<>();
    for (String text : parameters.all("match[]")) {
      selections.add(selection(text));
    }
    return selections;
  }

  private List<Matcher> selection(String text) throws ApiException {
    List<Matcher> matchers;
    try {
      matchers = selectors.read(text);
    } catch (ParseException e) {
      throw ApiException.badParameter("match[]", String.valueOf(e.getMessage()));
    }
    if (matchers.stream().allMatch(Matcher::matchesEmpty)) {
      throw ApiException.badParameter(
          "match[]", "match[] must contain at least one non-empty matcher");
    }
    return matchers;
  }

  private void metadata(ServerRequest request, ServerResponse response) throws Exception {
    Parameters parameters = Requests.parameters(request);
    int familiesMax = count(parameters, "limit");
    int perFamilyMax = count(parameters, "limit_per_metric");
    String metric = parameters.get("metric");
    Map<String, List<MetricMetadata>> all = Asking.ask(request, queries::metadata);
    Map<String, List<MetricMetadata>> wanted = new TreeMap<>(all);
    if (!metric.isEmpty()) {
      wanted.keySet().retainAll(List.of(metric));
    }
    Answer.success(
        request, response, json -> writeMetadata(json, wanted, familiesMax, perFamilyMax));
  }

  /** A limit that may be left out; all for a negative one. */
  private static int count(Parameters parameters, String name) throws ApiException {
    String text = parameters.find(name);
    if (text == null) {
      return -1;
    }
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw ApiException.badData(name + " must be a number");
    }
  }

  private static void writeMetadata(
      JsonGenerator json,
      Map<String, List<MetricMetadata>> families,
      int familiesMax,
      int perFamilyMax)
      throws IOException {
    json.writeStartObject();
    int written = 0;
    for (var family : families.entrySet()) {
      if (familiesMax >= 0 && written++ >= familiesMax) {
        break;
      }
      json.writeArrayFieldStart(family.getKey());
      List<MetricMetadata> descriptions = family.getValue();
      int count =
          perFamilyMax > 0 ? Math.min(perFamilyMax, descriptions.size()) : descriptions.size();
      for (MetricMetadata description : descriptions.subList(0, count)) {
        writeDescription(json, description);
      }
      json.writeEndArray();
    }
    json.writeEndObject();
  }

  private static void writeDescription(JsonGenerator json, MetricMetadata description)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("type", description.type().word());
    json.writeStringField("help", description.help());
    json.writeStringField("unit", description.unit());
    json.writeEndObject();
  }
}
