package org.inferometer.tsdb.wal;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.model.Exemplar;
import org.inferometer.model.MetricMetadata;

/**
 * Reads the bytes of one record, which may be anything: nothing takes much more memory than they
 * do. See {@link RecordEncoder} for the format. Not thread-safe.
 */
final class RecordDecoder {
  private WalSamples samples = new WalSamples();

  /** Leaves the columns of the last record to whom it was given. */
  void takeSamples() {
    samples = new WalSamples();
  }

  /**
   * The record in {@code from <= index < end}. Samples are in columns that the next call fills
   * again.
   *
   * @throws CorruptRecordException if there is none
   */
  WalRecord decode(byte[] bytes, int from, int end) throws CorruptRecordException {
    RecordCursor in = new RecordCursor(bytes, from, end);
    int type = in.u8();
    return switch (type) {
      case RecordTypes.SERIES -> new WalRecord.Series(entries(in, RecordDecoder::series));
      case RecordTypes.SAMPLES -> samples(in);
      case RecordTypes.TOMBSTONES ->
          new WalRecord.Tombstones(entries(in, RecordDecoder::tombstone));
      case RecordTypes.EXEMPLARS -> new WalRecord.Exemplars(exemplars(in));
      case RecordTypes.METADATA -> new WalRecord.Metadata(entries(in, RecordDecoder::metadata));
      case RecordTypes.HISTOGRAMS,
          RecordTypes.FLOAT_HISTOGRAMS,
          RecordTypes.CUSTOM_HISTOGRAMS,
          RecordTypes.CUSTOM_FLOAT_HISTOGRAMS ->
          new WalRecord.Histograms(histograms(in, RecordTypes.isFloat(type)));
      default -> other(type);
    };
  }

  private static WalRecord other(int type) throws CorruptRecordException {
    if (type == 0 || type > RecordTypes.TYPE_MAX) {
      throw new CorruptRecordException(
          "expected a record type from 1 to %d, got %d".formatted(RecordTypes.TYPE_MAX, type));
    }
    return new WalRecord.Other(type);
  }

  /** Reads one entry. */
  private interface EntryDecoder<E> {
    E decode(RecordCursor in) throws CorruptRecordException;
  }

  private static <E> List<E> entries(RecordCursor in, EntryDecoder<E> decoder)
      throws CorruptRecordException {
    List<E> entries = new ArrayList<>();
    while (in.hasMore()) {
      entries.add(decoder.decode(in));
    }
    return entries;
  }

  private static WalRecord.NewSeries series(RecordCursor in) throws CorruptRecordException {
    return new WalRecord.NewSeries(in.u64(), in.labels());
  }

  private static WalRecord.Deletion tombstone(RecordCursor in) throws CorruptRecordException {
    return new WalRecord.Deletion(in.u64(), in.varint(), in.varint());
  }

  private static WalRecord.SeriesMetadata metadata(RecordCursor in) throws CorruptRecordException {
    long ref = in.uvarint();
    int type = in.u8();
    String unit = "";
    String help = "";
    for (int fields = in.count(2); fields > 0; fields--) {
      String name = in.string();
      String value = in.string();
      unit = name.equals(MetadataTypes.UNIT) ? value : unit;
      help = name.equals(MetadataTypes.HELP) ? value : help;
    }
    return new WalRecord.SeriesMetadata(
        ref, new MetricMetadata(MetadataTypes.type(type), unit, help));
  }

  private WalRecord.Samples samples(RecordCursor in) throws CorruptRecordException {
    samples.clear();
    if (in.hasMore()) {
      in.samples(samples, in.u64(), in.u64());
    }
    return new WalRecord.Samples(samples);
  }

  private static List<WalRecord.SeriesExemplar> exemplars(RecordCursor in)
      throws CorruptRecordException {
    if (!in.hasMore()) {
      return List.of();
    }
    long baseRef = in.u64();
    long baseMs = in.u64();
    return entries(in, entry -> exemplar(entry, baseRef, baseMs));
  }

  private static WalRecord.SeriesExemplar exemplar(RecordCursor in, long baseRef, long baseMs)
      throws CorruptRecordException {
    long ref = baseRef + in.varint();
    long timestampMs = baseMs + in.varint();
    double value = in.float64();
    return new WalRecord.SeriesExemplar(ref, new Exemplar(in.labels(), value, timestampMs));
  }

  private static List<WalRecord.HistogramSample> histograms(RecordCursor in, boolean isFloat)
      throws CorruptRecordException {
    if (!in.hasMore()) {
      return List.of();
    }
    long baseRef = in.u64();
    long baseMs = in.u64();
    return entries(in, entry -> histogram(entry, baseRef, baseMs, isFloat));
  }

  private static WalRecord.HistogramSample histogram(
      RecordCursor in, long baseRef, long baseMs, boolean isFloat) throws CorruptRecordException {
    return new WalRecord.HistogramSample(
        baseRef + in.varint(), baseMs + in.varint(), HistogramCodec.read(in, isFloat));
  }
}
