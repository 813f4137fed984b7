package org.inferometer.benchmarks.peers;

import java.io.IOException;
import java.util.List;

/** Waits until what peers do with new samples in the background is done. */
final class Settling {
  private static final double BUSY_CORES = 0.05;
  private static final int ATTEMPTS_MAX = 100;
  private static final int STEP_S = 3;
  private static final int IDLE_S = 15;

  private Settling() {}

  /** Until nothing was done for so many seconds, or five minutes have passed. */
  static void await(List<RunningPeer> peers, int quietSeconds)
      throws IOException, InterruptedException {
    int quiet = 0;
    for (int attempt = 0; attempt < ATTEMPTS_MAX && quiet < quietSeconds; attempt++) {
      double before = cpuSeconds(peers);
      Thread.sleep(STEP_S * 1000L);
      quiet = cpuSeconds(peers) - before < BUSY_CORES * STEP_S ? quiet + STEP_S : 0;
    }
  }

  /** How much each of them does while there is nothing to do, in cores. */
  static double[] idleCores(List<RunningPeer> peers) throws IOException, InterruptedException {
    double[] cores = new double[peers.size()];
    for (int i = 0; i < cores.length; i++) {
      cores[i] = -peers.get(i).figures().cpuSeconds() / IDLE_S;
    }
    Thread.sleep(IDLE_S * 1000L);
    for (int i = 0; i < cores.length; i++) {
      cores[i] += peers.get(i).figures().cpuSeconds() / IDLE_S;
    }
    return cores;
  }

  private static double cpuSeconds(List<RunningPeer> peers) throws IOException {
    double seconds = 0;
    for (RunningPeer peer : peers) {
      seconds += peer.figures().cpuSeconds();
    }
    return seconds;
  }
}
