package org.inferometer.benchmarks.peers;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Writes a history to all peers at the same time, to each in its order and at its own pace. */
final class ParallelLoad {
  /** Bodies that wait for a slow peer. */
  private static final int QUEUE_MAX = 64;

  private static final byte[] END = {};

  private final AtomicReference<@Nullable IOException> failure = new AtomicReference<>();
  private final List<Lane> lanes = new ArrayList<>();

  /** One peer's thread. */
  private final class Lane extends Thread {
    private final BlockingQueue<byte[]> bodies = new ArrayBlockingQueue<>(QUEUE_MAX);
    private final LeanHttp peer;
    private double seconds;

    Lane(LeanHttp peer) {
      this.peer = peer;
    }

    @Override
    public void run() {
      try {
        for (byte[] body = bodies.take(); body.length > 0; body = bodies.take()) {
          write(body);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    /** After a failure the rest is only taken, so that nobody waits for it. */
    private void write(byte[] body) {
      if (failure.get() != null) {
        return;
      }
      long start = System.nanoTime();
      try {
        RemoteWrite.send(peer, body);
      } catch (IOException e) {
        failure.compareAndSet(null, e);
      }
      seconds += (System.nanoTime() - start) / 1e9;
    }
  }

  private ParallelLoad(List<LeanHttp> peers) {
    peers.forEach(peer -> lanes.add(new Lane(peer)));
  }

  /**
   * @return the seconds that each peer needed for its writes
   */
  static double[] load(History history, List<LeanHttp> peers)
      throws IOException, InterruptedException {
    return load(history, 0, history.ticks(), peers);
  }

  /** The same for a part of the history. */
  static double[] load(History history, int fromTick, int toTick, List<LeanHttp> peers)
      throws IOException, InterruptedException {
    ParallelLoad load = new ParallelLoad(peers);
    load.lanes.forEach(Thread::start);
    try {
      history.writes(fromTick, toTick, load::give);
    } finally {
      load.end();
    }
    load.check();
    return load.lanes.stream().mapToDouble(lane -> lane.seconds).toArray();
  }

  private void give(byte[] body) throws IOException, InterruptedException {
    check();
    for (Lane lane : lanes) {
      lane.bodies.put(body);
    }
  }

  private void end() throws InterruptedException {
    for (Lane lane : lanes) {
      lane.bodies.put(END);
    }
    for (Lane lane : lanes) {
      lane.join();
    }
  }

  private void check() throws IOException {
    IOException thrown = failure.get();
    if (thrown != null) {
      throw new IOException("a write failed", thrown);
    }
  }
}
