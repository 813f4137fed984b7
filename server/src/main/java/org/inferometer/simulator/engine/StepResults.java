package org.inferometer.simulator.engine;

import java.util.Arrays;
import org.inferometer.simulator.request.Request;
import org.jspecify.annotations.Nullable;

/** The outputs of a step, in columns that are used again and again. */
final class StepResults implements StepOutputs {
  private @Nullable Request[] requests = new Request[64];
  private int[] tokens = new int[64];
  private boolean[] last = new boolean[64];
  private int count;

  void clear() {
    Arrays.fill(requests, 0, count, null);
    count = 0;
  }

  void add(Request request, int newTokens, boolean isLast) {
    if (count == requests.length) {
      requests = Arrays.copyOf(requests, count * 2);
      tokens = Arrays.copyOf(tokens, count * 2);
      last = Arrays.copyOf(last, count * 2);
    }
    requests[count] = request;
    tokens[count] = newTokens;
    last[count++] = isLast;
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public Request request(int index) {
    Request request = requests[index];
    if (request == null) {
      throw new IndexOutOfBoundsException(index);
    }
    return request;
  }

  @Override
  public int tokens(int index) {
    return tokens[index];
  }

  @Override
  public boolean isLast(int index) {
    return last[index];
  }
}
