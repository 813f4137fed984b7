package org.inferometer.simulator.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.simulator.fleet.Fleet;
import org.inferometer.simulator.scenario.Scenario;
import org.inferometer.simulator.scenario.Scenarios;
import org.inferometer.time.Ticker;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LiveFleetTest {
  private static final Scenario SCENARIO =
      Scenarios.builtIn()
          .read(
              "two small ones",
              """
              title: Two small replicas behind a gateway
              fleet:
                gateway: {name: edge, timeout: 60s}
                replicas:
                  - {name: small, count: 2, engine: vllm, release: 0.15.0, model: llama-3.1-8b, served_name: small-8b, gpu: L40S, host: node-1}
                hosts:
                  - {name: node-1, cores: 16, memory: 64GiB}
              workloads:
                - name: chat
                  arrivals: {law: poisson, rate: 2}
                  prompt: 200
                  output: 50
              truth: {cause: healthy, layer: none, says: "Nothing is wrong."}
              """);

  private static final List<String> SAID = new ArrayList<>();
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static LiveFleet fleet;

  @BeforeAll
  static void start() throws IOException {
    Fleet simulated = Fleet.of(SCENARIO, 1, 1_790_000_000_000L);
    simulated.runUntil(60_000_000_000L);
    fleet =
        new LiveFleet(
                simulated,
                new LiveFleet.Settings(InetAddress.getLoopbackAddress(), 0, List.of(), 1),
                Ticker.system(),
                SAID::add)
            .start();
  }

  @AfterAll
  static void close() {
    fleet.close();
    fleet.close();
    CLIENT.close();
  }

  private static String address(String job, String name) {
    for (LiveFleet.Listening one : fleet.listening()) {
      if (one.job().equals(job) && (name.isEmpty() || one.name().equals(name))) {
        return "http://" + one.address();
      }
    }
    throw new AssertionError("nothing listens for " + job + " " + name);
  }

  private static HttpResponse<String> send(String method, String url, String body)
      throws IOException, InterruptedException {
    return CLIENT.send(
        HttpRequest.newBuilder(URI.create(url))
            .header("Content-Type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private static HttpResponse<String> faults(String method, String body) throws Exception {
    return send(method, address("control", "") + "/faults", body);
  }

  @ParameterizedTest
  @CsvSource({"gateway,edge", "engine,small-0", "engine,small-1", "client,clients"})
  void page_isServed(String job, String name) throws Exception {
    HttpResponse<String> page = send("GET", address(job, name) + "/metrics", "");
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.headers().firstValue("content-type").orElse("")).startsWith("text/plain");
    assertThat(page.body()).contains("# TYPE ");
  }

  @Test
  void table_fitsAScreen() {
    assertThat(fleet.table()).allMatch(line -> line.length() < 80).hasSizeGreaterThanOrEqualTo(6);
    assertThat(fleet.table().getFirst()).startsWith("control").endsWith("/faults /state");
  }

  @Test
  void requestToTheGateway_isServedByAReplica() throws Exception {
    HttpResponse<String> answer =
        send(
            "POST",
            address("gateway", "edge") + "/v1/completions",
            "{\"model\":\"small-8b\",\"prompt\":\"Once\",\"max_tokens\":3,\"ignore_eos\":true,"
                + "\"stream\":true,\"stream_options\":{\"include_usage\":true}}");
    assertThat(answer.statusCode()).isEqualTo(200);
    // A client that is late gets several tokens in one chunk.
    assertThat(answer.body().lines().filter(line -> line.contains("\"text\"")))
        .hasSizeBetween(1, 3);
    assertThat(answer.body()).contains("\"completion_tokens\":3").endsWith("data: [DONE]\n\n");
    assertThat(send("GET", address("gateway", "edge") + "/v1/models", "").body())
        .contains("\"id\":\"small-8b\"");
  }

  @Test
  void state_tellsOfAllReplicas() throws Exception {
    String state = send("GET", address("control", "") + "/state", "").body();
    assertThat(state)
        .contains(
            "\"scenario\":\"two small ones\"", "\"name\":\"small-1\",\"up\":true", "\"speed\":1.0");
  }

  @Test
  void fault_isPutInAndTakenBack() throws Exception {
    String put = faults("POST", "{\"fault\":\"load-spike\"}").body();
    assertThat(put).contains("\"what\":\"load-spike\"", "\"end\":null");
    assertThat(faults("GET", "").body())
        .contains("{\"knob\":\"workload.rate\"", "\"values\":[2.0]")
        .contains("\"injected\":[{");
    assertThat(send("GET", address("control", "") + "/state", "").body())
        .contains("\"truth\":[{\"cause\":\"capacity\"");
    assertThat(faults("DELETE", "").body()).contains("\"values\":[1.0]");
    assertThat(SAID).contains("load-spike", "all faults are taken back");
  }

  @Test
  void knobsByHand_areTurnedOnThePartThatIsNamed() throws Exception {
    String put =
        faults("POST", "{\"set\": {\"gpu.clock\": 0.5}, \"on\": {\"replica\": \"small-1\"}}")
            .body();
    assertThat(put).contains("\"what\":\"gpu.clock=0.5\",\"title\":null", "\"on\":\"small-1\"");
    assertThat(faults("GET", "").body()).contains("\"values\":[0.5,1.0]");
    String number = put.replaceAll(".*\"number\":([0-9]+).*", "$1");
    String control = address("control", "");
    assertThat(send("DELETE", control + "/faults/" + number, "").statusCode()).isEqualTo(200);
    assertThat(send("DELETE", control + "/faults/" + number, "").statusCode()).isEqualTo(404);
    assertThat(send("DELETE", control + "/faults/x", "").statusCode()).isEqualTo(404);
  }

  @Test
  void earlierTurn_isInForceAgainWhenALaterOneIsTakenBack() throws Exception {
    faults("POST", "{\"set\": {\"host.busy\": 3}}");
    String later = faults("POST", "{\"set\": {\"host.busy\": 7}, \"for\": \"1h\"}").body();
    String number = later.replaceAll(".*\"number\":([0-9]+).*", "$1");
    send("DELETE", address("control", "") + "/faults/" + number, "");
    assertThat(faults("GET", "").body()).contains("\"max\":1024.0,\"values\":[3.0]");
    assertThat(faults("DELETE", "").body()).contains("\"max\":1024.0,\"values\":[0.0]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"fault\":\"nonsense\"}|there is no fault \"nonsense\"",
        "{\"fault\":\"load-spike\",\"on\":\"x\"}|expected \"fault\" and \"replica\" only",
        "{\"fault\":\"slow-replica\",\"replica\":\"big-7\"}|there is no replica \"big-7\"",
        "{\"set\":{\"gpu.speed\":1}}|there is no knob \"gpu.speed\"",
        "{\"set\":{\"gpu.clock\":9}}|gpu.clock",
        "{\"set\":{\"gpu.clock\":1},\"on\":{\"replica\":\"big\"}}|big",
        "{\"do\":\"explode\"}|explode",
        "{|body:1",
        "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[|nested deeper than",
        "''|empty"
      })
  void wrongFault_isRefusedWithWhatWasExpected(String body, String says) throws Exception {
    HttpResponse<String> answer = faults("POST", body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    assertThat(answer.body().replace("\\\"", "\"")).startsWith("{\"detail\":\"").contains(says);
  }

  @Test
  void hugeFault_isRefused() throws Exception {
    assertThat(faults("POST", "x".repeat(100_000)).statusCode()).isEqualTo(413);
  }

  @Test
  void pageOfAnotherSite_changesNothing() throws Exception {
    HttpResponse<String> answer =
        CLIENT.send(
            HttpRequest.newBuilder(URI.create(address("control", "") + "/faults"))
                .header("Origin", "http://evil.example")
                .POST(HttpRequest.BodyPublishers.ofString("{\"fault\":\"load-spike\"}"))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).isEqualTo(403);
  }

  @Test
  void replicaThatIsAdded_getsAPort() throws Exception {
    faults("POST", "{\"do\": \"scale\", \"count\": 3}");
    for (int i = 0;
        i < 100 && fleet.listening().stream().noneMatch(x -> x.name().equals("small-2"));
        i++) {
      Thread.sleep(100);
    }
    assertThat(address("engine", "small-2")).startsWith("http://127.0.0.1:");
  }
}
