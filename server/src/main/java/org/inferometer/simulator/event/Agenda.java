package org.inferometer.simulator.event;

import java.util.Arrays;

/**
 * What will happen, in order of time; what falls on the same moment happens in the order it was
 * asked for. Time is nanoseconds since the simulation began and moves only here. Not thread-safe.
 */
public final class Agenda {
  /** As far as any simulation goes: more than a hundred years. */
  private static final long TIME_MAX = Long.MAX_VALUE / 2;

  private long[] times = new long[256];
  private long[] turns = new long[256];
  private Event[] events = new Event[256];
  private int size;
  private long turn;
  private long now;
  private long happened;

  /** The simulated time in nanoseconds since the beginning. */
  public long now() {
    return now;
  }

  /** How many events have happened. */
  public long happened() {
    return happened;
  }

  /** When the next event is; {@link Long#MAX_VALUE} if none is known. */
  public long next() {
    return size == 0 ? Long.MAX_VALUE : times[0];
  }

  /**
   * Puts an event down.
   *
   * @param time not before now
   */
  public void at(long time, Event event) {
    if (time < now || time > TIME_MAX) {
      throw new IllegalArgumentException(
          "expected a time from " + now + " on, not " + time + ", for an event");
    }
    if (size == times.length) {
      times = Arrays.copyOf(times, size * 2);
      turns = Arrays.copyOf(turns, size * 2);
      events = Arrays.copyOf(events, size * 2);
    }
    siftUp(size++, time, turn++, event);
  }

  /** Puts an event down for so many nanoseconds from now. */
  public void in(long nanos, Event event) {
    at(Math.addExact(now, nanos), event);
  }

  /** Lets everything happen until a moment, this one included; then it is that moment. */
  public void runUntil(long time) {
    while (size > 0 && times[0] <= time) {
      step();
    }
    now = Math.max(now, time);
  }

  /** Lets the next event happen, if there is one. */
  public boolean step() {
    if (size == 0) {
      return false;
    }
    Event event = events[0];
    now = times[0];
    removeFirst();
    happened++;
    event.happen();
    return true;
  }

  private void removeFirst() {
    size--;
    long time = times[size];
    long order = turns[size];
    Event event = events[size];
    clear(size);
    if (size > 0) {
      siftDown(time, order, event);
    }
  }

  @SuppressWarnings("NullAway") // A place beyond the size, which nothing reads.
  private void clear(int index) {
    events[index] = null;
  }

  private boolean isBefore(long time, long order, int index) {
    return time < times[index] || (time == times[index] && order < turns[index]);
  }

  private void siftUp(int from, long time, long order, Event event) {
    int index = from;
    while (index > 0) {
      int parent = (index - 1) >>> 1;
      if (!isBefore(time, order, parent)) {
        break;
      }
      copy(parent, index);
      index = parent;
    }
    put(index, time, order, event);
  }

  private void siftDown(long time, long order, Event event) {
    int index = 0;
    while (true) {
      int child = 2 * index + 1;
      if (child >= size) {
        break;
      }
      int right = child + 1;
      if (right < size && isBefore(times[right], turns[right], child)) {
        child = right;
      }
      if (isBefore(time, order, child)) {
        break;
      }
      copy(child, index);
      index = child;
    }
    put(index, time, order, event);
  }

  private void copy(int from, int to) {
    put(to, times[from], turns[from], events[from]);
  }

  private void put(int index, long time, long order, Event event) {
    times[index] = time;
    turns[index] = order;
    events[index] = event;
  }
}
