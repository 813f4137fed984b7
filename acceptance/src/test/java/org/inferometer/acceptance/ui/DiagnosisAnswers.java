package org.inferometer.acceptance.ui;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.playwright.Route;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** What the diagnosis answers, made up: names that mean harm, and every part filled. */
final class DiagnosisAnswers {
  static final String HARM = "<img src=x onerror=alert(1)>'&{}\u202e";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern TIME = Pattern.compile("\"@(-?\\d+)\"");

  private final String service;
  private final String instance;
  private final long now = System.currentTimeMillis() / 1000;

  /** About a service, which has at least one replica. */
  DiagnosisAnswers(JsonNode service) {
    this.service = service.get("id").asText();
    this.instance = service.at("/replicas/0/instance").asText();
  }

  /** The page gets them in place of the server's. */
  void sickness(Screen screen) throws IOException {
    answer(screen, "diagnosis", read("diagnosis.json"));
    answer(screen, "findings", read("findings.json"));
    answer(screen, "incidents", read("incidents.json"));
  }

  /** Nothing is the matter, or it can't be told. */
  void calm(Screen screen, String state, String sentence) throws IOException {
    ObjectNode diagnosis = (ObjectNode) read("diagnosis.json");
    diagnosis.put("state", state).put("summary", sentence).putNull("baseline");
    diagnosis.putArray("verdicts");
    diagnosis.putArray("layers");
    diagnosis.putArray("changes");
    diagnosis.putArray("happenings");
    answer(screen, "diagnosis", diagnosis);
    ObjectNode findings = (ObjectNode) read("findings.json");
    ObjectNode status = (ObjectNode) findings.at("/services/0");
    status.put("state", state).put("sentence", sentence).putArray("findings");
    findings.putArray("history");
    answer(screen, "findings", findings);
    ObjectNode incidents = JSON.createObjectNode();
    incidents.putArray("incidents");
    answer(screen, "incidents", incidents);
  }

  private static void answer(Screen screen, String route, JsonNode data) {
    ObjectNode body = JSON.createObjectNode().put("status", "success").set("data", data);
    screen
        .page()
        .route(
            Pattern.compile("/api/v1/" + route + "(\\?|$)"),
            asked ->
                asked.fulfill(
                    new Route.FulfillOptions()
                        .setContentType("application/json")
                        .setBody(body.toString())));
  }

  private JsonNode read(String name) throws IOException {
    try (InputStream in = DiagnosisAnswers.class.getResourceAsStream("/ui/" + name)) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      String timed =
          TIME.matcher(text)
              .replaceAll(found -> Long.toString(now + Long.parseLong(found.group(1))));
      return JSON.readTree(
          timed
              .replace("SERVICE", service)
              .replace("INSTANCE", instance)
              .replace("HARM", HARM.replace("\"", "\\\"")));
    }
  }
}
