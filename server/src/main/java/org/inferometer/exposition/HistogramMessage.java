package org.inferometer.exposition;

import org.inferometer.histogram.NativeHistogram;
import org.inferometer.histogram.ResetHint;
import org.inferometer.io.ProtoException;
import org.inferometer.io.ProtoReader;
import org.inferometer.model.StalenessMarker;

/**
 * What one protobuf histogram holds but its classic buckets, and the native histogram made of it.
 * Checked as Prometheus's head checks what is appended ({@code Validate} in {@code
 * model/histogram}). Reused. Not thread-safe.
 */
final class HistogramMessage {
  /** The fields of classic buckets. */
  static final int BUCKET = 3;

  /** Schemas above the finest that is known are reserved for still finer ones. */
  private static final int RESERVED_SCHEMA_MAX = 52;

  private final ProtoReader span = new ProtoReader(new byte[0]);
  private final SparseBuckets positive = new SparseBuckets();
  private final SparseBuckets negative = new SparseBuckets();
  private int start;
  private long sampleCount;
  private double sampleCountFloat;
  private double sum;
  private int schema;
  private double zeroThreshold;
  private long zeroCount;
  private double zeroCountFloat;
  private boolean hasClassicBuckets;

  void read(ProtoReader message) throws ProtoException {
    clear();
    start = message.position();
    while (message.next()) {
      field(message);
    }
  }

  private void clear() {
    positive.clear();
    negative.clear();
    sampleCount = 0;
    sampleCountFloat = 0;
    sum = 0;
    schema = 0;
    zeroThreshold = 0;
    zeroCount = 0;
    zeroCountFloat = 0;
    hasClassicBuckets = false;
  }

  private void field(ProtoReader message) throws ProtoException {
    switch (message.field()) {
      case 1 -> sampleCount = message.varint();
      case 2 -> sum = message.float64();
      case BUCKET -> hasClassicBuckets = true;
      case 4 -> sampleCountFloat = message.float64();
      case 5 -> schema = (int) message.zigzag();
      case 6 -> zeroThreshold = message.float64();
      case 7 -> zeroCount = message.varint();
      case 8 -> zeroCountFloat = message.float64();
      case 9 -> span(message, negative);
      case 10 -> negative.addDeltas(message);
      case 11 -> negative.addCounts(message);
      case 12 -> span(message, positive);
      case 13 -> positive.addDeltas(message);
      case 14 -> positive.addCounts(message);
      default -> {}
    }
  }

  private void span(ProtoReader message, SparseBuckets into) throws ProtoException {
    message.message(span);
    into.addSpan(span);
  }

  boolean hasClassicBuckets() {
    return hasClassicBuckets;
  }

  /** One without observations has an empty span, to be told from a classic one. */
  boolean isNative() {
    return positive.hasSpans()
        || negative.hasSpans()
        || zeroThreshold > 0
        || zeroCount != 0
        || zeroCountFloat > 0;
  }

  double count() {
    return countOf(sampleCountFloat, sampleCount);
  }

  double sum() {
    return Double.isNaN(sum) ? StalenessMarker.NORMAL_NAN : sum;
  }

  /** A count in two fields: the float if it is used, else the unsigned whole number. */
  static double countOf(double asFloat, long asWhole) {
    return asFloat > 0 ? asFloat : ProtoReader.unsigned(asWhole);
  }

  NativeHistogram toNative(ResetHint hint) throws ProtoException {
    if (schema < NativeHistogram.SCHEMA_MIN || schema > RESERVED_SCHEMA_MAX) {
      throw new ProtoException(
          start,
          "a schema from "
              + NativeHistogram.SCHEMA_MIN
              + " to "
              + RESERVED_SCHEMA_MAX
              + ", got "
              + schema);
    }
    boolean floats = sampleCountFloat > 0 || zeroCountFloat > 0;
    int coarser = Math.max(0, schema - NativeHistogram.SCHEMA_MAX);
    check(floats);
    return new NativeHistogram(
        schema - coarser,
        floats ? sampleCountFloat : sampleCount,
        sum(),
        zeroThreshold,
        floats ? zeroCountFloat : zeroCount,
        positive.toBuckets(floats, coarser, start),
        negative.toBuckets(floats, coarser, start),
        new double[0],
        hint);
  }

  private void check(boolean floats) throws ProtoException {
    if (!(zeroThreshold >= 0) || zeroThreshold == Double.POSITIVE_INFINITY) {
      throw new ProtoException(
          start, "a finite zero threshold that isn't negative, got " + zeroThreshold);
    }
    if (floats) {
      checkFloats();
    } else {
      checkWhole();
    }
  }

  private void checkFloats() throws ProtoException {
    if (!(sampleCountFloat >= 0) || !(zeroCountFloat >= 0)) {
      throw new ProtoException(start, "counts that aren't negative");
    }
  }

  /** Observations of NaN are in no bucket; the sum is NaN then. */
  private void checkWhole() throws ProtoException {
    long inBuckets = sum(sum(positive.total(start), negative.total(start)), zeroCount);
    boolean holds = Double.isNaN(sum) ? inBuckets <= sampleCount : inBuckets == sampleCount;
    if (!holds) {
      throw new ProtoException(
          start, "a count of the " + inBuckets + " in the buckets, got " + sampleCount);
    }
  }

  private long sum(long a, long b) throws ProtoException {
    if (b < 0 || a + b < 0) {
      throw new ProtoException(start, "counts that fit in 63 bits");
    }
    return a + b;
  }
}
