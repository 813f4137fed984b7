package org.inferometer.benchmarks.peers;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A stretch of the past of some synthetic replicas, as writes in order of time. */
final class History {
  /** Ticks in one request, little enough for any peer's window of late samples. */
  private static final int TICKS_PER_WRITE = 16;

  private final List<SyntheticReplica> replicas = new ArrayList<>();
  private final long startMs;
  private final int tickMs;
  private final int ticks;

  /** Takes the body of one write. */
  @FunctionalInterface
  interface Sink {
    void take(byte[] body) throws IOException, InterruptedException;
  }

  History(int replicaCount, long startMs, int tickMs, int ticks) {
    for (int i = 0; i < replicaCount; i++) {
      replicas.add(new SyntheticReplica(i));
    }
    this.startMs = startMs;
    this.tickMs = tickMs;
    this.ticks = ticks;
  }

  void writes(Sink sink) throws IOException, InterruptedException {
    writes(0, ticks, sink);
  }

  /** A part of it; says from time to time how far it is. */
  void writes(int fromTick, int toTick, Sink sink) throws IOException, InterruptedException {
    for (int tick = fromTick; tick < toTick; tick += TICKS_PER_WRITE) {
      int count = Math.min(TICKS_PER_WRITE, toTick - tick);
      for (SyntheticReplica replica : replicas) {
        sink.take(replica.write(tick, count, tickMs, timeMs(tick)).body());
      }
      if (tick % (TICKS_PER_WRITE * 30) == 0) {
        System.out.printf("loading: %d of %d ticks%n", tick, ticks);
      }
    }
  }

  long timeMs(int tick) {
    return startMs + (long) tick * tickMs;
  }

  /** The time of the last samples. */
  long lastMs() {
    return timeMs(ticks - 1);
  }

  int ticks() {
    return ticks;
  }

  List<SyntheticReplica> replicas() {
    return List.copyOf(replicas);
  }

  int seriesCount() {
    return replicas.size() * replicas.getFirst().seriesCount();
  }

  long samples() {
    return (long) ticks * seriesCount();
  }
}
