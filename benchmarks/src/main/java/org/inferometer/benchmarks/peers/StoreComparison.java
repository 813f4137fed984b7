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
 * What keeping samples on disk costs ours, Prometheus and VictoriaMetrics, as data.
 *
 * <ol>
 *   <li>Replay: two hours are written to each, each is killed and started again.
 *   <li>History: the same hours are written to each at the same time; then, when all work in the
 *       background is done, CPU, memory, bytes written and bytes kept.
 *   <li>Queries over the hours that are in blocks, the first after a start and warm.
 *   <li>Bound: how small the same samples are for a general compressor.
 * </ol>
 *
 * <p>Arguments: root folder of the project, results file, "short" or "standard".
 */
public final class StoreComparison {
  /** Short proves that it runs and is over in some minutes, standard is what the docs quote. */
  private enum Size {
    SHORT(10, 10, 2, 6, 300, 600),
    STANDARD(100, 30, 6, 24, 1_000, 3_000);

    private final int replayReplicas;
    private final int replicas;

    /** A part of the history that is asked for too. */
    private final int partHours;

    /** Of the history. */
    private final int hours;

    /** Of each peer and query. */
    private final int warmUpMs;

    /** Of each query, all peers together. */
    private final int timedMs;

    Size(int replayReplicas, int replicas, int partHours, int hours, int warmUpMs, int timedMs) {
      this.replayReplicas = replayReplicas;
      this.replicas = replicas;
      this.partHours = partHours;
      this.hours = hours;
      this.warmUpMs = warmUpMs;
      this.timedMs = timedMs;
    }
  }

  private static final int TICK_MS = 15_000;
  private static final int STEP_S = 15;
  private static final long HOUR_MS = 3_600_000;

  /** A stretch that a block of the third level takes: a history that begins there fills one. */
  private static final long ALIGNED_MS = 18 * HOUR_MS;

  /** So much after the end of a block makes its head long enough for the block to be cut. */
  private static final long BEHIND_BLOCKS_MS = HOUR_MS + 5 * 60_000;

  /** And so much before that it isn't yet. */
  private static final long BEFORE_CUT_MS = 10 * 60_000;

  /** Peers look for work in the background once a minute. */
  private static final int QUIET_S = 66;

  private static final String HEAVY = "P99 TTFT, all replicas";

  /** Of {@link DashboardQueries}, the heaviest first. */
  private static final List<String> QUERIES =
      List.of(
          HEAVY,
          "P95 TPOT by replica",
          "output tokens/s",
          "prefix cache hit rate",
          "fullest KV cache",
          "waiting by replica");

  private final ObjectMapper json = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
  private final ObjectNode results = json.createObjectNode();
  private final Path root;
  private final Path work;
  private final Size size;
  private final History history;
  private final long blocksEndMs;

  private StoreComparison(Path root, Path work, Size size) {
    this.root = root;
    this.work = work;
    this.size = size;
    long lengthMs = size.hours * HOUR_MS;
    long aligned = Math.min(ALIGNED_MS, lengthMs);
    long startMs = (System.currentTimeMillis() - lengthMs - BEHIND_BLOCKS_MS) / aligned * aligned;
    blocksEndMs = startMs + lengthMs;
    int ticks = (int) ((lengthMs + BEHIND_BLOCKS_MS) / TICK_MS);
    history = new History(size.replicas, startMs, TICK_MS, ticks);
  }

  public static void main(String[] args) throws Exception {
    Path root = Path.of(args[0]).toAbsolutePath().normalize();
    Path work = Files.createTempDirectory("store-peers");
    Size size = Size.valueOf(args[2].toUpperCase(Locale.ROOT));
    StoreComparison comparison = new StoreComparison(root, work, size);
    Machine.describe(comparison.results);
    comparison.results.put("size", args[2]);
    comparison.results.put("memoryBytesPerSecond", MemoryBandwidth.measure());
    long start = System.nanoTime();
    new ReplayComparison(root, work.resolve("replay"), size.replayReplicas)
        .measure(comparison.results.putArray("replay"));
    comparison.history();
    SizeBound.measure(comparison.history, comparison.results.putArray("bound"));
    comparison.results.put("seconds", Math.round((System.nanoTime() - start) / 1e9));
    Path file = Path.of(args[1]);
    Files.createDirectories(file.toAbsolutePath().getParent());
    comparison.json.writeValue(file.toFile(), comparison.results);
    WorkFolder.delete(work);
    System.out.println("wrote " + file);
  }

  private void history() throws Exception {
    PeerGroup peers = new PeerGroup(root, work.resolve("history"));
    try {
      peers.start();
      int uncut = history.ticks() - (int) (BEFORE_CUT_MS / TICK_MS);
      double[] seconds = ParallelLoad.load(history, 0, uncut, peers.connections());
      Settling.await(peers.running(), QUIET_S);
      cutLast(peers, uncut);
      describe(peers, seconds);
      ask(peers);
    } finally {
      peers.stop();
    }
  }

