package org.inferometer.tsdb.wal;

import java.util.List;
import org.inferometer.tsdb.wal.WalRecord.Deletion;
import org.inferometer.tsdb.wal.WalRecord.HistogramSample;
import org.inferometer.tsdb.wal.WalRecord.NewSeries;
import org.inferometer.tsdb.wal.WalRecord.SeriesExemplar;
import org.inferometer.tsdb.wal.WalRecord.SeriesMetadata;

/**
 * Writes records as Prometheus does.
 *
 * <pre>
 * record      type (1 byte)  content
 * series      1   { ref (8)  labels }*
 * samples     2   base  { delta of ref  delta of time  value (8) }*
 * tombstones  3   { ref (8)  first time (varint)  last time (varint) }*
 * exemplars   4   base  { delta of ref  delta of time  value (8)  labels }*
 * metadata    6   { ref (uvarint)  metric type (1)  fields (uvarint)  { name  value }* }*
 * histograms  7 ... 10: see {@link HistogramCodec}
 * base        ref (8)  time (8), those of the first entry; deltas (varint) are against them
 * labels      count (uvarint)  { name  value }*
 * name, value length (uvarint)  bytes
 * </pre>
 *
 * Numbers of a fixed size are big-endian, a varint is zigzag, times are in milliseconds. Many
 * entries become several records, so that none gets much larger than {@link #RECORD_BYTES}.
 */
final class RecordEncoder {
  /** Where another record begins: a reader needs no more memory than that and one entry. */
  static final int RECORD_BYTES = 4 * 1024 * 1024;

  /** A sample takes 28 bytes at most. */
  private static final int SAMPLES_MAX = RECORD_BYTES / 28;

  private final RecordBytes out;
  private final Runnable endOfRecord;

  /**
   * @param endOfRecord takes what is in {@code out} and clears it
   */
  RecordEncoder(RecordBytes out, Runnable endOfRecord) {
    this.out = out;
    this.endOfRecord = endOfRecord;
  }

  /** Writes what one record says; nothing if that is nothing. */
  void encode(WalRecord record) {
    switch (record) {
      case WalRecord.Series series -> each(RecordTypes.SERIES, series.entries(), this::series);
      case WalRecord.Samples samples -> samples(samples.samples());
      case WalRecord.Histograms histograms -> histograms(histograms.entries());
      case WalRecord.Tombstones stones ->
          each(RecordTypes.TOMBSTONES, stones.entries(), this::tombstone);
      case WalRecord.Exemplars exemplars -> exemplars(exemplars.entries());
      case WalRecord.Metadata metadata ->
          each(RecordTypes.METADATA, metadata.entries(), this::metadata);
      case WalRecord.Other other ->
          throw new IllegalArgumentException("records of type " + other.type() + " aren't written");
    }
  }

  /** Writes one entry. */
  private interface EntryEncoder<E> {
    void encode(E entry);
  }

  private <E> void each(int type, List<E> entries, EntryEncoder<E> encoder) {
    for (E entry : entries) {
      if (out.size() == 0) {
        out.u8(type);
      }
      encoder.encode(entry);
      if (out.size() >= RECORD_BYTES) {
        endOfRecord.run();
      }
    }
    end();
  }

  private void end() {
    if (out.size() > 0) {
      endOfRecord.run();
    }
  }

  private void series(NewSeries entry) {
    out.u64(entry.ref());
    out.labels(entry.labels());
  }

  private void tombstone(Deletion entry) {
    out.u64(entry.ref());
    out.varint(entry.minMs());
    out.varint(entry.maxMs());
  }

  private void metadata(SeriesMetadata entry) {
    out.uvarint(entry.ref());
    out.u8(MetadataTypes.code(entry.metadata().type()));
    out.uvarint(2);
    out.string(MetadataTypes.UNIT);
    out.string(entry.metadata().unit());
    out.string(MetadataTypes.HELP);
    out.string(entry.metadata().help());
  }

  private void samples(WalSamples samples) {
    for (int from = 0; from < samples.size(); from += SAMPLES_MAX) {
      int to = Math.min(samples.size(), from + SAMPLES_MAX);
      begin(RecordTypes.SAMPLES, samples.ref(from), samples.timestampMs(from));
      out.samples(samples, from, to, samples.ref(from), samples.timestampMs(from));
      endOfRecord.run();
    }
  }

  private void begin(int type, long baseRef, long baseMs) {
    out.u8(type);
    out.u64(baseRef);
    out.u64(baseMs);
  }

  private void exemplars(List<SeriesExemplar> entries) {
    SeriesExemplar base = null;
    for (SeriesExemplar entry : entries) {
      if (base == null) {
        base = entry;
        begin(RecordTypes.EXEMPLARS, base.ref(), base.exemplar().timestampMs());
      }
      out.varint(entry.ref() - base.ref());
      out.varint(entry.exemplar().timestampMs() - base.exemplar().timestampMs());
      out.float64(entry.exemplar().value());
      out.labels(entry.exemplar().labels());
      if (out.size() >= RECORD_BYTES) {
        endOfRecord.run();
        base = null;
      }
    }
    end();
  }

  /** Neighbours of one kind share a record; their order is kept. */
  private void histograms(List<HistogramSample> entries) {
    HistogramSample base = null;
    int baseType = 0;
    for (HistogramSample entry : entries) {
      int type = HistogramCodec.type(entry.histogram());
      if (base != null && (type != baseType || out.size() >= RECORD_BYTES)) {
        endOfRecord.run();
        base = null;
      }
      if (base == null) {
        base = entry;
        baseType = type;
        begin(type, base.ref(), base.timestampMs());
      }
      out.varint(entry.ref() - base.ref());
      out.varint(entry.timestampMs() - base.timestampMs());
      HistogramCodec.write(out, entry.histogram(), RecordTypes.isFloat(type));
    }
    end();
  }
}
