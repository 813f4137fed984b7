package org.inferometer.lint;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a dashboard's variables, and how a query reads with something put in for them.
 *
 * @param values the present values of those that have some, by name
 */
record Variables(Map<String, String> values) {
  static final Variables NONE = new Variables(Map.of());

  /** Begins what stands for a name, a label or a value that isn't known. */
  static final String UNKNOWN = "var__";

  private static final Pattern REFERENCE =
      Pattern.compile(
          "\\$([a-zA-Z_]\\w*)"
              + "|\\$\\{([a-zA-Z_]\\w*)(?:\\.[\\w.]+)?(?::[^}]*)?\\}"
              + "|\\[\\[([a-zA-Z_]\\w*)(?:\\.[\\w.]+)?(?::\\w+)?\\]\\]");

  private static final Pattern SIMPLE = Pattern.compile("[a-zA-Z0-9_:.+-]{1,200}");
  private static final Pattern DURATION = Pattern.compile("([0-9]{1,9}(ms|[smhdwy])){1,7}");

  Variables {
    values = Map.copyOf(values);
  }

  /** How a variable that stands where a name or a number may stand is read. */
  private enum Guess {
    VALUE_OR_NAME,
    VALUE_OR_NUMBER,
    NAME
  }

  /**
   * A query without variables.
   *
   * @param filled the pieces that stand for a variable, in order
   */
  record Filled(MappedText text, List<Piece> filled) {
    /** Whether a stretch of the text has a piece in it that isn't written so in the file. */
    boolean touches(int start, int end) {
      return filled.stream().anyMatch(piece -> piece.start() < end && piece.end() > start);
    }

    /** The variable that stands in a stretch, null if there is none. */
    @Nullable String variable(int start, int end) {
      return filled.stream()
          .filter(piece -> piece.start() < end && piece.end() > start)
          .map(Piece::name)
          .findFirst()
          .orElse(null);
    }
  }

  /** A stretch of text and the name of the variable that it stands for. */
  record Piece(int start, int end, String name) {}

  /** The ways in which a query may read, the likeliest first. */
  List<Filled> readings(MappedText expr) {
    if (!REFERENCE.matcher(expr.text()).find()) {
      return List.of(new Filled(expr, List.of()));
    }
    List<Filled> readings = new ArrayList<>();
    for (Guess guess : Guess.values()) {
      readings.add(fill(expr, guess));
    }
    return readings;
  }

  private Filled fill(MappedText expr, Guess guess) {
    String text = expr.text();
    MappedText.Builder out = new MappedText.Builder(expr);
    List<Piece> pieces = new ArrayList<>();
    Matcher reference = REFERENCE.matcher(text);
    Scan scan = new Scan(text);
    int done = 0;
    while (reference.find()) {
      out.copy(done, reference.start());
      scan.to(reference.start());
      String name = name(reference);
      int start = out.length();
      out.add(filling(name, scan, guess), reference.start());
      pieces.add(new Piece(start, out.length(), name));
      done = reference.end();
      scan.skip(done);
    }
    return new Filled(out.copy(done, text.length()).build(text.length()), pieces);
  }

  private static String name(Matcher reference) {
    for (int group = 1; group <= 3; group++) {
      if (reference.group(group) != null) {
        return reference.group(group);
      }
    }
    throw new IllegalStateException("no group matched");
  }

  private String filling(String name, Scan scan, Guess guess) {
    if (name.endsWith("_ms") && name.startsWith("__")) {
      return "300000";
    }
    if (name.equals("__range_s") || name.equals("__from") || name.equals("__to")) {
      return "300";
    }
    if (scan.inQuotes()) {
      return UNKNOWN + name;
    }
    if (scan.inBrackets() || scan.afterOffset() || isBuiltInDuration(name)) {
      String value = values.getOrDefault(name, "");
      return DURATION.matcher(value).matches() ? value : "5m";
    }
    String value = values.getOrDefault(name, "");
    if (guess != Guess.NAME && SIMPLE.matcher(value).matches()) {
      return value;
    }
    return guess == Guess.VALUE_OR_NUMBER ? "1" : UNKNOWN + name;
  }

  private static boolean isBuiltInDuration(String name) {
    return name.equals("__interval") || name.equals("__rate_interval") || name.equals("__range");
  }

  /** Where in a query one is: in a string, in brackets. */
  private static final class Scan {
    private final String text;
    private int at;
    private char quote;
    private boolean brackets;

    Scan(String text) {
      this.text = text;
    }

    void to(int end) {
      for (; at < end; at++) {
        char c = text.charAt(at);
        if (quote != 0) {
          if (c == '\\' && quote != '`') {
            at++;
          } else if (c == quote) {
            quote = 0;
          }
        } else if (c == '"' || c == '\'' || c == '`') {
          quote = c;
        } else if (c == '[' || c == ']') {
          brackets = c == '[';
        }
      }
    }

    void skip(int end) {
      at = end;
    }

    boolean inQuotes() {
      return quote != 0;
    }

    boolean inBrackets() {
      return brackets;
    }

    boolean afterOffset() {
      int end = Math.min(at, text.length());
      return text.substring(Math.max(0, end - 20), end).stripTrailing().endsWith("offset");
    }
  }
}
