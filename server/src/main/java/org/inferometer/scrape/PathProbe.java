package org.inferometer.scrape;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.time.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * Tries the paths at which a target may have its metrics, and remembers the one that worked. Not
 * thread-safe.
 */
final class PathProbe {
  /** What is done with a page; it throws if the page isn't metrics. */
  @FunctionalInterface
  interface PageUse {
    void take(Fetcher.Page page) throws ScrapeException;
  }

  private final Ticker ticker;
  private @Nullable String worked;
  private @Nullable TargetUrl last;

  PathProbe(Ticker ticker) {
    this.ticker = ticker;
  }

  /** Where the target was asked last, or will be asked first. */
  TargetUrl lastUrl(Target target) {
    TargetUrl url = last;
    return url == null ? target.url() : url;
  }

  /**
   * Gets a page from the path that worked last. If that is none, or there are no metrics at it any
   * more, from the first path at which there are.
   *
   * @throws ScrapeException the most telling failure: that of the first path
   */
  void fetch(Target target, Fetcher.Client client, PageUse use)
      throws ScrapeException, InterruptedException {
    List<String> paths = paths(target);
    if (paths.isEmpty()) {
      last = target.url();
      use.take(client.fetch(target.url(), target.timeoutMs()));
      return;
    }
    ScrapeException first = null;
    long startNanos = ticker.nanos();
    for (String path : paths) {
      try {
        TargetUrl url = target.url().withPath(path + query(target.url()));
        last = url;
        use.take(client.fetch(url, leftMs(target, startNanos)));
        worked = path;
        return;
      } catch (ScrapeException e) {
        first = first == null ? e : first;
        if (!mayBeElsewhere(e)) {
          break;
        }
      }
    }
    worked = null;
    last = target.url();
    if (first != null) {
      throw first;
    }
  }

  private long leftMs(Target target, long startNanos) {
    return Math.max(1, target.timeoutMs() - (ticker.nanos() - startNanos) / 1_000_000);
  }

  /** All paths, that which worked first. */
  private List<String> paths(Target target) {
    List<String> paths = new ArrayList<>(target.config().probePaths());
    String known = worked;
    if (known != null && paths.remove(known)) {
      paths.addFirst(known);
    }
    return paths;
  }

  private static String query(TargetUrl url) {
    int question = url.path().indexOf('?');
    return question < 0 ? "" : url.path().substring(question);
  }

  /** Whether another path on the same server may have what this one hasn't. */
  private static boolean mayBeElsewhere(ScrapeException e) {
    return switch (e.reason()) {
      case STATUS, REDIRECT, NOT_METRICS, PARSE, CONTENT_TYPE -> true;
      default -> false;
    };
  }
}
