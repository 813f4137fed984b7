package org.inferometer.api;

import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import org.inferometer.check.CheckJson;
import org.inferometer.check.CheckedTargets;
import org.inferometer.check.EndpointReport;

/** What {@code inferometer check} says, of targets that are scraped here and of no others. */
public final class CheckRoutes implements HttpService {
  private final CheckedTargets targets;

  public CheckRoutes(CheckedTargets targets) {
    this.targets = targets;
  }

  @Override
  public void routing(HttpRules rules) {
    Requests.read(rules, "/api/v1/check", this::check);
  }

  private void check(ServerRequest request, ServerResponse response) throws Exception {
    String target = Requests.parameters(request).get("target");
    if (target.isEmpty()) {
      throw new ApiException(
          ApiException.Kind.BAD_DATA,
          "expected \"target\", the instance or the scrape URL of a target");
    }
    EndpointReport report = targets.report(target, Requests.parameters(request).get("job"));
    if (report == null) {
      throw new ApiException(
          ApiException.Kind.NOT_FOUND, "no target \"" + target + "\" is scraped here");
    }
    Answer.success(request, response, json -> CheckJson.write(json, report));
  }
}
