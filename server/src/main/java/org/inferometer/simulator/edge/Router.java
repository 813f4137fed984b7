package org.inferometer.simulator.edge;

import java.util.List;
import org.inferometer.simulator.event.Dice;
import org.inferometer.simulator.request.Request;
import org.inferometer.simulator.scenario.Scenario.Routing;

/** Chooses upstreams by a rule. */
final class Router {
  /**
   * The prefix rule's guards. It follows the prefix if this share of the prompt is known somewhere;
   * but if the most loaded upstream has so many requests more than the least loaded, and so many
   * times as many, the least loaded gets it. Source: defaults of SGLang's model gateway
   * (lightseekorg/smg, docs/getting-started/load-balancing.md).
   */
  private static final double MATCH_MIN = 0.3;

  private static final int IMBALANCE_MIN = 64;
  private static final double IMBALANCE_RATIO = 1.5;

  /** Tokens by which a request without a session is known again. */
  private static final int STICKY_TOKENS = 256;

  private final Dice chances;
  private final PrefixIndex prefixes = new PrefixIndex();
  private Routing routing;
  private long turn;

  Router(Routing routing, Dice dice) {
    this.routing = routing;
    this.chances = dice.stream("routing");
  }

  void follow(Routing rule) {
    routing = rule;
  }

  /** Its caches are empty. */
  void forget(String upstream) {
    prefixes.forget(upstream);
  }

  /**
   * @param candidates one at least, in their order
   */
  Upstream choose(List<Upstream> candidates, Request request) {
    return switch (routing) {
      case ROUND_ROBIN -> candidates.get((int) (turn++ % candidates.size()));
      case RANDOM -> candidates.get(chances.nextInt(candidates.size()));
      case LEAST_REQUESTS -> leastLoaded(candidates);
      case PREFIX -> byPrefix(candidates, request);
      case STICKY -> sticky(candidates, key(request));
    };
  }

  /** Among equals they take turns. */
  private Upstream leastLoaded(List<Upstream> candidates) {
    int count = candidates.size();
    int first = (int) (turn++ % count);
    Upstream best = candidates.get(first);
    for (int i = 1; i < count; i++) {
      Upstream one = candidates.get((first + i) % count);
      if (one.load() < best.load()) {
        best = one;
      }
    }
    return best;
  }

  private Upstream byPrefix(List<Upstream> candidates, Request request) {
    List<Long> chunks = PrefixIndex.chunks(request.ask.prompt());
    Upstream chosen = longestMatch(candidates, chunks);
    prefixes.remember(chosen.name, chunks);
    return chosen;
  }

  private Upstream longestMatch(List<Upstream> candidates, List<Long> chunks) {
    Upstream best = leastLoaded(candidates);
    if (isUneven(candidates)) {
      return best;
    }
    int longest = 0;
    for (Upstream one : candidates) {
      int matched = prefixes.matched(one.name, chunks);
      if (matched > longest || (matched == longest && matched > 0 && one.load() < best.load())) {
        longest = matched;
        best = one;
      }
    }
    return longest >= MATCH_MIN * chunks.size() ? best : leastLoaded(candidates);
  }

  private static boolean isUneven(List<Upstream> candidates) {
    int least = Integer.MAX_VALUE;
    int most = 0;
    for (Upstream one : candidates) {
      least = Math.min(least, one.load());
      most = Math.max(most, one.load());
    }
    return most - least > IMBALANCE_MIN && most > IMBALANCE_RATIO * least;
  }

  private static long key(Request request) {
    int tokens = Math.min(STICKY_TOKENS, request.promptTokens());
    return request.session != 0 ? request.session : request.ask.prompt().contentKey(0, tokens);
  }

  /**
   * Each key ranks all upstreams and takes the first one, so that others keep theirs when one goes.
   * Source: Thaler, Ravishankar: Using name-based mappings to increase hit rates (1998).
   */
  private static Upstream sticky(List<Upstream> candidates, long key) {
    Upstream best = candidates.getFirst();
    long highest = Long.MIN_VALUE;
    for (Upstream one : candidates) {
      long rank = Dice.of(key).stream(one.name).nextLong();
      if (rank > highest) {
        highest = rank;
        best = one;
      }
    }
    return best;
  }
}
