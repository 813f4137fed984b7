package org.inferometer.exposition;

import org.inferometer.histogram.NativeHistogram;
import org.inferometer.histogram.ResetHint;
import org.inferometer.io.ProtoException;
import org.inferometer.io.ProtoReader;
import org.inferometer.model.Labels;
import org.inferometer.model.MetricType;
import org.inferometer.model.StalenessMarker;
import org.jspecify.annotations.Nullable;

/**
 * The protobuf exposition: {@code io.prometheus.client.MetricFamily} messages, each behind its
 * length. A classic histogram or a summary becomes the series that text has for it; a native
 * histogram is one sample under the family's name.
 *
 * <p>{@link Mode#TOLERANT} loses what can't be read and nothing else: a metric by itself, of a
 * family that is cut off what comes behind the cut, of a body whose lengths are wrong the rest. The
 * other modes don't differ. Stricter than Prometheus in that a metric without the value that its
 * family's type asks for isn't 0.
 *
 * <p>Work is linear in the length of the body but for the names of series: a bucket of 15 bytes
 * stands for a series of some hundred. A body whose series are, taken together, {@value
 * #EXPANSION_MAX} times its length (and {@value #EXPANSION_MIN} bytes) isn't read further.
 *
 * <p>Start timestamps and exemplars of native histograms aren't read.
 *
 * @see <a href="https://github.com/prometheus/client_model">The messages</a>
 */
final class ProtobufParser extends ExpositionParser {
  /** Bytes of a series' name and labels. */
  static final int SERIES_BYTES_MAX = 1 << 20;

  /** Native buckets in a body: their memory is several times that of their bytes. */
  static final int NATIVE_BUCKETS_MAX = 1 << 22;

  static final int EXPANSION_MAX = 128;
  static final int EXPANSION_MIN = 1 << 24;

  /** Of a help text more than this doesn't tell it from another. */
  private static final int HELP_KEY_BYTES = 1 << 14;

  private static final int EXCERPT = 80;

  /** Tells keys from those of text; {@link LineParser} has the lower flags. */
  private static final int KEY_FLAG = 64;

  /** In no UTF-8. */
  private static final byte KEY_SEPARATOR = (byte) 0xff;

  private static final byte KEY_OF_HELP = 1;
  private static final byte KEY_OF_TYPE = 2;
  private static final byte KEY_OF_UNIT = 3;
  private static final byte KEY_OF_SERIES = 4;

  private static final int FAMILY_METRIC = 4;
  private static final int METRIC_LABEL = 1;
  private static final int QUANTILE = 3;

  /** What comes next. */
  private enum Stage {
    FAMILY,
    HELP,
    TYPE,
    UNIT,
    METRIC,
    COUNT,
    SUM,
    QUANTILE,
    BUCKET,
    FAMILY_END,
    END
  }

  /** What the series is, of a metric. */
  private enum Part {
    PLAIN("", 0),
    COUNT("_count", 1),
    SUM("_sum", 2),
    QUANTILE("", 3),
    BUCKET("_bucket", 4);

    private final String suffix;

    /** In keys. */
    private final byte code;

    Part(String suffix, int code) {
      this.suffix = suffix;
      this.code = (byte) code;
    }

    boolean hasNumber() {
      return this == QUANTILE || this == BUCKET;
    }
  }

  private static ProtoReader reader() {
    return new ProtoReader(new byte[0]);
  }

  private final HistogramKinds kinds;
  private final ProtoReader families = reader();
  private final ProtoReader family = reader();
  private final ProtoReader metric = reader();
  private final ProtoReader value = reader();
  private final ProtoReader element = reader();
  private final ProtoReader text = reader();
  private final MessageLabels pairs = new MessageLabels();
  private final LabelSpans labels = new LabelSpans(false);
  private final HistogramMessage histogramMessage = new HistogramMessage();
  private final MessageExemplar exemplar = new MessageExemplar();
  private final KeyBytes key = new KeyBytes();

  // The body.
  private byte[] body = {};
  private int length;
  private Stage stage = Stage.END;
  private int familyNumber;
  private long expansionLeft;
  private int nativeBucketsLeft;

  // The family.
  private @Nullable ProtoException familyFailure;
  private int nameStart;
  private int nameEnd;
  private int helpStart;
  private int helpEnd;
  private int unitStart;
  private int unitEnd;
  private int sentType;
  private MetricType type = MetricType.UNKNOWN;

