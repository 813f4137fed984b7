package org.inferometer.exposition;

/** Whether the lines of one histogram at one time make a whole: collects them, then judges. */
final class HistogramRules {
  private boolean empty = true;
  private int line;
  private boolean bucketSeen;
  private double bound;
  private double cumulated;
  private boolean negativeBound;
  private boolean countSeen;
  private double count;
  private boolean sumSeen;
  private boolean gaugeSumSeen;
  private boolean negativeGaugeSum;

  void reset() {
    empty = true;
    bucketSeen = false;
    negativeBound = false;
    countSeen = false;
    sumSeen = false;
    gaugeSumSeen = false;
    negativeGaugeSum = false;
  }

  /** Takes the line that the parser is at. */
  void add(LineParser parser, String suffix, double le) {
    empty = false;
    line = parser.lineStart();
    double value = parser.value();
    switch (suffix) {
      case "_bucket" -> bucket(parser, le, value);
      case "_count", "_gcount" -> {
        countSeen = true;
        count = value;
      }
      case "_sum" -> sumSeen = true;
      case "_gsum" -> {
        gaugeSumSeen = true;
        negativeGaugeSum = value < 0;
      }
      default -> {}
    }
  }

  private void bucket(LineParser parser, double le, double value) {
    if (bucketSeen && le <= bound) {
      throw refuse(parser, "bucket " + le + " after bucket " + bound, "bounds that rise");
    }
    if (bucketSeen && value < cumulated) {
      throw refuse(parser, "bucket lower than the one before", "counts that don't fall");
    }
    bucketSeen = true;
    bound = le;
    cumulated = value;
    negativeBound |= le < 0;
  }

  /** Judges what was collected and starts over; does nothing if that is nothing. */
  void finish(LineParser parser) {
    if (!empty) {
      checkBuckets(parser);
      checkSum(parser);
    }
    reset();
  }

  private void checkBuckets(LineParser parser) {
    if (!bucketSeen || bound != Double.POSITIVE_INFINITY) {
      throw refuse(parser, "histogram without its last bucket", "a bucket le=\"+Inf\"");
    }
    if (countSeen && count != cumulated) {
      throw refuse(parser, "count that isn't the bucket le=\"+Inf\"", "the same number");
    }
  }

  private void checkSum(LineParser parser) {
    boolean anySum = sumSeen || gaugeSumSeen;
    if (anySum != countSeen) {
      throw refuse(parser, anySum ? "sum without a count" : "count without a sum", "both");
    }
    if (negativeBound && sumSeen) {
      throw refuse(parser, "sum beside buckets below 0", "no sum, as it can fall");
    }
    if (!negativeBound && negativeGaugeSum) {
      throw refuse(parser, "negative sum without buckets below 0", "0 or more");
    }
  }

  private ExpositionException refuse(LineParser parser, String why, String expected) {
    return parser.refusal(line, line, why, expected);
  }
}
