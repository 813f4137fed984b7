package org.inferometer.benchmarks.peers;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Runs ours, Prometheus and VictoriaMetrics side by side on the same synthetic replicas and writes
 * what each cost as data.
 *
 * <ol>
 *   <li>Live: all scrape the same replicas every 5 s at the same time; CPU seconds and peak memory.
 *   <li>Past: each takes in most of an hour of the same history by scraping it in compressed time,
 *       one after the other; CPU seconds a million samples. Not more than an hour, since Prometheus
 *       takes no sample that is older than that beside the newest.
 * </ol>
 *
 * Arguments: root folder of the project, results file, "short" or "standard" or "full", minutes of
 * each live run if they shall be others than those of the size.
 */
public final class PeerComparison {
  /** How much of everything; short proves that it runs, standard is what the docs quote. */
  private enum Size {
    SHORT(20, 3, 60),
    STANDARD(180, 30, 232),
    FULL(1800, 30, 232);

    private final int liveSeconds;
    private final int pastReplicas;
    private final int pastTicks;

    Size(int liveSeconds, int pastReplicas, int pastTicks) {
      this.liveSeconds = liveSeconds;
      this.pastReplicas = pastReplicas;
      this.pastTicks = pastTicks;
    }

    /** How many are scraped live, one run after the other. */
    List<Integer> liveReplicas() {
      return this == SHORT ? List.of(10) : List.of(30, 100);
    }
  }

  private static final long PAST_TICK_MS = 15_000;
  private static final int PAST_INTERVAL_MS = 100;

  private final ObjectMapper json = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
  private final Answers answers = new Answers(json);
  private final Path root;
  private final Path work;
  private final Size size;
  private final int liveSeconds;
  private final ObjectNode results = json.createObjectNode();

  private PeerComparison(Path root, Path work, Size size, int liveSeconds) {
    this.root = root;
    this.work = work;
    this.size = size;
    this.liveSeconds = liveSeconds;
  }

  public static void main(String[] args) throws Exception {
    Path root = Path.of(args[0]).toAbsolutePath().normalize();
    Path work = Files.createTempDirectory("peers");
    Size size = Size.valueOf(args[2].toUpperCase(Locale.ROOT));
    int liveSeconds = args.length > 3 ? Integer.parseInt(args[3]) * 60 : size.liveSeconds;
    PeerComparison comparison = new PeerComparison(root, work, size, liveSeconds);
    Machine.describe(comparison.results);
    comparison.results.put("size", args[2]);
    ArrayNode live = comparison.results.putArray("live");
    for (int replicas : size.liveReplicas()) {
      comparison.live(replicas, live);
    }
    comparison.past();
    Path file = Path.of(args[1]);
    Files.createDirectories(file.toAbsolutePath().getParent());
    comparison.json.writeValue(file.toFile(), comparison.results);
    WorkFolder.delete(work);
    System.out.println("wrote " + file);
  }

  private void live(int replicas, ArrayNode rows) throws Exception {
    int port = Machine.freePort();
    Process generator = startGenerator(port, replicas, 1, PAST_TICK_MS, 0);
    List<RunningPeer> peers = new ArrayList<>();
    try {
      String config = config("live", port, replicas, "5s");
      Path folder = work.resolve("live-" + replicas);
      for (Peer peer : Peer.values()) {
        peers.add(RunningPeer.start(peer, root, folder, config, Machine.freePort()));
      }
      Thread.sleep(20_000);
      double[] before = new double[peers.size()];
      for (int i = 0; i < before.length; i++) {
        before[i] = peers.get(i).figures().cpuSeconds();
      }
      System.out.printf("live: %d replicas for %d s ...%n", replicas, liveSeconds);
      Thread.sleep(liveSeconds * 1000L);
      for (int i = 0; i < before.length; i++) {
        ObjectNode row = rows.addObject();
        describe(peers.get(i), row, before[i]);
        row.put("replicas", replicas);
        System.out.println(row);
      }
    } finally {
      stopAll(peers, generator);
    }
  }