  // The metric.
  private int metricStart;
  private int metricKeySize;
  private int valueStart;
  private int valueEnd;
  private double count;
  private double sum;
  private boolean infiniteBucketSeen;
  private boolean hasTimestamp;
  private long timestampMs;

  // The sample or the piece of metadata.
  private Part part = Part.PLAIN;
  private double number;
  private double sampleValue;
  private @Nullable NativeHistogram histogram;
  private int textStart;
  private int textEnd;

  // The failure.
  private int failedAt;
  private String failure = "";
  private String expectation = "";
  private boolean failedInMetric;

  ProtobufParser(Mode mode, HistogramKinds kinds) {
    super(mode);
    this.kinds = kinds;
  }

  @Override
  public void reset(byte[] newBody, int newLength) {
    if (newLength < 0 || newLength > newBody.length) {
      throw new IllegalArgumentException(newLength + " of " + newBody.length + " bytes");
    }
    body = newBody;
    length = newLength;
    families.reset(body, 0, length);
    stage = Stage.FAMILY;
    familyNumber = 0;
    expansionLeft = Math.max(EXPANSION_MIN, (long) EXPANSION_MAX * length);
    nativeBucketsLeft = NATIVE_BUCKETS_MAX;
    type = MetricType.UNKNOWN;
    labels.clear();
    forgetBadLines();
  }

  @Override
  public Event next() {
    while (true) {
      Event event = step();
      if (event != null) {
        return event;
      }
    }
  }

  /** Takes one step; null if it leads to no event. */
  private @Nullable Event step() {
    histogram = null;
    exemplar.clear();
    return switch (stage) {
      case FAMILY -> nextFamily();
      case HELP -> help();
      case TYPE -> type(Stage.UNIT);
      case UNIT -> unit();
      case METRIC -> nextMetric();
      case COUNT -> sample(Part.COUNT, count, Stage.SUM);
      case SUM -> sample(Part.SUM, sum, isSummary() ? Stage.QUANTILE : Stage.BUCKET);
      case QUANTILE -> nextQuantile();
      case BUCKET -> nextBucket();
      case FAMILY_END -> endOfFamily();
      case END -> Event.END;
    };
  }

  private boolean isSummary() {
    return type == MetricType.SUMMARY;
  }

  // -------------------------------------------------------------------------------- families

  private @Nullable Event nextFamily() {
    familyNumber++;
    familyFailure = null;
    labels.clear();
    try {
      if (!families.nextDelimited(family)) {
        stage = Stage.END;
        return Event.END;
      }
    } catch (ProtoException e) {
      // What is there of it may hold whole metrics.
      familyFailure = e;
      family.reset(body, families.position(), length - families.position());
      families.reset(body, length, 0);
    }
    return family();
  }

  /** Looks where the parts of the family are, up to the first that isn't whole. */
  private @Nullable Event family() {
    int start = family.position();
    clearFamily(start);
    int metricsEnd = start;
    try {
      while (family.next()) {
        if (familyField()) {
          metricsEnd = text.end();
        }
      }
    } catch (ProtoException e) {
      familyFailure = familyFailure == null ? e : familyFailure;
    }
    family.reset(body, start, metricsEnd - start);
    stage = isUsable(start) ? Stage.HELP : Stage.FAMILY_END;
    return null;
  }

  private void clearFamily(int start) {
    nameStart = start;
    nameEnd = start;
    helpStart = start;
    helpEnd = start;
    unitStart = start;
    unitEnd = start;
    sentType = 0;
  }

  private boolean isUsable(int start) {
    try {
      if (nameStart == nameEnd) {
        throw new ProtoException(start, "a name of the family");
      }
      type = typeOf(start, sentType);
      return true;
    } catch (ProtoException e) {
      familyFailure = familyFailure == null ? e : familyFailure;
      return false;
    }
  }

  /** Whether it is a metric. */
  private boolean familyField() throws ProtoException {
    switch (family.field()) {
      case 1 -> {
        family.message(text);
        MessageLabels.requireUtf8(body, text.position(), text.end());
        nameStart = text.position();
        nameEnd = text.end();
      }
      case 2 -> {
        family.message(text);
        helpStart = text.position();
        helpEnd = text.end();
      }
      case 3 -> sentType = family.varint32();
      case FAMILY_METRIC -> {
        family.message(text);
        return true;
      }
      case 5 -> {
        family.message(text);
        unitStart = text.position();
        unitEnd = text.end();
      }
      default -> {}
    }
    return false;
  }

