package org.inferometer.simulator.edge;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.simulator.event.Dice;
import org.inferometer.simulator.request.Prompt;

/**
 * What a prefix-aware router remembers: which upstream was sent which beginnings of prompts, by
 * chunks whose hashes are chained. It guesses at the caches and doesn't ask them.
 */
final class PrefixIndex {
  /** Tokens of a chunk: four KV blocks of 16; finer costs more and tells little more. */
  private static final int CHUNK = 64;

  /** Chunks of a prompt that count: what lies behind 32k tokens is seldom shared alone. */
  private static final int CHUNKS_MAX = 512;

  /** Chunks remembered of each upstream, the latest: two million tokens. */
  private static final int REMEMBERED = 32_768;

  private final Map<String, Map<Long, Boolean>> known = new HashMap<>();

  /** The chained hashes of a prompt's whole chunks. */
  static List<Long> chunks(Prompt prompt) {
    int count = Math.min(prompt.length() / CHUNK, CHUNKS_MAX);
    List<Long> chunks = new ArrayList<>(count);
    long chain = 0;
    for (int i = 0; i < count; i++) {
      chain = Dice.mix(chain ^ prompt.contentKey(i * CHUNK, (i + 1) * CHUNK)) + 1;
      chunks.add(chain);
    }
    return chunks;
  }

  /** How many chunks from the beginning the upstream has seen. */
  int matched(String upstream, List<Long> chunks) {
    Map<Long, Boolean> seen = known.get(upstream);
    int matched = 0;
    while (seen != null && matched < chunks.size() && seen.containsKey(chunks.get(matched))) {
      matched++;
    }
    return matched;
  }

  void remember(String upstream, List<Long> chunks) {
    Map<Long, Boolean> seen = known.computeIfAbsent(upstream, name -> latest());
    for (int i = chunks.size() - 1; i >= 0; i--) {
      seen.put(chunks.get(i), true);
    }
  }

  /** Its cache is empty: it started again. */
  void forget(String upstream) {
    known.remove(upstream);
  }

  private static Map<Long, Boolean> latest() {
    return new LinkedHashMap<>(64, 0.75f, true) {
      @Override
      protected boolean removeEldestEntry(Map.Entry<Long, Boolean> eldest) {
        return size() > REMEMBERED;
      }
    };
  }
}
