package org.inferometer.simulator.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The LoRA adapters of an engine: how many a step may use, and which are loaded. One that isn't
 * takes the slot of the one that wasn't used for longest. Adapters are numbered as they are first
 * seen. Not thread-safe.
 */
final class AdapterSlots {
  private static final int EMPTY = -1;

  private final int slots;
  private final int[] loaded;
  private final long[] usedAt;
  private final Map<String, Integer> numbers = new LinkedHashMap<>();
  private final List<String> names = new ArrayList<>();

  /** For each adapter, the last step that used it. */
  private long[] steps = new long[16];

  private int[] running = new int[16];
  private int[] requests = new int[16];
  private long step;
  private int inStep;
  private boolean changed;

  AdapterSlots(EngineConfig.@Nullable Adapters adapters) {
    slots = adapters == null ? 0 : adapters.slots();
    loaded = new int[slots];
    usedAt = new long[slots];
    Arrays.fill(loaded, EMPTY);
  }

  /** The number of an adapter. */
  int number(@Nullable String name) {
    if (name == null) {
      return Sequence.NO_ADAPTER;
    }
    if (slots == 0) {
      throw new IllegalArgumentException("expected no adapter at an engine without them: " + name);
    }
    return numbers.computeIfAbsent(name, this::addName);
  }

  int count() {
    return names.size();
  }

  String name(int adapter) {
    return names.get(adapter);
  }

  /** Requests in the engine that want it, those that run included. */
  int requests(int adapter) {
    return requests[adapter];
  }

  int running(int adapter) {
    return running[adapter];
  }

  void countRequests(int adapter, int more) {
    if (adapter != Sequence.NO_ADAPTER) {
      requests[adapter] += more;
      changed = true;
    }
  }

  void countRunning(int adapter, int more) {
    if (adapter != Sequence.NO_ADAPTER) {
      running[adapter] += more;
      changed = true;
    }
  }

  /** Whether the counts have changed since this was last asked. */
  boolean changed() {
    boolean was = changed;
    changed = false;
    return was;
  }

  void beginStep() {
    step++;
    inStep = 0;
  }

  /** Whether the step that is being planned has a slot for it. */
  boolean fits(int adapter) {
    return adapter == Sequence.NO_ADAPTER || steps[adapter] == step || inStep < slots;
  }

  void use(int adapter) {
    if (adapter != Sequence.NO_ADAPTER && steps[adapter] != step) {
      steps[adapter] = step;
      inStep++;
    }
  }

  /** Different adapters in the planned step. */
  int inStep() {
    return inStep;
  }

  /**
   * Loads what the planned step needs and isn't there.
   *
   * @return how many
   */
  int load() {
    int loads = 0;
    if (inStep > 0) {
      for (int adapter = 0; adapter < names.size(); adapter++) {
        if (steps[adapter] == step && touch(adapter)) {
          loads++;
        }
      }
    }
    return loads;
  }

  /** Whether it had to be loaded. */
  private boolean touch(int adapter) {
    int slot = slotOf(adapter);
    boolean missing = slot < 0;
    if (missing) {
      slot = oldest();
      loaded[slot] = adapter;
    }
    usedAt[slot] = step;
    return missing;
  }

  private int slotOf(int adapter) {
    for (int i = 0; i < slots; i++) {
      if (loaded[i] == adapter) {
        return i;
      }
    }
    return -1;
  }

  /** Not one that this step uses too, though it comes later in the order. */
  private int oldest() {
    int oldest = -1;
    for (int i = 0; i < slots; i++) {
      boolean wanted = loaded[i] != EMPTY && steps[loaded[i]] == step;
      if (!wanted && (oldest < 0 || usedAt[i] < usedAt[oldest])) {
        oldest = i;
      }
    }
    return oldest;
  }

  private Integer addName(String name) {
    int number = names.size();
    names.add(name);
    if (number == running.length) {
      steps = Arrays.copyOf(steps, number * 2);
      running = Arrays.copyOf(running, number * 2);
      requests = Arrays.copyOf(requests, number * 2);
    }
    return number;
  }
}
