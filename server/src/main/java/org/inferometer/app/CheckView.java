package org.inferometer.app;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.inferometer.check.BucketView;
import org.inferometer.check.Checker;
import org.inferometer.check.EndpointReport;
import org.inferometer.check.Finding;
import org.inferometer.check.Part;
import org.inferometer.check.SeriesView;
import org.inferometer.exposition.BadLine;
import org.inferometer.signals.Absence;
import org.inferometer.signals.Phrases;
import org.inferometer.signals.Quality;
import org.inferometer.signals.VersionRange;

/** Reports on endpoints as text for people, 80 columns wide, the most important first. */
final class CheckView {
  private static final int FEEDS_SHOWN = 14;
  private static final int LACKS_SHOWN = 8;
  private static final int NAMES_SHOWN = 6;
  private static final int FIELDS_SHOWN = 5;

  /** A longer one stands in lines of its own, to be copied. */
  private static final int FIX_IN_LINE_MAX = 50;

  /** Of a name that stands before its verdict on one line. */
  private static final int HEAD_MAX = 50;

  private static final int FAMILIES_SHOWN = 5;
  private static final int LABELS_SHOWN = 3;

  /** The one quantile of four that is shown of each latency. */
  private static final double QUANTILE_SHOWN = 0.95;

  private static final int FIX_WIDTH = Wrapping.WIDTH - 6;

  /** A line of an exporter's list of fields. */
  private static final Pattern CSV =
      Pattern.compile("^[A-Za-z0-9_:]+, (gauge|counter|histogram|summary|label), ");

  /** What only a machine reads. */
  private static final Pattern CODE = Pattern.compile("^ *-|[{}]|regex:|" + CSV.pattern());

  private static final Pattern COMPARING = Pattern.compile("load_imbalance_.*|slowest_replica");

  /** What is read of a name that a page gives. */
  private static final int GIVEN_MAX = 200;

  private final Console console;
  private final boolean all;

  /**
   * @param all whether nothing is left out
   */
  CheckView(Console console, boolean all) {
    this.console = console;
    this.all = all;
  }

  void print(List<EndpointReport> reports) {
    if (reports.size() > 1) {
      summary(reports);
    }
    for (EndpointReport report : reports) {
      if (reports.size() > 1) {
        line("");
        line(console.dim("-".repeat(Wrapping.WIDTH)));
      }
      print(report);
    }
  }

  private void summary(List<EndpointReport> reports) {
    Set<String> instances =
        reports.stream().map(EndpointReport::instance).collect(Collectors.toSet());
    // Saved pages share theirs.
    boolean told = instances.size() == reports.size();
    for (EndpointReport report : reports) {
      String mark = report.state() == EndpointReport.State.OK ? "ok  " : "TODO";
      String name = told ? report.instance() : report.target();
      String head = mark + "  " + end(Printable.of(name), Wrapping.WIDTH - 6);
      if (head.length() <= HEAD_MAX) {
        text(head + "  ", "      ", verdict(report));
      } else {
        line(head);
        text("      ", "      ", verdict(report));
      }
    }
  }

  private static String verdict(EndpointReport report) {
    return switch (report.state()) {
      case OK, TODO -> report.verdict();
      case NO_METRICS, UNREACHABLE ->
          report.todo().isEmpty()
              ? report.verdict()
              : report.verdict() + ": " + report.todo().getFirst().says();
    };
  }

  private void print(EndpointReport report) {
    Wrapping.lines("", "", Printable.of(report.verdict()))
        .forEach(line -> line(console.bold(line)));
    line(console.dim(Printable.of(report.url() == null ? report.target() : report.url())));
    if (report.parts().size() == 1) {
      identity(report.parts().getFirst());
    }
    scrape(report);
    todo(report.todo());
    String told = report.todo().stream().map(Finding::says).collect(Collectors.joining(" "));
    report.parts().forEach(part -> part(part, report.parts().size() > 1, told));
    notes(report.notes());
    if (report.series() != null) {
      series(report.series());
    }
  }

  private void scrape(EndpointReport report) {
    EndpointReport.ScrapeView scrape = report.scrape();
    if (scrape == null) {
      return;
    }
    String times =
        scrape.scrapes() == 1
            ? "One scrape only, so nothing can be seen to move: no rates, no frozen values."
            : scrape.scrapes()
                + " scrapes over "
                + Phrases.value("seconds", scrape.apartSeconds())
                + ", the slowest took "
                + Phrases.value("seconds", scrape.slowestSeconds())
                + ".";
    text("", "", times);
    if (all) {
      for (BadLine line : scrape.badLineExamples()) {
        text("  bad ", "      ", line.toString());
      }
    }
  }

