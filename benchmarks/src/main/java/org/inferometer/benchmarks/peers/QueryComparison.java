package org.inferometer.benchmarks.peers;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Asks ours, Prometheus and VictoriaMetrics the same queries over the same history and writes how
 * long each took as data. The history comes by remote write, the same bytes for each.
 *
 * <p>Each query is asked at one time and over a range; the first time counts as cold. Then each
 * peer is asked until it is warm, and then in turn A B C A B C, so that whatever else the machine
 * does hits all alike; the median counts.
 *
 * <p>Arguments: root folder of the project, results file, "short" or "standard", folder of articles
 * with expressions (left out if there is none).
 */
public final class QueryComparison {
  /** Short proves that it runs and is over in a few minutes, standard is what the docs quote. */
  private enum Size {
    SHORT(30, 1, 600, 2_000),
    STANDARD(30, 6, 2_000, 6_000);

    private final int replicas;
    private final int hours;

    /** Of each peer and query. */
    private final int warmUpMs;

    /** Of each query, all peers together. */
    private final int timedMs;

    Size(int replicas, int hours, int warmUpMs, int timedMs) {
      this.replicas = replicas;
      this.hours = hours;
      this.warmUpMs = warmUpMs;
      this.timedMs = timedMs;
    }

    int ticks() {
      return hours * 3600 * 1000 / TICK_MS;
    }
  }

  private static final int TICK_MS = 15_000;

  /** Ticks in one request, little enough for any peer's window of late samples. */
  private static final int TICKS_PER_WRITE = 16;

  private static final int STEP_S = 15;
  private static final int WARM_UP_MAX = 3_000;
  private static final int ROUNDS_MIN = 7;
  private static final int ROUNDS_MAX = 301;

  private static final String WRITE_HEADERS =
      "Content-Type: application/x-protobuf\r\nContent-Encoding: snappy\r\n"
          + "X-Prometheus-Remote-Write-Version: 0.1.0\r\n";

  private final ObjectMapper json = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
  private final ObjectNode results = json.createObjectNode();
  private final Path root;
  private final Path work;
  private final Size size;
  private final long endMs = System.currentTimeMillis() / TICK_MS * TICK_MS;
  private final List<RunningPeer> peers = new ArrayList<>();
  private final List<LeanHttp> connections = new ArrayList<>();

  private QueryComparison(Path root, Path work, Size size) {
    this.root = root;
    this.work = work;
    this.size = size;
  }

  public static void main(String[] args) throws Exception {
    Path root = Path.of(args[0]).toAbsolutePath().normalize();
    Path work = Files.createTempDirectory("query-peers");
    Size size = Size.valueOf(args[2].toUpperCase(Locale.ROOT));
    QueryComparison comparison = new QueryComparison(root, work, size);
    Map<String, String> queries = DashboardQueries.all();
    if (args.length > 3 && Files.isDirectory(Path.of(args[3]))) {
      for (String query : SeedQueries.in(Path.of(args[3]))) {
        if (!queries.containsValue(query)) {
          queries.put("`" + query.replace("|", "\\|") + "`", query);
        }
      }
    }
    try {
      Machine.describe(comparison.results);
      comparison.results.put("size", args[2]);
      comparison.start();
      comparison.load();
      comparison.ask(queries);
    } finally {
      comparison.stop();
    }
    Path file = Path.of(args[1]);
    Files.createDirectories(file.toAbsolutePath().getParent());
    comparison.json.writeValue(file.toFile(), comparison.results);
    System.out.println("wrote " + file);
  }

  private void start() throws IOException, InterruptedException {
    for (Peer peer : Peer.values()) {
      int port = Machine.freePort();
      peers.add(RunningPeer.start(peer, root, work, "scrape_configs: []\n", port));
      connections.add(new LeanHttp(port));
    }
  }

  private void stop() throws IOException, InterruptedException {
    for (LeanHttp connection : connections) {
      connection.close();
    }
    for (RunningPeer peer : peers) {
      peer.stop();
    }
  }

  private void load() throws IOException, InterruptedException {
    SyntheticReplica[] replicas = new SyntheticReplica[size.replicas];
    for (int i = 0; i < replicas.length; i++) {
      replicas[i] = new SyntheticReplica(i);
    }
    double[] seconds = new double[peers.size()];
    for (int tick = 0; tick < size.ticks(); tick += TICKS_PER_WRITE) {
      int count = Math.min(TICKS_PER_WRITE, size.ticks() - tick);
      for (SyntheticReplica replica : replicas) {
        byte[] body = replica.write(tick, count, TICK_MS, timeMs(tick)).body();
        for (int i = 0; i < peers.size(); i++) {
          long start = System.nanoTime();
          write(i, body);
          seconds[i] += (System.nanoTime() - start) / 1e9;
        }
      }
      if (tick % (TICKS_PER_WRITE * 15) == 0) {
        System.out.printf("loading: %d of %d ticks%n", tick, size.ticks());
      }
    }
    settle();
    double samples = (double) size.ticks() * size.replicas * replicas[0].seriesCount();
    results.put("samples", samples);
    results.put("series", size.replicas * replicas[0].seriesCount());
    results.put("hours", size.hours);
    ArrayNode rows = results.putArray("load");
    for (int i = 0; i < peers.size(); i++) {
      ObjectNode row = rows.addObject().put("peer", peers.get(i).peer().label());
      row.put("seconds", seconds[i]);
      row.put("cpuSeconds", peers.get(i).cpuSeconds());
      row.put("rssMib", peers.get(i).statusMib("VmRSS"));
      row.put("peakRssMib", peers.get(i).statusMib("VmHWM"));
      System.out.println(row);
    }
  }

