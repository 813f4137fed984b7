package org.inferometer.tsdb;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.histogram.ResetHint;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.store.Querier;
import org.inferometer.store.SampleColumns;
import org.inferometer.store.Series;
import org.jspecify.annotations.Nullable;

/**
 * What a store must have, may have and mustn't have: all that happened to it in order, and of each
 * event whether it was acknowledged, and whether it must survive a power cut.
 */
final class StoreModel {
  private static final String ABSENT = "-";
  private static final List<Matcher> ALL =
      List.of(new Matcher(Matcher.Type.NOT_EQUAL, "__name__", ""));

  private final List<Event> events = new ArrayList<>();

  /** By index in the events; those that aren't acknowledged are neither. */
  private final BitSet acknowledged = new BitSet();

  private final BitSet durable = new BitSet();

  /** Events that weren't made last when they should have been: they may be lost at any time. */
  private final BitSet doubtful = new BitSet();

  /** Samples of commits that failed. */
  private final BitSet failed = new BitSet();

  private int begun;
  private long expiredBeforeMs = Long.MIN_VALUE;

  /** A sample; a histogram or else a value. */
  record Sample(
      Labels labels, long timestampMs, double value, @Nullable NativeHistogram histogram) {
    String text() {
      return StoreModel.text(value, histogram);
    }
  }

  private sealed interface Event {}

  private record Put(Sample sample) implements Event {}

  private record Deletion(Matcher matcher, long fromMs, long toMs) implements Event {
    boolean hits(Sample sample) {
      return fromMs <= sample.timestampMs
          && sample.timestampMs <= toMs
          && matcher.matches(sample.labels);
    }
  }

  /** A place in the events, with what was true then. */
  record Mark(BitSet required, BitSet impossible, int attempted, long expiredBeforeMs) {}

  int size() {
    return events.size();
  }

  /** Samples are about to be committed; what was begun before and not committed has failed. */
  void begin(List<Sample> samples) {
    begun = events.size();
    samples.forEach(sample -> events.add(new Put(sample)));
  }

  void beginDelete(Matcher matcher, long fromMs, long toMs) {
    begun = events.size();
    events.add(new Deletion(matcher, fromMs, toMs));
  }

  /** The samples that were begun can't be there. */
  void fail() {
    failed.set(begun, events.size());
  }

  void commit() {
    acknowledged.set(begun, events.size());
  }

  /** All acknowledged events before an index must survive a power cut. */
  void makeLast(int end) {
    for (int i = 0; i < end; i++) {
      if (acknowledged.get(i) && !doubtful.get(i)) {
        durable.set(i);
      }
    }
  }

  /** What isn't known to last by now may be lost even if it is synced again. */
  void doubt() {
    for (int i = 0; i < events.size(); i++) {
      if (!durable.get(i)) {
        doubtful.set(i);
      }
    }
  }

  void expire(long beforeMs) {
    expiredBeforeMs = Math.max(expiredBeforeMs, beforeMs);
  }

  /** What must be there if the process ends now. */
  Mark markOfKill() {
    return mark(acknowledged, failed);
  }

  /** What must be there if the power is cut now. */
  Mark markOfCut() {
    return mark(durable, new BitSet());
  }

  /**
   * What must be there if something is damaged: of all that was acknowledged the samples that pass,
   * which are tested with their index in the events. Deletions may be forgotten.
   */
  Mark markOfDamage(BiPredicate<Sample, Integer> isSafe) {
    BitSet required = new BitSet();
    for (int i = 0; i < events.size(); i++) {
      if (acknowledged.get(i) && events.get(i) instanceof Put(Sample sample)) {
        required.set(i, isSafe.test(sample, i));
      }
    }
    return mark(required, failed);
  }

  private Mark mark(BitSet required, BitSet impossible) {
    return new Mark(
        (BitSet) required.clone(), (BitSet) impossible.clone(), events.size(), expiredBeforeMs);
  }

  private static String text(double value, @Nullable NativeHistogram histogram) {
    return histogram == null
        ? Long.toHexString(Double.doubleToRawLongBits(value))
        : histogram.compact().withHint(ResetHint.UNKNOWN).toString();
  }

  /** What came of a comparison: a line for each thing that is wrong, and what is missing. */
  record Comparison(List<String> wrong, List<String> missing) {}

  /** The allowed contents of a place: a series at a time. */
  private static final class Place {
    private String required = ABSENT;
    private final Set<String> allowed = new HashSet<>(Set.of(ABSENT));

    void set(String content, boolean isRequired) {
      if (isRequired) {
        required = content;
        allowed.clear();
      }
      allowed.add(content);
    }
  }

  /**
   * Compares.
   *
   * @param mark of which all that is required must be there, and all else that was attempted may be
   */
  Comparison compare(Querier querier, Mark mark) {
    Map<String, NavigableMap<Long, Place>> places = places(mark);
    List<String> wrong = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    SampleColumns columns = new SampleColumns();
    for (Series series : querier.select(ALL)) {
      columns.clear();
      series.read(Long.MIN_VALUE, Long.MAX_VALUE, columns);
      NavigableMap<Long, Place> known =
          places.getOrDefault(series.labels().toString(), new TreeMap<>());
      check(series.labels().toString(), columns, known, wrong);
    }
    places.forEach(
        (labels, byTime) ->
            byTime.forEach(
                (t, place) -> {
                  if (!place.allowed.contains(ABSENT) && t >= mark.expiredBeforeMs) {
                    missing.add(labels + " " + t + ": " + place.required);
                  }
                }));
    return new Comparison(wrong, missing);
  }

  /** Looks up what is there, and marks it as found. */
  private static void check(
      String labels, SampleColumns columns, NavigableMap<Long, Place> known, List<String> wrong) {
    for (int i = 0; i < columns.size(); i++) {
      long t = columns.timestampMs(i);
      String found = text(columns.value(i), columns.histogram(i));
      if (i > 0 && t <= columns.timestampMs(i - 1)) {
        wrong.add(labels + " " + t + ": behind " + columns.timestampMs(i - 1));
      }
      Place place = known.get(t);
      if (place == null || !place.allowed.contains(found)) {
        wrong.add(
            labels
                + " "
                + t
                + ": "
                + found
                + " instead of "
                + (place == null ? "" : place.allowed));
      } else {
        place.allowed.add(ABSENT); // it was found
      }
    }
  }

  private Map<String, NavigableMap<Long, Place>> places(Mark mark) {
    Map<String, NavigableMap<Long, Place>> places = new HashMap<>();
    Map<String, List<Sample>> samplesByLabels = new HashMap<>();
    for (int i = 0; i < mark.attempted; i++) {
      boolean isRequired = mark.required.get(i);
      if (mark.impossible.get(i)) {
        continue;
      }
      switch (events.get(i)) {
        case Put(Sample sample) -> {
          String labels = sample.labels.toString();
          places
              .computeIfAbsent(labels, l -> new TreeMap<>())
              .computeIfAbsent(sample.timestampMs, t -> new Place())
              .set(sample.text(), isRequired);
          samplesByLabels.computeIfAbsent(labels, l -> new ArrayList<>()).add(sample);
        }
        case Deletion deletion ->
            places.forEach(
                (labels, byTime) ->
                    samplesByLabels.getOrDefault(labels, List.of()).stream()
                        .filter(deletion::hits)
                        .map(sample -> byTime.get(sample.timestampMs))
                        .filter(Objects::nonNull)
                        .forEach(place -> place.set(ABSENT, isRequired)));
      }
    }
    return places;
  }
}
