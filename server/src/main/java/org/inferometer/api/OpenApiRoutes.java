package org.inferometer.api;

import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Objects;

/** The description of all routes, for generators of clients and for people. */
public final class OpenApiRoutes implements HttpService {
  private static final String FILE = "/api/openapi.yaml";

  @Override
  public void routing(HttpRules rules) {
    Requests.read(rules, "/api/v1/openapi.yaml", OpenApiRoutes::description);
  }

  private static void description(ServerRequest request, ServerResponse response)
      throws IOException {
    try (InputStream in =
            Objects.requireNonNull(OpenApiRoutes.class.getResourceAsStream(FILE), FILE);
        OutputStream out = Answer.stream(request, response, "application/yaml")) {
      in.transferTo(out);
    }
  }
}
