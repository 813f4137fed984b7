package org.inferometer.lint;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** A report in lines of at most 80 columns, by file, then by panel or rule. */
public final class LintText {
  private static final int WIDTH = 80;

  private static final Pattern UNSEEN = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}]");

  /** Where messages begin. */
  private static final String INDENT = "      ";

  private final UnaryOperator<String> bold;
  private final UnaryOperator<String> dim;
  private final boolean isFixed;
  private final List<String> lines = new ArrayList<>();

  /**
   * @param bold makes words stand out
   * @param dim makes words stand back
   * @param isFixed whether what can be corrected is being corrected
   */
  public LintText(UnaryOperator<String> bold, UnaryOperator<String> dim, boolean isFixed) {
    this.bold = bold;
    this.dim = dim;
    this.isFixed = isFixed;
  }

  /** The lines of a report. */
  public List<String> lines(LintReport report) {
    report.files().forEach(this::file);
    summary(report);
    return lines;
  }

  private void file(LintReport.OfFile file) {
    if (file.findings().isEmpty() && file.notes().isEmpty()) {
      return;
    }
    lines.add(bold.apply(clean(file.file())));
    file.notes().forEach(note -> wrap("note: " + clean(note), "  ", "    ").forEach(lines::add));
    String place = "";
    for (Finding finding : file.findings()) {
      String here = finding.kind() + " \"" + clean(finding.name()) + "\"";
      if (!here.equals(place)) {
        lines.add("");
        lines.add("  " + shorten(here, WIDTH - 2));
        place = here;
      }
      finding(finding);
    }
    lines.add("");
  }

  private void finding(Finding finding) {
    lines.add(
        "    %d:%d  %s  %s%s"
            .formatted(
                finding.line(),
                finding.column(),
                bold.apply(finding.severity().word()),
                finding.rule().id(),
                finding.isFixable() ? mark() : ""));
    wrap(clean(finding.message()), INDENT, INDENT).forEach(lines::add);
    lines.add(dim.apply(INDENT + excerpt(finding)));
  }

  private String mark() {
    return isFixed ? "  (corrected)" : "  (--fix corrects it)";
  }

  /** The piece of the expression around the place, on one line. */
  private static String excerpt(Finding finding) {
    String flat = clean(finding.expression());
    int room = WIDTH - INDENT.length() - 8;
    int from = Math.max(0, Math.min(finding.offset() - room / 3, flat.length() - room));
    int to = Math.min(flat.length(), from + room);
    String piece = flat.substring(from, to).strip();
    return "> " + (from > 0 ? "..." : "") + piece + (to < flat.length() ? "..." : "");
  }

  private void summary(LintReport report) {
    int queries = report.files().stream().mapToInt(LintReport.OfFile::queries).sum();
    lines.add(
        "%s in %s: %s, %s, %s"
            .formatted(
                amount(queries, "query", "queries"),
                amount(report.files().size(), "file", "files"),
                amount(report.count(Severity.ERROR), "error", "errors"),
                amount(report.count(Severity.WARNING), "warning", "warnings"),
                amount(report.count(Severity.HINT), "hint", "hints")));
    if (report.fixable() > 0 && !isFixed) {
      lines.add(amount(report.fixable(), "finding", "findings") + " can be corrected with --fix");
    }
  }

  private static String amount(long count, String one, String many) {
    return count + " " + (count == 1 ? one : many);
  }

  private static String shorten(String text, int width) {
    return text.length() <= width ? text : text.substring(0, width - 3) + "...";
  }

  /** What a terminal would obey, what turns or hides text, and line breaks, become spaces. */
  private static String clean(String text) {
    return UNSEEN.matcher(text).replaceAll(" ");
  }

  /** Breaks a text into lines between words; a word longer than a line is broken too. */
  static List<String> wrap(String text, String first, String next) {
    List<String> wrapped = new ArrayList<>();
    StringBuilder line = new StringBuilder(first);
    boolean empty = true;
    for (String word : text.split(" +")) {
      String rest = word;
      if (!empty && line.length() + 1 + rest.length() > WIDTH) {
        wrapped.add(line.toString());
        line = new StringBuilder(next);
        empty = true;
      }
      line.append(empty ? "" : " ");
      while (line.length() + rest.length() > WIDTH) {
        int room = WIDTH - line.length();
        wrapped.add(line + rest.substring(0, room));
        rest = rest.substring(room);
        line = new StringBuilder(next);
      }
      line.append(rest);
      empty = false;
    }
    wrapped.add(line.toString());
    return wrapped;
  }
}
