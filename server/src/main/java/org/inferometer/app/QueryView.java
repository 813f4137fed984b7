package org.inferometer.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.inferometer.app.Table.Align;
import org.inferometer.model.FloatFormat;
import org.inferometer.model.Labels;

/**
 * The {@code data} of a query's answer as text for people: a table with a column for each label
 * that differs between the series; what they have in common stands once above it.
 */
final class QueryView {
  private static final int WIDTH_MAX = 80;
  private static final int SPARKLINE_COLUMNS = 30;
  private static final int DIGITS = 6;

  private final Console console;

  QueryView(Console console) {
    this.console = console;
  }

  void print(JsonNode data) {
    JsonNode result = data.path("result");
    switch (data.path("resultType").asText()) {
      case "vector" -> printVector(result);
      case "matrix" -> printMatrix(result);
      default -> console.out().println(result.path(1).asText());
    }
  }

  private void printVector(JsonNode result) {
    List<Labels> labels = labelsOf(result);
    List<List<String>> values = new ArrayList<>();
    for (JsonNode element : result) {
      values.add(List.of(shown(element)));
    }
    print(labels, values, List.of("VALUE"));
  }

  /** A number, or a histogram's count and mean. */
  private static String shown(JsonNode element) {
    JsonNode histogram = element.path("histogram").path(1);
    if (histogram.isMissingNode()) {
      return rounded(number(element.path("value").path(1)));
    }
    double count = number(histogram.path("count"));
    double sum = number(histogram.path("sum"));
    return rounded(count) + " observations, mean " + rounded(sum / count);
  }

  /** The points of a series; of native histograms the counts. */
  private static List<JsonNode> points(JsonNode series) {
    List<JsonNode> points = new ArrayList<>();
    series.path("values").forEach(points::add);
    for (JsonNode point : series.path("histograms")) {
      points.add(point.<ArrayNode>deepCopy().set(1, point.path(1).path("count")));
    }
    points.sort(Comparator.comparingDouble(point -> point.path(0).asDouble()));
    return points;
  }

  private void printMatrix(JsonNode result) {
    List<Labels> labels = labelsOf(result);
    List<List<String>> figures = new ArrayList<>();
    double firstTime = Double.POSITIVE_INFINITY;
    double lastTime = Double.NEGATIVE_INFINITY;
    double step = Double.POSITIVE_INFINITY;
    for (JsonNode series : result) {
      List<JsonNode> points = points(series);
      firstTime = Math.min(firstTime, points.getFirst().path(0).asDouble());
      lastTime = Math.max(lastTime, points.getLast().path(0).asDouble());
      for (int i = 1; i < points.size(); i++) {
        step =
            Math.min(step, points.get(i).get(0).asDouble() - points.get(i - 1).get(0).asDouble());
      }
    }
    for (JsonNode series : result) {
      figures.add(figures(points(series), firstTime, lastTime, step));
    }
    if (!figures.isEmpty()) {
      String stretch = time(firstTime) + " to " + time(lastTime);
      console.out().println(console.dim(stretch));
    }
    if (result.findValue("histograms") != null) {
      console.say("of native histograms the number of observations is shown");
    }
    print(labels, figures, List.of("MIN", "MAX", "LAST", "COURSE"));
  }

  private static List<String> figures(
      List<JsonNode> points, double firstTime, double lastTime, double step) {
    double min = Double.NaN;
    double max = Double.NaN;
    double last = Double.NaN;
    int count = Double.isInfinite(step) ? 1 : (int) Math.round((lastTime - firstTime) / step) + 1;
    double[] course = new double[count];
    java.util.Arrays.fill(course, Double.NaN);
    for (JsonNode point : points) {
      last = number(point.path(1));
      min = Double.isNaN(min) ? last : Math.min(min, last);
      max = Double.isNaN(max) ? last : Math.max(max, last);
      int index = count == 1 ? 0 : (int) Math.round((point.path(0).asDouble() - firstTime) / step);
      course[Math.clamp(index, 0, count - 1)] = last;
    }
    return List.of(
        rounded(min), rounded(max), rounded(last), Sparkline.of(course, SPARKLINE_COLUMNS));
  }

  private void print(List<Labels> series, List<List<String>> figures, List<String> titles) {
    if (series.isEmpty()) {
      console.say("no series");
      return;
    }
    Labels common = common(series);
    if (!common.isEmpty()) {
      console.out().println(console.dim(common.toString()));
    }
    Table wide = byLabel(series, figures, titles, common);
    Table narrow = byText(series, figures, titles, common);
    (wide.width() <= WIDTH_MAX ? wide : narrow).print(console);
  }

  /** A column for each label that differs. */
  private static Table byLabel(
      List<Labels> series, List<List<String>> figures, List<String> titles, Labels common) {
    Set<String> names = new LinkedHashSet<>();
    series.forEach(
        labels -> labels.without(common.toMap().keySet()).forEach((n, _) -> names.add(n)));
    Table table = new Table();
    names.forEach(name -> table.column(name.equals(Labels.NAME) ? "METRIC" : name, Align.LEFT));
    titles.forEach(title -> table.column(title, align(title)));
    for (int i = 0; i < series.size(); i++) {
      List<String> row = new ArrayList<>();
      for (String name : names) {
        row.add(Printable.of(series.get(i).get(name)));
      }
      row.addAll(figures.get(i));
      table.row(row);
    }
    return table;
  }

  /** The figures first, so that they stay in view, and the labels that differ as one text. */
  private static Table byText(
      List<Labels> series, List<List<String>> figures, List<String> titles, Labels common) {
    Table table = new Table();
    titles.forEach(title -> table.column(title, align(title)));
    table.column("SERIES", Align.LEFT);
    for (int i = 0; i < series.size(); i++) {
      List<String> row = new ArrayList<>(figures.get(i));
      row.add(series.get(i).without(common.toMap().keySet()).toString());
      table.row(row);
    }
    return table;
  }

  private static Align align(String title) {
    return title.equals("COURSE") ? Align.LEFT : Align.RIGHT;
  }

  /** The labels that all series have with the same value. */
  private static Labels common(List<Labels> series) {
    Labels common = series.getFirst();
    for (Labels labels : series) {
      Set<String> differing = new LinkedHashSet<>();
      common.forEach(
          (name, value) -> {
            if (!labels.get(name).equals(value)) {
              differing.add(name);
            }
          });
      common = common.without(differing);
    }
    return series.size() == 1 ? series.getFirst() : common;
  }

  private static List<Labels> labelsOf(JsonNode result) {
    List<Labels> all = new ArrayList<>();
    for (JsonNode series : result) {
      Labels.Builder labels = new Labels.Builder();
      series
          .path("metric")
          .properties()
          .forEach(e -> labels.add(e.getKey(), e.getValue().asText()));
      all.add(labels.build());
    }
    return all;
  }

  private static double number(JsonNode value) {
    return switch (value.asText()) {
      case "NaN", "" -> Double.NaN;
      case "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> value.asDouble();
    };
  }

  /** Six digits, which is what people read; whole numbers stay whole. */
  private static String rounded(double value) {
    if (!Double.isFinite(value) || value == Math.rint(value)) {
      return FloatFormat.sample(value);
    }
    BigDecimal digits = new BigDecimal(value).round(new MathContext(DIGITS));
    return FloatFormat.sample(digits.doubleValue());
  }

  private static String time(double seconds) {
    return Instant.ofEpochSecond((long) seconds).toString();
  }
}
