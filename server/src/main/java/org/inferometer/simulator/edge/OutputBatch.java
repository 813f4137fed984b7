package org.inferometer.simulator.edge;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The outputs of one step that belong to one process. */
final class OutputBatch {
  private @Nullable ServedRequest[] requests = new ServedRequest[16];
  private int[] tokens = new int[16];
  private boolean[] last = new boolean[16];
  private int size;
  private int chunks;
  private int allTokens;

  void add(ServedRequest request, int count, boolean isLast) {
    if (size == tokens.length) {
      requests = Arrays.copyOf(requests, size * 2);
      tokens = Arrays.copyOf(tokens, size * 2);
      last = Arrays.copyOf(last, size * 2);
    }
    requests[size] = request;
    tokens[size] = count;
    last[size++] = isLast;
    allTokens += count;
    if (request.request.ask.streams()) {
      chunks++;
    }
  }

  void clear() {
    Arrays.fill(requests, 0, size, null);
    size = 0;
    chunks = 0;
    allTokens = 0;
  }

  int size() {
    return size;
  }

  /** Outputs of streams. */
  int chunks() {
    return chunks;
  }

  int allTokens() {
    return allTokens;
  }

  ServedRequest request(int index) {
    ServedRequest request = requests[index];
    if (request == null) {
      throw new IllegalStateException("no output " + index);
    }
    return request;
  }

  int tokens(int index) {
    return tokens[index];
  }

  boolean isLast(int index) {
    return last[index];
  }
}
