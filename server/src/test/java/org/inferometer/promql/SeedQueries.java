package org.inferometer.promql;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.inferometer.Shared;

/**
 * The queries in prose documents: in backquotes, behind {@code expr:}, and in paragraphs of code. A
 * paragraph is code if its first line that isn't a comment begins as queries on metrics do.
 */
final class SeedQueries {
  private static final Pattern BEGINS =
      Pattern.compile(
          "(?:sum|rate|histogram_quantile|max|min|avg|count|stddev|increase|topk|irate)"
              + "(?:\\(| by| without).*|vllm:.*|DCGM_\\w+");

  private static final Pattern INLINE =
      Pattern.compile("`([^`\\n]*(?:vllm:|rate\\(|sum\\(|quantile\\(|_bucket)[^`\\n]*)`");

  private final String source;
  private final List<Corpus.Query> queries = new ArrayList<>();

  private SeedQueries(String source) {
    this.source = source;
  }

  static List<Corpus.Query> read() throws IOException {
    List<Corpus.Query> queries = new ArrayList<>();
    try (Stream<Path> files = Files.list(Shared.path("seeds"))) {
      for (Path file : files.sorted().toList()) {
        SeedQueries seed = new SeedQueries("seed " + String.valueOf(file.getFileName()).charAt(2));
        seed.read(Files.readString(file));
        queries.addAll(seed.queries);
      }
    }
    return queries;
  }

  private void read(String text) {
    Matcher inline = INLINE.matcher(text);
    while (inline.find()) {
      add(inline.group(1));
    }
    for (String paragraph : text.split("\\n\\s*\\n")) {
      List<String> lines = paragraph.lines().toList();
      String first = lines.stream().filter(l -> !l.startsWith("#")).findFirst().orElse("");
      if (BEGINS.matcher(first).matches()) {
        code(lines);
      } else if (first.startsWith("- alert:")) {
        rule(lines);
      }
    }
  }

  private void add(String query) {
    queries.add(new Corpus.Query(source, query.strip()));
  }

  /** A line that begins a query ends the one before, unless that is still open. */
  private void code(List<String> lines) {
    StringBuilder query = new StringBuilder();
    for (String line : lines) {
      boolean comment = line.startsWith("#");
      boolean begins = BEGINS.matcher(line).matches() && !isOpen(query.toString());
      if ((comment || begins) && !query.toString().isBlank()) {
        add(query.toString());
        query.setLength(0);
      }
      if (!comment) {
        query.append(line).append('\n');
      }
    }
    add(query.toString());
  }

  private static boolean isOpen(String query) {
    long opened = query.chars().filter(c -> c == '(').count();
    long closed = query.chars().filter(c -> c == ')').count();
    return opened > closed || query.strip().endsWith("/") || query.strip().endsWith("on()");
  }

  /** The expression of an alerting rule, on one line or as a block. */
  private void rule(List<String> lines) {
    int at = 0;
    while (at < lines.size() && !lines.get(at).startsWith("  expr:")) {
      at++;
    }
    if (at == lines.size()) {
      return;
    }
    String expr = lines.get(at).substring("  expr:".length()).strip();
    if (!expr.equals("|")) {
      add(expr);
      return;
    }
    StringBuilder block = new StringBuilder();
    for (int i = at + 1; i < lines.size() && lines.get(i).startsWith("    "); i++) {
      block.append(lines.get(i)).append('\n');
    }
    add(block.toString());
  }
}
