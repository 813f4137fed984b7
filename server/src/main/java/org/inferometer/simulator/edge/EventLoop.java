package org.inferometer.simulator.edge;

import java.util.ArrayDeque;
import java.util.Deque;
import org.inferometer.simulator.event.Agenda;
import org.inferometer.simulator.event.Event;
import org.inferometer.simulator.host.HostProcess;
import org.jspecify.annotations.Nullable;

/**
 * The event loop of a process and the thread it gives requests to, which share one core: requests
 * are read in the order they came, outputs handed on in theirs, one of each by turns. So what is
 * answered doesn't wait behind all that is asked.
 */
final class EventLoop {
  /** Something to do. */
  interface Work {
    /** CPU time it would take if it began now. */
    long cpuNs();

    /** Whether there is no need for it any more. */
    default boolean isMoot() {
      return false;
    }

    /** It begins now. */
    default void begin() {}

    /** It is done; may add more. */
    void done();
  }

  private record Pause(long wallNs, long cpuNs) {}

  private final Agenda agenda;
  private final HostProcess process;
  private final Deque<Pause> pauses = new ArrayDeque<>();
  private final Deque<Work> outputs = new ArrayDeque<>();
  private final Deque<Work> requests = new ArrayDeque<>();
  private boolean busy;
  private long busyUntilNs;

  /** Whose turn it is if both wait. */
  private boolean requestsNext;

  private boolean stopped;

  EventLoop(Agenda agenda, HostProcess process) {
    this.agenda = agenda;
    this.process = process;
  }

  HostProcess process() {
    return process;
  }

  /** Things that wait or are being done. */
  int length() {
    return outputs.size() + requests.size() + (busy ? 1 : 0);
  }

  /** How long something new in the loop would wait, about: one of each kind may go before it. */
  long delayNs() {
    long delay = busy ? Math.max(0, busyUntilNs - agenda.now()) : 0;
    for (Pause pause : pauses) {
      delay += pause.wallNs + pause.cpuNs;
    }
    return delay + costNs(outputs.peek()) + costNs(requests.peek());
  }

  private static long costNs(@Nullable Work work) {
    return work == null ? 0 : work.cpuNs();
  }

  /** Reads a request when its turn comes. */
  void addRequest(Work work) {
    requests.add(work);
    startNext();
  }

  /** Hands outputs on when their turn comes. */
  void addOutput(Work work) {
    outputs.add(work);
    startNext();
  }

  /** Does nothing for a while, before whatever waits; or takes CPU time to no purpose. */
  void pause(long wallNs, long cpuNs) {
    pauses.add(new Pause(wallNs, cpuNs));
    startNext();
  }

  /** Nothing that waits is done any more. */
  void stop() {
    stopped = true;
    pauses.clear();
    outputs.clear();
    requests.clear();
  }

  private void startNext() {
    while (!busy && !stopped) {
      Pause pause = pauses.poll();
      if (pause != null) {
        occupy(pause.wallNs, pause.cpuNs, () -> {});
        continue;
      }
      Work work = next();
      if (work == null) {
        return;
      }
      if (!work.isMoot()) {
        long cpuNs = work.cpuNs();
        work.begin();
        occupy(0, cpuNs, work::done);
      }
    }
  }

  private @Nullable Work next() {
    boolean request = outputs.isEmpty() || (requestsNext && !requests.isEmpty());
    requestsNext = !request;
    return request ? requests.poll() : outputs.poll();
  }

  private void occupy(long wallNs, long cpuNs, Event then) {
    busy = true;
    long nanos = wallNs + (cpuNs > 0 ? process.run(cpuNs) : 0);
    busyUntilNs = agenda.now() + nanos;
    if (nanos > 0) {
      agenda.in(nanos, () -> finish(then));
    } else {
      complete(then);
    }
  }

  private void finish(Event then) {
    if (!stopped) {
      complete(then);
      startNext();
    }
  }

  /** What comes of it may add more, which waits until it is through. */
  private void complete(Event then) {
    then.happen();
    busy = false;
  }
}
