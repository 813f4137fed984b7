package org.inferometer.signals;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.inferometer.model.Labels;
import org.inferometer.model.Version;
import org.jspecify.annotations.Nullable;

/**
 * What tells the releases of an engine apart: the families whose first and last release are known,
 * by being there, and what the dialect states beside that, such as what an absence means.
 */
final class ReleaseMarkers {
  /** A year, which isn't a release although it looks like one. */
  private static final Pattern YEAR = Pattern.compile("(19|20)[0-9]{2}");

  private final Dialect dialect;
  private final List<Marker> markers;

  ReleaseMarkers(Dialect dialect, Families families) {
    this.dialect = dialect;
    List<Marker> all = new ArrayList<>(dialect.markers());
    Set<String> stated = statedMetrics(dialect);
    for (Family family : families.all()) {
      if (family.dialect().equals(dialect.id())) {
        addMarkers(family, families.samples(family), stated, all);
      }
    }
    this.markers = List.copyOf(all);
  }

  private static Set<String> statedMetrics(Dialect dialect) {
    Set<String> metrics = new HashSet<>();
    for (Marker marker : dialect.markers()) {
      if (marker.test() instanceof Marker.Test.Present present) {
        metrics.add(present.metric());
      }
    }
    return metrics;
  }

  /** What is stated of one sample of a family goes before what its family says. */
  private static void addMarkers(
      Family family, List<String> samples, Set<String> stated, List<Marker> markers) {
    Version since = release(family.since());
    Version last = release(family.last());
    if ((since != null || last != null) && samples.stream().noneMatch(stated::contains)) {
      samples.forEach(
          sample -> markers.add(new Marker(new Marker.Test.Present(sample), since, last)));
    }
  }

  private static @Nullable Version release(@Nullable String text) {
    return text == null || !Version.isVersion(text) || YEAR.matcher(text).matches()
        ? null
        : Version.parse(text);
  }

  /**
   * The releases that every marker that holds allows; null if nothing tells releases apart. Where
   * these contradict each other, those that something is there for: of a page that is filtered on
   * its way anything may be missing.
   */
  @Nullable VersionRange range(TargetFacts facts) {
    if (markers.isEmpty()) {
      return null;
    }
    Bounds all = bounds(facts, false);
    if (!all.isContradicting()) {
      return all.range("nothing seen tells releases apart");
    }
    Bounds seen = bounds(facts, true);
    return seen.isContradicting()
        ? VersionRange.between(null, null, "the names contradict each other: " + seen.because())
        : seen.range("the page lacks names of every release");
  }

  private Bounds bounds(TargetFacts facts, boolean isOfWhatIsThere) {
    Bound low = new Bound(null, "");
    Bound high = new Bound(null, "");
    for (Marker marker : markers) {
      if ((isOfWhatIsThere && isAbsence(marker.test())) || !holds(marker.test(), facts)) {
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
    return new Bounds(low, high);
  }

  private record Bound(@Nullable Version at, String because) {}

  private record Bounds(Bound low, Bound high) {
    boolean isContradicting() {
      return low.at() != null && high.at() != null && low.at().isAfter(high.at());
    }

    String because() {
      List<String> reasons = new ArrayList<>(List.of(low.because(), high.because()));
      reasons.removeIf(String::isEmpty);
      return String.join("; ", reasons);
    }

    /**
     * @param without what is said if there are no bounds
     */
    VersionRange range(String without) {
      String because = because();
      return VersionRange.between(low.at(), high.at(), because.isEmpty() ? without : because);
    }
  }

  private static boolean isAbsence(Marker.Test test) {
    return switch (test) {
      case Marker.Test.Absent _, Marker.Test.WithoutLabel _ -> true;
      case Marker.Test.Present _, Marker.Test.WithLabel _ -> false;
    };
  }

  private boolean holds(Marker.Test test, TargetFacts facts) {
    return switch (test) {
      case Marker.Test.Present t -> facts.families().contains(t.metric());
      case Marker.Test.Absent t ->
          facts.families().containsAll(t.given()) && !facts.families().contains(t.metric());
      case Marker.Test.WithLabel t -> modelRows(facts).stream().anyMatch(row -> row.has(t.label()));
      case Marker.Test.WithoutLabel t -> {
        List<Labels> rows = modelRows(facts);
        yield !rows.isEmpty() && rows.stream().noneMatch(row -> row.has(t.label()));
      }
    };
  }

  private List<Labels> modelRows(TargetFacts facts) {
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
