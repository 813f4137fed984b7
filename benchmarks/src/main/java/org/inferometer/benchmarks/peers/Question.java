package org.inferometer.benchmarks.peers;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * One query, at one time or over a range, asked of all peers; the first of them is ours, the second
 * Prometheus. Not thread-safe.
 */
final class Question {
  private static final int WARM_UP_MAX = 3_000;
  private static final int ROUNDS_MIN = 5;
  private static final int ROUNDS_MAX = 301;
  private static final int OURS = 0;
  private static final int PROMETHEUS = 1;

  private final String name;
  private final String query;
  private final String kind;
  private final String path;
  private double[] coldMs = {};
  private String[] answers = {};

  private Question(String name, String query, String kind, String path) {
    this.name = name;
    this.query = query;
    this.kind = kind;
    this.path = path;
  }

  /**
   * @param atSeconds since the epoch
   */
  static Question instant(String name, String query, double atSeconds) {
    String text = RunningPeer.encode(query);
    String path = String.format(Locale.ROOT, "/api/v1/query?query=%s&time=%.3f", text, atSeconds);
    return new Question(name, query, "instant", path);
  }

  static Question range(
      String name, String query, double firstSeconds, double lastSeconds, int stepSeconds) {
    String path =
        String.format(
            Locale.ROOT,
            "/api/v1/query_range?query=%s&start=%.3f&end=%.3f&step=%d",
            RunningPeer.encode(query),
            firstSeconds,
            lastSeconds,
            stepSeconds);
    return new Question(name, query, "range", path);
  }

  String name() {
    return name;
  }

  /** The first time that it is asked. */
  void askCold(List<LeanHttp> peers) throws IOException {
    coldMs = new double[peers.size()];
    answers = new String[peers.size()];
    for (int i = 0; i < peers.size(); i++) {
      coldMs[i] = ask(peers.get(i));
      answers[i] = peers.get(i).text();
    }
  }

  private double ask(LeanHttp peer) throws IOException {
    byte[] request = peer.request(path + peer.peer().extraParameters());
    long start = System.nanoTime();
    int status = peer.exchange(request);
    double ms = (System.nanoTime() - start) / 1e6;
    if (status != 200) {
      throw new IOException(peer.label() + ": " + query + ": " + peer.text());
    }
    return ms;
  }

  /** Whether there is nothing that it is about. */
  boolean isEmpty() {
    return answers[PROMETHEUS].contains("\"result\":[]");
  }

  /**
   * Warms each peer up, then asks in turn until the time is over, and puts figures into a row.
   *
   * @param warmUpMs of each peer
   * @param timedMs of all together
   */
  void askWarm(List<LeanHttp> peers, int warmUpMs, int timedMs, ObjectNode row) throws IOException {
    for (LeanHttp peer : peers) {
      warmUp(peer, warmUpMs);
    }
    double[][] ms = rounds(peers, timedMs);
    row.put("name", name);
    row.put("query", query);
    row.put("kind", kind);
    row.put("rounds", ms[0].length);
    row.put("answerBytes", answers[PROMETHEUS].length());
    row.put(
        "differs", new Answers(new ObjectMapper()).difference(answers[OURS], answers[PROMETHEUS]));
    for (int i = 0; i < peers.size(); i++) {
      Arrays.sort(ms[i]);
      ObjectNode figures = row.putObject(peers.get(i).label());
      figures.put("coldMs", coldMs[i]);
      figures.put("warmMs", ms[i][ms[i].length / 2]);
      figures.put("bestMs", ms[i][ms[i].length / 10]);
    }
  }

  private void warmUp(LeanHttp peer, int warmUpMs) throws IOException {
    long end = System.nanoTime() + warmUpMs * 1_000_000L;
    for (int i = 0; i < WARM_UP_MAX && System.nanoTime() < end; i++) {
      ask(peer);
    }
  }

  private double[][] rounds(List<LeanHttp> peers, int timedMs) throws IOException {
    double[][] ms = new double[peers.size()][ROUNDS_MAX];
    long end = System.nanoTime() + timedMs * 1_000_000L;
    int round = 0;
    while (round < ROUNDS_MAX && (round < ROUNDS_MIN || System.nanoTime() < end)) {
      for (int i = 0; i < peers.size(); i++) {
        ms[i][round] = ask(peers.get(i));
      }
      round++;
    }
    for (int i = 0; i < peers.size(); i++) {
      ms[i] = Arrays.copyOf(ms[i], round);
    }
    return ms;
  }
}