  /** What the cut of one block costs, and little else. */
  private void cutLast(PeerGroup peers, int fromTick) throws IOException, InterruptedException {
    double[] idleCores = Settling.idleCores(peers.running());
    List<ProcessFigures> before = figures(peers);
    long start = System.nanoTime();
    ParallelLoad.load(history, fromTick, history.ticks(), peers.connections());
    Settling.await(peers.running(), QUIET_S);
    double elapsed = (System.nanoTime() - start) / 1e9;
    List<ProcessFigures> after = figures(peers);
    ArrayNode rows = results.putArray("cut");
    for (int i = 0; i < after.size(); i++) {
      ObjectNode row = rows.addObject().put("peer", peers.running().get(i).peer().label());
      double seconds = after.get(i).cpuSeconds() - before.get(i).cpuSeconds();
      row.put("cpuSeconds", seconds - idleCores[i] * elapsed);
      row.put("idleCores", idleCores[i]);
      row.put("appended", (long) (history.ticks() - fromTick) * history.seriesCount());
      row.put("cut", 2 * HOUR_MS / TICK_MS * history.seriesCount());
      row.put("writtenBytes", after.get(i).writtenBytes() - before.get(i).writtenBytes());
      System.out.println(row);
    }
    // The others merge all by themselves.
    peers.running(Peer.VICTORIA_METRICS).get("/internal/force_flush");
    peers.running(Peer.VICTORIA_METRICS).get("/internal/force_merge");
    Settling.await(peers.running(), 6);
  }

  private static List<ProcessFigures> figures(PeerGroup peers) throws IOException {
    List<ProcessFigures> figures = new ArrayList<>();
    for (RunningPeer peer : peers.running()) {
      figures.add(peer.figures());
    }
    return figures;
  }

  private void describe(PeerGroup peers, double[] seconds) throws IOException {
    ObjectNode described = results.putObject("history");
    described.put("replicas", size.replicas);
    described.put("series", history.seriesCount());
    described.put("samples", history.samples());
    described.put("hours", size.hours);
    ArrayNode rows = described.putArray("peers");
    ArrayNode blocks = described.putArray("blocks");
    for (RunningPeer peer : peers.running()) {
      String label = peer.peer().label();
      DataFolder data = new DataFolder(peer.data());
      ObjectNode row = rows.addObject().put("peer", label);
      row.put("loadSeconds", seconds[rows.size() - 1]);
      peer.figures().into(row);
      row.put("bytes", data.bytes());
      row.put("logBytes", data.logBytes());
      row.put("headChunkBytes", data.headChunkBytes());
      row.put("blocksComplete", data.blocksEndMs() >= blocksEndMs);
      data.describeBlocks(label, blocks);
      System.out.println(row);
    }
    System.out.println(blocks);
  }

  private void ask(PeerGroup peers) throws Exception {
    ArrayNode rows = results.putArray("queries");
    // Off the scrape grid: ranges of older Prometheus versions still include their left edge.
    double last = blocksEndMs / 1000.0 - 8;
    for (int hours : List.of(size.hours, size.partHours)) {
      double first = last - hours * 3600.0 + 600;
      List<Question> questions = new ArrayList<>();
      dashboard((name, query) -> questions.add(Question.range(name, query, first, last, STEP_S)));
      ask(peers, questions, hours, rows);
    }
    List<Question> instants = new ArrayList<>();
    dashboard((name, query) -> instants.add(Question.instant(name, query, last)));
    ask(peers, instants, 0, rows);
  }

  private static void dashboard(java.util.function.BiConsumer<String, String> each) {
    Map<String, String> all = DashboardQueries.all();
    QUERIES.forEach(name -> each.accept(name, all.get(name)));
  }

  private void ask(PeerGroup peers, List<Question> questions, int hours, ArrayNode rows)
      throws IOException, InterruptedException {
    peers.restart();
    Settling.await(peers.running(), 6);
    for (Question question : questions) {
      question.askCold(peers.connections());
    }
    for (Question question : questions) {
      ObjectNode row = rows.addObject().put("hours", hours);
      question.askWarm(peers.connections(), size.warmUpMs, size.timedMs, row);
      if (question.name().equals(HEAVY) && hours > 0) {
        row.put("samplesRead", heavySamples(hours));
      }
      System.out.println(row);
    }
    ArrayNode memory = results.withArray("queryMemory");
    for (RunningPeer peer : peers.running()) {
      ObjectNode row = memory.addObject().put("peer", peer.peer().label()).put("hours", hours);
      peer.figures().into(row);
    }
  }

  /** What the heavy query has to look at. */
  private long heavySamples(int hours) {
    int series = 0;
    for (SyntheticReplica replica : history.replicas()) {
      series += replica.seriesCount("vllm:time_to_first_token_seconds_bucket");
    }
    return series * (hours * HOUR_MS / TICK_MS);
  }
}
