package org.inferometer.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.Map;
import org.inferometer.api.DiagnosisReader;
import org.inferometer.backend.BackendAddress;
import org.inferometer.backend.RemoteQueryService;
import org.inferometer.diagnosis.Report;
import org.inferometer.query.QueryException;
import org.jspecify.annotations.Nullable;

/** The diagnosis of a running Inferometer, which knows its goals and thresholds best. */
final class AskedServer {
  private AskedServer() {}

  /**
   * What it finds.
   *
   * @return null if it has no diagnosis to give: another server, or an older one
   * @throws QueryException if it can't be asked, or refuses
   */
  static @Nullable Report ask(BackendAddress address, Map<String, String> parameters)
      throws QueryException {
    try (RemoteQueryService service = new RemoteQueryService(address)) {
      RemoteQueryService.Told told =
          service.get("/api/v1/diagnosis", new LinkedHashMap<>(parameters));
      if (told.status() == 404 && !isOurs(told.body())) {
        return null;
      }
      JsonNode body = parsed(address, told);
      if (!body.path("status").asText().equals("success")) {
        throw new QueryException(
            body.path("errorType").asText().equals("bad_data")
                ? QueryException.Kind.BAD_DATA
                : QueryException.Kind.EXECUTION,
            address + ": " + body.path("error").asText("HTTP " + told.status()));
      }
      return DiagnosisReader.read(body.path("data"));
    } catch (IllegalArgumentException e) {
      throw new QueryException(
          QueryException.Kind.EXECUTION,
          address + ": its diagnosis isn't understood: " + e.getMessage(),
          e);
    }
  }

  /** A 404 for a service that isn't there is an answer of the API; one for the route isn't. */
  private static boolean isOurs(String body) {
    return body.contains("no inference engine");
  }

  private static JsonNode parsed(BackendAddress address, RemoteQueryService.Told told)
      throws QueryException {
    try {
      return new ObjectMapper().readTree(told.body());
    } catch (JsonProcessingException e) {
      throw new QueryException(
          QueryException.Kind.EXECUTION,
          address + ": expected a diagnosis, got HTTP " + told.status(),
          e);
    }
  }
}
