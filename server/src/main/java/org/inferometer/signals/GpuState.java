package org.inferometer.signals;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a GPU does, by the decision matrix.
 *
 * @param id of the state, {@code cannot-tell} if none can be told
 * @param name in plain words
 * @param says what it means and what can't be told, in sentences
 * @param next what to look at, null if nothing can be told
 * @param inputs names of the signals that decided it
 */
public record GpuState(
    String id, String name, String says, @Nullable String next, List<String> inputs) {
  public GpuState {
    inputs = List.copyOf(inputs);
  }
}
