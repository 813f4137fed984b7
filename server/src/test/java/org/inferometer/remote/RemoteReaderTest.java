package org.inferometer.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.inferometer.histogram.Buckets;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.histogram.ResetHint;
import org.inferometer.io.ProtoReader;
import org.inferometer.io.ProtoWriter;
import org.inferometer.io.Snappy;
import org.inferometer.model.Labels;
import org.inferometer.model.StalenessMarker;
import org.inferometer.store.MemorySeries;
import org.junit.jupiter.api.Test;

class RemoteReaderTest {
  private static final Labels A1 = Labels.of("__name__", "a", "i", "1");
  private static final Labels A2 = Labels.of("__name__", "a", "i", "2");

  private final MemorySeries store = new MemorySeries();
  private final RemoteReader reader = new RemoteReader(store, 6);

  private static Consumer<ProtoWriter> matcher(int type, String name, String value) {
    return matcher -> matcher.varint(1, type).string(2, name).string(3, value);
  }

  private static ProtoWriter request(
      long startMs, long endMs, List<Consumer<ProtoWriter>> matchers) {
    return new ProtoWriter()
        .message(
            1,
            query -> {
              query.varint(1, startMs).varint(2, endMs);
              matchers.forEach(matcher -> query.message(3, matcher));
            });
  }

  private static Block block(ProtoWriter message) throws RemoteException {
    return new Block(Snappy.compress(message.array(), message.size()));
  }

  /** The series of all results, one line for each sample. */
  private List<String> read(ProtoWriter request, Labels external) throws Exception {
    ProtoReader response =
        new ProtoReader(Snappy.decompress(reader.read(block(request), external)));
    List<String> lines = new ArrayList<>();
    while (response.next()) {
      ProtoReader result = response.message();
      while (result.next()) {
        series(result.message(), lines);
      }
    }
    return lines;
  }

  private static void series(ProtoReader series, List<String> lines) throws Exception {
    Map<String, String> labels = new TreeMap<>();
    while (series.next()) {
      int field = series.field();
      ProtoReader message = series.message();
      if (field == 1) {
        message.next();
        String name = message.string();
        message.next();
        labels.put(name, message.string());
      } else if (field == 2) {
        message.next();
        double value = message.float64();
        message.next();
        String text = StalenessMarker.is(value) ? "stale" : Double.toString(value);
        lines.add(Labels.of(labels) + " " + message.varint() + " " + text);
      } else {
        HistogramProto.Timed timed = HistogramProto.read(message);
        lines.add(
            Labels.of(labels)
                + " "
                + timed.timestampMs()
                + " "
                + timed.histogram()
                + " "
                + timed.histogram().resetHint());
      }
    }
  }

  private void fill() {
    store.add(A1, 1000, 1);
    store.add(A1, 2000, StalenessMarker.VALUE);
    store.add(A1, 3000, 3);
    store.add(A2, 2000, 4);
    store.add(Labels.of("__name__", "b"), 2000, 5);
  }

  @Test
  void samplesWithin_areAnsweredWithMarkers() throws Exception {
    fill();
    assertThat(read(request(1000, 2000, List.of(matcher(0, "__name__", "a"))), Labels.EMPTY))
        .containsExactly(A1 + " 1000 1.0", A1 + " 2000 stale", A2 + " 2000 4.0");
    assertThat(
            read(
                request(0, 9000, List.of(matcher(2, "__name__", "a|b"), matcher(3, "i", "1|2"))),
                Labels.EMPTY))
        .containsExactly("b 2000 5.0");
    assertThat(
            read(
                request(0, 9000, List.of(matcher(0, "__name__", "a"), matcher(1, "i", "1"))),
                Labels.EMPTY))
        .containsExactly(A2 + " 2000 4.0");
    assertThat(
            read(
                request(Long.MIN_VALUE, Long.MAX_VALUE, List.of(matcher(0, "__name__", "b"))),
                Labels.EMPTY))
        .hasSize(1);
  }

