package org.inferometer.exposition;

import org.inferometer.io.ProtoException;
import org.inferometer.io.ProtoReader;
import org.inferometer.model.Labels;
import org.inferometer.model.StalenessMarker;

/** The exemplar of a sample in protobuf, or that there is none. Reused. Not thread-safe. */
final class MessageExemplar {
  /** Further in time than anybody measures, and far from overflow in milliseconds. */
  private static final long SECONDS_MAX = 1L << 50;

  private final ProtoReader part = new ProtoReader(new byte[0]);
  private final MessageLabels pairs = new MessageLabels();
  private final LabelSpans labels = new LabelSpans(false);
  private byte[] body = {};
  private boolean present;
  private double value;
  private boolean hasTimestamp;
  private long timestampMs;

  void clear() {
    present = false;
    hasTimestamp = false;
  }

  void read(byte[] newBody, ProtoReader message) throws ProtoException {
    body = newBody;
    labels.clear();
    value = 0;
    hasTimestamp = false;
    while (message.next()) {
      switch (message.field()) {
        case 1 -> {
          message.message(part);
          pairs.add(body, part, labels);
        }
        case 2 -> value = message.float64();
        case 3 -> {
          message.message(part);
          timestamp(part);
        }
        default -> {}
      }
    }
    present = true;
  }

  private void timestamp(ProtoReader message) throws ProtoException {
    int start = message.position();
    long seconds = 0;
    long nanos = 0;
    while (message.next()) {
      switch (message.field()) {
        case 1 -> seconds = message.varint();
        case 2 -> nanos = message.varint32();
        default -> {}
      }
    }
    if (Math.abs(seconds) > SECONDS_MAX) {
      throw new ProtoException(start, "a point in time, got second " + seconds);
    }
    hasTimestamp = true;
    timestampMs = seconds * 1000 + nanos / 1_000_000;
  }

  boolean isPresent() {
    return present;
  }

  Labels labels() {
    need();
    return labels.toLabels(body);
  }

  int length() {
    need();
    return labels.characters(body);
  }

  double value() {
    need();
    return Double.isNaN(value) ? StalenessMarker.NORMAL_NAN : value;
  }

  boolean hasTimestamp() {
    return present && hasTimestamp;
  }

  long timestampMs() {
    need();
    return timestampMs;
  }

  private void need() {
    if (!present) {
      throw new IllegalStateException("no exemplar");
    }
  }
}
