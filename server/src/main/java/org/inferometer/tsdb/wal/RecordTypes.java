package org.inferometer.tsdb.wal;

/** The first byte of a record. */
final class RecordTypes {
  static final int SERIES = 1;
  static final int SAMPLES = 2;
  static final int TOMBSTONES = 3;
  static final int EXEMPLARS = 4;

  /** Which chunks of samples out of order are in files: only Prometheus writes them. */
  static final int MMAP_MARKERS = 5;

  static final int METADATA = 6;
  static final int HISTOGRAMS = 7;
  static final int FLOAT_HISTOGRAMS = 8;

  /** The two kinds of histograms with custom bounds have types of their own. */
  static final int CUSTOM_HISTOGRAMS = 9;

  static final int CUSTOM_FLOAT_HISTOGRAMS = 10;

  /**
   * The highest type that a newer Prometheus may come to use. Above it a byte is no type: it most
   * likely begins a compressed record whose mark for that was lost.
   */
  static final int TYPE_MAX = 31;

  private RecordTypes() {}

  static int ofHistograms(boolean isFloat, boolean isCustom) {
    int plain = isFloat ? FLOAT_HISTOGRAMS : HISTOGRAMS;
    return isCustom ? plain + CUSTOM_HISTOGRAMS - HISTOGRAMS : plain;
  }

  static boolean isFloat(int type) {
    return type == FLOAT_HISTOGRAMS || type == CUSTOM_FLOAT_HISTOGRAMS;
  }
}
