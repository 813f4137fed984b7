package org.inferometer.api;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import org.inferometer.model.FloatFormat;
import org.inferometer.model.Labels;
import org.inferometer.query.QueryValue;

/** Query values as JSON, byte for byte as Prometheus writes them. */
final class QueryJson {
  private QueryJson() {}

  /** Writes {@code {"resultType":..,"result":..}}. */
  static void write(JsonGenerator json, QueryValue value) throws IOException {
    json.writeStartObject();
    writeFields(json, value);
    json.writeEndObject();
  }

  /** The same without the braces. */
  static void writeFields(JsonGenerator json, QueryValue value) throws IOException {
    switch (value) {
      case QueryValue.Scalar scalar -> {
        json.writeStringField("resultType", "scalar");
        json.writeFieldName("result");
        point(json, scalar.timestampMs(), FloatFormat.sample(scalar.value()));
      }
      case QueryValue.Text text -> {
        json.writeStringField("resultType", "string");
        json.writeFieldName("result");
        point(json, text.timestampMs(), text.value());
      }
      case QueryValue.Vector vector -> {
        json.writeStringField("resultType", "vector");
        json.writeArrayFieldStart("result");
        for (QueryValue.Element element : vector.elements()) {
          element(json, element);
        }
        json.writeEndArray();
      }
      case QueryValue.Matrix matrix -> {
        json.writeStringField("resultType", "matrix");
        json.writeArrayFieldStart("result");
        for (QueryValue.MatrixSeries series : matrix.series()) {
          series(json, series);
        }
        json.writeEndArray();
      }
    }
  }

  private static void element(JsonGenerator json, QueryValue.Element element) throws IOException {
    json.writeStartObject();
    json.writeFieldName("metric");
    labels(json, element.labels());
    json.writeFieldName("value");
    point(json, element.timestampMs(), FloatFormat.sample(element.value()));
    json.writeEndObject();
  }

  private static void series(JsonGenerator json, QueryValue.MatrixSeries series)
      throws IOException {
    json.writeStartObject();
    json.writeFieldName("metric");
    labels(json, series.labels());
    json.writeArrayFieldStart("values");
    for (int i = 0; i < series.timestampsMs().length; i++) {
      point(json, series.timestampsMs()[i], FloatFormat.sample(series.values()[i]));
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  static void labels(JsonGenerator json, Labels labels) throws IOException {
    json.writeStartObject();
    for (int i = 0; i < labels.size(); i++) {
      json.writeStringField(labels.name(i), labels.value(i));
    }
    json.writeEndObject();
  }

  private static void point(JsonGenerator json, long timestampMs, String value) throws IOException {
    json.writeStartArray();
    time(json, timestampMs);
    json.writeString(value);
    json.writeEndArray();
  }

  /** Seconds: whole, or with three decimals. */
  static void time(JsonGenerator json, long timestampMs) throws IOException {
    json.writeNumber(seconds(timestampMs));
  }

  static String seconds(long timestampMs) {
    long whole = timestampMs / 1000;
    long millis = Math.abs(timestampMs % 1000);
    if (millis == 0) {
      return Long.toString(whole);
    }
    StringBuilder text = new StringBuilder(20);
    if (timestampMs < 0 && whole == 0) {
      text.append('-');
    }
    text.append(whole).append('.');
    if (millis < 100) {
      text.append(millis < 10 ? "00" : "0");
    }
    return text.append(millis).toString();
  }
}