  @Test
  void externalLabels_areAddedAndAskedForInVain() throws Exception {
    fill();
    Labels external = Labels.of("cluster", "c", "i", "9");
    assertThat(
            read(
                request(
                    0, 9000, List.of(matcher(2, "__name__", "b|a"), matcher(0, "cluster", "c"))),
                external))
        .contains("a{cluster=\"c\", i=\"2\"} 2000 4.0", "b{cluster=\"c\", i=\"9\"} 2000 5.0");
    assertThat(
            read(
                request(0, 9000, List.of(matcher(0, "__name__", "b"), matcher(0, "cluster", "d"))),
                external))
        .isEmpty();
  }

  @Test
  void histograms_surviveWritingAndReading() throws Exception {
    NativeHistogram exponential =
        NativeHistogram.exponential(
                3,
                20.5,
                -7,
                1e-9,
                1.5,
                Buckets.of(new int[] {-7, -6, 0, 2}, new double[] {1, 0.5, 2, 3}),
                Buckets.from(4, 5, 7.5))
            .withHint(ResetHint.GAUGE);
    NativeHistogram custom =
        NativeHistogram.custom(3, 4, Buckets.from(0, 1, 2), new double[] {0.5, 2});
    store.add(A1, 1000, exponential);
    store.add(A2, 1000, custom);
    RemoteReader roomy = new RemoteReader(store);
    ProtoReader response =
        new ProtoReader(
            Snappy.decompress(
                roomy.read(
                    block(request(0, 9000, List.of(matcher(0, "__name__", "a")))), Labels.EMPTY)));
    List<String> lines = new ArrayList<>();
    response.next();
    ProtoReader result = response.message();
    while (result.next()) {
      series(result.message(), lines);
    }
    assertThat(lines)
        .containsExactly(
            A1 + " 1000 " + exponential + " GAUGE", A2 + " 1000 " + custom + " UNKNOWN");
  }

  @Test
  void tooManySamples_areRefused() {
    fill();
    for (int i = 0; i < 6; i++) {
      store.add(A2, 5000 + i, i);
    }
    assertThatExceptionOfType(RemoteException.class)
        .isThrownBy(
            () -> read(request(0, 9000, List.of(matcher(0, "__name__", "a"))), Labels.EMPTY))
        .withMessage("exceeded sample limit (6); ask for less time or fewer series");
  }

  @Test
  void responseType_mustBeSamplesOrAnything() throws Exception {
    fill();
    List<Consumer<ProtoWriter>> b = List.of(matcher(0, "__name__", "b"));
    assertThat(read(request(0, 9000, b).varints(2, 1, 0), Labels.EMPTY)).hasSize(1);
    assertThatExceptionOfType(RemoteException.class)
        .isThrownBy(() -> read(request(0, 9000, b).varints(2, 1), Labels.EMPTY))
        .withMessageContaining("does not support any of the requested response types");
  }

  @Test
  void brokenQuestions_areRefused() {
    for (ProtoWriter request :
        List.of(
            request(0, 9, List.of(matcher(4, "a", "b"))),
            request(0, 9, List.of(matcher(2, "a", "("))),
            request(9, 0, List.of(matcher(0, "a", "b"))),
            new ProtoWriter().varint(1, 1))) {
      assertThatExceptionOfType(RemoteException.class)
          .isThrownBy(() -> read(request, Labels.EMPTY));
    }
  }

  @Test
  void newestSamples_leaveOutEndedSeriesAndOldSamples() {
    fill();
    store.add(Labels.of("__name__", "b", "x", "ended"), 2500, StalenessMarker.VALUE);
    store.add(
        Labels.of("__name__", "b", "x", "h"),
        2500,
        NativeHistogram.custom(1, 1, Buckets.from(0, 1), new double[] {1}));
    store.add(Labels.of("__name__", "a", "i", "0"), 100, 1);
    NewestSamples newest = new NewestSamples(store, 2000);
    List<org.inferometer.model.Matcher> all =
        List.of(
            new org.inferometer.model.Matcher(
                org.inferometer.model.Matcher.Type.REGEX, "__name__", "a|b"));
    assertThat(newest.select(List.of(all, all), 2999))
        .containsExactly(
            new NewestSamples.Newest(A2, 2000, 4),
            new NewestSamples.Newest(Labels.of("__name__", "b"), 2000, 5));
    assertThat(newest.select(List.of(all), 3000)).contains(new NewestSamples.Newest(A1, 3000, 3));
    assertThat(newest.select(List.of(), 3000)).isEmpty();
  }
}
