package org.inferometer.exposition;

import org.inferometer.io.ProtoException;
import org.inferometer.io.ProtoReader;
import org.inferometer.model.Labels;

/** Reads the label pairs of protobuf messages. Reused. Not thread-safe. */
final class MessageLabels {
  private final ProtoReader text = new ProtoReader(new byte[0]);
  private int nameStart;
  private int nameEnd;
  private int valueStart;
  private int valueEnd;

  /** Adds the label that a pair is; one without a value has an empty one. */
  void add(byte[] body, ProtoReader pair, LabelSpans into) throws ProtoException {
    int start = pair.position();
    read(pair);
    if (nameStart == nameEnd) {
      throw new ProtoException(start, "a label name");
    }
    requireUtf8(body, nameStart, nameEnd);
    requireUtf8(body, valueStart, valueEnd);
    if (!into.add(body, nameStart, nameEnd, valueStart, valueEnd)) {
      throw new ProtoException(start, "at most " + LabelSpans.MAX_LABELS + " labels");
    }
  }

  private void read(ProtoReader pair) throws ProtoException {
    nameStart = pair.position();
    nameEnd = nameStart;
    valueStart = nameStart;
    valueEnd = nameStart;
    while (pair.next()) {
      switch (pair.field()) {
        case 1 -> {
          pair.message(text);
          nameStart = text.position();
          nameEnd = text.end();
        }
        case 2 -> {
          pair.message(text);
          valueStart = text.position();
          valueEnd = text.end();
        }
        default -> {}
      }
    }
  }

  /** Each name once, and none that is kept for the metric's. */
  static void requireNames(byte[] body, LabelSpans labels) throws ProtoException {
    int repeated = labels.repeated(body);
    if (repeated >= 0) {
      throw new ProtoException(labels.nameStart(repeated), "each label name once");
    }
    if (labels.hasPlain(body, Labels.NAME)) {
      throw new ProtoException(labels.nameStart(0), "no label " + Labels.NAME);
    }
  }

  static void requireUtf8(byte[] body, int from, int to) throws ProtoException {
    int invalid = Utf8.firstInvalid(body, from, to);
    if (invalid >= 0) {
      throw new ProtoException(invalid, "text in UTF-8");
    }
  }
}