  private void describe(RunningPeer peer, ObjectNode row, double cpuSecondsBefore)
      throws IOException, InterruptedException {
    row.put("peer", peer.peer().label());
    ProcessFigures figures = peer.figures();
    figures.into(row);
    row.put("seconds", liveSeconds);
    row.put("cpuSeconds", figures.cpuSeconds() - cpuSecondsBefore);
    double now = System.currentTimeMillis() / 1000.0;
    row.put("targetsUp", answers.firstValue(peer.instant("sum(up)", now)));
    double scraped = answers.firstValue(peer.instant("sum(scrape_samples_scraped)", now));
    row.put("samplesPerSecond", scraped / 5);
  }

  private void past() throws Exception {
    int port = Machine.freePort();
    long endMs = System.currentTimeMillis() / PAST_TICK_MS * PAST_TICK_MS;
    Process generator =
        startGenerator(port, size.pastReplicas, size.pastTicks, PAST_TICK_MS, endMs);
    List<RunningPeer> peers = new ArrayList<>();
    try {
      ArrayNode rows = results.putArray("past");
      for (Peer peer : Peer.values()) {
        String config =
            config("past/" + peer.label(), port, size.pastReplicas, PAST_INTERVAL_MS + "ms");
        RunningPeer running =
            RunningPeer.start(peer, root, work.resolve("past"), config, Machine.freePort());
        peers.add(running);
        awaitPast(port, peer);
        running.reconfigure("scrape_configs: []\n");
        Thread.sleep(2000);
        double samples =
            (double) size.pastReplicas * size.pastTicks * new SyntheticReplica(0).seriesCount();
        ObjectNode row = rows.addObject().put("peer", peer.label());
        row.put("samples", samples);
        row.put("cpuSeconds", running.figures().cpuSeconds());
        row.put("cpuSecondsPerMillion", running.figures().cpuSeconds() / (samples / 1e6));
        row.put("peakRssMib", running.figures().peakRssMib());
        System.out.println(row);
      }
    } finally {
      stopAll(peers, generator);
    }
  }

  private void awaitPast(int port, Peer peer) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/progress/" + peer.label()))
            .build();
    try (HttpClient http = HttpClient.newHttpClient()) {
      long given = 0;
      while (given < size.pastTicks) {
        Thread.sleep(1000);
        given = Long.parseLong(http.send(request, BodyHandlers.ofString()).body().strip());
      }
    }
  }

  private static String config(String kind, int port, int replicas, String interval) {
    StringBuilder yaml = new StringBuilder();
    yaml.append("global:\n  scrape_interval: ").append(interval);
    yaml.append("\n  scrape_timeout: ").append(interval).append("\nscrape_configs:\n");
    for (int i = 0; i < replicas; i++) {
      yaml.append("  - job_name: r").append(i);
      yaml.append("\n    metrics_path: /").append(kind).append('/').append(i).append("/metrics\n");
      yaml.append("    static_configs:\n      - targets: ['127.0.0.1:").append(port);
      yaml.append("']\n        labels: {job: vllm, instance: 'replica-").append(i).append("'}\n");
    }
    return yaml.toString();
  }

  private Process startGenerator(int port, int replicas, long ticks, long tickMs, long endMs)
      throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx1g",
            "-cp",
            System.getProperty("java.class.path"),
            SyntheticReplicas.class.getName(),
            Integer.toString(port),
            Integer.toString(replicas),
            Long.toString(ticks),
            Long.toString(tickMs),
            Long.toString(endMs))
        .inheritIO()
        .start();
  }

  private static void stopAll(List<RunningPeer> peers, Process generator)
      throws InterruptedException {
    for (RunningPeer peer : peers) {
      peer.stop();
    }
    generator.destroy();
    generator.waitFor();
  }
}
