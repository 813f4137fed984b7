package org.inferometer.simulator.live;

import com.fasterxml.jackson.core.JsonGenerator;
import io.helidon.http.Method;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.inferometer.http.RefusedException;
import org.inferometer.http.RequestBody;
import org.inferometer.simulator.engine.Engine;
import org.inferometer.simulator.fleet.Fleet;
import org.inferometer.simulator.fleet.Replica;
import org.inferometer.simulator.knob.Knob;
import org.inferometer.simulator.knob.Knobs;
import org.inferometer.simulator.scenario.Causes;
import org.inferometer.simulator.scenario.Fault;
import org.inferometer.simulator.scenario.Faults;
import org.inferometer.simulator.scenario.Scenario;
import org.inferometer.simulator.scenario.Scenario.Target;
import org.inferometer.simulator.scenario.Scenarios;
import org.inferometer.yaml.YamlException;
import org.inferometer.yaml.YamlNode;
import org.jspecify.annotations.Nullable;

/** What can be asked of and done to a running simulation itself. */
final class ControlRoutes implements HttpService {
  private static final int BODY_BYTES_MAX = 64 * 1024;
  private static final List<Method> READ = List.of(Method.GET, Method.HEAD);

  private final RealTime live;
  private final Fleet fleet;
  private final Injections injections;
  private final Faults faults;
  private final Supplier<String> listening;
  private final Consumer<String> say;

  /**
   * @param listening what listens where, as a table
   * @param say is told what is done
   */
  ControlRoutes(
      RealTime live,
      Fleet fleet,
      Injections injections,
      Faults faults,
      Supplier<String> listening,
      Consumer<String> say) {
    this.live = live;
    this.fleet = fleet;
    this.injections = injections;
    this.faults = faults;
    this.listening = listening;
    this.say = say;
  }

  @Override
  public void routing(HttpRules rules) {
    Reply.route(rules, "/", READ, (q, a) -> Reply.text(q, a, 200, listening.get()));
    Reply.route(rules, "/state", READ, (q, a) -> json(q, a, this::writeState));
    rules.delete("/faults/{number}", this::undo);
    rules.delete("/faults", this::undoAll);
    rules.post("/faults", this::inject);
    Reply.route(
        rules,
        "/faults",
        List.of(Method.GET, Method.HEAD, Method.POST, Method.DELETE),
        (q, a) -> json(q, a, this::writeFaults));
  }

  /** JSON that is written on the simulation's thread. */
  private void json(ServerRequest request, ServerResponse response, OpenAiJson.Value value)
      throws RealTime.BusyException, InterruptedException {
    Reply.json(request, response, 200, live.ask(() -> OpenAiJson.bytes(value)));
  }

  // -------------------------------------------------------------------------------------- faults

  private void inject(ServerRequest request, ServerResponse response)
      throws RealTime.BusyException, InterruptedException, IOException {
    try {
      String text = text(request);
      Callable<Injections.Told> injection = injection(text);
      Done done = live.ask(() -> attempt(injection));
      if (done.told == null) {
        refuse(request, response, 400, done.problem);
        return;
      }
      say.accept(words(done.told));
      Reply.json(request, response, 200, OpenAiJson.bytes(json -> writeInjection(json, done.told)));
    } catch (RefusedException e) {
      refuse(request, response, e.why().status(), String.valueOf(e.getMessage()));
    } catch (YamlException e) {
      refuse(request, response, 400, String.valueOf(e.getMessage()));
    }
  }

  /** What came of it: one of both. */
  private record Done(Injections.@Nullable Told told, String problem) {}

  private static Done attempt(Callable<Injections.Told> injection) throws Exception {
    try {
      return new Done(injection.call(), "");
    } catch (IllegalArgumentException e) {
      return new Done(null, String.valueOf(e.getMessage()));
    }
  }

