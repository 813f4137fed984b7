package org.inferometer.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
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
    Map<String, List<Service>> services = servicesOfTargets();
    Answer.success(
        request,
        response,
        json -> {
          json.writeStartObject();
          json.writeArrayFieldStart("activeTargets");
          for (TargetView target : targets) {
            writeTarget(json, target, services.getOrDefault(key(target), List.of()));
          }
          json.writeEndArray();
          writeDropped(json, all || state.equals("dropped") ? droppedTargets : List.of());
          writeDroppedCounts(json, droppedTargets);
          json.writeEndObject();
        });
  }

  /** The services of each target, by instance and job. Nothing if the store can't say. */
  private Map<String, List<Service>> servicesOfTargets() {
    Map<String, List<Service>> services = new HashMap<>();
    try {
      List<Service> byKind = new ArrayList<>(signals.get().services().services());
      byKind.sort(Comparator.comparing(Service::kind).thenComparing(Service::id));
      for (Service service : byKind) {
        for (Service.Replica replica : service.replicas()) {
          services
              .computeIfAbsent(key(replica.instance(), replica.job()), key -> new ArrayList<>())
              .add(service);
        }
      }
    } catch (QueryException e) {
      return Map.of();
    }
    return services;
  }

  private static String key(TargetView target) {
    return key(target.labels().get("instance"), target.labels().get("job"));
  }

  private static String key(String instance, String job) {
    return instance + '\n' + job;
  }

  /**
   * @param services what it was taken for; one page can be a router beside an engine
   */
  private static void writeTarget(JsonGenerator json, TargetView target, List<Service> services)
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
    json.writeStringField("kind", services.isEmpty() ? "other" : services.getFirst().engine().id());
    json.writeStringField(
        "title",
        services.stream()
            .map(service -> service.engine().title())
            .distinct()
            .collect(Collectors.joining(", ")));
    json.writeArrayFieldStart("services");
    for (Service service : services) {
      json.writeString(service.id());
    }
    json.writeEndArray();
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
