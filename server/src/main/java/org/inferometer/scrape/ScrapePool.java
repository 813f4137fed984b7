package org.inferometer.scrape;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.inferometer.config.ScrapeConfig;
import org.jspecify.annotations.Nullable;

/** The loops of one job. Not thread-safe: the manager has the lock. */
final class ScrapePool {
  private final ScrapeContext context;
  private final Consumer<ScrapeLoop> retiring;
  private final Map<Target.Key, ScrapeLoop> loops = new LinkedHashMap<>();
  private final Map<Target.Key, Target> targets = new LinkedHashMap<>();
  private List<DroppedTarget> dropped = List.of();

  /**
   * @param retiring hears of loops that are retired
   */
  ScrapePool(ScrapeContext context, Consumer<ScrapeLoop> retiring) {
    this.retiring = retiring;
    this.context = context;
  }

  /** Brings the loops in line with a configuration; targets that stay the same run on. */
  void apply(ScrapeConfig config, Target.Found found) {
    dropped = dropped(config, found);
    Map<Target.Key, Target> wanted = new LinkedHashMap<>();
    found.targets().forEach(target -> wanted.put(target.key(), target));
    targets.keySet().removeIf(key -> !wanted.containsKey(key));
    loops.entrySet().removeIf(entry -> retired(entry.getKey(), entry.getValue(), wanted));
    ScrapeException tooMany = tooMany(config, wanted.size());
    wanted.forEach((key, target) -> run(key, target, tooMany));
  }

  private boolean retired(Target.Key key, ScrapeLoop loop, Map<Target.Key, Target> wanted) {
    boolean gone = !wanted.containsKey(key);
    if (gone) {
      retire(loop);
    }
    return gone;
  }

  private void run(Target.Key key, Target target, @Nullable ScrapeException tooMany) {
    ScrapeLoop loop = loops.get(key);
    Target before = targets.put(key, target);
    if (loop != null) {
      loop.force(tooMany);
      if (!target.equals(before)) {
        loop.adopt(target);
      }
      return;
    }
    ScrapeLoop added = new ScrapeLoop(context, target);
    added.force(tooMany);
    loops.put(key, added);
    added.start();
  }

  private static @Nullable ScrapeException tooMany(ScrapeConfig config, int count) {
    long limit = config.limits().target();
    return limit == 0 || count <= limit
        ? null
        : new ScrapeException(
            FailureReason.TARGET_LIMIT,
            "target_limit exceeded (number of targets: " + count + ", limit: " + limit + ")",
            "The job "
                + config.poolName()
                + " has "
                + count
                + " targets, more than its target_limit of "
                + limit
                + ": none of them is scraped.");
  }

  private static List<DroppedTarget> dropped(ScrapeConfig config, Target.Found found) {
    long limit = config.limits().keepDroppedTargets();
    List<DroppedTarget> kept = new ArrayList<>();
    for (Target.Dropped target : found.dropped()) {
      if (limit == 0 || kept.size() < limit) {
        kept.add(new DroppedTarget(target.discovered(), config.poolName(), target.reason()));
      }
    }
    return kept;
  }

  void retire() {
    loops.values().forEach(this::retire);
  }

  private void retire(ScrapeLoop loop) {
    loop.retire();
    retiring.accept(loop);
  }

  void shutDown() {
    loops.values().forEach(ScrapeLoop::shutDown);
  }

  Iterable<Target> targets() {
    return List.copyOf(targets.values());
  }

  Iterable<ScrapeLoop> loops() {
    return List.copyOf(loops.values());
  }

  List<DroppedTarget> dropped() {
    return dropped;
  }
}
