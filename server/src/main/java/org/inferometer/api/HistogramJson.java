package org.inferometer.api;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import org.inferometer.histogram.Bucket;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.model.FloatFormat;

/** Native histograms as JSON, as Prometheus writes them: the buckets that count anything. */
final class HistogramJson {
  private HistogramJson() {}

  /** Writes {@code [time, {"count":..,"sum":..,"buckets":[..]}]}. */
  static void point(JsonGenerator json, long timestampMs, NativeHistogram histogram)
      throws IOException {
    json.writeStartArray();
    QueryJson.time(json, timestampMs);
    write(json, histogram);
    json.writeEndArray();
  }

  private static void write(JsonGenerator json, NativeHistogram histogram) throws IOException {
    json.writeStartObject();
    json.writeStringField("count", FloatFormat.sample(histogram.count()));
    json.writeStringField("sum", FloatFormat.sample(histogram.sum()));
    boolean any = false;
    for (Bucket bucket : histogram.buckets()) {
      if (bucket.count() != 0) {
        if (!any) {
          json.writeArrayFieldStart("buckets");
          any = true;
        }
        bucket(json, bucket);
      }
    }
    if (any) {
      json.writeEndArray();
    }
    json.writeEndObject();
  }

  private static void bucket(JsonGenerator json, Bucket bucket) throws IOException {
    json.writeStartArray();
    json.writeNumber(rule(bucket));
    json.writeString(FloatFormat.sample(bucket.lower()));
    json.writeString(FloatFormat.sample(bucket.upper()));
    json.writeString(FloatFormat.sample(bucket.count()));
    json.writeEndArray();
  }

  /** Which bounds belong to the bucket: 0 the upper, 1 the lower, 2 none, 3 both. */
  private static int rule(Bucket bucket) {
    if (bucket.lowerInclusive()) {
      return bucket.upperInclusive() ? 3 : 1;
    }
    return bucket.upperInclusive() ? 0 : 2;
  }
}
