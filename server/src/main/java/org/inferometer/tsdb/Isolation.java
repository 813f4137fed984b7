package org.inferometer.tsdb;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Numbers commits, and tells a querier which of them are whole. A commit writes series after
 * series; a querier that opens meanwhile must see none of it, in any series, for as long as it is
 * open. Samples that are older than the newest of their series are the exception: they are seen at
 * once, as in Prometheus. Thread-safe.
 */
final class Isolation {
  /** The commits that a querier sees: up to a number, except those that weren't finished. */
  record View(long commitMax, long[] unfinished, long firstUnseen) {
    boolean sees(long commit) {
      if (commit > commitMax) {
        return false;
      }
      for (long other : unfinished) {
        if (other == commit) {
          return false;
        }
      }
      return true;
    }
  }

  /**
   * A commit that is being written.
   *
   * @param number its place in the order of commits, from 1
   * @param firstUnseen everyone sees, now and later, what commits before this one wrote
   * @param bounds of each open view, and of those that will open: the first commit that it doesn't
   *     see, the last that it may see, and so on
   */
  record Commit(long number, long firstUnseen, long[] bounds) {
    /** Of no commit: nothing is hidden. */
    static final Commit NONE = new Commit(0, 1, new long[0]);

    /**
     * Whether a series has to remember where a commit began, if it remembers an earlier one. Not if
     * every view sees the later as well or doesn't see the earlier either.
     */
    boolean needs(long earlier, long later) {
      for (int i = 0; i < bounds.length; i += 2) {
        if (later >= bounds[i] && earlier <= bounds[i + 1]) {
          return true;
        }
      }
      return false;
    }
  }

  private final ReentrantLock changing = new ReentrantLock();
  private final Condition closed = changing.newCondition();
  private long last;
  private final TreeSet<Long> unfinished = new TreeSet<>();
  private final List<View> views = new ArrayList<>();

  Commit begin() {
    changing.lock();
    try {
      last++;
      unfinished.add(last);
      long firstUnseen = unfinished.first();
      long[] bounds = new long[2 * views.size() + 2];
      int n = 0;
      bounds[n++] = firstUnseen;
      bounds[n++] = Long.MAX_VALUE;
      for (View view : views) {
        firstUnseen = Math.min(firstUnseen, view.firstUnseen());
        bounds[n++] = view.firstUnseen();
        bounds[n++] = view.commitMax();
      }
      return new Commit(last, firstUnseen, bounds);
    } finally {
      changing.unlock();
    }
  }

  void end(Commit commit) {
    changing.lock();
    try {
      unfinished.remove(commit.number());
    } finally {
      changing.unlock();
    }
  }

  View open() {
    changing.lock();
    try {
      long firstUnseen = unfinished.isEmpty() ? last + 1 : unfinished.first();
      View view =
          new View(last, unfinished.stream().mapToLong(Long::longValue).toArray(), firstUnseen);
      views.add(view);
      return view;
    } finally {
      changing.unlock();
    }
  }

  void close(View view) {
    changing.lock();
    try {
      views.removeIf(other -> isIdentical(other, view));
      closed.signalAll();
    } finally {
      changing.unlock();
    }
  }

  /** The views that are open now. */
  List<View> openViews() {
    changing.lock();
    try {
      return List.copyOf(views);
    } finally {
      changing.unlock();
    }
  }

  /** Whether some of these are still open. */
  boolean isAnyOpen(List<View> some) {
    changing.lock();
    try {
      return views.stream().anyMatch(open -> some.stream().anyMatch(v -> isIdentical(v, open)));
    } finally {
      changing.unlock();
    }
  }

  /**
   * Waits until none of these is open.
   *
   * @return whether that came to be within the time
   */
  boolean awaitClosed(List<View> some, long timeoutMs) throws InterruptedException {
    changing.lock();
    try {
      long leftNs = TimeUnit.MILLISECONDS.toNanos(timeoutMs);
      while (isAnyOpen(some)) {
        if (leftNs <= 0) {
          return false;
        }
        leftNs = closed.awaitNanos(leftNs);
      }
      return true;
    } finally {
      changing.unlock();
    }
  }

  /** Two views may well be equal. */
  @SuppressWarnings("ReferenceEquality")
  private static boolean isIdentical(View a, View b) {
    return a == b;
  }
}
