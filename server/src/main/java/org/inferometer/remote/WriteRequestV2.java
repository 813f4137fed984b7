package org.inferometer.remote;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.io.ProtoException;
import org.inferometer.io.ProtoReader;

/**
 * The message {@code io.prometheus.write.v2.Request}, in which each text stands once and labels
 * refer to it. Source: prometheus/prometheus, {@code prompb/io/prometheus/write/v2/types.proto}.
 */
final class WriteRequestV2 {
  /** Texts of one request; a sender's requests have some thousand samples. */
  private static final int SYMBOLS_MAX = 1_000_000;

  private final List<String> symbols;
  private final WriteBatch into;

  private WriteRequestV2(List<String> symbols, WriteBatch into) {
    this.symbols = symbols;
    this.into = into;
  }

  static void read(ProtoReader request, WriteBatch into) throws ProtoException {
    ProtoReader again = request.rest();
    WriteRequestV2 reader = new WriteRequestV2(symbols(request), into);
    while (again.next()) {
      if (again.field() == 5) {
        reader.series(again.message());
      }
    }
  }

  private static List<String> symbols(ProtoReader request) throws ProtoException {
    List<String> symbols = new ArrayList<>();
    while (request.next()) {
      if (request.field() == 4) {
        if (symbols.size() == SYMBOLS_MAX) {
          throw new ProtoException(request.position(), SYMBOLS_MAX + " symbols at most");
        }
        symbols.add(request.string());
      }
    }
    if (!symbols.isEmpty() && !symbols.getFirst().isEmpty()) {
      throw new ProtoException(0, "an empty text as the first symbol");
    }
    return symbols;
  }

  private void series(ProtoReader series) throws ProtoException {
    ProtoReader again = series.rest();
    into.series(labels(series));
    while (again.next()) {
      switch (again.field()) {
        case 2 -> WriteRequestV1.sample(again.message(), into);
        case 3 -> WriteRequestV1.histogram(again.message(), into);
        case 4 -> exemplar(again.message());
        default -> {}
      }
    }
  }

  /** The pairs that field 1 of a message refers to. */
  private List<String> labels(ProtoReader message) throws ProtoException {
    List<String> pairs = new ArrayList<>(16);
    while (message.next()) {
      if (message.field() == 1) {
        references(message, pairs);
      }
    }
    if (pairs.size() % 2 != 0) {
      throw new ProtoException(message.position(), "references in pairs, got " + pairs.size());
    }
    return pairs;
  }

  private void references(ProtoReader message, List<String> pairs) throws ProtoException {
    int position = message.position();
    boolean[] isBeyond = new boolean[1];
    message.varints(
        reference -> {
          if (reference >= 0 && reference < symbols.size()) {
            WriteBatch.collect(symbols.get((int) reference), pairs);
          } else {
            isBeyond[0] = true;
          }
        });
    if (isBeyond[0]) {
      throw new ProtoException(position, "references below " + symbols.size());
    }
  }

  private void exemplar(ProtoReader exemplar) throws ProtoException {
    ProtoReader again = exemplar.rest();
    WriteRequestV1.exemplar(labels(exemplar), again, into);
  }
}
