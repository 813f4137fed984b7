package org.inferometer.api;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The JSON body of a request, read value by value; what is wrong with it is said with its place.
 * Each method takes the value that the body stands at.
 */
final class JsonBody {
  private final JsonParser json;

  private JsonBody(JsonParser json) {
    this.json = json;
  }

  /** Makes something of a body's one value. */
  @FunctionalInterface
  interface Reading<T> {
    T read(JsonBody body) throws IOException, ApiException;
  }

  /** Takes the value of a key. */
  @FunctionalInterface
  interface Field {
    void read(String name) throws IOException, ApiException;
  }

  /** Takes an element of a list. */
  @FunctionalInterface
  interface Element {
    void read() throws IOException, ApiException;
  }

  /** What is made of a body, which has nothing behind its value. */
  static <T> T read(byte[] bytes, Reading<T> reading) throws ApiException {
    try (JsonParser json = Answer.JSON.createParser(bytes)) {
      JsonBody body = new JsonBody(json);
      json.nextToken();
      T read = reading.read(body);
      if (json.nextToken() != null) {
        throw body.wrong("the end of the body");
      }
      return read;
    } catch (JsonProcessingException e) {
      throw ApiException.badData("the body isn't JSON: " + e.getOriginalMessage() + at(e));
    } catch (IOException e) {
      throw ApiException.badData("the body can't be read: " + e.getMessage());
    }
  }

  private static String at(JsonProcessingException e) {
    return e.getLocation() == null
        ? ""
        : " at line " + e.getLocation().getLineNr() + ", column " + e.getLocation().getColumnNr();
  }

  /**
   * @param words for the object, in a message
   */
  void object(String words, Field field) throws IOException, ApiException {
    expect(JsonToken.START_OBJECT, words);
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      json.nextToken();
      field.read(name);
    }
  }

  void list(String name, Element element) throws IOException, ApiException {
    expect(JsonToken.START_ARRAY, "a list for \"" + name + "\"");
    while (json.nextToken() != JsonToken.END_ARRAY) {
      element.read();
    }
  }

  List<String> texts(String name) throws IOException, ApiException {
    List<String> texts = new ArrayList<>();
    list(
        name,
        () -> {
          expect(JsonToken.VALUE_STRING, "text in \"" + name + "\"");
          texts.add(json.getText());
        });
    return texts;
  }

  String text(String name) throws IOException, ApiException {
    expect(JsonToken.VALUE_STRING, "text for \"" + name + "\"");
    return json.getText();
  }

  double number(String name) throws IOException, ApiException {
    if (!json.currentToken().isNumeric()) {
      throw wrong("a number for \"" + name + "\"");
    }
    return json.getDoubleValue();
  }

  boolean bool(String name) throws ApiException {
    if (!json.currentToken().isBoolean()) {
      throw wrong("true or false for \"" + name + "\"");
    }
    return json.currentToken() == JsonToken.VALUE_TRUE;
  }

  boolean isNull() {
    return json.currentToken() == JsonToken.VALUE_NULL;
  }

  private void expect(JsonToken expected, String words) throws ApiException {
    if (json.currentToken() != expected) {
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
