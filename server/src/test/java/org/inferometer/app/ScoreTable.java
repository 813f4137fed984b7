package org.inferometer.app;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** What a score comes to, as Markdown. */
final class ScoreTable {
  private final List<ScoredWindow> windows;
  private final List<ScoredWindow> faulty;
  private final List<ScoredWindow> healthy;

  ScoreTable(List<ScoredWindow> windows) {
    this.windows = List.copyOf(windows);
    this.faulty = windows.stream().filter(w -> !w.isHealthy()).toList();
    this.healthy = windows.stream().filter(ScoredWindow::isHealthy).toList();
  }

  /** Share of faulty windows in which the true cause stands first. */
  double top1() {
    return share(faulty, ScoredWindow::isRight);
  }

  /** Share of faulty windows in which it stands first or second. */
  double top2() {
    return share(faulty, ScoredWindow::isNearlyRight);
  }

  /** Share of faulty windows in which something else stands first. */
  double wrong() {
    return share(faulty, ScoredWindow::isWrong);
  }

  /** Share of faulty windows in which nothing can be told. */
  double untold() {
    return share(faulty, ScoredWindow::isUntold);
  }

  /** Share of healthy windows in which a cause is named. */
  double falseAlarms() {
    return share(healthy, w -> !w.told().isEmpty());
  }

  /** Share of verdicts with evidence. */
  double grounded() {
    return share(windows, ScoredWindow::isGrounded);
  }

  private static double share(List<ScoredWindow> of, Predicate<ScoredWindow> holds) {
    return of.isEmpty() ? 0 : (double) of.stream().filter(holds).count() / of.size();
  }

  /** What is scored, and how. */
  static String intro() {
    return """
        # How often the diagnosis is right

        Made by `bin/score`. Every scenario of the simulator, and some that were made for the score alone, is simulated as it stands
        and with other seeds, loads, GPUs and scrape intervals; what a scraper would have seen goes to the diagnosis, with nothing told
        beside it: no goals, no config. It is asked 3, 5 and 8 minutes after the onset, over 5 minutes; what is healthy, and what faulty
        scenarios are before their onset, is asked too. Right is only the cause that the scenario names as the root, standing first.

        A simulator isn't a data centre: [how near it comes](simulator-accuracy.md). Those who wrote the checks knew its scenarios, so
        these figures are an upper bound for what nobody has seen. The ten published incidents and the on-call cases of the tests
        (`IncidentsTest`, `OnCallCasesTest`) are rebuilt from their numbers, without the simulator.

        """;
  }

  String text() {
    StringBuilder text = new StringBuilder();
    text.append(summary());
    text.append("\n## By cause\n\n");
    text.append("| cause | windows | first | first two | wrong | can't tell | missed |\n");
    text.append("|---|--:|--:|--:|--:|--:|--:|\n");
    byTruth(faulty).forEach((truth, of) -> text.append(row(truth, of)));
    text.append("\n## What was told instead\n\n");
    text.append("| truth | told | windows | for example |\n|---|---|--:|---|\n");
    text.append(confusion());
    return text.toString();
  }

  private String summary() {
    return "| measure | value |\n|---|--:|\n"
        + line("faulty windows", Integer.toString(faulty.size()))
        + line("true cause first", percent(top1()))
        + line("true cause among the first two", percent(top2()))
        + line("wrong cause first", percent(wrong()))
        + line("\"cannot tell\"", percent(untold()))
        + line("healthy windows", Integer.toString(healthy.size()))
        + line("false alarms in 1,000 healthy windows", number(falseAlarms() * 1000))
        + line("verdicts with evidence", percent(grounded()))
        + line("time of a diagnosis, median", number(median()) + " ms");
  }

  private double median() {
    double[] millis = windows.stream().mapToDouble(ScoredWindow::millis).sorted().toArray();
    return millis.length == 0 ? 0 : millis[millis.length / 2];
  }

  private static String line(String name, String value) {
    return "| " + name + " | " + value + " |\n";
  }

  private static String row(String name, List<ScoredWindow> of) {
    long missed = of.stream().filter(w -> w.first().equals("healthy")).count();
    return "| %s | %d | %s | %s | %d | %d | %d |\n"
        .formatted(
            name,
            of.size(),
            percent(share(of, ScoredWindow::isRight)),
            percent(share(of, ScoredWindow::isNearlyRight)),
            of.stream().filter(ScoredWindow::isWrong).count(),
            of.stream().filter(ScoredWindow::isUntold).count(),
            missed);
  }

  private static Map<String, List<ScoredWindow>> byTruth(List<ScoredWindow> windows) {
    Map<String, List<ScoredWindow>> by = new TreeMap<>();
    windows.forEach(w -> by.computeIfAbsent(w.truth(), _ -> new ArrayList<>()).add(w));
    return by;
  }

  private String confusion() {
    Map<String, List<ScoredWindow>> pairs = new TreeMap<>();
    for (ScoredWindow one : windows) {
      if (!one.isRight()) {
        pairs
            .computeIfAbsent(
                "| " + one.truth() + " | " + one.first() + " | ", _ -> new ArrayList<>())
            .add(one);
      }
    }
    StringBuilder rows = new StringBuilder();
    pairs.forEach(
        (pair, of) -> {
          ScoredWindow first = of.getFirst();
          rows.append(pair)
              .append(of.size())
              .append(" | ")
              .append(first.scenario())
              .append(", ")
              .append(first.variant())
              .append(", minute ")
              .append(first.minute())
              .append(" |\n");
        });
    return rows.toString();
  }

  /** One row for each way in which less is seen. */
  static String degraded(List<ScoredWindow> windows) {
    Map<String, List<ScoredWindow>> by = new LinkedHashMap<>();
    windows.forEach(w -> by.computeIfAbsent(w.variant(), _ -> new ArrayList<>()).add(w));
    StringBuilder text = new StringBuilder();
    text.append("\n## With less to see\n\n");
    text.append(
        "The same with layers that aren't scraped, seldom or failing scrapes, an old release; each"
            + " scenario in two of these ways. Where GPUs aren't scraped, what they do to a replica is"
            + " told as a slow replica, which counts as wrong here.\n\n");
    text.append("| | windows | first | wrong | can't tell | false alarms in 1,000 |\n");
    text.append("|---|--:|--:|--:|--:|--:|\n");
    by.forEach((variant, of) -> text.append(degradedRow(variant, of)));
    text.append(degradedRow("all", windows));
    return text.toString();
  }

  private static String degradedRow(String name, List<ScoredWindow> of) {
    ScoreTable table = new ScoreTable(of);
    return "| %s | %d | %s | %s | %s | %s |\n"
        .formatted(
            name,
            of.size(),
            percent(table.top1()),
            percent(table.wrong()),
            percent(table.untold()),
            number(table.falseAlarms() * 1000));
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", share * 100);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
