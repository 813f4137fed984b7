package org.inferometer.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.inferometer.histogram.Buckets;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.histogram.ResetHint;
import org.inferometer.io.ProtoWriter;
import org.inferometer.io.Snappy;
import org.inferometer.model.StalenessMarker;
import org.inferometer.store.AppendOutcome;
import org.junit.jupiter.api.Test;

class WriteReceiverTest {
  private static final long T = 1_700_000_000_000L;

  private final FakeSink sink = new FakeSink();
  private final List<String> exemplars = sink.exemplars;
  private final WriteReceiver receiver = new WriteReceiver(sink);

  private WriteResult write(WriteProtocol protocol, ProtoWriter message) throws RemoteException {
    return receiver.write(protocol, block(message));
  }

  private static Block block(ProtoWriter message) throws RemoteException {
    return new Block(Snappy.compress(message.array(), message.size()));
  }

  private static void label(ProtoWriter series, String name, String value) {
    series.message(1, label -> label.string(1, name).string(2, value));
  }

  private static Consumer<ProtoWriter> sample(double value, long timeMs) {
    return sample -> sample.float64(1, value).varint(2, timeMs);
  }

  private static ProtoWriter v1(Consumer<ProtoWriter> series) {
    return new ProtoWriter().message(1, series);
  }

  @Test
  void firstVersion_isTaken() throws RemoteException {
    ProtoWriter message =
        v1(series -> {
              label(series, "__name__", "up");
              label(series, "job", "é");
              label(series, "empty", "");
              series.message(2, sample(1, T)).message(2, sample(2.5, T + 1));
              series.message(
                  3,
                  exemplar -> {
                    label(exemplar, "trace_id", "t");
                    exemplar.float64(2, 0.5).varint(3, T);
                  });
            })
            .message(
                1,
                series -> {
                  // Labels behind samples are allowed by protobuf.
                  series.message(2, sample(StalenessMarker.VALUE, T));
                  label(series, "__name__", "b");
                })
            .message(3, metadata -> metadata.varint(1, 1).string(2, "up"));
    assertThat(write(WriteProtocol.V1, message))
        .isEqualTo(new WriteResult(3, 0, 1, 0, 0, List.of()));
    assertThat(sink.committed)
        .containsExactly(
            "up{job=\"é\"} " + T + " 1.0",
            "up{job=\"é\"} " + (T + 1) + " 2.5",
            "b " + T + " stale");
    assertThat(exemplars).containsExactly("up{job=\"é\"} {trace_id=\"t\"} 0.5");
  }

  private static ProtoWriter symbols(String... symbols) {
    ProtoWriter message = new ProtoWriter();
    for (String symbol : symbols) {
      message.string(4, symbol);
    }
    return message;
  }

  @Test
  void secondVersion_isTaken() throws RemoteException {
    ProtoWriter message =
        symbols("", "__name__", "up", "job", "a", "trace_id", "t")
            .message(
                5,
                series ->
                    series
                        .varints(1, 1, 2, 3, 4)
                        .message(2, s -> s.float64(1, 1).varint(2, T).varint(3, T - 1000))
                        .message(4, e -> e.varints(1, 5, 6).float64(2, 0.5).varint(3, T))
                        .message(5, metadata -> metadata.varint(1, 1)));
    assertThat(write(WriteProtocol.V2, message))
        .isEqualTo(new WriteResult(1, 0, 1, 0, 0, List.of()));
    assertThat(sink.committed).containsExactly("up{job=\"a\"} " + T + " 1.0");
  }

  @Test
  void referencesBeyondTheSymbols_refuseTheWhole() {
    for (ProtoWriter broken :
        List.of(
            symbols("", "__name__", "up").message(5, s -> s.varints(1, 1, 3)),
            symbols("", "__name__", "up").message(5, s -> s.varints(1, 1, -1)),
            symbols("", "__name__", "up").message(5, s -> s.varints(1, 1)),
            symbols("x").message(5, s -> {}))) {
      assertThatExceptionOfType(RemoteException.class)
          .isThrownBy(() -> write(WriteProtocol.V2, broken))
          .withMessageStartingWith(
              "the body isn't a message io.prometheus.write.v2.Request: byte ");
    }
    assertThat(sink.rollbacks).isEqualTo(4);
  }

  @Test
  void whatCanBeTaken_isTakenBesideWhatCant() throws RemoteException {
    sink.outcomesByValue.put(2.0, AppendOutcome.OUT_OF_ORDER);
    sink.outcomesByValue.put(3.0, AppendOutcome.DUPLICATE);
    sink.outcomesByValue.put(4.0, AppendOutcome.TOO_OLD);
    sink.outcomesByValue.put(5.0, AppendOutcome.OUT_OF_BOUNDS);
    sink.outcomesByValue.put(6.0, AppendOutcome.NO_ROOM);
    sink.outcomesByValue.put(7.0, AppendOutcome.SAME);
    ProtoWriter message =
        v1(
            series -> {
              label(series, "__name__", "a");
              for (int value = 1; value <= 8; value++) {
                series.message(2, sample(value, T + value));
              }
            });
    WriteResult result = write(WriteProtocol.V1, message);
    assertThat(result.samples()).isEqualTo(3);
    assertThat(result.rejected()).isEqualTo(4);
    assertThat(result.refused()).isEqualTo(1);
    assertThat(result.problems())
        .containsExactly(
            "out of order sample: a at 2023-11-14T22:13:20.002Z",
            "duplicate sample for timestamp: a at 2023-11-14T22:13:20.003Z",
            "too old sample: a at 2023-11-14T22:13:20.004Z",
            "out of bounds: a at 2023-11-14T22:13:20.005Z",
            "no room in the store: a at 2023-11-14T22:13:20.006Z");
    assertThat(sink.committed).hasSize(2);
  }