  private static MetricType typeOf(int at, int sent) throws ProtoException {
    return switch (sent) {
      case 0 -> MetricType.COUNTER;
      case 1 -> MetricType.GAUGE;
      case 2 -> MetricType.SUMMARY;
      case 3 -> MetricType.UNKNOWN;
      case 4 -> MetricType.HISTOGRAM;
      case 5 -> MetricType.GAUGE_HISTOGRAM;
      default -> throw new ProtoException(at, "a metric type from 0 to 5, got " + sent);
    };
  }

  private @Nullable Event endOfFamily() {
    stage = Stage.FAMILY;
    ProtoException failed = familyFailure;
    labels.clear();
    return failed == null
        ? null
        : bad(failed.position(), "metric family that can't be read", failed.expected(), false);
  }

  // -------------------------------------------------------------------------------- metadata

  private @Nullable Event help() {
    stage = Stage.TYPE;
    return metadata(Event.HELP, helpStart, helpEnd);
  }

  private Event type(Stage next) {
    stage = next;
    newKey(KEY_OF_TYPE);
    key.add((byte) sentType);
    textStart = 0;
    textEnd = 0;
    return Event.TYPE;
  }

  private @Nullable Event unit() {
    stage = Stage.METRIC;
    return metadata(Event.UNIT, unitStart, unitEnd);
  }

  private @Nullable Event metadata(Event event, int from, int to) {
    if (from == to) {
      return null;
    }
    int invalid = Utf8.firstInvalid(body, from, to);
    if (invalid >= 0) {
      return bad(invalid, "metadata that can't be read", "text in UTF-8", false);
    }
    newKey(event == Event.HELP ? KEY_OF_HELP : KEY_OF_UNIT);
    key.add(body, from, Math.min(to, from + HELP_KEY_BYTES));
    textStart = from;
    textEnd = to;
    return event;
  }

  private void newKey(byte kind) {
    part = Part.PLAIN;
    key.truncate(0);
    key.add(body, nameStart, nameEnd);
    key.add(KEY_SEPARATOR);
    key.add(kind);
  }

  // --------------------------------------------------------------------------------- metrics

  private @Nullable Event nextMetric() {
    try {
      if (!family.next()) {
        stage = Stage.FAMILY_END;
        return null;
      }
      if (family.field() != FAMILY_METRIC) {
        return null;
      }
      family.message(metric);
      metricStart = metric.position();
      readMetric();
      return expand(metricKeySize) ? firstSample() : restLeftOut();
    } catch (ProtoException e) {
      return badMetric(e);
    }
  }

  private Event badMetric(ProtoException e) {
    stage = Stage.METRIC;
    return bad(e.position(), "metric that can't be read", e.expected(), true);
  }

  private void readMetric() throws ProtoException {
    labels.clear();
    newKey(KEY_OF_SERIES);
    int valueField = valueField();
    valueStart = -1;
    timestampMs = 0;
    while (metric.next()) {
      int field = metric.field();
      if (field == METRIC_LABEL) {
        label();
      } else if (field == valueField) {
        metric.message(value);
        valueStart = value.position();
        valueEnd = value.end();
      } else if (field == 6) {
        timestampMs = metric.varint();
      }
    }
    hasTimestamp = timestampMs != 0;
    metricKeySize = key.size();
    requireMetric(valueField);
  }

  private void label() throws ProtoException {
    metric.message(element);
    int start = element.position();
    int end = element.end();
    if (end - start > SERIES_BYTES_MAX - key.size()) {
      throw new ProtoException(
          start, "a name and labels of at most " + SERIES_BYTES_MAX + " bytes");
    }
    pairs.add(body, element, labels);
    key.addInt(end - start);
    key.add(body, start, end);
  }

  private void requireMetric(int valueField) throws ProtoException {
    MessageLabels.requireNames(body, labels);
    if (nameEnd - nameStart > SERIES_BYTES_MAX) {
      throw new ProtoException(
          nameStart, "a name and labels of at most " + SERIES_BYTES_MAX + " bytes");
    }
    if (valueStart < 0) {
      throw new ProtoException(
          metricStart, "field " + valueField + " with the value, as the type is " + type.word());
    }
  }

  private int valueField() {
    return switch (type) {
      case GAUGE -> 2;
      case COUNTER -> 3;
      case SUMMARY -> 4;
      case UNKNOWN, INFO, STATE_SET -> 5;
      case HISTOGRAM, GAUGE_HISTOGRAM -> 7;
    };
  }

