package org.inferometer.benchmarks.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.inferometer.promql.Expr;
import org.inferometer.promql.ParseException;
import org.inferometer.promql.Parser;
import org.inferometer.promql.ParserOptions;
import org.inferometer.promql.Printer;

/** Dashboard and alert expressions as they stand in articles: text with PromQL between prose. */
final class SeedQueries {
  private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");
  private static final Pattern EXPR = Pattern.compile("\\bexpr:\\s*(.*)");
  private static final int LINES_MAX = 6;

  private final Map<String, String> found = new LinkedHashMap<>();

  private SeedQueries() {}

  /** The expressions in all texts of a folder, each once, in a form that all peers read. */
  static List<String> in(Path folder) throws IOException {
    SeedQueries queries = new SeedQueries();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.sorted().toList()) {
        queries.read(Files.readAllLines(file));
      }
    }
    return List.copyOf(queries.found.values());
  }

  private void read(List<String> lines) {
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      for (Matcher quoted = QUOTED.matcher(line); quoted.find(); ) {
        take(quoted.group(1));
      }
      Matcher expr = EXPR.matcher(line);
      String start = expr.find() ? expr.group(1) : line;
      takeLongest(lines, i, start);
    }
  }

  /** An expression may go on over the next lines. */
  private void takeLongest(List<String> lines, int at, String start) {
    List<String> tries = new ArrayList<>();
    StringBuilder text = new StringBuilder(start);
    tries.add(start);
    for (int i = at + 1; i < Math.min(lines.size(), at + LINES_MAX); i++) {
      text.append('\n').append(lines.get(i));
      tries.add(text.toString());
    }
    for (int i = tries.size() - 1; i >= 0; i--) {
      if (take(tries.get(i))) {
        return;
      }
    }
  }

  /** Takes a text that is PromQL over an engine's series; a plain word would be PromQL too. */
  private boolean take(String text) {
    try {
      Expr expr = Parser.parse(text.strip(), ParserOptions.STABLE);
      if (!(expr instanceof Expr.VectorSelector) && text.contains("vllm:")) {
        String printed = Printer.print(expr);
        found.putIfAbsent(printed, printed);
        return true;
      }
    } catch (ParseException notPromql) {
      // Prose, or a fragment.
    }
    return false;
  }
}