  // ----------------------------------------------------------------------------- to do, notes

  private void todo(List<Finding> todo) {
    if (todo.isEmpty()) {
      return;
    }
    title("TO DO");
    for (int i = 0; i < todo.size(); i++) {
      Finding finding = todo.get(i);
      text("%2d. ".formatted(i + 1), "    ", finding.says());
      fix(finding);
    }
  }

  private void fix(Finding finding) {
    String fix = finding.fix();
    if (fix != null) {
      fix.lines().forEach(line -> fixLines(line).forEach(one -> line(console.bold(one))));
    }
    if (all && finding.source() != null) {
      text("      source: ", "      ", finding.source());
    }
  }

  /** What is to be pasted isn't broken; what is to be read is. */
  private static List<String> fixLines(String fix) {
    boolean isRead = fix.length() > FIX_WIDTH && fix.contains(", ") && !CODE.matcher(fix).find();
    return isRead
        ? Wrapping.lines("      ", "      ", Printable.of(fix))
        : List.of("      " + Printable.of(fix));
  }

  private void notes(List<Finding> notes) {
    if (notes.isEmpty()) {
      return;
    }
    title("WORTH KNOWING");
    for (Finding note : notes) {
      text("  - ", "    ", note.says());
      fix(note);
    }
  }

  // ------------------------------------------------------------------------------------ parts

  private void part(Part part, boolean isOneOfMany, String told) {
    if (isOneOfMany) {
      title(
          part.engine().title().toUpperCase(Locale.ROOT)
              + "  "
              + Printable.shortened(part.name(), GIVEN_MAX));
      identity(part);
    }
    feeds(part);
    lacks(part);
    buckets(part, told);
  }

  private void identity(Part part) {
    VersionRange version = part.version();
    if (part.model() != null) {
      text("Model ", "  ", Printable.shortened(part.model(), GIVEN_MAX));
    }
    if (version != null && !version.text().equals("unknown")) {
      text("Release " + version.text() + ": ", "  ", version.because() + ".");
    }
    if (!part.facets().isEmpty()) {
      text(
          "",
          "  ",
          part.facets().stream().map(this::facet).collect(Collectors.joining("; ")) + ".");
    }
  }

  private String facet(Part.FacetValue facet) {
    boolean saysItself =
        facet.value().toLowerCase(Locale.ROOT).contains(facet.name().toLowerCase(Locale.ROOT));
    String words = saysItself ? facet.value() : facet.name() + ": " + facet.value();
    return all ? words + " (" + facet.because() + ")" : words;
  }

  private void feeds(Part part) {
    if (part.feeds().isEmpty()) {
      return;
    }
    List<Part.Feed> valued = part.feeds().stream().filter(f -> !f.values().isEmpty()).toList();
    title("FEEDS " + Amounts.count(part.feeds().size(), "signal") + qualities(part.feeds()));
    List<Part.Feed> shown = shown(valued);
    int limit = shown.size();
    Table table =
        new Table()
            .column("SIGNAL", Table.Align.LEFT)
            .column("NOW", Table.Align.LEFT)
            .column("QUALITY", Table.Align.LEFT);
    for (Part.Feed feed : shown) {
      table.row(
          List.of(
              shortened(feed.signal().title(), 36),
              shortened(now(feed), 30),
              word(feed.quality())));
    }
    if (limit > 0) {
      table.lines().subList(1, limit + 1).forEach(line -> line("  " + line));
    }
    int hidden = valued.size() - limit;
    int blank = part.feeds().size() - valued.size();
    String more =
        hidden > 0
            ? hidden + (hidden == 1 ? " more has" : " more have") + " a value (--all). "
            : "";
    String none = blank > 0 ? Amounts.count(blank, "signal") + " without a value now." : "";
    if (!(more + none).isEmpty()) {
      text("  ", "  ", more + none);
    }
    if (all) {
      blanks(part);
      reasons(valued);
    }
  }