  private Event firstSample() throws ProtoException {
    value.reset(body, valueStart, valueEnd - valueStart);
    return switch (type) {
      case GAUGE, COUNTER, UNKNOWN, INFO, STATE_SET -> plain();
      case SUMMARY -> summary();
      case HISTOGRAM, GAUGE_HISTOGRAM -> firstOfHistogram();
    };
  }

  private Event plain() throws ProtoException {
    double read = 0;
    while (value.next()) {
      if (value.field() == 1) {
        read = value.float64();
      } else if (value.field() == 2 && type == MetricType.COUNTER) {
        value.message(element);
        exemplar.read(body, element);
      }
    }
    return sample(Part.PLAIN, read, Stage.METRIC);
  }

  private Event summary() throws ProtoException {
    requireNoLabel("quantile");
    count = 0;
    sum = 0;
    while (value.next()) {
      switch (value.field()) {
        case 1 -> count = HistogramMessage.countOf(0, value.varint());
        case 2 -> sum = value.float64();
        default -> {}
      }
    }
    value.reset(body, valueStart, valueEnd - valueStart);
    return sample(Part.COUNT, count, Stage.SUM);
  }

  private Event firstOfHistogram() throws ProtoException {
    histogramMessage.read(value);
    value.reset(body, valueStart, valueEnd - valueStart);
    count = histogramMessage.count();
    sum = histogramMessage.sum();
    infiniteBucketSeen = false;
    if (!kinds.takesNative() || !histogramMessage.isNative()) {
      requireNoLabel("le");
      return sample(Part.COUNT, count, Stage.SUM);
    }
    boolean both = kinds.takesClassicBesideNative() && histogramMessage.hasClassicBuckets();
    if (both) {
      requireNoLabel("le");
    }
    return nativeSample(both ? Stage.COUNT : Stage.METRIC);
  }

  private void requireNoLabel(String name) throws ProtoException {
    if (labels.hasPlain(body, name)) {
      throw new ProtoException(metricStart, "the label " + name + " only where it is a field");
    }
  }

  // --------------------------------------------------------------------------------- samples

  private Event nativeSample(Stage next) throws ProtoException {
    boolean gauge = type == MetricType.GAUGE_HISTOGRAM;
    NativeHistogram made = histogramMessage.toNative(gauge ? ResetHint.GAUGE : ResetHint.UNKNOWN);
    nativeBucketsLeft -= made.positive().size() + made.negative().size();
    if (nativeBucketsLeft < 0) {
      return restLeftOut();
    }
    series(Part.PLAIN, 0);
    histogram = made;
    stage = next;
    return Event.HISTOGRAM;
  }

  private Event sample(Part newPart, double newValue, Stage next) {
    return sample(newPart, 0, newValue, next);
  }

  private Event sample(Part newPart, double newNumber, double newValue, Stage next) {
    if (!expand(metricKeySize)) {
      return restLeftOut();
    }
    series(newPart, newNumber);
    sampleValue = Double.isNaN(newValue) ? StalenessMarker.NORMAL_NAN : newValue;
    stage = next;
    return Event.SERIES;
  }

  private void series(Part newPart, double newNumber) {
    part = newPart;
    number = newNumber;
    key.truncate(metricKeySize);
    key.add(newPart.code);
    if (newPart.hasNumber()) {
      key.addLong(Double.doubleToRawLongBits(newNumber));
    }
  }

  /** Counts what the series of a body are long; whether that is still in bounds. */
  private boolean expand(int bytes) {
    expansionLeft -= bytes;
    return expansionLeft >= 0;
  }

  private Event restLeftOut() {
    stage = Stage.END;
    return bad(
        metricStart,
        "body of too much",
        "series of at most "
            + EXPANSION_MAX
            + " times the body's length and "
            + NATIVE_BUCKETS_MAX
            + " native buckets",
        true);
  }

  private @Nullable Event nextQuantile() {
    try {
      if (!nextElement(QUANTILE)) {
        stage = Stage.METRIC;
        return null;
      }
      double quantile = 0;
      double read = 0;
      while (element.next()) {
        switch (element.field()) {
          case 1 -> quantile = element.float64();
          case 2 -> read = element.float64();
          default -> {}
        }
      }
      return sample(Part.QUANTILE, quantile, read, Stage.QUANTILE);
    } catch (ProtoException e) {
      return badMetric(e);
    }
  }

  private boolean nextElement(int field) throws ProtoException {
    while (value.next()) {
      if (value.field() == field) {
        value.message(element);
        return true;
      }
    }
    return false;
  }

