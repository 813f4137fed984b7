package org.inferometer.api;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import org.inferometer.histogram.NativeHistogram;
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
    NativeHistogram histogram = element.histogram();
    if (histogram == null) {
      json.writeFieldName("value");
      point(json, element.timestampMs(), FloatFormat.sample(element.value()));
    } else {
      json.writeFieldName("histogram");
      HistogramJson.point(json, element.timestampMs(), histogram);
    }
    json.writeEndObject();
  }

  private static void series(JsonGenerator json, QueryValue.MatrixSeries series)
      throws IOException {
    json.writeStartObject();
    json.writeFieldName("metric");
    labels(json, series.labels());
    if (series.histograms() == null) {
      json.writeArrayFieldStart("values");
      for (int i = 0; i < series.timestampsMs().length; i++) {
        point(json, series.timestampsMs()[i], FloatFormat.sample(series.values()[i]));
      }
      json.writeEndArray();
    } else {
      mixed(json, series);
    }
    json.writeEndObject();
  }

  /** Floats and histograms apart; what there is none of is left out. */
  private static void mixed(JsonGenerator json, QueryValue.MatrixSeries series) throws IOException {
    boolean open = false;
    for (int i = 0; i < series.timestampsMs().length; i++) {
      if (series.histogram(i) == null) {
        open = opened(json, "values", open);
        point(json, series.timestampsMs()[i], FloatFormat.sample(series.values()[i]));
      }
    }
    close(json, open);
    open = false;
    for (int i = 0; i < series.timestampsMs().length; i++) {
      NativeHistogram histogram = series.histogram(i);
      if (histogram != null) {
        open = opened(json, "histograms", open);
        HistogramJson.point(json, series.timestampsMs()[i], histogram);
      }
    }
    close(json, open);
  }

  private static boolean opened(JsonGenerator json, String name, boolean isOpen)
      throws IOException {
    if (!isOpen) {
      json.writeArrayFieldStart(name);
    }
    return true;
  }

  private static void close(JsonGenerator json, boolean isOpen) throws IOException {
    if (isOpen) {
      json.writeEndArray();
    }
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

  static void texts(JsonGenerator json, String name, List<String> texts) throws IOException {
    json.writeArrayFieldStart(name);
    for (String text : texts) {
      json.writeString(text);
    }
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
