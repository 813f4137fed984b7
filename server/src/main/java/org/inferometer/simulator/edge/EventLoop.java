package org.inferometer.simulator.edge;

import java.util.ArrayDeque;
import java.util.Deque;
import org.inferometer.simulator.event.Agenda;
import org.inferometer.simulator.event.Event;
import org.inferometer.simulator.host.HostProcess;

/** The event loop of a process: one thing after the other, in the order they came. */
final class EventLoop {
  private record Task(long cpuNs, long wallNs, Event then) {}

  private final Agenda agenda;
  private final HostProcess process;
  private final Deque<Task> tasks = new ArrayDeque<>();
  private boolean busy;

  /** When what is being done will be, and how long what waits will take on an idle core. */
  private long busyUntilNs;

  private long waitingNs;
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
    return tasks.size() + (busy ? 1 : 0);
  }

  /** How long something new would wait, about. */
  long delayNs() {
    return waitingNs + (busy ? Math.max(0, busyUntilNs - agenda.now()) : 0);
  }

  /**
   * Does something when all before is done.
   *
   * @param cpuNs it takes
   * @param then what comes of it, at its end
   */
  void add(long cpuNs, Event then) {
    tasks.add(new Task(cpuNs, 0, then));
    waitingNs += cpuNs;
    startNext();
  }

  /** Does nothing for a while, before whatever waits; or takes CPU time to no purpose. */
  void pause(long wallNs, long cpuNs) {
    tasks.addFirst(new Task(cpuNs, wallNs, () -> {}));
    waitingNs += cpuNs + wallNs;
    startNext();
  }

  /** Nothing that waits is done any more. */
  void stop() {
    stopped = true;
    tasks.clear();
  }

  private void startNext() {
    while (!busy && !stopped && !tasks.isEmpty()) {
      Task task = tasks.remove();
      busy = true;
      waitingNs -= task.cpuNs + task.wallNs;
      long nanos = task.wallNs + (task.cpuNs > 0 ? process.run(task.cpuNs) : 0);
      busyUntilNs = agenda.now() + nanos;
      if (nanos > 0) {
        agenda.in(nanos, () -> finish(task));
      } else {
        complete(task);
      }
    }
  }

  private void finish(Task task) {
    if (!stopped) {
      complete(task);
      startNext();
    }
  }

  /** What comes of it may add more, which waits until it is through. */
  private void complete(Task task) {
    task.then.happen();
    busy = false;
  }
}
