package org.inferometer.benchmarks.peers;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * How long each peer needs after a kill -9 with two hours in its log until it answers a query, and
 * what that costs. The files are still in memory, as after a crash of the program alone.
 */
final class ReplayComparison {
  private static final long BLOCK_MS = 2 * 3_600_000;
  private static final int TICK_MS = 15_000;
  private static final int ANSWER_WITHIN_S = 300;

  /** Of two engines in each replica: small to ask for, and in all replicas. */
  private static final String GAUGE = "vllm:num_requests_running";

  private final Path root;
  private final Path work;
  private final History history;
  private final Answers answers = new Answers(new ObjectMapper());

  /** Two hours that begin where a block does, so that none of them is due to be cut. */
  ReplayComparison(Path root, Path work, int replicas) {
    this.root = root;
    this.work = work;
    long startMs = (System.currentTimeMillis() - BLOCK_MS) / BLOCK_MS * BLOCK_MS;
    history = new History(replicas, startMs, TICK_MS, (int) (BLOCK_MS / TICK_MS));
  }

  /** Puts a row for each peer into results. */
  void measure(ArrayNode rows) throws IOException, InterruptedException {
    PeerGroup peers = new PeerGroup(root, work);
    try {
      peers.start();
      double[] seconds = ParallelLoad.load(history, peers.connections());
      Thread.sleep(5_000);
      int i = 0;
      for (RunningPeer peer : peers.running()) {
        ObjectNode row = rows.addObject().put("peer", peer.peer().label());
        row.put("samples", history.samples());
        row.put("series", history.seriesCount());
        row.put("loadSeconds", seconds[i++]);
        peer.figures().into(row.putObject("load"));
        row.put("logBytes", new DataFolder(peer.data()).logBytes());
        row.put("headChunkBytes", new DataFolder(peer.data()).headChunkBytes());
        row.put("bytes", new DataFolder(peer.data()).bytes());
      }
      peers.kill();
      int at = 0;
      for (Peer peer : Peer.values()) {
        restart(peers, peer, (ObjectNode) rows.get(at++));
        peers.stop();
      }
    } finally {
      peers.stop();
    }
  }

  private void restart(PeerGroup peers, Peer peer, ObjectNode row)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    RunningPeer running = peers.launch(peer);
    awaitAnswer(running);
    row.put("secondsToFirstAnswer", (System.nanoTime() - start) / 1e9);
    running.figures().into(row.putObject("replay"));
    double counted =
        answers.firstValue(
            running.instant("sum(count_over_time(" + GAUGE + "[125m]))", lastSeconds()));
    row.put("kept", counted / (2.0 * history.replicas().size() * history.ticks()));
    System.out.println(row);
  }

  private double lastSeconds() {
    return history.lastMs() / 1000.0;
  }

  private void awaitAnswer(RunningPeer running) throws IOException, InterruptedException {
    long end = System.nanoTime() + ANSWER_WITHIN_S * 1_000_000_000L;
    while (!isAnswered(running)) {
      if (!running.isAlive() || System.nanoTime() > end) {
        throw new IOException(
            running.peer().label() + " gave no answer within " + ANSWER_WITHIN_S + " s");
      }
      Thread.sleep(5);
    }
  }

  private boolean isAnswered(RunningPeer running) {
    String path =
        String.format(
            Locale.ROOT,
            "/api/v1/query?query=sum(%s)&time=%.3f%s",
            GAUGE,
            // Some seconds of the newest samples may be lost, and some peers see new ones late.
            lastSeconds() - 60,
            running.peer().extraParameters());
    try (LeanHttp http = new LeanHttp(running)) {
      return http.exchange(http.request(path)) == 200 && http.text().contains("\"value\":[");
    } catch (IOException notYet) {
      return false;
    }
  }
}
