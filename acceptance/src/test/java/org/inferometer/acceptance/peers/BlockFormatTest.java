package org.inferometer.acceptance.peers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.inferometer.histogram.Buckets;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.io.Disk;
import org.inferometer.model.FloatFormat;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.store.Querier;
import org.inferometer.store.SampleColumns;
import org.inferometer.store.Series;
import org.inferometer.tsdb.block.Block;
import org.inferometer.tsdb.block.BlockMeta;
import org.inferometer.tsdb.block.BlockWriter;
import org.inferometer.tsdb.block.Tombstones;
import org.inferometer.tsdb.block.Ulid;
import org.inferometer.tsdb.chunk.Chunk;
import org.inferometer.tsdb.chunk.ChunkBuilder;
import org.inferometer.tsdb.chunk.ChunkRuns;
import org.inferometer.tsdb.chunk.SeriesChunks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Blocks that Debian's prometheus and promtool wrote are read here, and ours are read there. */
class BlockFormatTest {
  /** Where a block of two hours begins. */
  private static final long START_MS = 1_699_999_200_000L / 7_200_000 * 7_200_000;

  private static final long STEP_MS = 15_000;
  private static final int SAMPLES = 300;

  private static final String WITHOUT_ZONE = "{__name__=~\".+\",zone=\"\"}";
  private static final String OTHER_ZONE = "{__name__=~\".+\",zone!=\"größe\"}";

  private final ObjectMapper json = new ObjectMapper();

  @TempDir private Path folder;

  private static SortedMap<Labels, SortedMap<Long, Double>> random(long seed, int seriesCount) {
    Random random = new Random(seed);
    SortedMap<Labels, SortedMap<Long, Double>> data = new TreeMap<>();
    for (int i = 0; i < seriesCount; i++) {
      SortedMap<Long, Double> samples = new TreeMap<>();
      double value = 0;
      for (int j = 0; j < SAMPLES; j++) {
        value += random.nextInt(3) == 0 ? random.nextGaussian() : random.nextInt(4);
        samples.put(START_MS + j * STEP_MS + random.nextInt(3), value);
      }
      data.put(
          Labels.of(
              "__name__",
              "metric_" + i % 3,
              "instance",
              "host-" + i,
              "zone",
              List.of("", "größe", "b\"c").get(random.nextInt(3))),
          samples);
    }
    return data;
  }

  private static SampleColumns columns(Map<Long, Double> samples) {
    SampleColumns columns = new SampleColumns();
    samples.forEach(columns::add);
    return columns;
  }

  private static List<Chunk> chunks(SampleColumns columns) {
    return ChunkRuns.of(columns).stream().map(ChunkBuilder::seal).toList();
  }

  private Path blocks() throws IOException {
    Path blocks = Files.createDirectories(folder.resolve("prometheus-data"));
    Files.createDirectories(blocks.resolve("wal")); // promtool dump wants one
    return blocks;
  }

  private Path write(Stream<SeriesChunks> series) throws IOException {
    Ulid ulid = Ulid.of(START_MS, new Random(1));
    try (BlockWriter writer = new BlockWriter(Disk.real(), blocks(), ulid)) {
      for (SeriesChunks one : (Iterable<SeriesChunks>) series::iterator) {
        writer.add(one);
      }
      BlockMeta meta =
          writer.finish(BlockWriter.ofHead(ulid, START_MS, START_MS + 7_200_000, List.of()));
      return blocks().resolve(Objects.requireNonNull(meta).ulid().toString());
    }
  }

  private Path write(Map<Labels, SortedMap<Long, Double>> data) throws IOException {
    return write(
        data.entrySet().stream()
            .map(e -> new SeriesChunks(e.getKey(), chunks(columns(e.getValue())))));
  }

