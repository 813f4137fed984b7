package org.inferometer.api;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.inferometer.diagnosis.Cause;
import org.inferometer.diagnosis.Causes;
import org.inferometer.diagnosis.Diagnosis;
import org.inferometer.diagnosis.Report;
import org.inferometer.diagnosis.Verdict;
import org.inferometer.diagnosis.watch.ServiceStatus;
import org.inferometer.query.QueryException;
import org.inferometer.query.QueryResult;
import org.inferometer.query.QueryService;
import org.inferometer.query.QueryService.RangeQuery;
import org.inferometer.query.QueryValue;
import org.inferometer.signals.Service;
import org.inferometer.signals.ServiceKind;
import org.inferometer.signals.SignalAnswer;
import org.inferometer.signals.SignalBatch;
import org.inferometer.signals.SignalResult;
import org.inferometer.signals.SignalSeries;
import org.inferometer.signals.Signals;
import org.inferometer.time.WallClock;

/** The tools of agents. Thread-safe. */
final class McpTools {
  /** What a verdict rests on is enough for most; {@code full} has the rest. */
  private static final Set<String> LONG_KEYS =
      Set.of("ruledOut", "layers", "changes", "happenings", "timeline");

  private static final int SERIES_MAX = 100;

  /** Points of one series. */
  private static final int POINTS_MAX = 500;

  /** Points of one signal: they show a course. */
  private static final int EVIDENCE_POINTS = 30;

  private static final int SERVICES_MAX = 200;

  private final Supplier<Signals> signals;
  private final DiagnosisSource source;
  private final Diagnoses diagnoses;
  private final QueryService queries;
  private final WallClock clock;

  McpTools(
      Supplier<Signals> signals, DiagnosisSource source, QueryService queries, WallClock clock) {
    this.signals = signals;
    this.source = source;
    this.diagnoses = new Diagnoses(source, clock);
    this.queries = queries;
    this.clock = clock;
  }

  Map<String, McpTool> all() {
    return Map.of(
        "list_services", this::listServices,
        "diagnose", this::diagnose,
        "query", this::query,
        "evidence", this::evidence,
        "list_causes", this::listCauses);
  }

  // ------------------------------------------------------------------------------- services

  private McpTool.Result listServices(McpArguments arguments) throws ApiException, QueryException {
    arguments.end();
    List<Service> services = signals.get().services().services();
    Map<String, ServiceStatus> statuses = new LinkedHashMap<>();
    source.log().statuses().forEach(status -> statuses.put(status.service(), status));
    List<Service> shown = services.subList(0, Math.min(SERVICES_MAX, services.size()));
    String says =
        shown.size() + " of " + services.size() + (services.size() == 1 ? " service" : " services");
    return new McpTool.Result(
        says,
        json -> {
          json.writeStartObject();
          json.writeArrayFieldStart("services");
          for (Service service : shown) {
            service(json, service, statuses);
          }
          json.writeEndArray();
          json.writeEndObject();
        });
  }

  private static void service(
      JsonGenerator json, Service service, Map<String, ServiceStatus> statuses) throws IOException {
    json.writeStartObject();
    json.writeStringField("id", service.id());
    json.writeStringField("kind", service.kind().name().toLowerCase(Locale.ROOT));
    json.writeStringField("name", service.name());
    json.writeStringField("engine", service.engine().title());
    json.writeStringField("model", service.model());
    json.writeNumberField("replicas", service.replicas().size());
    ServiceStatus status = statuses.get(service.id());
    if (service.kind() == ServiceKind.ENGINE && status != null) {
      json.writeStringField("state", status.state().id());
      json.writeStringField("sentence", status.sentence());
    } else {
      json.writeStringField("sentence", service.sentence());
    }
    json.writeEndObject();
  }

  // ------------------------------------------------------------------------------- diagnosis

