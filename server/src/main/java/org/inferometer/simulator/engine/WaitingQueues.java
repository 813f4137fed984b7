package org.inferometer.simulator.engine;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.Queue;
import org.inferometer.simulator.engine.Sequence.Place;
import org.jspecify.annotations.Nullable;

/**
 * The sequences that wait: those for capacity, and those that were put off for something else and
 * are looked at first. First come, first served, or by priority. Not thread-safe.
 */
final class WaitingQueues {
  /** By priority, the lower first, then by the time they came. */
  static final Comparator<Sequence> BY_PRIORITY =
      Comparator.<Sequence>comparingInt(sequence -> sequence.request.ask.priority())
          .thenComparingLong(sequence -> sequence.request.queuedNs)
          .thenComparingLong(sequence -> sequence.request.id);

  private final boolean byPriority;
  private final Queue<Sequence> waiting;
  private final Queue<Sequence> skipped;

  /** Put off in the step that is being planned, the last first. */
  private final Deque<Sequence> putOff = new ArrayDeque<>();

  WaitingQueues(boolean byPriority) {
    this.byPriority = byPriority;
    waiting = byPriority ? new PriorityQueue<>(BY_PRIORITY) : new ArrayDeque<>();
    skipped = byPriority ? new PriorityQueue<>(BY_PRIORITY) : new ArrayDeque<>();
  }

  /** For want of capacity. */
  int waiting() {
    return waiting.size();
  }

  int skipped() {
    return skipped.size();
  }

  int size() {
    return waiting.size() + skipped.size();
  }

  void add(Sequence sequence) {
    sequence.place = Place.WAITING;
    waiting.add(sequence);
  }

  /** One that ran comes back, to the front. */
  void addFirst(Sequence sequence) {
    sequence.place = Place.WAITING;
    addFirst(waiting, sequence);
  }

  /** Which is to be looked at next. */
  @Nullable Sequence peek() {
    Sequence first = skipped.peek();
    Sequence other = waiting.peek();
    if (first == null || other == null) {
      return first == null ? other : first;
    }
    return byPriority && BY_PRIORITY.compare(other, first) < 0 ? other : first;
  }

  /** The one looked at leaves. */
  void take(Sequence sequence) {
    queueOf(sequence).remove(sequence);
  }

  /** The one looked at is put off until the next step. */
  void putOff(Sequence sequence) {
    take(sequence);
    putOff.addFirst(sequence);
  }

  /** The step is planned: those put off are the first of the next. */
  void endStep() {
    while (!putOff.isEmpty()) {
      Sequence sequence = putOff.removeFirst();
      sequence.place = Place.SKIPPED;
      addFirst(skipped, sequence);
    }
  }

  void clear() {
    waiting.clear();
    skipped.clear();
    putOff.clear();
  }

  private Queue<Sequence> queueOf(Sequence sequence) {
    return sequence.place == Place.SKIPPED ? skipped : waiting;
  }

  private static void addFirst(Queue<Sequence> queue, Sequence sequence) {
    if (queue instanceof Deque<Sequence> deque) {
      deque.addFirst(sequence);
    } else {
      queue.add(sequence);
    }
  }
}
