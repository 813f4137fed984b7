package org.inferometer.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** What clients ask to find out whom they talk to and what it can do. */
public final class StatusRoutes implements HttpService {
  /**
   * The release of Prometheus whose query API is answered here. Grafana switches features on by it,
   * and by the absence of {@code features} it knows that no rules can be written through the API.
   */
  static final String API_VERSION = "3.5.0";

  /** What stays as it is while the server runs, and how the last reload went. */
  public interface Server {
    /** The program's own version. */
    String version();

    long startMs();

    long nowMs();

    /** Options in force, by their long names without dashes. */
    Map<String, String> flags();

    long lastConfigMs();

    boolean lastConfigGood();

    /** How long samples are kept, in words. */
    String retention();

    /** The running config as YAML, without secrets. */
    String config();

    /** What the store holds. */
    Store store();

    /** How the store fares. */
    Health health();

    /** What it is still doing before it can answer; null once it is ready. */
    @Nullable String waitsFor();

    /** Whether what it watches is simulated. */
    boolean isSimulation();
  }

  /**
   * How the store fares.
   *
   * @param isReadOnly whether nothing is written to it
   * @param minMs no sample is earlier; {@link Long#MAX_VALUE} if there is none
   * @param maxMs no sample is later; {@link Long#MIN_VALUE} if there is none
   * @param corruptions damaged places found since the start
   * @param trouble what is wrong now; "" for nothing
   */
  public record Health(
      boolean isReadOnly, long minMs, long maxMs, long corruptions, String trouble) {
    /** Of one that isn't open yet. */
    public static Health unopened(boolean isReadOnly) {
      return new Health(isReadOnly, Long.MAX_VALUE, Long.MIN_VALUE, 0, "");
    }
  }

  /**
   * Figures of the store.
   *
   * @param minMs time of the oldest sample; {@link Long#MAX_VALUE} if there is none
   * @param maxMs time of the newest sample; {@link Long#MIN_VALUE} if there is none
   * @param cardinality the largest, up to a number of each
   */
  public record Store(
      int series,
      int labelPairs,
      long chunks,
      long minMs,
      long maxMs,
      IntFunction<Cardinality> cardinality) {}

  /** A name and how many series or values it stands for. */
  public record Count(String name, long value) {}

  /**
   * Where the store's series come from, the largest first.
   *
   * @param metrics series by metric name
   * @param labels values by label name
   * @param labelBytes bytes of values by label name
   * @param pairs series by {@code name=value}
   */
  public record Cardinality(
      List<Count> metrics, List<Count> labels, List<Count> labelBytes, List<Count> pairs) {}

  /** As Prometheus's; the largest 10,000 at most. */
  private static final int STATS_DEFAULT = 10;

  private static final int STATS_MAX = 10_000;

  private static final Set<String> RULE_TYPES = Set.of("", "alert", "record");

  private final Server server;

  public StatusRoutes(Server server) {
    this.server = server;
  }

  @Override
  public void routing(HttpRules rules) {
    Requests.read(rules, "/api/v1/status", (q, a) -> Answer.success(q, a, this::status));
    Requests.read(
        rules, "/api/v1/status/buildinfo", (q, a) -> Answer.success(q, a, this::buildInfo));
    Requests.read(
        rules, "/api/v1/status/runtimeinfo", (q, a) -> Answer.success(q, a, this::runtimeInfo));
    Requests.read(rules, "/api/v1/status/flags", (q, a) -> Answer.success(q, a, this::flags));
    Requests.read(rules, "/api/v1/status/config", (q, a) -> Answer.success(q, a, this::config));
    Requests.read(rules, "/api/v1/status/tsdb", this::store);
    Requests.read(rules, "/api/v1/rules", StatusRoutes::rules);
    Requests.read(
        rules,
        "/api/v1/alertmanagers",
        (q, a) -> Answer.success(q, a, StatusRoutes::alertmanagers));
    Requests.read(
        rules, "/api/v1/alerts", (q, a) -> Answer.success(q, a, json -> none(json, "alerts")));
  }

  /** What the pages want to know at first and time and again. */
  private void status(JsonGenerator json) throws IOException {
    Health health = server.health();
    json.writeStartObject();
    json.writeStringField("version", server.version());
    json.writeBooleanField("readOnly", health.isReadOnly());
    json.writeFieldName("minTime");
    writeSeconds(json, health.minMs(), Long.MAX_VALUE);
    json.writeFieldName("maxTime");
    writeSeconds(json, health.maxMs(), Long.MIN_VALUE);
    json.writeStringField("trouble", health.trouble());
    json.writeStringField("waitsFor", server.waitsFor());
    json.writeBooleanField("simulation", server.isSimulation());
    json.writeEndObject();
  }

