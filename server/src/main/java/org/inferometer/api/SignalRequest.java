package org.inferometer.api;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.signals.SignalBatch;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of a request for many signals; whatever is wrong with it is said with its place.
 */
final class SignalRequest {
  private final JsonParser json;
  private @Nullable Double start;
  private @Nullable Double end;
  private @Nullable Double step;
  private @Nullable Double time;
  private @Nullable List<SignalBatch.Request> requests;

  private SignalRequest(JsonParser json) {
    this.json = json;
  }

  static SignalBatch read(byte[] body) throws ApiException {
    try (JsonParser json = Answer.JSON.createParser(body)) {
      return new SignalRequest(json).read();
    } catch (JsonProcessingException e) {
      throw ApiException.badData("the body isn't JSON: " + e.getOriginalMessage() + at(e));
    } catch (IOException e) {
      throw ApiException.badData("the body can't be read: " + e.getMessage());
    } catch (IllegalArgumentException e) {
      throw ApiException.badData(String.valueOf(e.getMessage()));
    }
  }

  private static String at(JsonProcessingException e) {
    return e.getLocation() == null
        ? ""
        : " at line " + e.getLocation().getLineNr() + ", column " + e.getLocation().getColumnNr();
  }

  private SignalBatch read() throws IOException, ApiException {
    expect(json.nextToken(), JsonToken.START_OBJECT, "an object");
    while (json.nextToken() != JsonToken.END_OBJECT) {
      field(json.currentName());
    }
    if (json.nextToken() != null) {
      throw wrong("the end of the body");
    }
    if (requests == null) {
      throw ApiException.badData("expected \"requests\"");
    }
    return batch(requests);
  }

  private void field(String name) throws IOException, ApiException {
    json.nextToken();
    switch (name) {
      case "start" -> start = number(name);
      case "end" -> end = number(name);
      case "step" -> step = number(name);
      case "time" -> time = number(name);
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
      return SignalBatch.at(ms(time, "time"), list);
    }
    if (start == null || end == null || step == null) {
      throw ApiException.badData("expected \"start\", \"end\" and \"step\", or \"time\"");
    }
    return new SignalBatch(ms(start, "start"), ms(end, "end"), ms(step, "step"), list);
  }

  private static long ms(double seconds, String name) throws ApiException {
    double ms = seconds * 1000;
    if (!(Math.abs(ms) < RequestValues.TIME_BOUND_MS)) {
      throw ApiException.badData("\"" + name + "\" is out of range");
    }
    return Math.round(ms);
  }

  private double number(String name) throws IOException, ApiException {
    if (!json.currentToken().isNumeric()) {
      throw wrong("a number for \"" + name + "\"");
    }
    return json.getDoubleValue();
  }

  private List<SignalBatch.Request> requests() throws IOException, ApiException {
    expect(json.currentToken(), JsonToken.START_ARRAY, "a list for \"requests\"");
    List<SignalBatch.Request> list = new ArrayList<>();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      expect(json.currentToken(), JsonToken.START_OBJECT, "an object in \"requests\"");
      list.add(request());
      if (list.size() > SignalBatch.SIGNALS_MAX) {
        throw ApiException.badData("expected at most " + SignalBatch.SIGNALS_MAX + " requests");
      }
    }
    return list;
  }

  private SignalBatch.Request request() throws IOException, ApiException {
    String service = null;
    List<String> signals = null;
    List<String> by = List.of();
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      json.nextToken();
      switch (name) {
        case "service" -> service = text(name);
        case "signals" -> signals = texts(name);
        case "by" -> by = json.currentToken() == JsonToken.VALUE_NULL ? List.of() : texts(name);
        default ->
            throw ApiException.badData(
                "unknown key \"" + name + "\" in a request, expected service, signals or by");
      }
    }
    if (service == null || signals == null) {
      throw ApiException.badData("expected \"service\" and \"signals\" in each request");
    }
    return new SignalBatch.Request(service, signals, by);
  }

  private String text(String name) throws IOException, ApiException {
    expect(json.currentToken(), JsonToken.VALUE_STRING, "text for \"" + name + "\"");
    return json.getText();
  }

  private List<String> texts(String name) throws IOException, ApiException {
    expect(json.currentToken(), JsonToken.START_ARRAY, "a list for \"" + name + "\"");
    List<String> texts = new ArrayList<>();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      expect(json.currentToken(), JsonToken.VALUE_STRING, "text in \"" + name + "\"");
      texts.add(json.getText());
    }
    return texts;
  }

  private void expect(@Nullable JsonToken actual, JsonToken expected, String words)
      throws ApiException {
    if (actual != expected) {
      throw wrong(words);
    }
  }

  private ApiException wrong(String expected) {
    return ApiException.badData(
        "expected "
            + expected
            + " at line "
            + json.currentTokenLocation().getLineNr()
            + ", column "
            + json.currentTokenLocation().getColumnNr());
  }
}
