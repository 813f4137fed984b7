package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.inferometer.time.Ticker;
import org.inferometer.time.WallClock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A small demonstration over its sockets, from before its past was made. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DemoRunTest {
  private static final String SCENARIO =
      """
      title: One replica
      fleet:
        gateway: {name: edge, timeout: 60s}
        replicas:
          - {name: a, count: 1, engine: vllm, release: 0.15.0, model: qwen3-32b, gpu: H100-SXM, tensor_parallel: 2}
      workloads:
        - name: chat
          arrivals: {law: constant, rate: 2}
          prompt: 300
          output: 40
          max_tokens: 100
      truth: {cause: healthy, layer: none, says: All is well.}
      """;

  /** Samples of all series of one kind over all of its life. */
  private static final String LIFE = "[10m]";

  private final Captured captured = new Captured();
  private final HttpClient client = HttpClient.newHttpClient();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final DemoRun run =
      new DemoRun(captured.console(false), WallClock.system(), Ticker.system());
  private Future<?> running;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    Path scenario = folder.resolve("small.yaml");
    Files.writeString(scenario, SCENARIO);
    DemoArguments arguments =
        new DemoArguments(scenario.toString(), null, "127.0.0.1:0", "2m", 1, null, false);
    running =
        threads.submit(
            () -> {
              run.run(arguments);
              return null;
            });
    while (!run.isLive() || numberOf("min(count_over_time(up" + LIFE + "))") < 42) {
      assertThat(running.isDone()).as(captured.err()).isFalse();
      Thread.sleep(50);
    }
  }

  @AfterAll
  void stop() throws Exception {
    run.stop();
    running.get();
    client.close();
    threads.close();
  }

  private HttpResponse<String> send(String method, String path, String body) throws Exception {
    int port = Objects.requireNonNull(run.server()).port();
    return client.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .method(method, BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  private JsonNode data(String path) throws Exception {
    return new ObjectMapper().readTree(send("GET", path, "").body()).path("data");
  }

  private JsonNode result(String query) throws Exception {
    return data("/api/v1/query?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8))
        .path("result");
  }

  private double numberOf(String query) throws Exception {
    JsonNode result = result(query);
    assertThat(result.size()).as("%s: %s", query, result).isEqualTo(1);
    return result.at("/0/value/1").asDouble();
  }

  @Test
  void countersOfEngines_goOnAcrossTheSeam() throws Exception {
    JsonNode counters =
        result("{job=\"engine\", __name__=~\"vllm:.*(_total|_count|_bucket)\"}" + LIFE);
    assertThat(counters.size()).isGreaterThan(100);
    for (JsonNode counter : counters) {
      double before = 0;
      for (JsonNode sample : counter.path("values")) {
        double value = sample.path(1).asDouble();
        assertThat(value).as("counter %s", counter.path("metric")).isGreaterThanOrEqualTo(before);
        before = value;
      }
    }
    assertThat(numberOf("increase(vllm:generation_tokens_total[5s])"))
        .as("it is live")
        .isPositive();
  }

  @Test
  void targets_areScrapedFromTheBeginningToTheEndWithoutAGap() throws Exception {
    JsonNode series = result("up" + LIFE);
    assertThat(series.size()).as("engine, GPUs, host, gateway, clients").isEqualTo(5);
    for (JsonNode one : series) {
      double before = one.at("/values/0/0").asDouble();
      int up = 0;
      for (JsonNode sample : one.path("values")) {
        up += sample.path(1).asText().equals("1") ? 1 : 0;
        // An interval of the past is 10 s; a loaded machine may be late with one of the present.
        assertThat(sample.path(0).asDouble() - before)
            .as("from scrape to scrape of %s", one.path("metric"))
            .isLessThan(14);
        before = sample.path(0).asDouble();
      }
      assertThat((double) up / one.path("values").size())
          .as("share of scrapes that are answered, of %s", one.path("metric"))
          .isGreaterThan(0.8);
    }
  }

  @Test
  void seriesOfThePast_areThoseOfThePresent() throws Exception {
    String all = "{job=~\".+\"}";
    assertThat(result(all + " offset 1m unless " + all))
        .as("series that ended at the seam")
        .isEmpty();
    assertThat(result("up").findValuesAsText("instance"))
        .contains("a-node:8000", "a-node:9400", "a-node:9100");
  }

  @Test
  void fault_isPutInAndTakenOutOverHttp() throws Exception {
    String faults = "/api/v1/simulation/faults";
    assertThat(data("/api/v1/status").path("simulation").asBoolean()).isTrue();
    HttpResponse<String> done = send("POST", faults, "{\"id\":\"no-traffic\"}");
    assertThat(done.statusCode()).as(done.body()).isEqualTo(204);
    JsonNode view = data("/api/v1/simulation");
    assertThat(view.path("title").asText()).isEqualTo("One replica.");
    assertThat(view.at("/happened/0/title").asText()).isEqualTo("No requests arrive");
    assertThat(view.at("/happened/0/end").isNull()).isTrue();
    assertThat(send("DELETE", faults + "/no-traffic", "").statusCode()).isEqualTo(204);
    assertThat(data("/api/v1/simulation").at("/happened/0/end").isNumber()).isTrue();
  }

  @Test
  void services_haveStatesByTheGoals() throws Exception {
    JsonNode services = data("/api/v1/services").path("services");
    for (JsonNode service : services) {
      if (service.path("kind").asText().equals("engine")) {
        assertThat(service.path("state").asText()).isEqualTo("ok");
        assertThat(service.path("related").findValuesAsText("id"))
            .contains("dcgm/a-node:9400", "node/a-node:9100");
        return;
      }
    }
    throw new AssertionError("expected an engine among " + services);
  }

  @Test
  void endOfADemo_leavesNothing(@TempDir Path folder) throws Exception {
    DemoRun ended = new DemoRun(captured.console(false), WallClock.system(), Ticker.system());
    Path data = folder.resolve("data");
    Path scenario = folder.resolve("small.yaml");
    Files.writeString(scenario, SCENARIO);
    ended.stop();
    ended.run(arguments(scenario, data));
    assertThat(data).as("what was asked to be kept").isNotEmptyDirectory();
    assertThatExceptionOfType(CommandException.class)
        .isThrownBy(() -> ended.run(arguments(scenario, data)))
        .withMessageContaining("expected a new or empty folder");
  }

  private static DemoArguments arguments(Path scenario, @Nullable Path data) {
    return new DemoArguments(scenario.toString(), null, "127.0.0.1:0", "10m", 1, data, false);
  }
}
