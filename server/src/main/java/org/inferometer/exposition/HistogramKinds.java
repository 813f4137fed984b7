package org.inferometer.exposition;

/** Which histograms are taken of a target that can send a classic and a native one at once. */
public enum HistogramKinds {
  /** Classic ones only; what is native in a histogram is passed over. */
  CLASSIC,
  /** The native one where there is one, else the classic one. */
  NATIVE,
  /** Both. */
  BOTH;

  boolean takesNative() {
    return this != CLASSIC;
  }

  /** Whether the classic buckets of a histogram that is native too are taken. */
  boolean takesClassicBesideNative() {
    return this != NATIVE;
  }
}
