package org.inferometer.signals;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.inferometer.model.Labels;
import org.jspecify.annotations.Nullable;

/** Tells what a target is from what it exposes, never from a name or a port. */
final class Recognition {
  private final List<Dialect> dialects;

  Recognition(List<Dialect> dialects) {
    this.dialects = dialects;
  }

  /**
   * What a target was taken for.
   *
   * @param dialect null if nothing matches
   * @param modelLabel the label that names its models, null if none does
   * @param models the models that it serves
   */
  record Recognised(
      @Nullable Dialect dialect,
      @Nullable String modelLabel,
      Set<String> models,
      @Nullable VersionRange version,
      String because) {}

  Recognised recognise(TargetFacts facts) {
    for (Dialect dialect : dialects) {
      for (Fingerprint fingerprint : dialect.identify()) {
        if (fingerprint.matches(facts)) {
          return recognised(dialect, facts, fingerprint.because());
        }
      }
    }
    return new Recognised(
        null, null, Set.of(), null, "no engine recognised; " + count(facts.familyCount()));
  }

  private static String count(int families) {
    return families == 1 ? "1 family" : families + " families";
  }

  private static Recognised recognised(Dialect dialect, TargetFacts facts, String because) {
    VersionRange version = version(dialect, facts);
    for (String label : dialect.models()) {
      Set<String> models = facts.values(label);
      if (!models.isEmpty()) {
        return new Recognised(dialect, label, models, version, because);
      }
    }
    return new Recognised(dialect, null, Set.of(), version, because);
  }

  private static @Nullable VersionRange version(Dialect dialect, TargetFacts facts) {
    Dialect.VersionInfo info = dialect.versionInfo();
    if (info != null) {
      for (Labels row : facts.rows()) {
        if (row.metricName().equals(info.family()) && row.has(info.label())) {
          return VersionRange.exact(row.get(info.label()), "its " + info.family() + " says so");
        }
      }
    }
    return dialect.markers().isEmpty() ? null : range(dialect, facts);
  }

  /** The releases that every marker that holds allows. */
  private static VersionRange range(Dialect dialect, TargetFacts facts) {
    Bound low = new Bound(null, "");
    Bound high = new Bound(null, "");
    for (Marker marker : dialect.markers()) {
      if (!holds(marker.test(), dialect, facts)) {
        continue;
      }
      if (marker.since() != null && (low.at() == null || marker.since().compareTo(low.at()) > 0)) {
        low = new Bound(marker.since(), words(marker.test()) + ", so since " + marker.since());
      }
      if (marker.last() != null && (high.at() == null || high.at().isAfter(marker.last()))) {
        high =
            new Bound(marker.last(), words(marker.test()) + ", so " + marker.last() + " at most");
      }
    }
    return range(low, high);
  }

  private record Bound(@Nullable Version at, String because) {}

  private static VersionRange range(Bound low, Bound high) {
    List<String> reasons = new ArrayList<>(List.of(low.because(), high.because()));
    reasons.removeIf(String::isEmpty);
    String because = String.join("; ", reasons);
    if (low.at() != null && high.at() != null && low.at().isAfter(high.at())) {
      return VersionRange.between(null, null, "the names contradict each other: " + because);
    }
    return VersionRange.between(
        low.at(), high.at(), because.isEmpty() ? "nothing seen tells releases apart" : because);
  }

  private static boolean holds(Marker.Test test, Dialect dialect, TargetFacts facts) {
    return switch (test) {
      case Marker.Test.Present t -> facts.families().contains(t.metric());
      case Marker.Test.Absent t ->
          facts.families().contains(t.given()) && !facts.families().contains(t.metric());
      case Marker.Test.WithLabel t ->
          modelRows(dialect, facts).stream().anyMatch(row -> row.has(t.label()));
      case Marker.Test.WithoutLabel t -> {
        List<Labels> rows = modelRows(dialect, facts);
        yield !rows.isEmpty() && rows.stream().noneMatch(row -> row.has(t.label()));
      }
    };
  }

  /** The series of a model, or all where a dialect has no models. */
  private static List<Labels> modelRows(Dialect dialect, TargetFacts facts) {
    return facts.rows().stream()
        .filter(row -> dialect.models().isEmpty() || dialect.models().stream().anyMatch(row::has))
        .toList();
  }

  private static String words(Marker.Test test) {
    return switch (test) {
      case Marker.Test.Present t -> "it has " + t.metric();
      case Marker.Test.Absent t -> "it lacks " + t.metric();
      case Marker.Test.WithLabel t -> "its series carry the label " + t.label();
      case Marker.Test.WithoutLabel t -> "its series lack the label " + t.label();
    };
  }
}
