package org.inferometer.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.inferometer.model.Labels;
import org.inferometer.model.MetricType;
import org.inferometer.signals.Catalogue;
import org.inferometer.signals.DialectProfile;
import org.inferometer.signals.Families;
import org.inferometer.signals.Family;
import org.inferometer.signals.FamilyType;
import org.jspecify.annotations.Nullable;

/** Holds the families of a page against what is known of its engines. */
final class FamilyChecks {
  /** A beginning that so many of a dialect's names share is its own. */
  private static final double PREFIX_SHARE = 0.3;

  /** Where more is unknown, it is the catalogue that is short, not the release that is new. */
  private static final double UNKNOWN_SHARE_MAX = 0.5;

  private final Catalogue catalogue;
  private final ParsedPage page;
  private final Set<String> dialects = new TreeSet<>();
  private final String title;

  FamilyChecks(Catalogue catalogue, ParsedPage page, List<Part> parts) {
    this.catalogue = catalogue;
    this.page = page;
    parts.forEach(part -> dialects.add(part.engine().id()));
    this.title = parts.isEmpty() ? "" : parts.getFirst().engine().title();
  }

  List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    PageChecks.addIfFound(findings, lyingTypes());
    PageChecks.addIfFound(findings, noTypes());
    PageChecks.addIfFound(findings, unknown());
    PageChecks.addIfFound(findings, oldNames());
    findings.addAll(copies());
    return findings;
  }

  /** The families of a name that belong to what the page is. */
  private List<Families.Match> own(String metric) {
    return catalogue.families().find(metric).stream()
        .filter(match -> dialects.contains(match.family().dialect()))
        .toList();
  }

  /** The first sample's name of a family by which it is found. */
  private static String sample(String family, MetricType type) {
    return switch (type) {
      case HISTOGRAM, GAUGE_HISTOGRAM, SUMMARY -> family + "_count";
      case COUNTER, GAUGE, INFO, STATE_SET, UNKNOWN -> family;
    };
  }

  private @Nullable Finding lyingTypes() {
    Map<String, String> known = new TreeMap<>();
    Map<String, String> contradicting = new TreeMap<>();
    page.types.forEach(
        (name, type) -> {
          FamilyType said = type(type);
          Family family = said == null ? null : liedAbout(sample(name, type), said);
          if (said != null && family != null) {
            (said == family.declared() ? known : contradicting)
                .put(name, word(said) + ", is a " + word(family.type()));
          }
        });
    if (!contradicting.isEmpty()) {
      return Finding.of(
          "type-lines",
          Weight.NOTE,
          "TYPE lines contradict the catalogue, as of another release: "
              + listed(contradicting)
              + ".",
          null);
    }
    return known.isEmpty()
        ? null
        : Finding.of(
            "type-lines",
            Weight.NOTE,
            "TYPE lines mislead, as always with this exporter: "
                + listed(known)
                + ". Go by what it is.",
            null);
  }

  /** The first family of a name that is something else than its type line says; or null. */
  private @Nullable Family liedAbout(String metric, FamilyType said) {
    Family lied = null;
    for (Families.Match match : own(metric)) {
      Family family = match.family();
      if (match.part() == Families.Part.CREATED
          || said == family.type()
          || isAlike(said, family.type())) {
        return null;
      }
      lied = lied == null ? family : lied;
    }
    return lied;
  }

  private static String listed(Map<String, String> says) {
    return PageChecks.listed(
        says.entrySet().stream().map(e -> e.getKey() + " (says " + e.getValue() + ")").toList());
  }

  /** What always says gauge in Prometheus's text. */
  private static boolean isAlike(FamilyType said, FamilyType is) {
    return said == FamilyType.GAUGE && is == FamilyType.INFO;
  }

  private static @Nullable FamilyType type(MetricType type) {
    return switch (type) {
      case COUNTER -> FamilyType.COUNTER;
      case GAUGE -> FamilyType.GAUGE;
      case HISTOGRAM, GAUGE_HISTOGRAM -> FamilyType.HISTOGRAM;
      case SUMMARY -> FamilyType.SUMMARY;
      case INFO -> FamilyType.INFO;
      case STATE_SET, UNKNOWN -> null;
    };
  }

  private static String word(FamilyType type) {
    return type.name().toLowerCase(java.util.Locale.ROOT);
  }

  private @Nullable Finding noTypes() {
    Set<String> untyped = new TreeSet<>();
    for (String metric : page.metrics()) {
      MetricType type = page.types.get(page.family(metric));
      boolean isCounter =
          own(metric).stream().anyMatch(match -> match.family().type() == FamilyType.COUNTER);
      if (isCounter && (type == null || type == MetricType.UNKNOWN)) {
        untyped.add(metric);
      }
    }
    return untyped.isEmpty()
        ? null
        : Finding.of(
            "no-types",
            Weight.NOTE,
            PageChecks.words(untyped.size(), "counter")
                + " without a TYPE line, so tools that go by it take them for anything: "
                + PageChecks.listed(untyped)
                + ".",
            null);
  }

  private @Nullable Finding unknown() {
    Set<String> prefixes = prefixes();
    Set<String> unknown = new TreeSet<>();
    Set<String> theirs = new TreeSet<>();
    for (String metric : page.metrics()) {
      if (prefixes.stream().anyMatch(metric::startsWith) && !metric.endsWith("_created")) {
        theirs.add(page.family(metric));
        if (catalogue.families().find(metric).isEmpty()) {
          unknown.add(page.family(metric));
        }
      }
    }
    // Of an exporter with a thousand families the catalogue has those that matter.
    boolean isPartial = unknown.size() > UNKNOWN_SHARE_MAX * theirs.size();
    return unknown.isEmpty() || isPartial
        ? null
        : Finding.of(
            "unknown-families",
            Weight.NOTE,
            PageChecks.words(unknown.size(), "name")
                + " of "
                + title
                + " not in the catalogue, perhaps of a newer release: "
                + PageChecks.listed(unknown)
                + ".",
            null);
  }

  /** How the names of these dialects begin. */
  private Set<String> prefixes() {
    Map<String, Map<String, Integer>> counts = new HashMap<>();
    Map<String, Integer> totals = new HashMap<>();
    for (Family family : catalogue.families().all()) {
      if (dialects.contains(family.dialect())) {
        totals.merge(family.dialect(), 1, Integer::sum);
        counts
            .computeIfAbsent(family.dialect(), dialect -> new HashMap<>())
            .merge(prefix(family.name()), 1, Integer::sum);
      }
    }
    Set<String> prefixes = new TreeSet<>();
    counts.forEach(
        (dialect, byPrefix) ->
            byPrefix.forEach(
                (prefix, count) -> {
                  if (count >= PREFIX_SHARE * totals.getOrDefault(dialect, 0)) {
                    prefixes.add(prefix);
                  }
                }));
    return prefixes;
  }

  private static String prefix(String name) {
    int colon = name.indexOf(':');
    int end = colon >= 0 ? colon : name.indexOf('_');
    return end < 0 ? name : name.substring(0, end + 1);
  }

  private @Nullable Finding oldNames() {
    Map<String, String> old = new TreeMap<>();
    for (String metric : page.metrics()) {
      List<Families.Match> own = own(metric);
      if (!own.isEmpty() && own.stream().noneMatch(match -> match.family().isCurrent())) {
        Family family = own.getFirst().family();
        old.put(
            family.name(),
            family.name() + (family.now() == null ? "" : " (now " + family.now() + ")"));
      }
    }
    return old.isEmpty()
        ? null
        : Finding.of(
            "old-names",
            Weight.NOTE,
            PageChecks.words(old.size(), "name")
                + " that newer releases of "
                + title
                + " don't have any more: "
                + PageChecks.listed(old.values())
                + (old.size() == 1
                    ? ". Dashboards that use it go blank at an upgrade."
                    : ". Dashboards that use them go blank at an upgrade."),
            null);
  }

  private List<Finding> copies() {
    List<Finding> findings = new ArrayList<>();
    Set<String> seen = new TreeSet<>();
    for (String dialect : dialects) {
      DialectProfile profile = catalogue.profile(dialect);
      for (String label : profile == null ? List.<String>of() : profile.copies()) {
        Set<String> values = new TreeSet<>();
        for (Labels labels : page.values.keySet()) {
          if (labels.has(label)) {
            values.add(labels.get(label));
          }
        }
        if (values.size() > 1 && seen.add(label)) {
          findings.add(
              Finding.of(
                  "copies",
                  Weight.NOTE,
                  "Series repeat one thing by the label "
                      + label
                      + " ("
                      + values.size()
                      + " values): take the largest, never the sum.",
                  null));
        }
      }
    }
    return findings;
  }
}