  private String promtool(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(Program.installed("promtool"), "tsdb"));
    command.addAll(List.of(arguments));
    command.add(blocks().toString());
    String output = Program.run(command);
    assertThat(output).startsWith("exit 0");
    return output;
  }

  private Program prometheus(String... more) throws Exception {
    Path config = folder.resolve("prometheus.yml");
    Files.writeString(config, "global:\n  scrape_interval: 1m\n");
    return Program.prometheus(folder, config, more);
  }

  private static SortedMap<Labels, SortedMap<Long, Double>> read(Path block) throws Exception {
    SortedMap<Labels, SortedMap<Long, Double>> data = new TreeMap<>();
    try (Block open = Block.open(Disk.real(), block);
        Querier querier = open.querier(Long.MIN_VALUE, Long.MAX_VALUE)) {
      for (Series series : querier.select(List.of())) {
        SampleColumns columns = new SampleColumns();
        series.read(Long.MIN_VALUE, Long.MAX_VALUE, columns);
        SortedMap<Long, Double> samples = new TreeMap<>();
        for (int i = 0; i < columns.size(); i++) {
          samples.put(columns.timestampMs(i), columns.value(i));
        }
        data.put(series.labels(), samples);
      }
      assertThat(querier.warnings()).isEmpty();
    }
    return data;
  }

  private List<Path> blockFolders() throws IOException {
    try (Stream<Path> paths = Files.list(blocks())) {
      return paths
          .filter(path -> Ulid.isUlid(String.valueOf(path.getFileName())))
          .sorted()
          .toList();
    }
  }

  /** The rows of a table that promtool prints without a head. */
  private static List<String> dumped(Map<Labels, SortedMap<Long, Double>> data) {
    List<String> lines = new ArrayList<>();
    data.forEach(
        (labels, samples) ->
            samples.forEach(
                (timeMs, value) ->
                    lines.add(
                        labels.inBraces() + " " + FloatFormat.general(value) + " " + timeMs)));
    Collections.sort(lines);
    return lines;
  }

  @Test
  void promtoolsBlocks_areReadHere() throws Exception {
    SortedMap<Labels, SortedMap<Long, Double>> data = random(1, 40);
    PrometheusBlocks.start(folder, data).close();
    SortedMap<Labels, SortedMap<Long, Double>> read = new TreeMap<>();
    for (Path block : blockFolders()) {
      assertThat(Block.verify(Disk.real(), block).problems()).isEmpty();
      read(block)
          .forEach(
              (labels, samples) ->
                  read.computeIfAbsent(labels, l -> new TreeMap<>()).putAll(samples));
    }
    assertThat(read).isEqualTo(data);
  }

  @Test
  void ourBlocks_areReadByPromtool() throws Exception {
    SortedMap<Labels, SortedMap<Long, Double>> data = random(2, 40);
    Path block = write(data);
    String ulid = String.valueOf(block.getFileName());
    assertThat(promtool("list")).containsPattern(ulid + ".* 12000 +120 +40 ");
    assertThat(promtool("analyze"))
        .contains("Block ID: " + ulid)
        .contains("Series: 40")
        .contains("Postings (unique label pairs): " + labelPairs(data))
        .contains("3 __name__");
    List<String> lines = new ArrayList<>(promtool("dump").lines().skip(1).toList());
    Collections.sort(lines);
    assertThat(lines).isEqualTo(dumped(data));
  }

  private static long labelPairs(Map<Labels, ?> data) {
    return data.keySet().stream()
        .flatMap(labels -> labels.toMap().entrySet().stream())
        .distinct()
        .count();
  }

  private JsonNode data(Program program, String path, Map<String, String> parameters)
      throws Exception {
    JsonNode answer = json.readTree(program.get(path, parameters));
    assertThat(answer.path("status").asText()).as(answer.toString()).isEqualTo("success");
    return answer.path("data");
  }

  @Test
  void ourBlocks_areReadByPrometheus() throws Exception {
    SortedMap<Labels, SortedMap<Long, Double>> data = random(3, 40);
    write(data);
    String time = "" + (START_MS + SAMPLES * STEP_MS) / 1_000;
    try (Program prometheus = prometheus()) {
      JsonNode all =
          data(prometheus, "/api/v1/query", Map.of("query", "{__name__=~\".+\"}[3h]", "time", time))
              .path("result");
      SortedMap<Labels, SortedMap<Long, Double>> answered = new TreeMap<>();
      for (JsonNode series : all) {
        Map<String, String> labels = new TreeMap<>();
        series
            .path("metric")
            .properties()
            .forEach(l -> labels.put(l.getKey(), l.getValue().asText()));
        SortedMap<Long, Double> samples = new TreeMap<>();
        for (JsonNode pair : series.path("values")) {
          samples.put(
              Math.round(pair.path(0).asDouble() * 1_000),
              Double.parseDouble(pair.path(1).asText()));
        }
        answered.put(Labels.of(labels), samples);
      }
      assertThat(answered).isEqualTo(data);
      for (String selector :
          List.of("metric_1", WITHOUT_ZONE, OTHER_ZONE, "{instance=~\"host-1.*\"}")) {
        String count =
            data(
                    prometheus,
                    "/api/v1/query",
                    Map.of("query", "count(" + selector + ")", "time", time))
                .path("result")
                .path(0)
                .path("value")
                .path(1)
                .asText();
        assertThat(count).as(selector).isEqualTo("" + count(data, selector));
      }
    }
  }

  private static long count(Map<Labels, ?> data, String selector) {
    return data.keySet().stream()
        .filter(
            labels ->
                switch (selector) {
                  case "metric_1" -> labels.metricName().equals("metric_1");
                  case WITHOUT_ZONE -> !labels.has("zone");
                  case OTHER_ZONE -> !labels.get("zone").equals("größe");
                  default -> labels.get("instance").startsWith("host-1");
                })
        .count();
  }

  @Test
  void ourHistograms_areReadByPrometheus() throws Exception {
    SampleColumns whole = new SampleColumns();
    SampleColumns any = new SampleColumns();
    for (int i = 0; i < SAMPLES; i++) {
      long timeMs = START_MS + i * STEP_MS;
      Buckets buckets = i < 50 ? Buckets.from(-2, i, 2.0 * i) : Buckets.from(-2, i, 2.0 * i, i);
      double count = i < 50 ? 3 * i : 4 * i;
      whole.add(
          timeMs,
          NativeHistogram.exponential(1, count + 1, 0.5 * i, 0x1p-128, 1, buckets, Buckets.NONE));
      any.add(
          timeMs,
          NativeHistogram.exponential(
              1, count + 0.5, 0.5 * i, 0x1p-128, 0.5, buckets, Buckets.NONE));
    }
    write(
        Stream.of(
            new SeriesChunks(Labels.of("__name__", "any"), chunks(any)),
            new SeriesChunks(Labels.of("__name__", "whole"), chunks(whole))));
    try (Program prometheus = prometheus("--enable-feature=native-histograms")) {
      for (String name : List.of("any", "whole")) {
        SampleColumns columns = name.equals("any") ? any : whole;
        JsonNode values =
            data(
                    prometheus,
                    "/api/v1/query_range",
                    Map.of(
                        "query", "histogram_count(" + name + ")",
                        "start", "" + START_MS / 1_000,
                        "end", "" + (START_MS + (SAMPLES - 1) * STEP_MS) / 1_000,
                        "step", "15"))
                .path("result")
                .path(0)
                .path("values");
        assertThat(values.size()).as(name).isEqualTo(SAMPLES);
        for (int i = 0; i < SAMPLES; i++) {
          assertThat(values.path(i).path(1).asDouble())
              .isEqualTo(Objects.requireNonNull(columns.histogram(i)).count());
        }
      }
    }
  }

  @Test
  void prometheussTombstones_hideSamplesHere() throws Exception {
    SortedMap<Labels, SortedMap<Long, Double>> data = random(4, 12);
    Path block = write(data);
    long fromMs = START_MS + 50 * STEP_MS;
    long toMs = START_MS + 200 * STEP_MS;
    try (Program prometheus = prometheus("--web.enable-admin-api")) {
      delete(prometheus, "metric_1", fromMs, toMs);
    }
    try (Block open = Block.open(Disk.real(), block)) {
      assertThat(open.tombstones().count()).isEqualTo(4);
      Tombstones same =
          open.withDeleted(List.of(Matcher.equal(Labels.NAME, "metric_1")), fromMs, toMs);
      assertThat(same.count()).isEqualTo(4);
    }
    data.forEach((labels, samples) -> hide(labels, samples, "metric_1", fromMs, toMs));
    assertThat(read(block)).isEqualTo(data);
    assertThat(Block.verify(Disk.real(), block).problems()).isEmpty();
  }

  private static void delete(Program prometheus, String name, long fromMs, long toMs)
      throws IOException, InterruptedException {
    URI uri =
        URI.create(
            "http://127.0.0.1:%d/api/v1/admin/tsdb/delete_series?match[]=%s&start=%.3f&end=%.3f"
                .formatted(
                    prometheus.port(),
                    URLEncoder.encode(name, StandardCharsets.UTF_8),
                    fromMs / 1_000.0,
                    toMs / 1_000.0)
                .replace("[]", "%5B%5D"));
    HttpRequest request =
        HttpRequest.newBuilder(uri).POST(HttpRequest.BodyPublishers.noBody()).build();
    try (HttpClient http = HttpClient.newHttpClient()) {
      assertThat(http.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(204);
    }
  }

  private static void hide(
      Labels labels, SortedMap<Long, Double> samples, String name, long fromMs, long toMs) {
    if (labels.metricName().equals(name)) {
      samples.subMap(fromMs, toMs + 1).clear();
    }
  }

  @Test
  void ourTombstones_hideSamplesThere() throws Exception {
    SortedMap<Labels, SortedMap<Long, Double>> data = random(5, 12);
    Path block = write(data);
    long fromMs = START_MS + 50 * STEP_MS;
    long toMs = START_MS + 200 * STEP_MS;
    try (Block open = Block.open(Disk.real(), block)) {
      Tombstones marks =
          open.withDeleted(List.of(Matcher.equal(Labels.NAME, "metric_2")), fromMs, toMs);
      marks.write(Disk.real(), block);
    }
    data.forEach((labels, samples) -> hide(labels, samples, "metric_2", fromMs, toMs));
    List<String> lines = new ArrayList<>(promtool("dump").lines().skip(1).toList());
    Collections.sort(lines);
    assertThat(lines).isEqualTo(dumped(data));
  }

  @Test
  void manySeries_areReadByPromtoolAndPrometheus() throws Exception {
    int count = 100_000;
    Path block =
        write(
            Stream.iterate(0, i -> i + 1)
                .limit(count)
                .map(
                    i ->
                        new SeriesChunks(
                            Labels.of(
                                "__name__", "many", "id", "%06d".formatted(i), "mod", "" + i % 10),
                            chunks(columns(Map.of(START_MS + i, 1.0 * i))))));
    assertThat(promtool("analyze")).contains("Series: " + count).contains(count + " id");
    try (Block open = Block.open(Disk.real(), block);
        Querier querier = open.querier(0, Long.MAX_VALUE)) {
      assertThat(querier.labelValues("id", List.of())).hasSize(count);
      assertThat(querier.select(List.of(Matcher.equal("mod", "3")))).hasSize(count / 10);
      assertThat(querier.select(List.of(Matcher.equal("id", "077777")))).hasSize(1);
    }
    assertThat(Block.verify(Disk.real(), block).problems()).isEmpty();
    try (Program prometheus = prometheus()) {
      String time = "" + (START_MS + 200_000) / 1_000;
      JsonNode result =
          data(prometheus, "/api/v1/query", Map.of("query", "sum by (mod) (many)", "time", time))
              .path("result");
      assertThat(result.size()).isEqualTo(10);
      JsonNode values = data(prometheus, "/api/v1/label/id/values", Map.of("start", "0"));
      assertThat(values.size()).isEqualTo(count);
    }
  }
}
