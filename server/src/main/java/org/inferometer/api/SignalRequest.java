package org.inferometer.api;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.signals.SignalBatch;
import org.jspecify.annotations.Nullable;

/** Reads the body of a request for many signals. */
final class SignalRequest {
  private final JsonBody json;
  private @Nullable Double start;
  private @Nullable Double end;
  private @Nullable Double step;
  private @Nullable Double time;
  private @Nullable List<SignalBatch.Request> requests;

  private SignalRequest(JsonBody json) {
    this.json = json;
  }

  static SignalBatch read(byte[] body) throws ApiException {
    try {
      return JsonBody.read(body, json -> new SignalRequest(json).read());
    } catch (IllegalArgumentException e) {
      throw ApiException.badData(String.valueOf(e.getMessage()));
    }
  }

  private SignalBatch read() throws IOException, ApiException {
    json.object("an object", this::field);
    if (requests == null) {
      throw ApiException.badData("expected \"requests\"");
    }
    return batch(requests);
  }

  private void field(String name) throws IOException, ApiException {
    switch (name) {
      case "start" -> start = json.number(name);
      case "end" -> end = json.number(name);
      case "step" -> step = json.number(name);
      case "time" -> time = json.number(name);
      case "requests" -> requests = requests();
      default ->
          throw ApiException.badData(
              "unknown key \"" + name + "\", expected start, end, step, time or requests");
    }
  }

  private SignalBatch batch(List<SignalBatch.Request> list) throws ApiException {
    if (time != null) {
      if (start != null || end != null || step != null) {
        throw ApiException.badData("expected either \"time\" or \"start\", \"end\" and \"step\"");
      }
      return SignalBatch.at(RequestValues.ms(time, "time"), list).ofFew();
    }
    if (start == null || end == null || step == null) {
      throw ApiException.badData("expected \"start\", \"end\" and \"step\", or \"time\"");
    }
    return new SignalBatch(
            RequestValues.ms(start, "start"),
            RequestValues.ms(end, "end"),
            RequestValues.ms(step, "step"),
            list)
        .ofFew();
  }

  private List<SignalBatch.Request> requests() throws IOException, ApiException {
    List<SignalBatch.Request> list = new ArrayList<>();
    json.list(
        "requests",
        () -> {
          list.add(request());
          if (list.size() > SignalBatch.SIGNALS_MAX) {
            throw ApiException.badData("expected at most " + SignalBatch.SIGNALS_MAX + " requests");
          }
        });
    return list;
  }

  private SignalBatch.Request request() throws IOException, ApiException {
    One one = new One();
    json.object("an object in \"requests\"", one::field);
    return one.request();
  }

  /** One request while it is read. */
  private final class One {
    private @Nullable String service;
    private @Nullable List<String> signals;
    private List<String> by = List.of();
    private boolean buckets;

    void field(String name) throws IOException, ApiException {
      switch (name) {
        case "service" -> service = json.text(name);
        case "signals" -> signals = json.texts(name);
        case "by" -> by = json.isNull() ? List.of() : json.texts(name);
        case "buckets" -> buckets = json.bool(name);
        default ->
            throw ApiException.badData(
                "unknown key \""
                    + name
                    + "\" in a request, expected service, signals, by or buckets");
      }
    }

    SignalBatch.Request request() throws ApiException {
      if (service == null || signals == null) {
        throw ApiException.badData("expected \"service\" and \"signals\" in each request");
      }
      return new SignalBatch.Request(service, signals, by, buckets);
    }
  }
}
