package org.inferometer.signals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All metric families that are known, of all dialects, by the names of their samples. */
public final class Families {
  private final List<Family> all;
  private final List<Mistake> mistakes;
  private final Map<String, List<Match>> bySample = new LinkedHashMap<>();
  private final Map<String, List<Match>> byFlatName = new LinkedHashMap<>();
  private final Map<String, Mistake> byMistake = new LinkedHashMap<>();

  Families(List<Family> all, List<Mistake> mistakes) {
    this.all = List.copyOf(all);
    this.mistakes = List.copyOf(mistakes);
    all.forEach(this::index);
    mistakes.forEach(mistake -> byMistake.putIfAbsent(mistake.name(), mistake));
  }

  /** Which sample of a family a metric name is. */
  public enum Part {
    /** The value itself. */
    VALUE,
    BUCKET,
    SUM,
    COUNT,
    /** When the series began, in seconds since 1970. */
    CREATED
  }

  /** A family with the part of it that a name stands for. */
  public record Match(Family family, Part part) {}

  /**
   * A name that is written in the wild and that nothing ever exposed.
   *
   * @param means the sample that is meant, null if there is none like it
   */
  public record Mistake(String dialect, String name, @Nullable String means, String says) {}

  public List<Family> all() {
    return all;
  }

  public List<Mistake> mistakes() {
    return mistakes;
  }

  /**
   * What a metric name can stand for; several dialects may share a name, and one whose type changed
   * stands for two families. A colon may have become an underscore, as collectors between an engine
   * and its store do.
   */
  public List<Match> find(String metric) {
    List<Match> direct = bySample.get(metric);
    return List.copyOf(direct == null ? byFlatName.getOrDefault(metric, List.of()) : direct);
  }

  /** The names of all samples. */
  Set<String> sampleNames() {
    return Collections.unmodifiableSet(bySample.keySet());
  }

  /**
   * What a metric counts in a dialect: as its own family says, else as all others do that know it.
   * Null if that isn't known.
   */
  @Nullable Population counts(String metric, String dialect) {
    Set<Population> others = EnumSet.noneOf(Population.class);
    for (Match match : find(metric)) {
      Population counts = match.part() == Part.CREATED ? null : match.family().counts();
      if (match.family().dialect().equals(dialect)) {
        return counts;
      }
      if (counts != null) {
        others.add(counts);
      }
    }
    return others.size() == 1 ? others.iterator().next() : null;
  }

  /** Whether a metric is a number of requests in a dialect, not something measured of them. */
  boolean isRequests(String metric, String dialect) {
    List<Match> matches = find(metric);
    List<Match> own = matches.stream().filter(m -> m.family().dialect().equals(dialect)).toList();
    return (own.isEmpty() ? matches : own)
        .stream().allMatch(m -> m.part() == Part.COUNT || m.family().unit().equals("requests"));
  }

  public @Nullable Mistake mistake(String metric) {
    return byMistake.get(metric);
  }

  /** The names of the samples of a family, but for the times of creation, which a flag hides. */
  List<String> samples(Family family) {
    return parts(family).entrySet().stream()
        .filter(entry -> entry.getValue() != Part.CREATED)
        .map(Map.Entry::getKey)
        .toList();
  }

  private void index(Family family) {
    parts(family).forEach((name, part) -> put(name, new Match(family, part)));
  }

  private void put(String sample, Match match) {
    bySample.computeIfAbsent(sample, name -> new ArrayList<>()).add(match);
    if (sample.indexOf(':') >= 0) {
      byFlatName.computeIfAbsent(sample.replace(':', '_'), name -> new ArrayList<>()).add(match);
    }
  }

  /** What each sample of a family is, by its name. */
  private static Map<String, Part> parts(Family family) {
    Map<String, Part> parts = new LinkedHashMap<>();
    switch (family.type()) {
      case HISTOGRAM -> {
        parts.put(family.name() + "_bucket", Part.BUCKET);
        parts.put(family.name() + "_sum", Part.SUM);
        parts.put(family.name() + "_count", Part.COUNT);
      }
      case SUMMARY -> {
        parts.put(family.name(), Part.VALUE);
        parts.put(family.name() + "_sum", Part.SUM);
        parts.put(family.name() + "_count", Part.COUNT);
      }
      case COUNTER, GAUGE, INFO -> parts.put(family.name(), Part.VALUE);
    }
    if (family.type() != FamilyType.GAUGE && family.type() != FamilyType.INFO) {
      parts.put(withoutTotal(family.name()) + "_created", Part.CREATED);
    }
    return parts;
  }

  private static String withoutTotal(String name) {
    return name.endsWith("_total") ? name.substring(0, name.length() - "_total".length()) : name;
  }
}
