package org.inferometer.benchmarks.accuracy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.inferometer.yaml.Fields;
import org.inferometer.yaml.Problems;
import org.inferometer.yaml.YamlNode;

/**
 * Simulates what others measured and writes how near it came: results as data, and the page {@code
 * docs/simulator-accuracy.md} from them.
 *
 * <p>Arguments: file of results, page to write; then ids of cases, all if there is none. Cases that
 * aren't asked for keep their results.
 */
public final class AccuracyPage {
  private static final double WHOLE = Double.MAX_VALUE;

  private final StringBuilder page = new StringBuilder();

  private AccuracyPage() {}

  public static void main(String[] args) throws IOException {
    Path results = Path.of(args[0]);
    List<String> asked = Arrays.asList(args).subList(2, args.length);
    List<Comparison> comparisons = new ArrayList<>();
    for (String id : AccuracyCase.IDS) {
      AccuracyCase of = AccuracyCase.builtIn(id);
      boolean runs = asked.isEmpty() || asked.contains(id) || !Files.exists(results);
      comparisons.add(
          runs ? Comparison.run(of, WHOLE) : new Comparison(of, AccuracyResults.read(results, id)));
    }
    AccuracyResults.write(results, comparisons);
    Files.writeString(Path.of(args[1]), new AccuracyPage().write(comparisons));
  }

  private String write(List<Comparison> comparisons) throws IOException {
    line("# How near the simulator comes");
    line("");
    line(
        "Made by `bin/bench simulator-accuracy` from `benchmarks/results/simulator-accuracy.json`:"
            + " measurements that others published, and the same simulated. One set of constants"
            + " ([the hardware's page](internals/simulator-hardware.md)) serves all rows; none is"
            + " fitted to a case, but they were chosen by people who knew these cases, so this is no"
            + " test on unseen data. What a source doesn't say is an assumption and listed. An error"
            + " up to 10 % is called close, up to 25 % fair, above that off.");
    summary(comparisons);
    for (Comparison comparison : comparisons) {
      table(comparison);
    }
    leftOut();
    return page.toString();
  }

  private void summary(List<Comparison> comparisons) {
    Map<Figure, List<Comparison.Row>> byFigure = new LinkedHashMap<>();
    for (Figure figure : Figure.values()) {
      byFigure.put(figure, new ArrayList<>());
    }
    for (Comparison comparison : comparisons) {
      for (Comparison.Row row : comparison.rows()) {
        Objects.requireNonNull(byFigure.get(row.figure())).add(row);
      }
    }
    line("");
    line("## In short");
    line("");
    line("| | rows | close | fair | off | median error | median size of the error |");
    line("|---|---|---|---|---|---|---|");
    byFigure.forEach(
        (figure, rows) -> {
          if (!rows.isEmpty()) {
            line(
                "| %s | %d | %d | %d | %d | %+.0f %% | %.0f %% |",
                figure.title(),
                rows.size(),
                count(rows, "close"),
                count(rows, "fair"),
                count(rows, "**off**"),
                100 * median(rows.stream().mapToDouble(Comparison.Row::error).toArray()),
                100 * median(rows.stream().mapToDouble(row -> Math.abs(row.error())).toArray()));
          }
        });
  }

  private static long count(List<Comparison.Row> rows, String verdict) {
    return rows.stream().filter(row -> row.verdict().equals(verdict)).count();
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    int middle = values.length / 2;
    return values.length % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  }

  private void table(Comparison comparison) {
    AccuracyCase of = comparison.of();
    line("");
    line("## " + of.title());
    line("");
    line("Source: " + of.source() + ".");
    if (!of.assumptions().isEmpty()) {
      line("");
      line("Assumed:");
      line("");
      of.assumptions().forEach(assumption -> line("- " + assumption));
    }
    line("");
    line("| | | published | simulated | error | |");
    line("|---|---|---|---|---|---|");
    String last = "";
    for (Comparison.Row row : comparison.rows()) {
      line(
          "| %s | %s | %s | %s | %+d %% | %s |",
          row.run().equals(last) ? "" : row.run(),
          row.figure().title(),
          text(row, row.published()),
          text(row, row.simulated()),
          Math.round(100 * row.error()),
          row.verdict());
      last = row.run();
    }
  }

  /** A number with its unit, in three digits; seconds below one in milliseconds. */
  private static String text(Comparison.Row row, double value) {
    if (row.relative()) {
      return String.format(Locale.ROOT, "%.2f times", value);
    }
    String unit = row.figure().unit();
    if (unit.equals("s") && value < 1) {
      return digits(value * 1000) + " ms";
    }
    return (digits(value) + " " + unit).strip();
  }

  private static String digits(double value) {
    double size = Math.abs(value);
    String format = size >= 100 ? "%.0f" : size >= 10 ? "%.1f" : "%.2f";
    return String.format(Locale.ROOT, format, value);
  }

  private void leftOut() throws IOException {
    String file = "accuracy/left-out.yaml";
    try (InputStream in =
        Objects.requireNonNull(AccuracyPage.class.getResourceAsStream("/" + file))) {
      Problems problems = new Problems();
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      Fields fields = new Fields(YamlNode.parse(file, text), "the file", problems);
      List<String> reasons = fields.optionalTexts("left_out");
      problems.throwIfAny();
      line("");
      line("## Not compared");
      line("");
      reasons.forEach(reason -> line("- " + reason));
    }
  }

  private void line(String format, Object... arguments) {
    page.append(arguments.length == 0 ? format : String.format(Locale.ROOT, format, arguments))
        .append('\n');
  }
}
