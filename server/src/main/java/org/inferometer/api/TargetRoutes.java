package org.inferometer.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.inferometer.exposition.BadLine;
import org.inferometer.query.QueryException;
import org.inferometer.scrape.DroppedTarget;
import org.inferometer.scrape.TargetView;
import org.inferometer.signals.Service;
import org.inferometer.signals.Signals;

/** What is scraped and how that goes: Prometheus's targets, and what each was recognised as. */
public final class TargetRoutes implements HttpService {
  private static final String NEVER = "0001-01-01T00:00:00Z";

  private static final long[] UNIT_MS = {86_400_000L, 3_600_000L, 60_000L, 1_000L, 1L};
  private static final String[] UNITS = {"d", "h", "m", "s", "ms"};

  private final Supplier<List<TargetView>> active;
  private final Supplier<List<DroppedTarget>> dropped;
  private final Supplier<Signals> signals;

  public TargetRoutes(
      Supplier<List<TargetView>> active,
      Supplier<List<DroppedTarget>> dropped,
      Supplier<Signals> signals) {
    this.active = active;
    this.dropped = dropped;
    this.signals = signals;
  }

  @Override
  public void routing(HttpRules rules) {
    Requests.read(rules, "/api/v1/targets", this::targets);
  }

  private void targets(ServerRequest request, ServerResponse response) throws Exception {
    String state = Requests.parameters(request).get("state");
    boolean all = !state.equals("active") && !state.equals("dropped");
    String pool = Requests.parameters(request).get("scrapePool");
    List<TargetView> targets =
        all || state.equals("active")
            ? active.get().stream()
                .filter(target -> pool.isEmpty() || target.scrapePool().equals(pool))
                .toList()
            : List.of();
    List<DroppedTarget> droppedTargets = dropped.get();
    Map<String, Service.Engine> kinds = kinds();
    Answer.success(
        request,
        response,
        json -> {
          json.writeStartObject();
          json.writeArrayFieldStart("activeTargets");
          for (TargetView target : targets) {
            writeTarget(json, target, kinds.get(key(target)));
          }
          json.writeEndArray();
          writeDropped(json, all || state.equals("dropped") ? droppedTargets : List.of());
          writeDroppedCounts(json, droppedTargets);
          json.writeEndObject();
        });
  }

  /** What the targets were taken for, by instance and job. Nothing if the store can't say. */
  private Map<String, Service.Engine> kinds() {
    Map<String, Service.Engine> kinds = new HashMap<>();
    try {
      for (Service service : signals.get().services().services()) {
        for (Service.Replica replica : service.replicas()) {
          kinds.put(key(replica.instance(), replica.job()), service.engine());
        }
      }
    } catch (QueryException e) {
      return Map.of();
    }
    return kinds;
  }

  private static String key(TargetView target) {
    return key(target.labels().get("instance"), target.labels().get("job"));
  }

  private static String key(String instance, String job) {
    return instance + '\n' + job;
  }

  private static void writeTarget(
      JsonGenerator json, TargetView target, Service.@org.jspecify.annotations.Nullable Engine kind)
      throws IOException {
    json.writeStartObject();
    json.writeFieldName("discoveredLabels");
    QueryJson.labels(json, target.discoveredLabels());
    json.writeFieldName("labels");
    QueryJson.labels(json, target.labels());
    json.writeStringField("scrapePool", target.scrapePool());
    json.writeStringField("scrapeUrl", target.scrapeUrl());
    json.writeStringField("globalUrl", target.globalUrl());
    json.writeStringField("lastError", target.lastError());
    json.writeStringField("lastScrape", time(target.lastScrapeMs()));
    json.writeNumberField("lastScrapeDuration", target.lastScrapeDurationSeconds());
    json.writeStringField("health", target.health().word());
    json.writeStringField("scrapeInterval", duration(target.intervalMs()));
    json.writeStringField("scrapeTimeout", duration(target.timeoutMs()));
    json.writeObjectFieldStart("inferometer");
    json.writeStringField("sentence", sentence(target));
    json.writeStringField("kind", kind == null ? "other" : kind.id());
    json.writeStringField("title", kind == null ? "" : kind.title());
    writeBadLines(json, target);
    json.writeEndObject();
    json.writeEndObject();
  }

  /** How a target fares, in words. */
  public static String sentence(TargetView target) {
    return switch (target.health()) {
      case UP -> {
        String counted = target.samples() + (target.samples() == 1 ? " sample" : " samples");
        if (!target.lastError().isEmpty()) {
          yield "Up, " + counted + ", but these aren't stored.";
        }
        yield target.badLines() == 0
            ? "Up, " + counted + "."
            : "Up, " + counted + "; " + badLines(target.badLines()) + " left out.";
      }
      case DOWN -> target.lastErrorSentence();
      case UNKNOWN -> "Not scraped yet.";
    };
  }

  private static String badLines(int count) {
    return count == 1 ? "1 line that can't be read was" : count + " lines that can't be read were";
  }

  private static void writeBadLines(JsonGenerator json, TargetView target) throws IOException {
    json.writeNumberField("badLines", target.badLines());
    json.writeArrayFieldStart("badLineExamples");
    for (BadLine line : target.badLineExamples()) {
      json.writeStartObject();
      json.writeNumberField("line", line.line());
      json.writeNumberField("column", line.column());
      json.writeStringField("reason", line.reason() + ", expected " + line.expected());
      json.writeStringField("text", line.excerpt());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void writeDropped(JsonGenerator json, List<DroppedTarget> targets)
      throws IOException {
    json.writeArrayFieldStart("droppedTargets");
    for (DroppedTarget target : targets) {
      json.writeStartObject();
      json.writeFieldName("discoveredLabels");
      QueryJson.labels(json, target.discoveredLabels());
      json.writeStringField("scrapePool", target.scrapePool());
      json.writeObjectFieldStart("inferometer");
      json.writeStringField("sentence", target.reason());
      json.writeEndObject();
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void writeDroppedCounts(JsonGenerator json, List<DroppedTarget> targets)
      throws IOException {
    Map<String, Integer> counts = new TreeMap<>();
    targets.forEach(target -> counts.merge(target.scrapePool(), 1, Integer::sum));
    json.writeObjectFieldStart("droppedTargetCounts");
    for (var pool : counts.entrySet()) {
      json.writeNumberField(pool.getKey(), pool.getValue());
    }
    json.writeEndObject();
  }

  private static String time(long timeMs) {
    return timeMs == 0 ? NEVER : Instant.ofEpochMilli(timeMs).toString();
  }

  /** {@code 1m30s}, as Prometheus writes it but for weeks and years. */
  static String duration(long ms) {
    StringBuilder text = new StringBuilder();
    long rest = ms;
    for (int i = 0; i < UNITS.length; i++) {
      if (rest >= UNIT_MS[i]) {
        text.append(rest / UNIT_MS[i]).append(UNITS[i]);
        rest %= UNIT_MS[i];
      }
    }
    return text.isEmpty() ? "0s" : text.toString();
  }
}
