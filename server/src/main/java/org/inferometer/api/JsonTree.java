package org.inferometer.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * JSON as plain values: {@code Map<String, Object>}, {@code List<Object>}, {@code String}, {@code
 * BigDecimal}, {@code Boolean} and {@link Null}. For small documents of any shape, whose depth is
 * limited.
 */
final class JsonTree {
  /** JSON's null. */
  enum Null {
    NULL
  }

  /** Questions have three or four levels. */
  static final int DEPTH_MAX = 32;

  private static final int NUMBER_LENGTH_MAX = 40;

  /** Beyond it a number is written with an exponent, and so it is taken. */
  private static final int SCALE_MAX = 400;

  private static final JsonFactory STRICT =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(DEPTH_MAX)
                  .maxNumberLength(NUMBER_LENGTH_MAX)
                  .build())
          .build();

  private JsonTree() {}

  /**
   * Reads one document.
   *
   * @throws IOException saying what is wrong with it
   */
  static Object read(byte[] bytes) throws IOException {
    try (JsonParser json = STRICT.createParser(bytes)) {
      if (json.nextToken() == null) {
        throw new IOException("expected JSON, found nothing");
      }
      Object value = value(json);
      if (json.nextToken() != null) {
        throw new IOException("expected the end behind the first value");
      }
      return value;
    } catch (JsonProcessingException e) {
      throw new IOException(e.getOriginalMessage(), e);
    }
  }

  private static Object value(JsonParser json) throws IOException {
    JsonToken token = json.currentToken();
    return switch (token) {
      case START_OBJECT -> object(json);
      case START_ARRAY -> list(json);
      case VALUE_STRING -> json.getText();
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(json);
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> Null.NULL;
      default -> throw new IOException("expected a value, found " + token);
    };
  }

  private static BigDecimal number(JsonParser json) throws IOException {
    BigDecimal number = json.getDecimalValue();
    if (Math.abs((long) number.scale()) > SCALE_MAX) {
      throw new IOException("expected a number of usual size");
    }
    return number;
  }

  private static Map<String, Object> object(JsonParser json) throws IOException {
    Map<String, Object> object = new LinkedHashMap<>();
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      json.nextToken();
      object.put(name, value(json));
    }
    return Collections.unmodifiableMap(object);
  }

  private static List<Object> list(JsonParser json) throws IOException {
    List<Object> list = new ArrayList<>();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      list.add(value(json));
    }
    return Collections.unmodifiableList(list);
  }

  static void write(JsonGenerator json, Object value) throws IOException {
    switch (value) {
      case Map<?, ?> object -> {
        json.writeStartObject();
        for (Map.Entry<?, ?> entry : object.entrySet()) {
          json.writeFieldName((String) entry.getKey());
          write(json, entry.getValue());
        }
        json.writeEndObject();
      }
      case List<?> list -> {
        json.writeStartArray();
        for (Object element : list) {
          write(json, element);
        }
        json.writeEndArray();
      }
      case String text -> json.writeString(text);
      case BigDecimal number -> json.writeNumber(number);
      case Boolean bool -> json.writeBoolean(bool);
      default -> json.writeNull();
    }
  }
}
