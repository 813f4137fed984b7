package org.inferometer.remote;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.io.ProtoException;
import org.inferometer.io.ProtoReader;

/**
 * The message {@code prometheus.WriteRequest}. Source: prometheus/prometheus, {@code
 * prompb/remote.proto} and {@code prompb/types.proto}.
 */
final class WriteRequestV1 {
  private WriteRequestV1() {}

  static void read(ProtoReader request, WriteBatch into) throws ProtoException {
    while (request.next()) {
      if (request.field() == 1) {
        series(request.message(), into);
      }
    }
  }

  /** Labels may stand behind samples, so they are read first. */
  private static void series(ProtoReader series, WriteBatch into) throws ProtoException {
    ProtoReader again = series.rest();
    into.series(labels(series));
    while (again.next()) {
      switch (again.field()) {
        case 2 -> sample(again.message(), into);
        case 3 -> exemplar(again.message(), into);
        case 4 -> histogram(again.message(), into);
        default -> {}
      }
    }
  }

  /** The pairs in field 1 of a message. */
  private static List<String> labels(ProtoReader message) throws ProtoException {
    List<String> pairs = new ArrayList<>(16);
    while (message.next()) {
      if (message.field() == 1) {
        label(message.message(), pairs);
      }
    }
    return pairs;
  }

  private static void label(ProtoReader label, List<String> pairs) throws ProtoException {
    String name = "";
    String value = "";
    while (label.next()) {
      switch (label.field()) {
        case 1 -> name = label.string();
        case 2 -> value = label.string();
        default -> {}
      }
    }
    WriteBatch.collect(name, pairs);
    WriteBatch.collect(value, pairs);
  }

  /** The same in both versions. */
  static void sample(ProtoReader sample, WriteBatch into) throws ProtoException {
    double value = 0;
    long timestampMs = 0;
    while (sample.next()) {
      switch (sample.field()) {
        case 1 -> value = sample.float64();
        case 2 -> timestampMs = sample.varint();
        default -> {}
      }
    }
    into.sample(timestampMs, value);
  }

  private static void exemplar(ProtoReader exemplar, WriteBatch into) throws ProtoException {
    ProtoReader again = exemplar.rest();
    exemplar(labels(exemplar), again, into);
  }

  /**
   * The same in both versions but for the labels.
   *
   * @param exemplar from its beginning; fields of labels are passed over
   */
  static void exemplar(List<String> pairs, ProtoReader exemplar, WriteBatch into)
      throws ProtoException {
    double value = 0;
    long timestampMs = 0;
    while (exemplar.next()) {
      switch (exemplar.field()) {
        case 2 -> value = exemplar.float64();
        case 3 -> timestampMs = exemplar.varint();
        default -> {}
      }
    }
    into.exemplar(pairs, value, timestampMs);
  }

  /** The same in both versions. */
  static void histogram(ProtoReader histogram, WriteBatch into) throws ProtoException {
    HistogramProto.Timed read;
    try {
      read = HistogramProto.read(histogram);
    } catch (IllegalArgumentException e) {
      into.brokenHistogram(e.getMessage());
      return;
    }
    into.histogram(read.timestampMs(), read.histogram());
  }
}