  /** In display order; the vital ones first where there isn't room for all. */
  private List<Part.Feed> shown(List<Part.Feed> valued) {
    if (all) {
      return valued;
    }
    List<Part.Feed> kept =
        valued.stream()
            .filter(CheckView::isShown)
            .sorted(Comparator.comparing(feed -> !Checker.VITAL.contains(feed.signal().name())))
            .limit(FEEDS_SHOWN)
            .toList();
    return valued.stream().filter(kept::contains).toList();
  }

  /** One of four quantiles; of what compares replicas nothing, as there is one. */
  private static boolean isShown(Part.Feed feed) {
    Double quantile = feed.signal().quantile();
    boolean isUsual = quantile == null || quantile == QUANTILE_SHOWN;
    return isUsual && !COMPARING.matcher(feed.signal().name()).matches();
  }

  private void blanks(Part part) {
    for (Part.Feed feed : part.feeds()) {
      if (feed.values().isEmpty()) {
        text("  " + feed.signal().name() + ": ", "    ", String.valueOf(feed.reason()));
      }
    }
  }

  private void reasons(List<Part.Feed> feeds) {
    for (Part.Feed feed : feeds) {
      if (feed.reason() != null) {
        text("  " + feed.signal().name() + ": ", "    ", feed.reason());
      }
    }
  }

  private static String qualities(List<Part.Feed> feeds) {
    Map<Quality, Integer> counts = new EnumMap<>(Quality.class);
    feeds.forEach(feed -> counts.merge(feed.quality(), 1, Integer::sum));
    return counts.entrySet().stream()
        .map(entry -> entry.getValue() + " " + word(entry.getKey()))
        .collect(Collectors.joining(", ", ": ", ""));
  }

  private static String now(Part.Feed feed) {
    Part.Value first = feed.values().getFirst();
    String value =
        Phrases.readingWithEdges(feed.signal().unit(), first.value(), first.low(), first.high())
            // Short, as columns are.
            .replaceFirst("\\(between (.*) and (.*)\\)", "($1 to $2)");
    int others = feed.values().size() - 1;
    return others == 0 ? value : value + ", and " + others + " more";
  }

  private void lacks(Part part) {
    if (part.lacks().isEmpty() && part.never().isEmpty()) {
      return;
    }
    title("DOESN'T TELL, AND WHAT WOULD BRING IT");
    List<Part.Lack> lacks = new ArrayList<>(part.lacks());
    List<Part.Lack> waiting = lacks.stream().filter(lack -> !all && isForTraffic(lack)).toList();
    lacks.removeAll(waiting);
    List<Part.Lack> fields = lacks.stream().filter(lack -> !all && isField(lack)).toList();
    lacks.removeAll(fields);
    lacks.sort(
        Comparator.comparing((Part.Lack lack) -> lack.fix() == null).thenComparing(Part.Lack::why));
    int limit = all ? lacks.size() : Math.min(LACKS_SHOWN, lacks.size());
    for (Part.Lack lack : lacks.subList(0, limit)) {
      lack(lack);
    }
    if (limit < lacks.size()) {
      text("  ", "  ", lacks.size() - limit + " more (--all).");
    }
    fields(fields);
    if (!waiting.isEmpty()) {
      text("  - ", "    ", "Once there is traffic of their kind: " + names(signals(waiting)));
    }
    if (!part.never().isEmpty()) {
      String names = all ? ": " + String.join(", ", part.never()) : " (--all).";
      text(
          "  ",
          "  ",
          "Never: "
              + part.engine().title()
              + " has nothing for "
              + Amounts.count(bases(part.never()).size(), "signal")
              + names);
    }
  }

  private static List<String> signals(List<Part.Lack> lacks) {
    return lacks.stream().flatMap(lack -> lack.signals().stream()).toList();
  }

  private static boolean isField(Part.Lack lack) {
    return lack.fix() != null && CSV.matcher(lack.fix()).find();
  }

  /** Lines of one file belong together. */
  private void fields(List<Part.Lack> lacks) {
    if (lacks.isEmpty()) {
      return;
    }
    text("  - ", "    ", "Lines for the exporter's list of fields: " + names(signals(lacks)));
    lacks.stream()
        .limit(FIELDS_SHOWN)
        .forEach(lack -> line("      " + Printable.of(String.valueOf(lack.fix()))));
    if (lacks.size() > FIELDS_SHOWN) {
      line("      and " + (lacks.size() - FIELDS_SHOWN) + " more (--all)");
    }
  }

  private static boolean isForTraffic(Part.Lack lack) {
    return lack.why() == Absence.TRAFFIC && lack.fix() == null;
  }