  private static String text(ServerRequest request) throws RefusedException, IOException {
    byte[] body = RequestBody.read(request, BODY_BYTES_MAX);
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
    } catch (CharacterCodingException e) {
      throw new RefusedException(RefusedException.Why.BROKEN, "the body isn't UTF-8");
    }
  }

  private Callable<Injections.Told> injection(String text) {
    YamlNode node = YamlNode.parse("body", text);
    if (YamlNode.find(node, "fault") instanceof YamlNode.Scalar id) {
      Fault fault = faults.find(id.text());
      if (fault == null) {
        throw YamlException.of(
            id.place(), "there is no fault \"" + id.text() + "\"; GET /faults lists them");
      }
      String replica = replica(node);
      return () -> injections.inject(fault, replica);
    }
    Scenario.Happening happening = Scenarios.readHappening(text, fleet.scenario());
    return () -> injections.inject(happening);
  }

  private static @Nullable String replica(YamlNode node) {
    String replica = null;
    if (node instanceof YamlNode.Mapping mapping) {
      for (YamlNode.Entry entry : mapping.entries()) {
        switch (entry.key()) {
          case "fault" -> {}
          case "replica" -> replica = scalar(entry);
          default ->
              throw YamlException.of(
                  entry.place(), "expected \"fault\" and \"replica\" only, not " + entry.key());
        }
      }
    }
    return replica;
  }

  private static String scalar(YamlNode.Entry entry) {
    if (entry.value() instanceof YamlNode.Scalar scalar) {
      return scalar.text();
    }
    throw YamlException.of(entry.place(), "expected the name of a replica");
  }

  private static String words(Injections.Told told) {
    return told.what() + (told.on() == null ? "" : " on " + told.on());
  }

  private static void refuse(
      ServerRequest request, ServerResponse response, int status, String problem) {
    Reply.json(request, response, status, OpenAiJson.detail(problem));
  }

  private void undoAll(ServerRequest request, ServerResponse response)
      throws RealTime.BusyException, InterruptedException {
    live.ask(
        () -> {
          injections.undoAll();
          return true;
        });
    say.accept("all faults are taken back");
    json(request, response, this::writeFaults);
  }

  private void undo(ServerRequest request, ServerResponse response)
      throws RealTime.BusyException, InterruptedException {
    String number = request.path().pathParameters().get("number");
    boolean known =
        number.matches("[0-9]{1,18}") && live.ask(() -> injections.undo(Long.parseLong(number)));
    if (known) {
      say.accept("fault " + number + " is taken back");
      json(request, response, this::writeFaults);
    } else {
      refuse(request, response, 404, "no fault of that number lasts");
    }
  }

  private void writeFaults(JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeArrayFieldStart("injected");
    for (Injections.Told told : injections.told()) {
      writeInjection(json, told);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("faults");
    for (Fault fault : faults.of(fleet.scenario())) {
      writeFault(json, fault);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("knobs");
    for (Knob knob : Knob.values()) {
      writeKnob(json, knob);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void writeInjection(JsonGenerator json, Injections.Told told) throws IOException {
    json.writeStartObject();
    json.writeNumberField("number", told.number());
    json.writeStringField("what", told.what());
    Fault fault = told.fault();
    OpenAiJson.writeTextOrNull(json, "title", fault == null ? null : fault.title());
    OpenAiJson.writeTextOrNull(json, "cause", fault == null ? null : fault.cause());
    OpenAiJson.writeTextOrNull(json, "on", told.on());
    writeSeconds(json, "start", told.startNs());
    if (told.isActive()) {
      json.writeNullField("end");
    } else {
      writeSeconds(json, "end", told.endNs());
    }
    if (told.problem() != null) {
      json.writeStringField("problem", told.problem());
    }
    json.writeEndObject();
  }

  private static void writeFault(JsonGenerator json, Fault fault) throws IOException {
    json.writeStartObject();
    json.writeStringField("fault", fault.id());
    json.writeStringField("title", fault.title());
    json.writeStringField("says", fault.says());
    json.writeStringField("cause", fault.cause());
    json.writeStringField("layer", fault.layer());
    writeSeconds(json, "lasts", fault.lastsNs());
    json.writeEndObject();
  }

  /** How a knob stands: one value, or those of the parts that differ. */
  private void writeKnob(JsonGenerator json, Knob knob) throws IOException {
    TreeSet<Double> values = new TreeSet<>();
    for (Knobs knobs : fleet.knobs(knob.part(), Target.all())) {
      values.add(knobs.get(knob));
    }
    json.writeStartObject();
    json.writeStringField("knob", knob.id());
    json.writeStringField("says", knob.says());
    json.writeNumberField("default", knob.byDefault());
    json.writeNumberField("min", knob.min());
    json.writeNumberField("max", knob.max());
    json.writeArrayFieldStart("values");
    for (double value : values) {
      json.writeNumber(value);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void writeSeconds(JsonGenerator json, String name, long nanos) throws IOException {
    json.writeNumberField(name, Math.rint(nanos / 1e6) / 1e3);
  }

  // --------------------------------------------------------------------------------------- state

  private void writeState(JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("scenario", fleet.scenario().name());
    json.writeStringField("title", fleet.scenario().title());
    json.writeNumberField("seed", fleet.seed());
    writeSeconds(json, "time", fleet.now());
    json.writeNumberField("unix_ms", fleet.startMs() + fleet.now() / 1_000_000);
    json.writeNumberField("speed", live.speed());
    writeSeconds(json, "late", live.lateNs());
    writeSeconds(json, "held_back", live.heldBackNs());
    json.writeArrayFieldStart("replicas");
    for (Replica replica : fleet.replicas()) {
      writeReplica(json, replica);
    }
    json.writeEndArray();
    json.writeNumberField("in_flight", fleet.entry().inFlight());
    writeTruth(json);
    json.writeEndObject();
  }

  private static void writeReplica(JsonGenerator json, Replica replica) throws IOException {
    int running = 0;
    int waiting = 0;
    double usage = 0;
    for (Engine engine : replica.engines()) {
      running += engine.running();
      waiting += engine.waiting();
      usage = Math.max(usage, engine.kvUsage());
    }
    json.writeStartObject();
    json.writeStringField("name", replica.name());
    json.writeBooleanField("up", replica.isUp());
    json.writeNumberField("starts", replica.starts());
    json.writeNumberField("running", running);
    json.writeNumberField("waiting", waiting);
    json.writeNumberField("kv_usage", Math.rint(usage * 1e4) / 1e4);
    json.writeEndObject();
  }

  /** What is really the matter: by the scenario, once it has begun, and by what was put in. */
  private void writeTruth(JsonGenerator json) throws IOException {
    Scenario.Truth truth = fleet.scenario().truth();
    json.writeArrayFieldStart("truth");
    if (!Causes.isFine(truth.cause()) && fleet.now() >= truth.startNs()) {
      writeCause(json, truth.cause(), truth.layer(), truth.scope(), truth.startNs());
    }
    for (Injections.Told told : injections.told()) {
      Fault fault = told.fault();
      if (fault != null && told.isActive()) {
        writeCause(json, fault.cause(), fault.layer(), told.on(), told.startNs());
      }
    }
    json.writeEndArray();
  }

  private static void writeCause(
      JsonGenerator json, String cause, String layer, @Nullable String scope, long startNs)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("cause", cause);
    json.writeStringField("layer", layer);
    OpenAiJson.writeTextOrNull(json, "scope", scope);
    writeSeconds(json, "start", startNs);
    json.writeEndObject();
  }
}
