package org.inferometer.benchmarks.peers;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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

  private static final int STEP_S = 15;

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
    WorkFolder.delete(work);
    System.out.println("wrote " + file);
  }

  private void start() throws IOException, InterruptedException {
    for (Peer peer : Peer.values()) {
      int port = Machine.freePort();
      peers.add(RunningPeer.start(peer, root, work, "scrape_configs: []\n", port));
      connections.add(new LeanHttp(peers.getLast()));
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
    long startMs = endMs - (size.ticks() - 1L) * TICK_MS;
    History history = new History(size.replicas, startMs, TICK_MS, size.ticks());
    double[] seconds = new double[peers.size()];
    history.writes(
        body -> {
          for (int i = 0; i < peers.size(); i++) {
            long start = System.nanoTime();
            RemoteWrite.send(connections.get(i), body);
            seconds[i] += (System.nanoTime() - start) / 1e9;
          }
        });
    Settling.await(peers, 3);
    results.put("samples", history.samples());
    results.put("series", history.seriesCount());
    results.put("hours", size.hours);
    ArrayNode rows = results.putArray("load");
    for (int i = 0; i < peers.size(); i++) {
      ObjectNode row = rows.addObject().put("peer", peers.get(i).peer().label());
      row.put("seconds", seconds[i]);
      peers.get(i).figures().into(row);
      System.out.println(row);
    }
  }

  private void ask(Map<String, String> queries) throws Exception {
    // Off the scrape grid: ranges of older Prometheus versions still include their left edge.
    double last = endMs / 1000.0 - 8;
    double first = last - size.hours * 3600 + 600;
    List<Question> questions = new ArrayList<>();
    for (Map.Entry<String, String> query : queries.entrySet()) {
      for (boolean range : new boolean[] {false, true}) {
        Question question =
            range
                ? Question.range(query.getKey(), query.getValue(), first, last, STEP_S)
                : Question.instant(query.getKey(), query.getValue(), last);
        question.askCold(connections);
        if (!question.isEmpty()) {
          questions.add(question);
        }
      }
    }
    ArrayNode rows = results.putArray("queries");
    for (Question question : questions) {
      ObjectNode row = rows.addObject();
      question.askWarm(connections, size.warmUpMs, size.timedMs, row);
      System.out.println(row);
    }
  }
}