  @Test
  void labelsThatArentALabelSet_areRejectedWithTheirSamples() throws RemoteException {
    ProtoWriter message = new ProtoWriter();
    List<List<String>> broken =
        List.of(
            List.of(),
            List.of("job", "a"),
            List.of("__name__", ""),
            List.of("__name__", "a", "", "b"),
            List.of("__name__", "a", "x", "1", "x", "2"));
    for (List<String> pairs : broken) {
      message.message(
          1,
          series -> {
            for (int i = 0; i < pairs.size(); i += 2) {
              label(series, pairs.get(i), pairs.get(i + 1));
            }
            series.message(2, sample(1, T));
          });
    }
    WriteResult result = write(WriteProtocol.V1, message);
    assertThat(result.rejected()).isEqualTo(5);
    assertThat(result.problems())
        .containsExactly(
            "no metric name in {}",
            "no metric name in {job=\"a\"}",
            "no metric name in {}",
            "invalid labels: a label name is empty",
            "invalid labels: label name \"x\" is not unique");
    assertThat(sink.committed).isEmpty();
  }

  @Test
  void forgottenReference_isAskedForAgain() throws RemoteException {
    ProtoWriter message =
        v1(
            series -> {
              label(series, "__name__", "a");
              series.message(2, sample(1, T));
            });
    write(WriteProtocol.V1, message);
    sink.forgottenBelow = 2;
    assertThat(write(WriteProtocol.V1, message).samples()).isEqualTo(1);
    sink.seriesMax = 0;
    sink.forgottenBelow = 100;
    assertThat(write(WriteProtocol.V1, message).refused()).isEqualTo(1);
  }

  private static ProtoWriter histogramSeries(Consumer<ProtoWriter> histogram) {
    return v1(
        series -> {
          label(series, "__name__", "h");
          series.message(4, histogram);
        });
  }

  @Test
  void integerHistogram_isDecodedFromSpansAndDeltas() throws RemoteException {
    WriteResult result =
        write(
            WriteProtocol.V1,
            histogramSeries(
                h ->
                    h.varint(1, 12)
                        .float64(3, 18.4)
                        .zigzag(4, 1)
                        .float64(5, 0.001)
                        .varint(6, 2)
                        .message(8, span -> span.zigzag(1, 1).varint(2, 1))
                        .zigzags(9, 3)
                        .message(11, span -> span.zigzag(1, -1).varint(2, 2))
                        .message(11, span -> span.zigzag(1, 2).varint(2, 1))
                        .zigzags(12, 1, 2, -1)
                        .varint(14, 3)
                        .varint(15, T)));
    assertThat(result.histograms()).isEqualTo(1);
    NativeHistogram expected =
        NativeHistogram.exponential(
                1,
                12,
                18.4,
                0.001,
                2,
                Buckets.of(new int[] {-1, 0, 3}, new double[] {1, 3, 2}),
                Buckets.from(1, 3))
            .withHint(ResetHint.GAUGE);
    assertThat(sink.committed).containsExactly("h " + T + " " + expected + " GAUGE");
  }

  @Test
  void staleHistogram_isAFloatMarker() throws RemoteException {
    write(
        WriteProtocol.V1, histogramSeries(h -> h.float64(3, StalenessMarker.VALUE).varint(15, T)));
    assertThat(sink.committed).containsExactly("h " + T + " stale");
  }

  @Test
  void brokenHistograms_areRejectedAndNothingElse() throws RemoteException {
    List<Consumer<ProtoWriter>> broken =
        List.of(
            h -> h.zigzag(4, 9),
            h -> h.message(11, span -> span.varint(2, 0xffff_ffffL)),
            h -> h.message(11, span -> span.varint(2, 2)).zigzags(12, 1),
            h -> h.zigzags(12, 1, 2),
            h -> h.message(11, span -> span.varint(2, 1)).zigzags(12, -1),
            h -> h.message(11, span -> span.varint(2, 1)).float64s(13, Double.NaN),
            h -> h.message(11, s -> s.zigzag(1, Integer.MAX_VALUE).varint(2, 2)).zigzags(12, 1, 1),
            h ->
                h.message(11, s -> s.varint(2, 1))
                    .message(11, s -> s.zigzag(1, -5).varint(2, 1))
                    .zigzags(12, 1, 1),
            h -> h.float64(5, -1),
            h -> h.zigzag(4, -53).float64s(16, 2, 1),
            h -> h.float64s(16, 1),
            h -> h.float64s(13, new double[70_000]));
    for (Consumer<ProtoWriter> histogram : broken) {
      ProtoWriter message =
          histogramSeries(histogram)
              .message(
                  1,
                  series -> {
                    label(series, "__name__", "a");
                    series.message(2, sample(1, T));
                  });
      WriteResult result = write(WriteProtocol.V1, message);
      assertThat(result.rejected()).isEqualTo(1);
      assertThat(result.samples()).isEqualTo(1);
      assertThat(result.problems().getFirst()).startsWith("invalid histogram of h: ");
    }
  }