  private McpTool.Result diagnose(McpArguments arguments) throws ApiException, QueryException {
    boolean isFull = arguments.bool("full");
    Parameters parameters = arguments.parameters("service", "time", "window", "baseline");
    arguments.end();
    DiagnosisRequest asked = diagnoses.read(parameters);
    Report report = diagnoses.answer(asked);
    Diagnosis one =
        asked.service() == null ? report.whole() : Diagnoses.of(report, asked.service());
    return new McpTool.Result(
        says(one),
        isFull ? json -> DiagnosisJson.write(json, one) : json -> JsonTree.write(json, brief(one)));
  }

  /** The verdicts in words. */
  private static String says(Diagnosis diagnosis) {
    StringBuilder says = new StringBuilder(diagnosis.state().id() + ": " + diagnosis.summary());
    for (Verdict verdict : diagnosis.verdicts()) {
      says.append(
          "\n- %s (%s, confidence %.2f%s): %s"
              .formatted(
                  verdict.title(),
                  verdict.cause(),
                  verdict.finding().confidence(),
                  verdict.follows() == null ? "" : ", follows from " + verdict.follows(),
                  verdict.finding().says()));
    }
    return says.toString();
  }

  private static Map<String, Object> brief(Diagnosis diagnosis) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Map<String, Object> brief = new LinkedHashMap<>();
    try {
      try (JsonGenerator json = Answer.JSON.createGenerator(bytes)) {
        DiagnosisJson.write(json, diagnosis);
      }
      ((Map<?, ?>) JsonTree.read(bytes.toByteArray()))
          .forEach(
              (key, value) -> {
                if (!LONG_KEYS.contains(key)) {
                  brief.put((String) key, value);
                }
              });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return brief;
  }

  private McpTool.Result listCauses(McpArguments arguments) throws ApiException {
    String id = arguments.text("id");
    arguments.end();
    List<Cause> all = new ArrayList<>(Causes.builtIn().all());
    if (id != null) {
      all.removeIf(cause -> !cause.id().equals(id));
      if (all.isEmpty()) {
        throw ApiException.badData(
            "there is no cause \"" + RequestValues.shortened(id) + "\"; without id all are listed");
      }
      return new McpTool.Result("", json -> CauseJson.write(json, all));
    }
    return new McpTool.Result("", json -> CauseJson.list(json, all));
  }

  // ------------------------------------------------------------------------------- queries

  private McpTool.Result query(McpArguments arguments) throws ApiException, QueryException {
    arguments.needText("query");
    Parameters parameters =
        arguments.parameters("query", "time", "start", "end", "step", "timeout");
    arguments.end();
    QueryResult result = isRange(parameters) ? range(parameters) : instant(parameters);
    QueryValue value = result.value();
    QueryValue shown = cut(value);
    boolean isCut = seriesOf(value) > SERIES_MAX;
    String says = isCut ? "Only the first " + SERIES_MAX + " series are shown." : "";
    return new McpTool.Result(
        says,
        json -> {
          json.writeStartObject();
          QueryJson.writeFields(json, shown);
          json.writeBooleanField("truncated", isCut);
          Answer.writeTexts(json, "warnings", result.warnings());
          Answer.writeTexts(json, "infos", result.infos());
          json.writeEndObject();
        });
  }

  private static boolean isRange(Parameters parameters) {
    return parameters.find("start") != null || parameters.find("end") != null;
  }

  private QueryResult instant(Parameters parameters) throws ApiException, QueryException {
    return queries.instant(QueryParameters.instant(parameters, clock.nowMs()));
  }

  private QueryResult range(Parameters parameters) throws ApiException, QueryException {
    RangeQuery range = QueryParameters.range(parameters);
    if ((range.endMs() - range.startMs()) / range.stepMs() >= POINTS_MAX) {
      throw ApiException.badData(
          "expected at most " + POINTS_MAX + " points of a series; choose a larger step");
    }
    return queries.range(range);
  }

  private static int seriesOf(QueryValue value) {
    return switch (value) {
      case QueryValue.Vector vector -> vector.elements().size();
      case QueryValue.Matrix matrix -> matrix.series().size();
      case QueryValue.Scalar _, QueryValue.Text _ -> 1;
    };
  }

