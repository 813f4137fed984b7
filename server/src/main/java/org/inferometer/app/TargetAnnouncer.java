package org.inferometer.app;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.inferometer.api.TargetRoutes;
import org.inferometer.model.Labels;
import org.inferometer.scrape.TargetHealth;
import org.inferometer.scrape.TargetView;
import org.jspecify.annotations.Nullable;

/**
 * Tells whoever started the server how each target fares: once when its first result is there, then
 * when that changes. Thread-safe.
 */
final class TargetAnnouncer {
  /** Finds out what a target is. */
  @FunctionalInterface
  interface Titles {
    @Nullable String of(String instance, String job);
  }

  /** What identifies a target. */
  private record Key(String pool, Labels labels) {}

  private final Console console;
  private final Titles titles;
  private final Map<Key, String> told = new ConcurrentHashMap<>();

  TargetAnnouncer(Console console, Titles titles) {
    this.console = console;
    this.titles = titles;
  }

  /** Called on the scrape's thread, which isn't kept: recognising a target takes a few queries. */
  void onScrape(TargetView target) {
    // While it is down, the reason may change from scrape to scrape between two that mean the same.
    String state = target.health() == TargetHealth.UP ? "up" : "down";
    String before = told.put(new Key(target.scrapePool(), target.labels()), state);
    if (!state.equals(before)) {
      Thread.ofVirtual().name("announce").start(() -> tell(target));
    }
  }

  private void tell(TargetView target) {
    String sentence = TargetRoutes.sentence(target);
    if (target.health() != TargetHealth.UP) {
      console.say("down  " + target.scrapeUrl() + "  " + sentence);
      return;
    }
    String title = titles.of(target.labels().get("instance"), target.labels().get("job"));
    console.say(
        "up    " + target.scrapeUrl() + "  " + (title == null ? "" : title + ". ") + sentence);
  }
}
