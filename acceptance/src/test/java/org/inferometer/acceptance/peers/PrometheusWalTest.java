package org.inferometer.acceptance.peers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.inferometer.histogram.Buckets;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.io.Disk;
import org.inferometer.io.ProtoWriter;
import org.inferometer.io.Snappy;
import org.inferometer.model.Exemplar;
import org.inferometer.model.Labels;
import org.inferometer.model.MetricMetadata;
import org.inferometer.model.MetricType;
import org.inferometer.tsdb.wal.CheckpointFilter;
import org.inferometer.tsdb.wal.Wal;
import org.inferometer.tsdb.wal.WalOptions;
import org.inferometer.tsdb.wal.WalReader;
import org.inferometer.tsdb.wal.WalRecord;
import org.inferometer.tsdb.wal.WalSamples;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Debian's Prometheus opens a log that we wrote, and we read one that it wrote. */
class PrometheusWalTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final NativeHistogram WHOLE =
      NativeHistogram.exponential(
          1,
          13,
          18.5,
          0.001,
          2,
          Buckets.of(new int[] {0, 1, 3}, new double[] {1, 2, 3}),
          Buckets.from(-3, 3, 2));

  private static final NativeHistogram FRACTIONS =
      NativeHistogram.exponential(0, 7.5, 1.5, 0.5, 0.5, Buckets.from(1, 3.5, 3.5), Buckets.NONE);

  private static Program prometheus(Path folder) throws Exception {
    Path config = folder.resolve("prometheus.yml");
    Files.writeString(
        config,
        """
        global: {scrape_interval: 1s, scrape_timeout: 1s}
        storage: {tsdb: {out_of_order_time_window: 30m}}
        """);
    return Program.prometheus(
        folder,
        config,
        "--web.enable-remote-write-receiver",
        "--web.enable-admin-api",
        "--enable-feature=native-histograms,exemplar-storage");
  }

  private static WalRecord series(long ref, String name) {
    return new WalRecord.Series(
        List.of(new WalRecord.NewSeries(ref, Labels.of("__name__", name, "größe", "€"))));
  }

  private static WalRecord samples(long ref, long timestampMs, int count) {
    WalSamples samples = new WalSamples();
    for (int i = 0; i < count; i++) {
      samples.add(ref, timestampMs + i, i);
    }
    return new WalRecord.Samples(samples);
  }

  private static WalRecord histogram(long ref, long timestampMs, NativeHistogram histogram) {
    return new WalRecord.Histograms(
        List.of(new WalRecord.HistogramSample(ref, timestampMs, histogram)));
  }

  private static final CheckpointFilter ALL =
      new CheckpointFilter() {
        @Override
        public boolean keepsSeries(long ref) {
          return true;
        }

        @Override
        public long keptFromMs() {
          return 0;
        }
      };

  /** Every kind of record, across pages and segments, behind a checkpoint. */
  private static void writeOurs(Path wal, long nowMs) throws IOException {
    WalOptions options = new WalOptions(4 * WalOptions.PAGE_BYTES, true);
    try (Wal log = Wal.open(Disk.real(), wal, options)) {
      log.log(List.of(series(1, "old"), samples(1, nowMs - 60_000, 20_000)));
      log.log(List.of(series(2, "whole"), histogram(2, nowMs - 5_000, WHOLE)));
      log.checkpoint(log.cutSegment(), ALL);
      for (int i = 0; i < 10; i++) {
        log.log(List.of(samples(1, nowMs - 40_000 + 3_000L * i, 3_000)));
      }
      log.log(List.of(series(3, "fractions"), histogram(3, nowMs - 5_000, FRACTIONS)));
      log.log(List.of(series(4, "deleted"), samples(4, nowMs - 1_000, 10)));
      log.log(List.of(new WalRecord.Tombstones(List.of(new WalRecord.Deletion(4, 0, nowMs)))));
      Exemplar exemplar = new Exemplar(Labels.of("trace_id", "abc"), 0.25, nowMs);
      log.log(
          List.of(
              new WalRecord.Exemplars(List.of(new WalRecord.SeriesExemplar(1, exemplar))),
              new WalRecord.Metadata(
                  List.of(
                      new WalRecord.SeriesMetadata(
                          1, new MetricMetadata(MetricType.COUNTER, "s", "help"))))));
    }
  }

  private static String value(Program server, String query, long timeMs) throws Exception {
    String answer =
        server.get("/api/v1/query", Map.of("query", query, "time", "" + timeMs / 1_000.0));
    return JSON.readTree(answer).path("data").path("result").path(0).path("value").path(1).asText();
  }

  @Test
  void prometheus_opensOurLog(@TempDir Path folder) throws Exception {
    Program.installed("prometheus");
    long nowMs = System.currentTimeMillis();
    writeOurs(folder.resolve("prometheus-data").resolve("wal"), nowMs);
    try (Program server = prometheus(folder)) {
      assertThat(value(server, "count_over_time(old{größe=\"€\"}[2m])", nowMs)).isEmpty();
      assertThat(value(server, "count_over_time(old[2m])", nowMs)).isEqualTo("50000");
      assertThat(value(server, "histogram_count(whole)", nowMs)).isEqualTo("13");
      assertThat(value(server, "histogram_sum(whole)", nowMs)).isEqualTo("18.5");
      assertThat(value(server, "histogram_count(fractions)", nowMs)).isEqualTo("7.5");
      assertThat(value(server, "deleted", nowMs)).isEmpty();
      assertThat(server.get("/api/v1/query_exemplars", Map.of("query", "old", "start", "0")))
          .contains("abc");
    }
    assertThat(Files.readString(folder.resolve("prometheus.log")))
        .doesNotContain("level=error")
        .doesNotContain("nknown series")
        .doesNotContain("orrupt");
  }

  private static ProtoWriter label(ProtoWriter series, String name, String value) {
    return series.message(1, label -> label.string(1, name).string(2, value));
  }

  private static void send(Program server, ProtoWriter message) throws Exception {
    byte[] body = Snappy.compress(message.array(), message.size());
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/api/v1/write"))
            .header("Content-Type", "application/x-protobuf")
            .header("Content-Encoding", "snappy")
            .header("X-Prometheus-Remote-Write-Version", "0.1.0")
            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
            .build();
    HttpResponse<String> answer =
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(204);
  }

  private static ProtoWriter floats(long timestampMs, double value) {
    return new ProtoWriter()
        .message(
            1,
            series ->
                label(series, "__name__", "floats")
                    .message(2, sample -> sample.float64(1, value).varint(2, timestampMs))
                    .message(
                        3,
                        exemplar ->
                            label(exemplar, "trace_id", "abc")
                                .float64(2, 0.25)
                                .varint(3, timestampMs)));
  }

  private static ProtoWriter histograms(long timestampMs) {
    return new ProtoWriter()
        .message(
            1,
            series ->
                label(series, "__name__", "whole")
                    .message(
                        4,
                        h ->
                            h.varint(1, 13)
                                .float64(3, 18.5)
                                .zigzag(4, 1)
                                .float64(5, 0.001)
                                .varint(6, 2)
                                .message(8, span -> span.zigzag(1, -3).varint(2, 2))
                                .zigzags(9, 3, -1)
                                .message(11, span -> span.zigzag(1, 0).varint(2, 2))
                                .message(11, span -> span.zigzag(1, 1).varint(2, 1))
                                .zigzags(12, 1, 1, 1)
                                .varint(15, timestampMs)))
        .message(
            1,
            series ->
                label(series, "__name__", "fractions")
                    .message(
                        4,
                        h ->
                            h.float64(2, 7.5)
                                .float64(3, 1.5)
                                .zigzag(4, 0)
                                .float64(5, 0.5)
                                .float64(7, 0.5)
                                .message(11, span -> span.zigzag(1, 1).varint(2, 2))
                                .float64s(13, 3.5, 3.5)
                                .varint(15, timestampMs)));
  }

  private static List<WalRecord> read(Path wal) throws IOException {
    List<WalRecord> records = new ArrayList<>();
    try (WalReader in = WalReader.open(Disk.real(), wal)) {
      for (WalRecord next = in.next(); next != null; next = in.next()) {
        in.takeSamples();
        records.add(next);
      }
      assertThat(in.damage()).isNull();
      assertThat(in.readBytes()).isEqualTo(in.sizeBytes()).isPositive();
    }
    return records;
  }

  private static <R extends WalRecord> List<R> of(Class<R> kind, List<WalRecord> records) {
    return records.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  @Test
  void prometheusLog_isReadWhileItIsWritten(@TempDir Path folder) throws Exception {
    Program.installed("prometheus");
    long nowMs = System.currentTimeMillis();
    try (Program server = prometheus(folder)) {
      send(server, floats(nowMs, 4));
      send(server, histograms(nowMs));
      send(server, floats(nowMs - 1_000, 3));
      HttpClient.newHttpClient()
          .send(
              HttpRequest.newBuilder(
                      URI.create(
                          "http://127.0.0.1:"
                              + server.port()
                              + "/api/v1/admin/tsdb/delete_series?match[]=fractions"
                                  .replace("[]", "%5B%5D")))
                  .POST(HttpRequest.BodyPublishers.noBody())
                  .build(),
              HttpResponse.BodyHandlers.discarding());
      checkTheirs(folder.resolve("prometheus-data"), nowMs);
    }
  }

  private static void checkTheirs(Path data, long nowMs) throws IOException {
    List<WalRecord> records = read(data.resolve("wal"));
    assertThat(of(WalRecord.Series.class, records))
        .flatExtracting(WalRecord.Series::entries)
        .extracting(entry -> entry.labels().metricName())
        .containsExactly("floats", "whole", "fractions");
    WalSamples samples = of(WalRecord.Samples.class, records).getFirst().samples();
    assertThat(samples.timestampMs(0)).isEqualTo(nowMs);
    assertThat(samples.value(0)).isEqualTo(4);
    assertThat(of(WalRecord.Histograms.class, records))
        .flatExtracting(WalRecord.Histograms::entries)
        .extracting(WalRecord.HistogramSample::histogram)
        .usingElementComparator((a, b) -> a.sameAs(b) ? 0 : 1)
        .containsExactly(WHOLE, FRACTIONS);
    assertThat(of(WalRecord.Exemplars.class, records).getFirst().entries())
        .extracting(entry -> entry.exemplar().labels())
        .containsExactly(Labels.of("trace_id", "abc"));
    assertThat(of(WalRecord.Tombstones.class, records)).hasSize(1);
    List<WalRecord> outOfOrder = read(data.resolve("wbl"));
    assertThat(of(WalRecord.Other.class, outOfOrder)).contains(new WalRecord.Other(5));
    assertThat(of(WalRecord.Samples.class, outOfOrder).getFirst().samples().value(0)).isEqualTo(3);
  }
}