  private void lack(Part.Lack lack) {
    String fix = lack.fix();
    if (fix == null) {
      text("  - ", "    ", names(lack.signals()) + ": " + lack.reason());
    } else if (fix.length() > FIX_IN_LINE_MAX) {
      text("  - ", "    ", names(lack.signals()) + ":");
      fix.lines().forEach(line -> fixLines(line).forEach(this::line));
    } else {
      text("  - ", "    ", fix.replaceFirst("\\.$", "") + ": " + names(lack.signals()));
    }
    if (all && fix != null) {
      text("      ", "      ", lack.reason());
    }
  }

  /** A few names; of the quantiles of one thing only what they have in common. */
  private String names(List<String> signals) {
    Set<String> bases = bases(signals);
    long limit = all ? bases.size() : NAMES_SHOWN;
    String first = bases.stream().limit(limit).collect(Collectors.joining(", "));
    return bases.size() <= limit ? first : first + " and " + (bases.size() - limit) + " more";
  }

  private static Set<String> bases(List<String> signals) {
    Set<String> bases =
        signals.stream()
            .map(name -> name.replaceFirst("_p(50|90|95|99)$", ""))
            .collect(Collectors.toCollection(LinkedHashSet::new));
    List<String> all = List.copyOf(bases);
    bases.removeIf(
        name -> name.endsWith("_mean") && all.contains(name.substring(0, name.length() - 5)));
    return bases;
  }

  private void buckets(Part part, String told) {
    List<BucketView> views =
        part.buckets().stream()
            // What is cut is told of the whole page.
            .filter(view -> view.verdict() != BucketView.Verdict.CUT)
            .filter(view -> !told.contains(view.says()))
            .toList();
    if (!views.isEmpty()) {
      title("BUCKETS");
      views.forEach(view -> text("  - ", "    ", view.says()));
    }
  }

  // ----------------------------------------------------------------------------------- series

  private void series(SeriesView view) {
    title("SERIES " + number(view.total()));
    text(
        "  ",
        "  ",
        "Every "
            + Phrases.value("seconds", view.intervalSeconds())
            + " that makes "
            + number(view.samplesPerDay())
            + " samples a day, about "
            + Amounts.bytes(view.bytesPerDay())
            + " on disk.");
    int limit = all ? view.families().size() : Math.min(FAMILIES_SHOWN, view.families().size());
    for (SeriesView.FamilyCount family : view.families().subList(0, limit)) {
      line(
          "  %7s  %s%s"
              .formatted(
                  number(family.series()),
                  shortened(Printable.of(family.name()), 52),
                  family.needed() ? "" : console.dim("  not read")));
    }
    labels(view);
    drops(view);
  }

  private void labels(SeriesView view) {
    String labels =
        view.labels().stream()
            .filter(label -> label.values() > 1)
            .limit(all ? view.labels().size() : LABELS_SHOWN)
            .map(
                label ->
                    Printable.shortened(label.name(), GIVEN_MAX)
                        + " ("
                        + number(label.values())
                        + ")")
            .collect(Collectors.joining(", "));
    if (!labels.isEmpty()) {
      text("  ", "  ", "Labels with the most values: " + labels + ".");
    }
  }

  private void drops(SeriesView view) {
    if (view.drops().isEmpty()) {
      return;
    }
    int series = view.drops().stream().mapToInt(SeriesView.Drop::series).sum();
    boolean many = series >= view.total() / 10;
    text(
        "  ",
        "  ",
        "No signal reads "
            + number(series)
            + " of them"
            + (many || all ? "; if no dashboard of yours does, drop them:" : " (--all)."));
    if ((many || all) && view.relabel() != null) {
      view.relabel().lines().forEach(line -> line("      " + Printable.of(line)));
    }
  }

  // ------------------------------------------------------------------------------------- text

  private void title(String title) {
    line("");
    line(console.bold(Printable.of(title)));
  }

  private void text(String first, String others, String text) {
    Wrapping.lines(first, others, Printable.of(text)).forEach(this::line);
  }

  private void line(String line) {
    console.out().println(line);
  }

  private static String shortened(String text, int length) {
    return text.length() <= length ? text : text.substring(0, length - 3) + "...";
  }

  /** Of a path the end tells most. */
  private static String end(String text, int length) {
    return text.length() <= length ? text : "..." + text.substring(text.length() - length + 3);
  }

  private static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