  /** Any change to a good request is taken, rejected or refused, and never anything else. */
  @Test
  void changedRequests_haveAnEnd() throws RemoteException {
    ProtoWriter whole =
        symbols("", "__name__", "up", "job", "a")
            .message(
                5,
                series ->
                    series
                        .varints(1, 1, 2, 3, 4)
                        .message(2, sample(1, T))
                        .message(3, h -> h.message(11, s -> s.varint(2, 1)).zigzags(12, 1))
                        .message(4, e -> e.varints(1, 3, 4).float64(2, 0.5)))
            .message(
                1,
                series -> {
                  label(series, "__name__", "a");
                  series.message(2, sample(1, T));
                });
    byte[] bytes = whole.toByteArray();
    SplittableRandom random = new SplittableRandom(5);
    int refused = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] changed = bytes.clone();
      for (int j = random.nextInt(3); j >= 0; j--) {
        changed[random.nextInt(changed.length)] = (byte) random.nextInt();
      }
      Block block = new Block(Snappy.compress(changed, random.nextInt(changed.length) + 1));
      try {
        receiver.write(random.nextBoolean() ? WriteProtocol.V1 : WriteProtocol.V2, block);
      } catch (RemoteException e) {
        refused++;
      }
    }
    assertThat(refused).isBetween(1_000, 19_999);
  }

  /** A series whose fields are one short field again and again. */
  private static ProtoWriter repeated(int field, int times) {
    return v1(
        series -> {
          label(series, "__name__", "m");
          for (int i = 0; i < times; i++) {
            series.message(field, _ -> {});
          }
        });
  }

  @Test
  void millionsOfEmptyLabels_areReadInLittleMemory() throws RemoteException {
    WriteResult result =
        write(
            WriteProtocol.V1,
            v1(series -> repeatLabels(series, 1_000_000).message(2, sample(1, T))));
    assertThat(result.problems()).containsExactly("invalid labels: expected at most 1024 labels");
    List<String> pairs = new ArrayList<>();
    for (int i = 0; i < 1_000_000; i++) {
      WriteBatch.collect("", pairs);
    }
    assertThat(pairs).hasSize(2 * WriteBatch.LABELS_MAX + 2);
  }

  private static ProtoWriter repeatLabels(ProtoWriter series, int times) {
    for (int i = 0; i < times; i++) {
      series.message(1, _ -> {});
    }
    return series;
  }

  @Test
  void exemplars_areLimitedInOneWriteAndInLength() throws RemoteException {
    assertThat(write(WriteProtocol.V1, repeated(3, WriteBatch.EXEMPLARS_MAX + 10)).exemplars())
        .isEqualTo(WriteBatch.EXEMPLARS_MAX);
    exemplars.clear();
    write(
        WriteProtocol.V1,
        v1(
            series -> {
              label(series, "__name__", "m");
              series.message(3, exemplar -> label(exemplar, "trace_id", "x".repeat(121)));
            }));
    assertThat(exemplars).isEmpty();
  }

  @Test
  void problems_areTellingWithoutTheWholeOfLongLabels() throws RemoteException {
    sink.outcomesByValue.put(1.0, AppendOutcome.TOO_OLD);
    WriteResult result =
        write(
            WriteProtocol.V1,
            v1(
                series -> {
                  label(series, "__name__", "m");
                  label(series, "long", "x".repeat(100_000));
                  series.message(2, sample(1, T));
                }));
    assertThat(result.problems())
        .singleElement()
        .asString()
        .contains("m{long=")
        .hasSizeLessThan(700);
  }

  @Test
  void bucketsWhereNoNumberIs_areRejected() throws RemoteException {
    for (int index : new int[] {Integer.MIN_VALUE, -(1 << 20) - 1, (1 << 20) + 1}) {
      WriteResult result =
          write(
              WriteProtocol.V1,
              v1(
                  series -> {
                    label(series, "__name__", "m");
                    series.message(
                        4,
                        histogram ->
                            histogram
                                .varint(1, 1)
                                .message(11, span -> span.zigzag(1, index).varint(2, 1))
                                .float64s(13, 1)
                                .varint(15, T));
                  }));
      assertThat(result.problems())
          .singleElement()
          .asString()
          .contains("expected bucket indexes from -1048576 to 1048576, got " + index);
    }
  }
}
