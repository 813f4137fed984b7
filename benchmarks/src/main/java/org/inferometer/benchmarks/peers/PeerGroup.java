package org.inferometer.benchmarks.peers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** All peers on data of their own below one folder, none of them scraping. Not thread-safe. */
final class PeerGroup {
  private static final String NO_SCRAPES = "scrape_configs: []\n";

  private final Path root;
  private final Path folder;
  private final List<RunningPeer> running = new ArrayList<>();
  private final List<LeanHttp> connections = new ArrayList<>();

  PeerGroup(Path root, Path folder) {
    this.root = root;
    this.folder = folder;
  }

  void start() throws IOException, InterruptedException {
    for (Peer peer : Peer.values()) {
      running.add(RunningPeer.start(peer, root, folder, NO_SCRAPES, Machine.freePort()));
      connections.add(new LeanHttp(running.getLast()));
    }
  }

  /** Starts one alone, without a wait. */
  RunningPeer launch(Peer peer) throws IOException {
    RunningPeer launched = RunningPeer.launch(peer, root, folder, NO_SCRAPES, Machine.freePort());
    running.add(launched);
    return launched;
  }

  void restart() throws IOException, InterruptedException {
    stop();
    start();
  }

  /** Ends all at once, as kill -9 does. */
  void kill() throws IOException, InterruptedException {
    for (RunningPeer peer : running) {
      peer.kill();
    }
    stop();
  }

  List<RunningPeer> running() {
    return List.copyOf(running);
  }

  RunningPeer running(Peer peer) {
    return running.stream().filter(one -> one.peer() == peer).findFirst().orElseThrow();
  }

  /** One connection to each, in the order of {@link #running()}. */
  List<LeanHttp> connections() {
    return List.copyOf(connections);
  }

  void stop() throws IOException, InterruptedException {
    for (LeanHttp connection : connections) {
      connection.close();
    }
    for (RunningPeer peer : running) {
      peer.stop();
    }
    connections.clear();
    running.clear();
  }
}