  private static QueryValue cut(QueryValue value) {
    return switch (value) {
      case QueryValue.Vector vector when vector.elements().size() > SERIES_MAX ->
          new QueryValue.Vector(vector.elements().subList(0, SERIES_MAX));
      case QueryValue.Matrix matrix when matrix.series().size() > SERIES_MAX ->
          new QueryValue.Matrix(matrix.series().subList(0, SERIES_MAX));
      default -> value;
    };
  }

  // ------------------------------------------------------------------------------- evidence

  private McpTool.Result evidence(McpArguments arguments) throws ApiException, QueryException {
    String service = arguments.needText("service");
    List<String> names = arguments.texts("signals");
    List<String> by = arguments.texts("by");
    Parameters parameters = arguments.parameters("time", "window");
    arguments.end();
    DiagnosisRequest asked = diagnoses.read(parameters);
    long endMs = asked.endMs() == null ? clock.nowMs() : asked.endMs();
    long stepMs = Math.max(1_000, asked.windowMs() / EVIDENCE_POINTS);
    SignalBatch batch;
    try {
      batch =
          new SignalBatch(
                  endMs - asked.windowMs(),
                  endMs,
                  stepMs,
                  List.of(
                      new SignalBatch.Request(service, names.isEmpty() ? all(service) : names, by)))
              .ofFew();
    } catch (IllegalArgumentException e) {
      throw ApiException.badData(String.valueOf(e.getMessage()));
    }
    SignalAnswer answer = signals.get().query(batch);
    return new McpTool.Result("", json -> evidence(json, batch, answer, !names.isEmpty()));
  }

  private List<String> all(String id) throws ApiException, QueryException {
    for (Service service : signals.get().services().services()) {
      if (service.id().equals(id)) {
        List<String> names = service.signals();
        return names.subList(0, Math.min(SignalBatch.SIGNALS_MAX, names.size()));
      }
    }
    throw ApiException.badData(
        "there is no service \"" + RequestValues.shortened(id) + "\" now; list_services has them");
  }

  /**
   * @param isCourse whether the values at all times are told, not only a summary
   */
  private static void evidence(
      JsonGenerator json, SignalBatch batch, SignalAnswer answer, boolean isCourse)
      throws IOException {
    json.writeStartObject();
    json.writeFieldName("start");
    QueryJson.time(json, batch.startMs());
    json.writeFieldName("end");
    QueryJson.time(json, batch.endMs());
    json.writeFieldName("step");
    SignalJson.number(json, batch.stepMs() / 1000.0);
    json.writeArrayFieldStart("signals");
    int series = 0;
    for (SignalResult result : answer.results()) {
      json.writeStartObject();
      json.writeStringField("signal", result.signal());
      json.writeStringField("unit", result.unit());
      json.writeStringField("quality", result.quality().name().toLowerCase(Locale.ROOT));
      json.writeStringField("reason", result.reason());
      if (isCourse) {
        json.writeStringField("query", result.query());
      }
      json.writeArrayFieldStart("series");
      for (SignalSeries one : result.series()) {
        if (series++ < SERIES_MAX * 2) {
          course(json, one, isCourse);
        }
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeBooleanField("truncated", series > SERIES_MAX * 2);
    json.writeEndObject();
  }

  private static void course(JsonGenerator json, SignalSeries series, boolean isCourse)
      throws IOException {
    double min = Double.NaN;
    double max = Double.NaN;
    double last = Double.NaN;
    double sum = 0;
    int known = 0;
    for (double value : series.values()) {
      if (!Double.isNaN(value)) {
        min = known == 0 ? value : Math.min(min, value);
        max = known == 0 ? value : Math.max(max, value);
        last = value;
        sum += value;
        known++;
      }
    }
    json.writeStartObject();
    json.writeFieldName("labels");
    QueryJson.labels(json, series.labels());
    number(json, "min", min);
    number(json, "mean", sum / known);
    number(json, "max", max);
    number(json, "last", last);
    if (isCourse) {
      json.writeArrayFieldStart("values");
      for (double value : series.values()) {
        SignalJson.number(json, value);
      }
      json.writeEndArray();
    }
    json.writeEndObject();
  }

  private static void number(JsonGenerator json, String name, double value) throws IOException {
    json.writeFieldName(name);
    SignalJson.number(json, value);
  }
}
