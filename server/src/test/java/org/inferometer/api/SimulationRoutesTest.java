package org.inferometer.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.api.SimulationRoutes.Fault;
import org.inferometer.api.SimulationRoutes.Happening;
import org.inferometer.api.SimulationRoutes.Kind;
import org.inferometer.api.SimulationRoutes.View;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimulationRoutesTest {
  private static final String FAULTS = "/api/v1/simulation/faults";

  private final List<String> done = new ArrayList<>();
  private final TestServer server = new TestServer(new SimulationRoutes(new FakeSimulation()));

  private final class FakeSimulation implements SimulationRoutes.Simulation {
    @Override
    public View view() {
      return new View(
          "demo",
          "A fleet.",
          7,
          1_000,
          List.of(
              new Fault("hot", "Cooling fails", "It gets hot.", "gpu", "a-0/gpu1", 60_000, 2_500L),
              new Fault("busy", "Load", "More.", "request", null, 0, null)),
          List.of(
              new Happening(Kind.RESTART, "Restart", "Counters begin.", null, "a-0", 1_500, null),
              new Happening(Kind.FAULT, "Load", "More.", "request", null, 1_000, 1_250L)));
    }

    private boolean did(String what, String fault) {
      done.add(what + " " + fault);
      return fault.equals("hot");
    }

    @Override
    public boolean inject(String fault) {
      return did("inject", fault);
    }

    @Override
    public boolean undo(String fault) {
      return did("undo", fault);
    }

    @Override
    public void undoAll() {
      done.add("undo all");
    }
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void simulation_saysWhatCanBeDoneAndWhatHappened() throws Exception {
    assertThat(server.get("/api/v1/simulation"))
        .isEqualTo(
            """
            {"status":"success","data":{"scenario":"demo","title":"A fleet.","seed":7,\
            "since":1.000,"faults":[\
            {"id":"hot","title":"Cooling fails","says":"It gets hot.","layer":"gpu",\
            "on":"a-0/gpu1","lasts":60.000,"since":2.500},\
            {"id":"busy","title":"Load","says":"More.","layer":"request",\
            "on":null,"lasts":0.000,"since":null}],"happened":[\
            {"kind":"restart","title":"Restart","says":"Counters begin.","layer":null,\
            "on":"a-0","start":1.500,"end":null},\
            {"kind":"fault","title":"Load","says":"More.","layer":"request",\
            "on":null,"start":1.000,"end":1.250}]}}""");
  }

  @Test
  void faults_areInjectedAndUndone() throws Exception {
    assertThat(server.post(FAULTS, "{\"id\":\"hot\"}").statusCode()).isEqualTo(204);
    assertThat(server.send("DELETE", FAULTS + "/hot").statusCode()).isEqualTo(204);
    assertThat(server.send("DELETE", FAULTS).statusCode()).isEqualTo(204);
    assertThat(done).containsExactly("inject hot", "undo hot", "undo all");
  }

  @Test
  void unknownFault_isNotFoundAndThoseThereAreAreNamed() throws Exception {
    for (HttpResponse<String> answer :
        List.of(
            server.post(FAULTS, "{\"id\":\"cold\"}"), server.send("DELETE", FAULTS + "/cold"))) {
      assertThat(answer.statusCode()).isEqualTo(404);
      assertThat(answer.body()).contains("no fault \\\"cold\\\"; there are hot, busy");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "[]", "{\"id\":1}", "{\"name\":\"hot\"}", "{\"id\":\"hot\"} x"})
  void damagedBody_isBadData(String body) throws Exception {
    HttpResponse<String> answer = server.post(FAULTS, body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    assertThat(done).isEmpty();
  }

  @Test
  void pagesOfOtherSites_changeNothing() throws Exception {
    String[] foreign = {"Origin", "http://elsewhere.example"};
    assertThat(server.post(FAULTS, "{\"id\":\"hot\"}", foreign).statusCode()).isEqualTo(403);
    assertThat(server.send("DELETE", FAULTS, foreign).statusCode()).isEqualTo(403);
    assertThat(server.send("DELETE", FAULTS + "/hot", foreign).statusCode()).isEqualTo(403);
    assertThat(done).isEmpty();
  }

  @Test
  void otherMethods_areRefusedByName() throws Exception {
    HttpResponse<String> answer = server.send("GET", FAULTS);
    assertThat(answer.statusCode()).isEqualTo(405);
    assertThat(answer.headers().firstValue("Allow")).contains("POST, DELETE");
  }
}