  private @Nullable Event nextBucket() {
    try {
      return nextElement(HistogramMessage.BUCKET) ? bucket() : lastBucket();
    } catch (ProtoException e) {
      return badMetric(e);
    }
  }

  private Event bucket() throws ProtoException {
    long whole = 0;
    double asFloat = 0;
    double bound = 0;
    while (element.next()) {
      switch (element.field()) {
        case 1 -> whole = element.varint();
        case 2 -> bound = element.float64();
        case 3 -> {
          element.message(text);
          exemplar.read(body, text);
        }
        case 4 -> asFloat = element.float64();
        default -> {}
      }
    }
    infiniteBucketSeen |= bound == Double.POSITIVE_INFINITY;
    return sample(Part.BUCKET, bound, HistogramMessage.countOf(asFloat, whole), Stage.BUCKET);
  }

  /** The bucket that needn't be sent, as all observations are in it. */
  private @Nullable Event lastBucket() {
    stage = Stage.METRIC;
    return infiniteBucketSeen
        ? null
        : sample(Part.BUCKET, Double.POSITIVE_INFINITY, count, Stage.METRIC);
  }

  // --------------------------------------------------------------------------------- reports

  private Event bad(int at, String reason, String expected, boolean inMetric) {
    failedAt = at;
    failure = reason;
    expectation = expected;
    failedInMetric = inMetric;
    stage = mode == Mode.TOLERANT ? stage : Stage.END;
    countBadLine();
    return Event.BAD_LINE;
  }

  @Override
  BadLine describe() {
    return new BadLine(
        BadLine.Unit.FAMILY, familyNumber, failedAt, failure, expectation, excerpt());
  }

  private String excerpt() {
    int nameTo = Math.min(nameEnd, nameStart + 4 * EXCERPT);
    String name = Utf8.decode(body, nameStart, nameTo);
    String series =
        failedInMetric
            ? labels.toLabels(body).with(Labels.NAME, name).toString()
            : Labels.of(Labels.NAME, name).toString();
    StringBuilder shown = new StringBuilder();
    series
        .codePoints()
        .limit(EXCERPT)
        .map(c -> Character.isISOControl(c) ? '?' : c)
        .forEach(shown::appendCodePoint);
    return shown.append(series.length() > shown.length() ? "..." : "").toString();
  }

  // ------------------------------------------------------------------------------- accessors

  @Override
  public byte[] raw() {
    return key.array();
  }

  @Override
  public int rawStart() {
    return 0;
  }

  @Override
  public int rawEnd() {
    return key.size();
  }

  @Override
  public int seriesKeyFlags() {
    return KEY_FLAG;
  }

  @Override
  public double value() {
    return sampleValue;
  }

  @Override
  public NativeHistogram histogram() {
    NativeHistogram made = histogram;
    if (made == null) {
      throw new IllegalStateException("no histogram");
    }
    return made;
  }

  @Override
  public boolean hasTimestamp() {
    return hasTimestamp;
  }

  @Override
  public long timestampMs() {
    return timestampMs;
  }

  @Override
  public MetricType type() {
    return type;
  }

  @Override
  public String name() {
    return Utf8.decode(body, nameStart, nameEnd) + part.suffix;
  }

  @Override
  public String text() {
    return Utf8.decode(body, textStart, textEnd);
  }

  @Override
  public Labels labels() {
    Labels.Builder all = new Labels.Builder();
    all.add(Labels.NAME, name());
    for (int i = 0; i < labels.count(); i++) {
      all.add(labels.name(body, i), labels.value(body, i));
    }
    if (part.hasNumber()) {
      all.add(part == Part.BUCKET ? "le" : "quantile", NumberLabels.format(number));
    }
    return all.build();
  }

  @Override
  public boolean sends(String labelName) {
    boolean isNumber =
        part == Part.BUCKET
            ? labelName.equals("le")
            : part == Part.QUANTILE && labelName.equals("quantile");
    return isNumber || labels.has(body, labelName);
  }

  @Override
  public boolean hasExemplar() {
    return exemplar.isPresent();
  }

  @Override
  public Labels exemplarLabels() {
    return exemplar.labels();
  }

  @Override
  public int exemplarLength() {
    return exemplar.length();
  }

  @Override
  public double exemplarValue() {
    return exemplar.value();
  }

  @Override
  public boolean hasExemplarTimestamp() {
    return exemplar.hasTimestamp();
  }

  @Override
  public long exemplarTimestampMs() {
    return exemplar.timestampMs();
  }
}