  private static void writeSeconds(JsonGenerator json, long ms, long none) throws IOException {
    if (ms == none) {
      json.writeNull();
    } else {
      json.writeNumber(BigDecimal.valueOf(ms, 3));
    }
  }

  private void buildInfo(JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("version", API_VERSION);
    json.writeStringField("revision", "");
    json.writeStringField("branch", "");
    json.writeStringField("buildUser", "");
    json.writeStringField("buildDate", "");
    json.writeStringField("goVersion", "");
    json.writeStringField("inferometerVersion", server.version());
    json.writeStringField("javaVersion", Runtime.version().toString());
    json.writeEndObject();
  }

  private void runtimeInfo(JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("startTime", Instant.ofEpochMilli(server.startMs()).toString());
    json.writeStringField("CWD", System.getProperty("user.dir", ""));
    json.writeStringField("serverTime", Instant.ofEpochMilli(server.nowMs()).toString());
    json.writeBooleanField("reloadConfigSuccess", server.lastConfigGood());
    json.writeStringField("lastConfigTime", Instant.ofEpochMilli(server.lastConfigMs()).toString());
    json.writeNumberField("corruptionCount", server.health().corruptions());
    // What Go's settings are called there; those that mean nothing here are empty.
    json.writeNumberField("goroutineCount", Thread.activeCount());
    json.writeNumberField("GOMAXPROCS", Runtime.getRuntime().availableProcessors());
    json.writeNumberField("GOMEMLIMIT", Runtime.getRuntime().maxMemory());
    json.writeStringField("GOGC", "");
    json.writeStringField("GODEBUG", "");
    json.writeStringField("storageRetention", server.retention());
    json.writeEndObject();
  }

  private void flags(JsonGenerator json) throws IOException {
    json.writeStartObject();
    for (var flag : server.flags().entrySet()) {
      json.writeStringField(flag.getKey(), flag.getValue());
    }
    json.writeEndObject();
  }

  private void config(JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("yaml", server.config());
    json.writeEndObject();
  }

  private void store(ServerRequest request, ServerResponse response) throws Exception {
    int limit = statsLimit(Requests.parameters(request));
    Store store = server.store();
    Cardinality cardinality = store.cardinality().apply(limit);
    Answer.success(
        request,
        response,
        json -> {
          json.writeStartObject();
          json.writeObjectFieldStart("headStats");
          json.writeNumberField("numSeries", store.series());
          json.writeNumberField("numLabelPairs", store.labelPairs());
          json.writeNumberField("chunkCount", store.chunks());
          json.writeNumberField("minTime", store.minMs());
          json.writeNumberField("maxTime", store.maxMs());
          json.writeEndObject();
          counts(json, "seriesCountByMetricName", cardinality.metrics());
          counts(json, "labelValueCountByLabelName", cardinality.labels());
          counts(json, "memoryInBytesByLabelName", cardinality.labelBytes());
          counts(json, "seriesCountByLabelValuePair", cardinality.pairs());
          json.writeEndObject();
        });
  }

  private static int statsLimit(Parameters parameters) throws ApiException {
    String text = parameters.find("limit");
    if (text == null) {
      return STATS_DEFAULT;
    }
    int limit = RequestValues.limit(parameters);
    if (limit < 1) {
      throw ApiException.badData("limit must be a positive number");
    }
    if (limit > STATS_MAX) {
      throw ApiException.badData("limit must not exceed " + STATS_MAX);
    }
    return limit;
  }

  private static void counts(JsonGenerator json, String name, List<Count> counts)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (Count count : counts) {
      json.writeStartObject();
      json.writeStringField("name", count.name());
      json.writeNumberField("value", count.value());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void rules(ServerRequest request, ServerResponse response) throws Exception {
    String type = Requests.parameters(request).get("type");
    if (!RULE_TYPES.contains(type)) {
      throw ApiException.badParameter("type", "not supported value \"" + type + "\"");
    }
    Answer.success(request, response, json -> none(json, "groups"));
  }

  /** No alerts are sent, so there is nobody to send them to. */
  private static void alertmanagers(JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeFieldName("activeAlertmanagers");
    QueryRoutes.emptyArray(json);
    json.writeFieldName("droppedAlertmanagers");
    QueryRoutes.emptyArray(json);
    json.writeEndObject();
  }

  /** No rules are evaluated, so there are no groups and no alerts. */
  private static void none(JsonGenerator json, String name) throws IOException {
    json.writeStartObject();
    json.writeFieldName(name);
    QueryRoutes.emptyArray(json);
    json.writeEndObject();
  }
}
