package org.inferometer.check;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.inferometer.exposition.BadLine;
import org.inferometer.model.Labels;
import org.jspecify.annotations.Nullable;

/** What can be wrong with any page, seen on one of them. */
final class PageChecks {
  /** Samples that carry times older than this aren't seen by an instant query. */
  private static final long OLD_MS = 5 * 60_000;

  private static final long FUTURE_MS = 5_000;
  private static final int EXAMPLES_MAX = 3;
  private static final int TEXT_MAX = 160;

  private final ParsedPage page;

  PageChecks(ParsedPage page) {
    this.page = page;
  }

  /**
   * @param nowMs when it was scraped
   */
  List<Finding> findings(long nowMs) {
    List<Finding> findings = new ArrayList<>();
    addIfFound(findings, tooMany());
    addIfFound(findings, badLines());
    addIfFound(findings, duplicates());
    addIfFound(findings, cutHistograms());
    addIfFound(findings, ownTimestamps(nowMs));
    addIfFound(findings, exportedLabels());
    return findings;
  }

  static void addIfFound(Collection<Finding> findings, @Nullable Finding finding) {
    if (finding != null) {
      findings.add(finding);
    }
  }

  private @Nullable Finding tooMany() {
    return page.isCut
        ? Finding.of(
            "too-many",
            Weight.COST,
            "The page has more than " + ParsedPage.SAMPLES_MAX + " samples; the rest wasn't read.",
            null)
        : null;
  }

  private @Nullable Finding badLines() {
    if (page.badLineCount == 0) {
      return null;
    }
    BadLine first = page.badLines.getFirst();
    List<String> numbers =
        page.badLines.stream().limit(8).map(line -> String.valueOf(line.line())).toList();
    String more = page.badLineCount > numbers.size() ? ", ..." : "";
    return Finding.of(
        "bad-lines",
        Weight.WRONG,
        words(page.badLineCount, "line")
            + " can't be read ("
            + String.join(", ", numbers)
            + more
            + "): "
            + first.reason()
            + " in \""
            + first.excerpt()
            + "\". Prometheus loses the whole scrape over it; this program leaves the line out.",
        null);
  }

  private @Nullable Finding duplicates() {
    if (page.duplicateCount == 0) {
      return null;
    }
    return Finding.of(
        "duplicates",
        Weight.WRONG,
        words(page.duplicateCount, "sample")
            + " of a series that the page has already, such as "
            + shortened(page.duplicates.iterator().next())
            + "; only the first one counts.",
        null);
  }

  private @Nullable Finding cutHistograms() {
    Map<Labels, Boolean> hasAll = new LinkedHashMap<>();
    for (Labels labels : page.values.keySet()) {
      if (labels.metricName().endsWith("_bucket") && labels.has("le")) {
        boolean all = labels.get("le").equals("+Inf");
        hasAll.merge(labels.without("le"), all, (a, b) -> a || b);
      }
    }
    Set<String> cut = new TreeSet<>();
    hasAll.forEach(
        (labels, all) -> {
          if (!all) {
            cut.add(labels.metricName());
          }
        });
    return cut.isEmpty()
        ? null
        : Finding.of(
            "histogram-cut-off",
            Weight.WRONG,
            words(cut.size(), "histogram")
                + " without a bucket up to infinity, so no quantile can be told: "
                + listed(cut)
                + ". The page was cut off, or a proxy or a relabeling drops le=\"+Inf\".",
            null);
  }

  private @Nullable Finding ownTimestamps(long nowMs) {
    if (page.ownTimestamps == 0) {
      return null;
    }
    String count = words(page.ownTimestamps, "sample");
    if (nowMs - page.newestMs > OLD_MS) {
      return Finding.of(
          "own-timestamps",
          Weight.WRONG,
          count
              + " carry times of their own, the newest "
              + minutes(nowMs - page.newestMs)
              + " old: a query for now doesn't see them.",
          "honor_timestamps: false");
    }
    if (page.newestMs - nowMs > FUTURE_MS) {
      return Finding.of(
          "own-timestamps",
          Weight.WRONG,
          count + " carry times that are still to come: the clocks of the two machines differ.",
          "honor_timestamps: false");
    }
    return Finding.of(
        "own-timestamps",
        Weight.NOTE,
        count
            + " carry times of their own: they are stored under these, and such series don't end"
            + " when the endpoint stops to expose them.",
        null);
  }

  private static String minutes(long ms) {
    return ms / 60_000 < 120 ? ms / 60_000 + " min" : ms / 3_600_000 + " h";
  }

  private @Nullable Finding exportedLabels() {
    Map<String, String> found = new TreeMap<>();
    for (Labels labels : page.values.keySet()) {
      labels.forEach(
          (name, value) -> {
            if (name.startsWith("exported_")) {
              found.putIfAbsent(name, labels.metricName());
            }
          });
    }
    if (found.isEmpty()) {
      return null;
    }
    return Finding.of(
        "labels-renamed",
        Weight.NOTE,
        "Labels of the page that the scraper sets itself are kept as "
            + listed(found.keySet())
            + " (on "
            + found.values().iterator().next()
            + "): joins on the plain name see the scraper's value. honor_labels: true keeps the"
            + " page's.",
        null);
  }

  static String words(int count, String noun) {
    return count + " " + noun + (count == 1 ? "" : "s");
  }

  /** A few names, and how many more there are. */
  static String listed(Collection<String> names) {
    List<String> first = names.stream().limit(EXAMPLES_MAX).map(PageChecks::shortened).toList();
    int more = new HashSet<>(names).size() - first.size();
    return String.join(", ", first) + (more > 0 ? " and " + more + " more" : "");
  }

  private static String shortened(Labels labels) {
    return shortened(labels.toString());
  }

  /** What is read of a text that a page gives. */
  static String shortened(String text) {
    int points = text.codePointCount(0, text.length());
    return points > TEXT_MAX
        ? text.substring(0, text.offsetByCodePoints(0, TEXT_MAX)) + "..."
        : text;
  }
}
