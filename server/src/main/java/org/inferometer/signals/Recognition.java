package org.inferometer.signals;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.jspecify.annotations.Nullable;

/** Tells what a target is from what it exposes, never from a name or a port. */
final class Recognition {
  private final List<Dialect> dialects;
  private final Map<String, ReleaseMarkers> markers = new HashMap<>();

  Recognition(Catalogue catalogue) {
    dialects = catalogue.dialects();
    for (Dialect dialect : dialects) {
      markers.put(dialect.id(), new ReleaseMarkers(dialect, catalogue.families()));
    }
  }

  /**
   * One thing that a target was taken for.
   *
   * @param dialect null if nothing matches
   * @param modelLabel the label that names its models, null if none does
   * @param models the models that it serves
   * @param own matchers that leave out the series of others on its page
   */
  record Recognised(
      @Nullable Dialect dialect,
      @Nullable String modelLabel,
      Set<String> models,
      @Nullable VersionRange version,
      List<Matcher> own,
      String because) {
    Recognised {
      own = List.copyOf(own);
    }
  }

  /**
   * All that a target is, more special dialects first. A page may be several things, such as a
   * router beside an engine; those that another one that it is covers aren't told.
   */
  List<Recognised> recognise(TargetFacts facts) {
    Map<Dialect, Fingerprint> matching = new LinkedHashMap<>();
    for (Dialect dialect : dialects) {
      dialect.identify().stream()
          .filter(fingerprint -> fingerprint.matches(facts))
          .findFirst()
          .ifPresent(fingerprint -> matching.put(dialect, fingerprint));
    }
    Set<String> covered = new HashSet<>();
    matching.keySet().forEach(dialect -> covered.addAll(dialect.covers()));
    matching.keySet().removeIf(dialect -> covered.contains(dialect.id()));
    if (matching.isEmpty()) {
      String because = "no engine recognised; " + count(facts.familyCount());
      return List.of(new Recognised(null, null, Set.of(), null, List.of(), because));
    }
    List<Recognised> all = new ArrayList<>();
    matching.forEach(
        (dialect, fingerprint) -> all.add(recognised(dialect, facts, fingerprint.because())));
    return all;
  }

  /** What a target exposes but for series that others have under the names of a dialect. */
  static TargetFacts own(Dialect dialect, TargetFacts facts) {
    List<Labels> rows =
        facts.rows().stream()
            .filter(row -> dialect.identify().stream().noneMatch(print -> print.isOfOthers(row)))
            .toList();
    return rows.size() == facts.rows().size() ? facts : TargetFacts.of(facts.target(), rows);
  }

  private static String count(int families) {
    return families == 1 ? "1 family" : families + " families";
  }

  private Recognised recognised(Dialect dialect, TargetFacts page, String because) {
    TargetFacts facts = own(dialect, page);
    List<Matcher> own = matchers(dialect, page);
    VersionRange version = version(dialect, facts);
    for (String label : dialect.models()) {
      Set<String> models = facts.values(label);
      if (!models.isEmpty()) {
        return new Recognised(dialect, label, models, version, own, because);
      }
    }
    return new Recognised(dialect, null, Set.of(), version, own, because);
  }

  private static List<Matcher> matchers(Dialect dialect, TargetFacts page) {
    Set<String> labels = new TreeSet<>();
    for (Fingerprint fingerprint : dialect.identify()) {
      String label = fingerprint.unlessLabel();
      if (label != null && page.rows().stream().anyMatch(fingerprint::isOfOthers)) {
        labels.add(label);
      }
    }
    return labels.stream().map(label -> Matcher.equal(label, "")).toList();
  }

  private @Nullable VersionRange version(Dialect dialect, TargetFacts facts) {
    Dialect.VersionInfo info = dialect.versionInfo();
    if (info != null) {
      for (Labels row : facts.rowsOf(info.family())) {
        if (row.has(info.label())) {
          return VersionRange.exact(row.get(info.label()), "its " + info.family() + " says so");
        }
      }
    }
    ReleaseMarkers known = markers.get(dialect.id());
    return known == null ? null : known.range(facts);
  }
}
