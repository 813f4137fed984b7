package org.inferometer.app;

import java.util.ArrayList;
import java.util.List;

/** Rows of text in aligned columns; the header is bold on a terminal. */
final class Table {
  private static final String GAP = "  ";

  /** Which side of a column its cells lean to. */
  enum Align {
    LEFT,
    RIGHT
  }

  private final List<String> header = new ArrayList<>();
  private final List<Align> aligns = new ArrayList<>();
  private final List<List<String>> rows = new ArrayList<>();

  Table column(String title, Align align) {
    header.add(title);
    aligns.add(align);
    return this;
  }

  /** Adds a row with as many cells as there are columns. */
  Table row(List<String> cells) {
    if (cells.size() != header.size()) {
      throw new IllegalArgumentException(
          "expected " + header.size() + " cells, got " + cells.size());
    }
    rows.add(List.copyOf(cells));
    return this;
  }

  /** Characters of the widest line. */
  int width() {
    int sum = GAP.length() * Math.max(0, header.size() - 1);
    for (int width : widths()) {
      sum += width;
    }
    return sum;
  }

  void print(Console console) {
    List<String> lines = lines();
    console.out().println(console.bold(lines.getFirst()));
    lines.subList(1, lines.size()).forEach(console.out()::println);
  }

  /** The header, then the rows. */
  List<String> lines() {
    int[] widths = widths();
    List<String> lines = new ArrayList<>();
    lines.add(line(header, widths));
    for (List<String> row : rows) {
      lines.add(line(row, widths));
    }
    return lines;
  }

  private String line(List<String> cells, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < cells.size(); i++) {
      String cell = cells.get(i);
      String space = " ".repeat(widths[i] - length(cell));
      line.append(i == 0 ? "" : GAP);
      line.append(aligns.get(i) == Align.LEFT ? cell + space : space + cell);
    }
    return line.toString().stripTrailing();
  }

  private int[] widths() {
    int[] widths = new int[header.size()];
    for (int i = 0; i < widths.length; i++) {
      widths[i] = length(header.get(i));
      for (List<String> row : rows) {
        widths[i] = Math.max(widths[i], length(row.get(i)));
      }
    }
    return widths;
  }

  private static int length(String cell) {
    return cell.codePointCount(0, cell.length());
  }
}
