package org.inferometer.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;

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

    /** Options in force, by their long names without dashes. */
    Map<String, String> flags();

    long lastConfigMs();

    boolean lastConfigGood();

    /** How long samples are kept, in words. */
    String retention();
  }

  private final Server server;

  public StatusRoutes(Server server) {
    this.server = server;
  }

  @Override
  public void routing(HttpRules rules) {
    Requests.read(
        rules, "/api/v1/status/buildinfo", (q, a) -> Answer.success(q, a, this::buildInfo));
    Requests.read(
        rules, "/api/v1/status/runtimeinfo", (q, a) -> Answer.success(q, a, this::runtimeInfo));
    Requests.read(rules, "/api/v1/status/flags", (q, a) -> Answer.success(q, a, this::flags));
    Requests.read(
        rules, "/api/v1/rules", (q, a) -> Answer.success(q, a, json -> none(json, "groups")));
    Requests.read(
        rules, "/api/v1/alerts", (q, a) -> Answer.success(q, a, json -> none(json, "alerts")));
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
    json.writeBooleanField("reloadConfigSuccess", server.lastConfigGood());
    json.writeStringField("lastConfigTime", Instant.ofEpochMilli(server.lastConfigMs()).toString());
    json.writeNumberField("corruptionCount", 0);
    json.writeNumberField("GOMAXPROCS", Runtime.getRuntime().availableProcessors());
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

  /** No rules are evaluated, so there are no groups and no alerts. */
  private static void none(JsonGenerator json, String name) throws IOException {
    json.writeStartObject();
    json.writeFieldName(name);
    QueryRoutes.emptyArray(json);
    json.writeEndObject();
  }
}
