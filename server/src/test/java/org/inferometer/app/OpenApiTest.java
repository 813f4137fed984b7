package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.inferometer.api.Readiness;
import org.inferometer.api.SimulationRoutes;
import org.inferometer.api.UiRoutes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The served description has every route that the server has, with its methods, and no other. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OpenApiTest {
  private final HttpClient client = HttpClient.newHttpClient();
  private LocalServer server;
  private JsonNode description;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    server = IdleServer.start(folder, () -> 0, WebOptions.DEFAULT, simulated());
    HttpResponse<String> served = send("GET", "/api/v1/openapi.yaml");
    assertThat(served.headers().firstValue("Content-Type")).contains("application/yaml");
    description = new ObjectMapper(new YAMLFactory()).readTree(served.body());
  }

  /** Its routes are there in a demonstration only. */
  private static LocalServer.Simulated simulated() {
    SimulationRoutes.Simulation nothing =
        new SimulationRoutes.Simulation() {
          @Override
          public SimulationRoutes.View view() {
            return new SimulationRoutes.View("none", "Nothing.", 1, 0, List.of(), List.of());
          }

          @Override
          public boolean inject(String fault) {
            return false;
          }

          @Override
          public boolean undo(String fault) {
            return false;
          }

          @Override
          public void undoAll() {}
        };
    return new LocalServer.Simulated(nothing, Readiness.always());
  }

  @AfterAll
  void stop() {
    server.close();
    client.close();
  }

  private HttpResponse<String> send(String method, String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + server.port() + path);
    return client.send(
        HttpRequest.newBuilder(uri).method(method, BodyPublishers.noBody()).build(),
        BodyHandlers.ofString());
  }

  /** The paths that the services register, those of the pages left out. */
  private Set<String> registeredPaths() {
    Set<String> paths = new TreeSet<>();
    HttpRules recording =
        (HttpRules)
            Proxy.newProxyInstance(
                HttpRules.class.getClassLoader(),
                new Class<?>[] {HttpRules.class},
                (proxy, method, arguments) -> {
                  assertThat(method.getName()).as("how routes are registered").isEqualTo("any");
                  paths.add((String) arguments[0]);
                  return proxy;
                });
    for (HttpService service : server.routes()) {
      if (!(service instanceof UiRoutes)) {
        service.routing(recording);
      }
    }
    return paths;
  }

  private static String registered(String described) {
    int variable = described.indexOf('{');
    return variable < 0 ? described : described.substring(0, variable) + "*";
  }

  @Test
  void routesAreTheOnesRegistered() {
    Set<String> described = new TreeSet<>();
    description.path("paths").fieldNames().forEachRemaining(p -> described.add(registered(p)));
    assertThat(described).isEqualTo(registeredPaths());
  }

  @Test
  void methodsAreTheOnesTaken() throws Exception {
    Map<String, Set<String>> described = new TreeMap<>();
    Map<String, Set<String>> taken = new TreeMap<>();
    for (var path : description.path("paths").properties()) {
      Set<String> methods = new TreeSet<>();
      path.getValue().fieldNames().forEachRemaining(m -> methods.add(m.toUpperCase(Locale.ROOT)));
      described.put(path.getKey(), methods);
      HttpResponse<String> options = send("OPTIONS", path.getKey().replace("{name}", "job"));
      assertThat(options.statusCode()).isEqualTo(204);
      String allowed = options.headers().firstValue("Allow").orElse("");
      Set<String> all = new TreeSet<>(List.of(allowed.split(", ")));
      if (all.contains("GET")) {
        all.remove("HEAD");
      }
      taken.put(path.getKey(), all);
    }
    assertThat(described).isEqualTo(taken);
    assertThat(described).hasSizeGreaterThan(30);
  }

  @Test
  void operationsAreComplete() {
    List<String> ids = new ArrayList<>();
    for (JsonNode path : description.path("paths")) {
      for (JsonNode operation : path) {
        ids.add(operation.path("operationId").asText());
        assertThat(operation.path("summary").asText()).endsWith(".");
        assertThat(operation.path("responses").isEmpty()).isFalse();
      }
    }
    assertThat(ids).doesNotHaveDuplicates().doesNotContain("");
    assertThat(description.path("openapi").asText()).startsWith("3.1.");
  }

  @Test
  void referencesLeadSomewhere() {
    List<JsonNode> references = description.findValues("$ref");
    assertThat(references).hasSizeGreaterThan(50);
    for (JsonNode reference : references) {
      String pointer = reference.asText().substring(1);
      assertThat(description.at(pointer).isMissingNode()).as(reference.asText()).isFalse();
    }
  }
}
