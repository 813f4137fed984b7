package org.inferometer.tsdb.wal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.inferometer.histogram.Buckets;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.histogram.ResetHint;
import org.inferometer.model.Exemplar;
import org.inferometer.model.Labels;
import org.inferometer.model.MetricMetadata;
import org.inferometer.model.MetricType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordCodecTest {
  private static List<byte[]> encoded(WalRecord record) {
    List<byte[]> records = new ArrayList<>();
    RecordBytes out = new RecordBytes();
    new RecordEncoder(
            out,
            () -> {
              records.add(Arrays.copyOf(out.array(), out.size()));
              out.clear();
            })
        .encode(record);
    return records;
  }

  private static String hex(WalRecord record) {
    List<byte[]> records = encoded(record);
    assertThat(records).hasSize(1);
    return HexFormat.of().formatHex(records.getFirst());
  }

  private static WalRecord decoded(byte[] bytes) throws CorruptRecordException {
    return new RecordDecoder().decode(bytes, 0, bytes.length);
  }

  private static WalRecord decoded(String hex) throws CorruptRecordException {
    return decoded(HexFormat.of().parseHex(hex.replace(" ", "")));
  }

  private static void assertIs(WalRecord record, String hex) throws CorruptRecordException {
    assertThat(hex(record)).isEqualTo(hex.replace(" ", ""));
    assertThat(Logs.text(decoded(hex))).isEqualTo(Logs.text(record));
  }

  @Test
  void series_haveLabelsInOrder() throws CorruptRecordException {
    assertIs(
        new WalRecord.Series(
            List.of(
                new WalRecord.NewSeries(258, Labels.of("b", "x", "__name__", "up")),
                new WalRecord.NewSeries(3, Labels.EMPTY))),
        "01 0000000000000102 02 08 5f5f6e616d655f5f 02 7570 01 62 01 78 0000000000000003 00");
  }

  @Test
  void samples_areAgainstTheFirst() throws CorruptRecordException {
    WalSamples samples = new WalSamples();
    samples.add(10, 1_000, 1.0);
    samples.add(9, 1_064, 2.0);
    assertIs(
        new WalRecord.Samples(samples),
        "02 000000000000000a 00000000000003e8 00 00 3ff0000000000000 01 8001 4000000000000000");
  }

  @Test
  void tombstones_haveTimes() throws CorruptRecordException {
    assertIs(
        new WalRecord.Tombstones(List.of(new WalRecord.Deletion(1, -1, 100))),
        "03 0000000000000001 01 c801");
  }

  @Test
  void exemplars_haveLabels() throws CorruptRecordException {
    assertIs(
        new WalRecord.Exemplars(
            List.of(new WalRecord.SeriesExemplar(7, new Exemplar(Labels.of("t", "1"), 1, 9)))),
        "04 0000000000000007 0000000000000009 00 00 3ff0000000000000 01 01 74 01 31");
  }

  @Test
  void metadata_haveNamedFields() throws CorruptRecordException {
    assertIs(
        new WalRecord.Metadata(
            List.of(
                new WalRecord.SeriesMetadata(
                    300, new MetricMetadata(MetricType.GAUGE, "s", "it")))),
        "06 ac02 02 02 04 554e4954 01 73 04 48454c50 02 6974");
  }

  @Test
  void wholeHistograms_haveDeltas() throws CorruptRecordException {
    assertIs(
        histograms(
            NativeHistogram.exponential(
                    1,
                    9,
                    2.0,
                    0.5,
                    2,
                    Buckets.of(new int[] {-1, 0, 3}, new double[] {3, 1, 3}),
                    Buckets.NONE)
                .withHint(ResetHint.NOT_RESET)),
        "07 0000000000000005 0000000000000006 00 00"
            + " 02 02 3fe0000000000000 02 09 4000000000000000"
            + " 02 01 02 04 01   00   03 06 03 04   00");
  }

  @Test
  void floatHistograms_haveCounts() throws CorruptRecordException {
    assertIs(
        histograms(
            NativeHistogram.exponential(0, 1.5, 0, 0, 0, Buckets.NONE, Buckets.from(4, 1.5))),
        "08 0000000000000005 0000000000000006 00 00"
            + " 00 00 0000000000000000 0000000000000000 3ff8000000000000 0000000000000000"
            + " 00   01 08 01   00   01 3ff8000000000000");
  }

  @Test
  void customHistograms_haveBounds() throws CorruptRecordException {
    assertIs(
        histograms(NativeHistogram.custom(2, 1, Buckets.from(0, 2), new double[] {0.5})),
        "09 0000000000000005 0000000000000006 00 00"
            + " 00 69 0000000000000000 00 02 3ff0000000000000"
            + " 01 00 01   00   01 04   00   01 3fe0000000000000");
  }

  private static WalRecord histograms(NativeHistogram histogram) {
    return new WalRecord.Histograms(List.of(new WalRecord.HistogramSample(5, 6, histogram)));
  }

  @Test
  void unknownTypes_sayNothing() throws CorruptRecordException {
    assertThat(decoded("05 1234")).isEqualTo(new WalRecord.Other(5));
    assertThat(decoded("0b")).isEqualTo(new WalRecord.Other(11));
    assertThatIllegalArgumentException().isThrownBy(() -> encoded(new WalRecord.Other(5)));
  }

  @Test
  void emptyRecords_areReadButNotWritten() throws CorruptRecordException {
    assertThat(decoded("01")).isEqualTo(new WalRecord.Series(List.of()));
    assertThat(decoded("04")).isEqualTo(new WalRecord.Exemplars(List.of()));
    assertThat(decoded("07")).isEqualTo(new WalRecord.Histograms(List.of()));
    assertThat(Logs.text(decoded("02"))).isEqualTo("Samples");
    assertThat(encoded(new WalRecord.Series(List.of()))).isEmpty();
    assertThat(encoded(new WalRecord.Samples(new WalSamples()))).isEmpty();
  }

  @Test
  void randomRecords_comeBack() throws CorruptRecordException {
    for (int seed = 0; seed < 300; seed++) {
      WalRecord record = new RandomRecords(seed).next();
      List<byte[]> bytes = encoded(record);
      assertThat(bytes).as("seed %d", seed).hasSize(1);
      assertThat(Logs.text(decoded(bytes.getFirst())))
          .as("seed %d", seed)
          .isEqualTo(Logs.text(record));
    }
  }

  @Test
  void histogramsOfSeveralKinds_keepTheirOrder() throws CorruptRecordException {
    RandomRecords random = new RandomRecords(5);
    List<WalRecord.HistogramSample> all = new ArrayList<>();
    for (int seed = 0; seed < 20; seed++) {
      all.add(new RandomRecords(seed).histogram());
      all.add(random.histogram());
    }
    List<String> read = new ArrayList<>();
    for (byte[] bytes : encoded(new WalRecord.Histograms(all))) {
      WalRecord.Histograms histograms = (WalRecord.Histograms) decoded(bytes);
      histograms.entries().forEach(h -> read.add(h.toString()));
    }
    assertThat(read).isEqualTo(all.stream().map(Object::toString).toList());
  }

  @Test
  void manySamples_becomeSeveralRecords() throws CorruptRecordException {
    WalSamples samples = ((WalRecord.Samples) Logs.samples(1, 400_000)).samples();
    int read = 0;
    List<byte[]> records = encoded(new WalRecord.Samples(samples));
    for (byte[] bytes : records) {
      assertThat(bytes.length).isLessThanOrEqualTo(RecordEncoder.RECORD_BYTES);
      WalSamples part = ((WalRecord.Samples) decoded(bytes)).samples();
      assertThat(part.ref(0)).isEqualTo(samples.ref(read));
      read += part.size();
    }
    assertThat(read).isEqualTo(samples.size());
    assertThat(records).hasSizeGreaterThan(1);
  }

  @Test
  void manySeries_becomeSeveralRecords() throws CorruptRecordException {
    Labels labels = Labels.of("a", "x".repeat(10_000));
    List<WalRecord.NewSeries> entries = new ArrayList<>();
    for (int i = 1; i <= 1_000; i++) {
      entries.add(new WalRecord.NewSeries(i, labels));
    }
    List<WalRecord.NewSeries> read = new ArrayList<>();
    for (byte[] bytes : encoded(new WalRecord.Series(entries))) {
      assertThat(bytes.length).isLessThan(RecordEncoder.RECORD_BYTES + 20_000);
      read.addAll(((WalRecord.Series) decoded(bytes)).entries());
    }
    assertThat(read).isEqualTo(entries);
  }

  @ParameterizedTest
  @CsvSource({
    "'',                                     another byte",
    "00,                                     expected a record type from 1 to 31",
    "82,                                     expected a record type from 1 to 31",
    "01 00000000000001,                      '8 bytes, got 7'",
    "01 0000000000000001 7f 00,              at most 0 things",
    "01 0000000000000001 01 05 61 00,        at most 2 things",
    "01 0000000000000001 02 01610131 01610132, not unique",
    "02 0000000000000001 0000000000000001 00 00 11, '8 bytes, got 1'",
    "02 0000000000000001 0000000000000001 ffffffffffffffffffff01 00, ten bytes at most",
    "03 0000000000000001 02,                 another byte",
    "06 01 01 ffffffffffffffffff01 00,       at most 0 things",
  })
  void brokenRecords_sayWhatWasExpected(String hex, String expected) {
    assertThatExceptionOfType(CorruptRecordException.class)
        .isThrownBy(() -> decoded(hex))
        .withMessageContaining(expected);
  }

  @Test
  void damagedRecords_areReadOrRefused() {
    Random random = new Random(1);
    int refused = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = encoded(new RandomRecords(i % 50).next()).getFirst();
      for (int flips = random.nextInt(1, 4); flips > 0; flips--) {
        bytes[random.nextInt(Math.min(bytes.length, 80))] ^= (byte) (1 << random.nextInt(8));
      }
      try {
        new RecordDecoder().decode(bytes, 0, random.nextInt(bytes.length + 1));
      } catch (CorruptRecordException e) {
        assertThat(e).hasMessageMatching("(?s).*(expected|not a histogram).*");
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(5_000);
  }
}
