package org.inferometer.query;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.inferometer.query.Value.Rows;

/** Orders of an instant vector. */
final class Sorting {
  private Sorting() {}

  /** By value; NaN last, whatever the direction. */
  static Rows byValue(Rows rows, boolean descending) {
    Comparator<Row> byValue =
        (a, b) -> {
          double x = a.value(0);
          double y = b.value(0);
          if (Double.isNaN(x) || Double.isNaN(y)) {
            return Boolean.compare(Double.isNaN(x), Double.isNaN(y));
          }
          return descending ? Double.compare(y, x) : Double.compare(x, y);
        };
    return sorted(rows, byValue.thenComparing(Row::labels));
  }

  /**
   * By the values of labels in natural order, then by all labels.
   *
   * @param check runs before each comparison, which may look at many long values
   */
  static Rows byLabels(Rows rows, List<String> names, boolean descending, Runnable check) {
    Comparator<Row> order =
        (a, b) -> {
          check.run();
          for (String name : names) {
            int byLabel = natural(a.labels().get(name), b.labels().get(name));
            if (byLabel != 0) {
              return byLabel;
            }
          }
          return a.labels().compareTo(b.labels());
        };
    return sorted(rows, descending ? order.reversed() : order);
  }

  static List<Row> byLabels(List<Row> rows) {
    List<Row> sorted = new ArrayList<>(rows);
    sorted.sort(Comparator.comparing(Row::labels));
    return sorted;
  }

  private static Rows sorted(Rows rows, Comparator<Row> order) {
    List<Row> sorted = new ArrayList<>(rows.rows());
    sorted.sort(order);
    return new Rows(sorted, true);
  }

  /** Runs of digits are compared as numbers, everything else letter by letter. */
  static int natural(String a, String b) {
    int i = 0;
    int j = 0;
    while (i < a.length() && j < b.length()) {
      int endA = runEnd(a, i);
      int endB = runEnd(b, j);
      String runA = a.substring(i, endA);
      String runB = b.substring(j, endB);
      int order =
          isDigit(a.charAt(i)) && isDigit(b.charAt(j))
              ? compareNumbers(runA, runB)
              : runA.compareTo(runB);
      if (order != 0) {
        return order;
      }
      i = endA;
      j = endB;
    }
    return Integer.compare(a.length() - i, b.length() - j);
  }

  private static int compareNumbers(String a, String b) {
    String x = a.replaceFirst("^0+(?=.)", "");
    String y = b.replaceFirst("^0+(?=.)", "");
    int byValue =
        x.length() != y.length() ? Integer.compare(x.length(), y.length()) : x.compareTo(y);
    return byValue != 0 ? byValue : Integer.compare(a.length(), b.length());
  }

  /** The end of the digits, or of what aren't digits, that start at an index. */
  private static int runEnd(String text, int start) {
    boolean digits = isDigit(text.charAt(start));
    int end = start + 1;
    while (end < text.length() && isDigit(text.charAt(end)) == digits) {
      end++;
    }
    return end;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
