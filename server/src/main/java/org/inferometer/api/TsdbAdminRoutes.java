package org.inferometer.api;

import io.helidon.http.Status;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.model.Matcher;
import org.inferometer.promql.ParseException;
import org.inferometer.store.StoreException;
import org.jspecify.annotations.Nullable;

/** What changes the store itself, if whoever runs the server allows that at all. */
public final class TsdbAdminRoutes implements HttpService {
  /** A store that can be told to forget. Each call may throw a {@link StoreException}. */
  public interface Admin {
    /** Deletes the samples of the series that pass, ends included. */
    void delete(List<Matcher> matchers, long minMs, long maxMs);

    /** Gives the room of what is deleted back. */
    void cleanTombstones();

    /**
     * @return the name of the folder that holds the copy
     */
    String snapshot(boolean withoutHead);
  }

  private final @Nullable Admin admin;
  private final SelectorReader selectors;

  /**
   * @param admin null if it isn't allowed
   */
  public TsdbAdminRoutes(@Nullable Admin admin, SelectorReader selectors) {
    this.admin = admin;
    this.selectors = selectors;
  }

  @Override
  public void routing(HttpRules rules) {
    Requests.change(rules, "/api/v1/admin/tsdb/delete_series", this::delete);
    Requests.change(rules, "/api/v1/admin/tsdb/clean_tombstones", this::cleanTombstones);
    Requests.change(rules, "/api/v1/admin/tsdb/snapshot", this::snapshot);
  }

  private Admin allowed() throws ApiException {
    Admin allowed = admin;
    if (allowed == null) {
      throw new ApiException(
          ApiException.Kind.UNAVAILABLE,
          "admin APIs disabled; to allow them: serve --web.enable-admin-api");
    }
    return allowed;
  }

  private void delete(ServerRequest request, ServerResponse response) throws Exception {
    Admin allowed = allowed();
    Parameters parameters = Requests.parameters(request);
    List<List<Matcher>> selections = selections(parameters);
    long startMs = RequestValues.timeMs(parameters, "start", -RequestValues.TIME_BOUND_MS);
    long endMs = RequestValues.timeMs(parameters, "end", RequestValues.TIME_BOUND_MS);
    if (endMs < startMs) {
      throw ApiException.badParameter("end", "end timestamp must not be before start time");
    }
    change(() -> selections.forEach(matchers -> allowed.delete(matchers, startMs, endMs)));
    nothing(response);
  }

  private List<List<Matcher>> selections(Parameters parameters) throws ApiException {
    List<List<Matcher>> selections = new ArrayList<>();
    for (String text : parameters.all("match[]")) {
      try {
        selections.add(selectors.read(text));
      } catch (ParseException e) {
        throw ApiException.badParameter("match[]", String.valueOf(e.getMessage()));
      }
    }
    if (selections.isEmpty()) {
      throw ApiException.badData("no match[] parameter provided");
    }
    return selections;
  }

  private void cleanTombstones(ServerRequest request, ServerResponse response) throws Exception {
    change(allowed()::cleanTombstones);
    nothing(response);
  }

  private void snapshot(ServerRequest request, ServerResponse response) throws Exception {
    Admin allowed = allowed();
    boolean withoutHead = withoutHead(Requests.parameters(request).get("skip_head"));
    String[] name = {""};
    change(() -> name[0] = allowed.snapshot(withoutHead));
    Answer.success(
        request,
        response,
        json -> {
          json.writeStartObject();
          json.writeStringField("name", name[0]);
          json.writeEndObject();
        });
  }

  private static boolean withoutHead(String text) throws ApiException {
    return switch (text) {
      case "", "0", "f", "F", "false", "FALSE", "False" -> false;
      case "1", "t", "T", "true", "TRUE", "True" -> true;
      default ->
          throw ApiException.badParameter(
              "skip_head", "unable to parse boolean \"" + RequestValues.shortened(text) + "\"");
    };
  }

  private static void change(Runnable work) throws ApiException {
    try {
      work.run();
    } catch (StoreException e) {
      throw new ApiException(ApiException.Kind.INTERNAL, String.valueOf(e.getMessage()));
    }
  }

  private static void nothing(ServerResponse response) {
    response.status(Status.NO_CONTENT_204);
    response.send();
  }
}
