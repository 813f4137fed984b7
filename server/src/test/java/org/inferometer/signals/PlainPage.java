package org.inferometer.signals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page of metrics read by splitting its lines, and arithmetic over what they say. It shares
 * nothing with the program, so that a fault there doesn't hide itself.
 */
final class PlainPage {
  private static final Pattern LINE =
      Pattern.compile("([A-Za-z_:][A-Za-z0-9_:]*)(?:\\{(.*)})?\\s+(\\S+).*");
  private static final Pattern SELECTOR =
      Pattern.compile("([A-Za-z_:][A-Za-z0-9_:]*)(?:\\{([^}]*)})?");
  private static final Pattern EDGE = Pattern.compile("(?:^|[,{ ])le=\"([^\"]*)\"");

  private record Line(String name, String labels, double value) {}

  private final List<Line> lines = new ArrayList<>();

  PlainPage(List<String> text) {
    for (String raw : text) {
      Matcher line = LINE.matcher(raw.strip());
      if (!raw.startsWith("#") && line.matches()) {
        add(line.group(1), line.group(2) == null ? "" : line.group(2), line.group(3));
      }
    }
  }

  private void add(String name, String labels, String value) {
    try {
      lines.add(new Line(name, labels, Double.parseDouble(value)));
    } catch (NumberFormatException e) {
      // A line that isn't one; some pages have such.
    }
  }

  /**
   * What arithmetic comes to: numbers, + - * /, parentheses, sum, max, min, avg and count of the
   * lines of a selector, quantile(q, selector) over cumulative buckets, and label(selector, name).
   */
  double arithmetic(String text) {
    Reader reader = new Reader(text.replace(" ", ""));
    double value = reader.sum();
    if (reader.at != reader.text.length()) {
      throw reader.wrong();
    }
    return value;
  }

  private List<Line> select(String selector) {
    Matcher parts = SELECTOR.matcher(selector);
    if (!parts.matches()) {
      throw new IllegalArgumentException("no selector: " + selector);
    }
    String[] wanted = parts.group(2) == null ? new String[0] : parts.group(2).split(",");
    List<Line> found = new ArrayList<>();
    for (Line line : lines) {
      if (line.name().equals(parts.group(1)) && hasAll(line.labels(), wanted)) {
        found.add(line);
      }
    }
    if (found.isEmpty()) {
      throw new IllegalArgumentException("nothing on the page for " + selector);
    }
    return found;
  }

  private static boolean hasAll(String labels, String[] wanted) {
    String all = "," + labels.replace(", ", ",");
    for (String label : wanted) {
      if (!all.contains("," + label)) {
        return false;
      }
    }
    return true;
  }

  /** Where the rank lies between the edges of its bucket, as if the bucket were filled evenly. */
  private double quantile(double q, String selector) {
    Map<Double, Double> buckets = new TreeMap<>();
    for (Line line : select(selector)) {
      buckets.merge(edge(line.labels()), line.value(), Double::sum);
    }
    double rank = q * Objects.requireNonNull(buckets.get(Double.POSITIVE_INFINITY));
    double low = 0;
    double below = 0;
    for (Map.Entry<Double, Double> bucket : buckets.entrySet()) {
      if (bucket.getValue() >= rank) {
        double share = (rank - below) / (bucket.getValue() - below);
        return low + (bucket.getKey() - low) * share;
      }
      low = bucket.getKey();
      below = bucket.getValue();
    }
    throw new IllegalArgumentException("no buckets: " + selector);
  }

  private static double edge(String labels) {
    Matcher edge = EDGE.matcher(labels);
    if (!edge.find()) {
      throw new IllegalArgumentException("no edge in " + labels);
    }
    return Double.parseDouble(edge.group(1).replace("Inf", "Infinity"));
  }

  private double label(String selector, String name) {
    String labels = "," + select(selector).getFirst().labels();
    String start = "," + name + "=\"";
    int from = labels.indexOf(start) + start.length();
    return Double.parseDouble(labels.substring(from, labels.indexOf('"', from)));
  }

  /** Reads arithmetic from left to right. */
  private final class Reader {
    private final String text;
    private int at;

    Reader(String text) {
      this.text = text;
    }

    double sum() {
      double value = product();
      while (at < text.length() && "+-".indexOf(text.charAt(at)) >= 0) {
        boolean plus = text.charAt(at++) == '+';
        double next = product();
        value = plus ? value + next : value - next;
      }
      return value;
    }

    private double product() {
      double value = factor();
      while (at < text.length() && "*/".indexOf(text.charAt(at)) >= 0) {
        boolean times = text.charAt(at++) == '*';
        double next = factor();
        value = times ? value * next : value / next;
      }
      return value;
    }

    private double factor() {
      if (text.startsWith("(", at)) {
        at++;
        double value = sum();
        expect(')');
        return value;
      }
      int end = at;
      while (end < text.length() && Character.isLetter(text.charAt(end))) {
        end++;
      }
      return end > at ? function(text.substring(at, end), end) : number();
    }

    private double number() {
      Matcher number =
          Pattern.compile("[0-9.]+(?:e-?[0-9]+)?").matcher(text).region(at, text.length());
      if (!number.lookingAt()) {
        throw wrong();
      }
      at = number.end();
      return Double.parseDouble(number.group());
    }

    private double function(String name, int open) {
      at = open;
      expect('(');
      int close = text.indexOf(')', at);
      String inside = text.substring(at, close);
      at = close + 1;
      int comma = inside.lastIndexOf(',');
      return switch (name) {
        case "quantile" -> {
          int first = inside.indexOf(',');
          double q = Double.parseDouble(inside.substring(0, first));
          yield PlainPage.this.quantile(q, inside.substring(first + 1));
        }
        case "label" -> label(inside.substring(0, comma), inside.substring(comma + 1));
        default -> of(select(inside), name);
      };
    }

    private double of(List<Line> found, String name) {
      ToDoubleFunction<Line> value = Line::value;
      return switch (name) {
        case "sum" -> found.stream().mapToDouble(value).sum();
        case "max" -> found.stream().mapToDouble(value).max().orElseThrow();
        case "min" -> found.stream().mapToDouble(value).min().orElseThrow();
        case "avg" -> found.stream().mapToDouble(value).average().orElseThrow();
        case "count" -> found.size();
        default -> throw wrong();
      };
    }

    private void expect(char c) {
      if (at >= text.length() || text.charAt(at) != c) {
        throw wrong();
      }
      at++;
    }

    IllegalArgumentException wrong() {
      return new IllegalArgumentException("no arithmetic at " + at + " of " + text);
    }
  }
}