  private long timeMs(int tick) {
    return endMs - (long) (size.ticks() - 1 - tick) * TICK_MS;
  }

  private void write(int peer, byte[] body) throws IOException {
    int status = connections.get(peer).post("/api/v1/write", WRITE_HEADERS, body);
    if (status / 100 != 2) {
      throw new IOException(
          peers.get(peer).peer().label()
              + " answered a write with "
              + status
              + ": "
              + connections.get(peer).text());
    }
  }

  /** Waits until what peers do with new samples in the background is done. */
  private void settle() throws IOException, InterruptedException {
    for (int attempt = 0; attempt < 30; attempt++) {
      double before = cpuSeconds();
      Thread.sleep(3000);
      if (cpuSeconds() - before < 0.15) {
        return;
      }
    }
  }

  private double cpuSeconds() throws IOException {
    double seconds = 0;
    for (RunningPeer peer : peers) {
      seconds += peer.cpuSeconds();
    }
    return seconds;
  }

  private void ask(Map<String, String> queries) throws Exception {
    List<Question> questions = new ArrayList<>();
    for (Map.Entry<String, String> query : queries.entrySet()) {
      for (boolean range : new boolean[] {false, true}) {
        Question question = new Question(query.getKey(), query.getValue(), range);
        question.askCold();
        if (!question.isEmpty()) {
          questions.add(question);
        }
      }
    }
    ArrayNode rows = results.putArray("queries");
    for (Question question : questions) {
      ObjectNode row = question.askWarm();
      rows.add(row);
      System.out.println(row);
    }
  }

  /** One query, at one time or over a range, asked of all peers. */
  private final class Question {
    private final String name;
    private final String query;
    private final boolean range;
    private final List<byte[]> requests = new ArrayList<>();
    private final double[] coldMs = new double[peers.size()];
    private final String[] answers = new String[peers.size()];

    Question(String name, String query, boolean range) {
      this.name = name;
      this.query = query;
      this.range = range;
      for (int i = 0; i < peers.size(); i++) {
        requests.add(connections.get(i).request(path(peers.get(i).peer())));
      }
    }

    private String path(Peer peer) {
      // Off the scrape grid: ranges of older Prometheus versions still include their left edge.
      double last = endMs / 1000.0 - 8;
      double first = last - size.hours * 3600 + 600;
      String text = URLEncoder.encode(query, StandardCharsets.UTF_8);
      return range
          ? "/api/v1/query_range?query=%s&start=%.3f&end=%.3f&step=%d%s"
              .formatted(text, first, last, STEP_S, peer.extraParameters())
          : "/api/v1/query?query=%s&time=%.3f%s".formatted(text, last, peer.extraParameters());
    }

    private double ask(int peer) throws IOException {
      long start = System.nanoTime();
      int status = connections.get(peer).exchange(requests.get(peer));
      double ms = (System.nanoTime() - start) / 1e6;
      if (status != 200) {
        throw new IOException(
            peers.get(peer).peer().label() + ": " + query + ": " + connections.get(peer).text());
      }
      return ms;
    }

    void askCold() throws IOException {
      for (int i = 0; i < peers.size(); i++) {
        coldMs[i] = ask(i);
        answers[i] = connections.get(i).text();
      }
    }

    /** Whether there is nothing that it is about. */
    boolean isEmpty() {
      return answers[1].contains("\"result\":[]");
    }

    ObjectNode askWarm() throws IOException {
      for (int i = 0; i < peers.size(); i++) {
        warmUp(i);
      }
      double[][] ms = rounds();
      ObjectNode row = json.createObjectNode();
      row.put("name", name);
      row.put("query", query);
      row.put("kind", range ? "range" : "instant");
      row.put("rounds", ms[0].length);
      row.put("answerBytes", answers[1].length());
      row.put("differs", new Answers(json).difference(answers[0], answers[1]));
      for (int i = 0; i < peers.size(); i++) {
        Arrays.sort(ms[i]);
        ObjectNode figures = row.putObject(peers.get(i).peer().label());
        figures.put("coldMs", coldMs[i]);
        figures.put("warmMs", ms[i][ms[i].length / 2]);
        figures.put("bestMs", ms[i][ms[i].length / 10]);
      }
      return row;
    }

    private void warmUp(int peer) throws IOException {
      long end = System.nanoTime() + size.warmUpMs * 1_000_000L;
      for (int i = 0; i < WARM_UP_MAX && System.nanoTime() < end; i++) {
        ask(peer);
      }
    }

    private double[][] rounds() throws IOException {
      double[][] ms = new double[peers.size()][ROUNDS_MAX];
      long end = System.nanoTime() + size.timedMs * 1_000_000L;
      int round = 0;
      while (round < ROUNDS_MAX && (round < ROUNDS_MIN || System.nanoTime() < end)) {
        for (int i = 0; i < peers.size(); i++) {
          ms[i][round] = ask(i);
        }
        round++;
      }
      for (int i = 0; i < peers.size(); i++) {
        ms[i] = Arrays.copyOf(ms[i], round);
      }
      return ms;
    }
  }
}
