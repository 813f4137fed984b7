package org.inferometer.benchmarks.peers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Runs ours, Prometheus and VictoriaMetrics side by side on the same synthetic replicas and writes
 * what each cost as data.
 *
 * <ol>
 *   <li>Live: all scrape the same replicas every 5 s at the same time; CPU seconds and peak memory.
 *   <li>Past: each takes in most of an hour of the same history by scraping it in compressed time,
 *       one after the other; CPU seconds a million samples. Not more than an hour, since Prometheus
 *       takes no sample that is older than that beside the newest.
 *   <li>Queries: the dashboards' expressions over that history, in turn A B C A B C; the first run
 *       and the median of the later ones.
 * </ol>
 *
 * Arguments: root folder of the project, results file, "short" or "standard" or "full".
 */
public final class PeerComparison {
  /** How much of everything; short proves that it runs, standard is what the docs quote. */
  private enum Size {
    SHORT(10, 20, 3, 60, 3),
    STANDARD(100, 180, 30, 232, 15),
    FULL(100, 1800, 30, 232, 50);

    private final int liveReplicas;
    private final int liveSeconds;
    private final int pastReplicas;
    private final int pastTicks;
    private final int rounds;

    Size(int liveReplicas, int liveSeconds, int pastReplicas, int pastTicks, int rounds) {
      this.liveReplicas = liveReplicas;
      this.liveSeconds = liveSeconds;
      this.pastReplicas = pastReplicas;
      this.pastTicks = pastTicks;
      this.rounds = rounds;
    }
  }

  private static final long PAST_TICK_MS = 15_000;
  private static final int PAST_INTERVAL_MS = 100;

  /** What the overview and service pages and the usual dashboards ask. */
  private static final Map<String, String> QUERIES = new LinkedHashMap<>();

  static {
    QUERIES.put(
        "P99 TTFT, all replicas",
        "histogram_quantile(0.99, sum by (le)"
            + " (rate(vllm:time_to_first_token_seconds_bucket[5m])))");
    QUERIES.put(
        "P95 TPOT by replica",
        "histogram_quantile(0.95, sum by (le, instance)"
            + " (rate(vllm:request_time_per_output_token_seconds_bucket[5m])))");
    QUERIES.put("output tokens/s", "sum by (job) (rate(vllm:generation_tokens_total[2m]))");
    QUERIES.put(
        "prefix cache hit rate",
        "sum(rate(vllm:prefix_cache_hits_total[5m]))"
            + " / sum(rate(vllm:prefix_cache_queries_total[5m]))");
    QUERIES.put(
        "mean queue time",
        "sum(rate(vllm:request_queue_time_seconds_sum[5m]))"
            + " / clamp_min(sum(rate(vllm:request_queue_time_seconds_count[5m])), 0.001)");
    QUERIES.put(
        "abort share",
        "sum(rate(vllm:request_success_total{finished_reason=\"abort\"}[5m]))"
            + " / sum(rate(vllm:request_success_total[5m]))");
    QUERIES.put("fullest KV cache", "max(vllm:kv_cache_usage_perc)");
    QUERIES.put("waiting by replica", "sum by (instance) (vllm:num_requests_waiting)");
  }

  private final ObjectMapper json = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
  private final Path root;
  private final Path work;
  private final Size size;
  private final ObjectNode results = json.createObjectNode();

  private PeerComparison(Path root, Path work, Size size) {
    this.root = root;
    this.work = work;
    this.size = size;
  }

  public static void main(String[] args) throws Exception {
    Path root = Path.of(args[0]).toAbsolutePath().normalize();
    Path work = Files.createTempDirectory("peers");
    PeerComparison comparison =
        new PeerComparison(root, work, Size.valueOf(args[2].toUpperCase(Locale.ROOT)));
    comparison.results.put("date", LocalDate.now(ZoneOffset.UTC).toString());
    comparison.results.put("size", args[2]);
    comparison.describeMachine();
    comparison.live();
    comparison.past();
    Path file = Path.of(args[1]);
    Files.createDirectories(file.toAbsolutePath().getParent());
    comparison.json.writeValue(file.toFile(), comparison.results);
    System.out.println("wrote " + file);
  }

  private void describeMachine() throws IOException {
    String cpu =
        Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
            .filter(line -> line.startsWith("model name"))
            .findFirst()
            .map(line -> line.substring(line.indexOf(':') + 2))
            .orElse("unknown");
    results.put("cpu", cpu);
    results.put("cores", Runtime.getRuntime().availableProcessors());
    results.put("java", Runtime.version().toString());
  }

