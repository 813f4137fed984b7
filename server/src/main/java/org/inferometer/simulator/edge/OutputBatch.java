package org.inferometer.simulator.edge;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The outputs of a step that belong to one process; of several steps, if it didn't get round to
 * them before: then a request's tokens of all of them are one chunk.
 */
final class OutputBatch {
  private @Nullable ServedRequest[] requests = new ServedRequest[16];
  private int[] tokens = new int[16];
  private boolean[] last = new boolean[16];
  private int size;
  private int chunks;
  private int allTokens;
  private int steps;

  void addStep() {
    steps++;
  }

  void add(ServedRequest request, int count, boolean isLast) {
    allTokens += count;
    if (request.batch == this) {
      tokens[request.place] += count;
      last[request.place] |= isLast;
      return;
    }
    request.batch = this;
    request.place = size;
    if (size == tokens.length) {
      requests = Arrays.copyOf(requests, size * 2);
      tokens = Arrays.copyOf(tokens, size * 2);
      last = Arrays.copyOf(last, size * 2);
    }
    requests[size] = request;
    tokens[size] = count;
    last[size++] = isLast;
    if (request.request.ask.streams()) {
      chunks++;
    }
  }

  /** Nothing joins it any more. */
  void close() {
    for (int i = 0; i < size; i++) {
      request(i).batch = null;
    }
  }

  void clear() {
    Arrays.fill(requests, 0, size, null);
    size = 0;
    chunks = 0;
    allTokens = 0;
    steps = 0;
  }

  int steps() {
    return steps;
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
