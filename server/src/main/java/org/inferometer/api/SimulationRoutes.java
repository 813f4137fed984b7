package org.inferometer.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.helidon.http.Method;
import io.helidon.http.Status;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the fleet of a demonstration is, what can be done to it, and what happened to it. */
public final class SimulationRoutes implements HttpService {
  private static final String FAULTS = "/api/v1/simulation/faults";

  /** A fleet that isn't real. Thread-safe. */
  public interface Simulation {
    View view();

    /**
     * Does something to the fleet; once is enough.
     *
     * @return whether there is such a fault
     */
    boolean inject(String fault);

    /**
     * Undoes it, if it was done.
     *
     * @return whether there is such a fault
     */
    boolean undo(String fault);

    void undoAll();
  }

  /**
   * How it stands.
   *
   * @param scenario the name of its file
   * @param sinceMs when its history begins
   * @param faults what can be done to it
   * @param happened what was done and what came of it, newest first
   */
  public record View(
      String scenario,
      String title,
      long seed,
      long sinceMs,
      List<Fault> faults,
      List<Happening> happened) {
    public View {
      faults = List.copyOf(faults);
      happened = List.copyOf(happened);
    }
  }

  /**
   * Something that can be done to it.
   *
   * @param says what one will see, and where first
   * @param layer in which it shows first
   * @param on the part that it is done to; null for all
   * @param lastsMs after which it ends by itself; 0 if it is a moment
   * @param sinceMs when it was done; null if it isn't
   */
  public record Fault(
      String id,
      String title,
      String says,
      String layer,
      @Nullable String on,
      long lastsMs,
      @Nullable Long sinceMs) {}

  /** What kind of thing happened. */
  public enum Kind {
    /** Somebody did it, here. */
    FAULT("fault"),
    /** The scenario did it. */
    EVENT("event"),
    /** A process ended and another one began. */
    RESTART("restart");

    private final String word;

    Kind(String word) {
      this.word = word;
    }
  }

  /**
   * Something that happened.
   *
   * @param layer in which it shows first; null if it shows in none
   * @param on the part that it happened to; null for all
   * @param endMs null while it lasts; the start if it was a moment
   */
  public record Happening(
      Kind kind,
      String title,
      String says,
      @Nullable String layer,
      @Nullable String on,
      long startMs,
      @Nullable Long endMs) {}

  private final Simulation simulation;

  public SimulationRoutes(Simulation simulation) {
    this.simulation = simulation;
  }

  @Override
  public void routing(HttpRules rules) {
    Requests.read(rules, "/api/v1/simulation", this::tell);
    Map<Method, Handler> all = new LinkedHashMap<>();
    all.put(Method.POST, this::inject);
    all.put(Method.DELETE, this::undoAll);
    Requests.byMethod(rules, FAULTS, all);
    Requests.byMethod(rules, FAULTS + "/*", Map.of(Method.DELETE, this::undo));
  }

  private void tell(ServerRequest request, ServerResponse response) throws Exception {
    View view = simulation.view();
    Answer.success(request, response, json -> write(json, view));
  }

  private void inject(ServerRequest request, ServerResponse response) throws Exception {
    String[] id = {""};
    JsonBody.read(
        Requests.body(request),
        body -> {
          body.object(
              "an object with an \"id\"",
              name -> {
                if (!name.equals("id")) {
                  throw ApiException.badData("expected nothing but \"id\"");
                }
                id[0] = body.text(name);
              });
          return id;
        });
    known(id[0], simulation.inject(id[0]));
    done(response);
  }

  private void undo(ServerRequest request, ServerResponse response) throws Exception {
    String id = request.path().path().substring(FAULTS.length() + 1);
    known(id, simulation.undo(id));
    done(response);
  }

  private void undoAll(ServerRequest request, ServerResponse response) {
    simulation.undoAll();
    done(response);
  }

  private void known(String id, boolean isKnown) throws ApiException {
    if (!isKnown) {
      List<String> ids = simulation.view().faults().stream().map(Fault::id).toList();
      throw new ApiException(
          ApiException.Kind.NOT_FOUND,
          "no fault \"" + RequestValues.shortened(id) + "\"; there are " + String.join(", ", ids));
    }
  }

  private static void done(ServerResponse response) {
    response.status(Status.NO_CONTENT_204);
    response.send();
  }

  private static void write(JsonGenerator json, View view) throws IOException {
    json.writeStartObject();
    json.writeStringField("scenario", view.scenario());
    json.writeStringField("title", view.title());
    json.writeNumberField("seed", view.seed());
    time(json, "since", view.sinceMs());
    json.writeArrayFieldStart("faults");
    for (Fault fault : view.faults()) {
      write(json, fault);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("happened");
    for (Happening happening : view.happened()) {
      write(json, happening);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, Fault fault) throws IOException {
    json.writeStartObject();
    json.writeStringField("id", fault.id());
    json.writeStringField("title", fault.title());
    json.writeStringField("says", fault.says());
    json.writeStringField("layer", fault.layer());
    json.writeStringField("on", fault.on());
    time(json, "lasts", fault.lastsMs());
    time(json, "since", fault.sinceMs());
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, Happening happening) throws IOException {
    json.writeStartObject();
    json.writeStringField("kind", happening.kind().word);
    json.writeStringField("title", happening.title());
    json.writeStringField("says", happening.says());
    json.writeStringField("layer", happening.layer());
    json.writeStringField("on", happening.on());
    time(json, "start", happening.startMs());
    time(json, "end", happening.endMs());
    json.writeEndObject();
  }

  private static void time(JsonGenerator json, String name, @Nullable Long ms) throws IOException {
    json.writeFieldName(name);
    if (ms == null) {
      json.writeNull();
    } else {
      json.writeNumber(BigDecimal.valueOf(ms, 3));
    }
  }
}