  private void live() throws Exception {
    int port = freePort();
    Process generator = startGenerator(port, size.liveReplicas, 1, PAST_TICK_MS, 0);
    List<RunningPeer> peers = new ArrayList<>();
    try {
      String config = config("live", port, size.liveReplicas, "5s");
      for (Peer peer : Peer.values()) {
        peers.add(RunningPeer.start(peer, root, work.resolve("live"), config, freePort()));
      }
      Thread.sleep(20_000);
      double[] before = new double[peers.size()];
      for (int i = 0; i < before.length; i++) {
        before[i] = peers.get(i).cpuSeconds();
      }
      System.out.println("live: " + size.liveSeconds + " s ...");
      Thread.sleep(size.liveSeconds * 1000L);
      ArrayNode rows = results.putArray("live");
      for (int i = 0; i < before.length; i++) {
        RunningPeer peer = peers.get(i);
        ObjectNode row = rows.addObject().put("peer", peer.peer().label());
        row.put("replicas", size.liveReplicas);
        row.put("seconds", size.liveSeconds);
        row.put("cpuSeconds", peer.cpuSeconds() - before[i]);
        row.put("peakRssMib", peer.statusMib("VmHWM"));
        row.put("rssMib", peer.statusMib("VmRSS"));
        double now = System.currentTimeMillis() / 1000.0;
        row.put("targetsUp", firstValue(peer.instant("sum(up)", now)));
        row.put(
            "samplesPerSecond", firstValue(peer.instant("sum(scrape_samples_scraped)", now)) / 5);
        System.out.println(row);
      }
    } finally {
      stopAll(peers, generator);
    }
  }

  private void past() throws Exception {
    int port = freePort();
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
            RunningPeer.start(peer, root, work.resolve("past"), config, freePort());
        peers.add(running);
        awaitPast(port, peer);
        running.reconfigure("scrape_configs: []\n");
        Thread.sleep(2000);
        double samples =
            (double) size.pastReplicas * size.pastTicks * new SyntheticReplica(0).seriesCount();
        ObjectNode row = rows.addObject().put("peer", peer.label());
        row.put("samples", samples);
        row.put("cpuSeconds", running.cpuSeconds());
        row.put("cpuSecondsPerMillion", running.cpuSeconds() / (samples / 1e6));
        row.put("peakRssMib", running.statusMib("VmHWM"));
        System.out.println(row);
      }
      queries(peers, endMs / 1000.0);
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

  private void queries(List<RunningPeer> peers, double end) throws Exception {
    // Off the scrape grid: ranges of older Prometheus versions still include their left edge.
    double last = end - 8;
    double first = last - (size.pastTicks - 24) * (PAST_TICK_MS / 1000.0);
    ArrayNode rows = results.putArray("queries");
    for (Map.Entry<String, String> query : QUERIES.entrySet()) {
      for (boolean range : new boolean[] {false, true}) {
        rows.add(compare(peers, query, range, first, last));
      }
    }
  }

  private ObjectNode compare(
      List<RunningPeer> peers,
      Map.Entry<String, String> query,
      boolean range,
      double first,
      double last)
      throws Exception {
    double[][] millis = new double[peers.size()][size.rounds + 1];
    String[] answers = new String[peers.size()];
    for (int round = 0; round <= size.rounds; round++) {
      for (int i = 0; i < peers.size(); i++) {
        long start = System.nanoTime();
        answers[i] =
            range
                ? peers.get(i).range(query.getValue(), first, last, 15)
                : peers.get(i).instant(query.getValue(), last);
        millis[i][round] = (System.nanoTime() - start) / 1e6;
      }
    }
    ObjectNode row = json.createObjectNode();
    row.put("name", query.getKey());
    row.put("query", query.getValue());
    row.put("kind", range ? "range" : "instant");
    row.put("agreesWithPrometheus", difference(answers[0], answers[1]));
    for (int i = 0; i < peers.size(); i++) {
      double[] warm = Arrays.copyOfRange(millis[i], 1, millis[i].length);
      Arrays.sort(warm);
      ObjectNode figures = row.putObject(peers.get(i).peer().label());
      figures.put("coldMs", millis[i][0]);
      figures.put("warmMs", warm[warm.length / 2]);
    }
    System.out.println(row);
    return row;
  }

  /** The largest relative difference of values between two answers, or NaN if shapes differ. */
  private double difference(String a, String b) throws IOException {
    List<Double> left = numbers(json.readTree(a));
    List<Double> right = numbers(json.readTree(b));
    if (left.isEmpty() || left.size() != right.size()) {
      return Double.NaN;
    }
    double most = 0;
    for (int i = 0; i < left.size(); i++) {
      double scale = Math.max(Math.abs(left.get(i)), Math.abs(right.get(i)));
      if (scale > 0) {
        most = Math.max(most, Math.abs(left.get(i) - right.get(i)) / scale);
      }
    }
    return most;
  }

  /** Every value of an answer, by series label and time. */
  private static List<Double> numbers(JsonNode answer) {
    List<JsonNode> series = new ArrayList<>();
    answer.path("data").path("result").forEach(series::add);
    series.sort((a, b) -> a.path("metric").toString().compareTo(b.path("metric").toString()));
    List<Double> numbers = new ArrayList<>();
    for (JsonNode one : series) {
      if (one.has("value")) {
        numbers.add(one.path("value").path(1).asDouble());
      }
      one.path("values").forEach(point -> numbers.add(point.path(1).asDouble()));
    }
    return numbers;
  }

  private double firstValue(String answer) throws IOException {
    return json.readTree(answer)
        .path("data")
        .path("result")
        .path(0)
        .path("value")
        .path(1)
        .asDouble(Double.NaN);
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

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
