package org.inferometer.promql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Queries of others parse, and print to text that means the same. */
class CorpusTest {
  @Test
  void everyScriptExpressionParses() throws IOException {
    List<Corpus.Query> queries = Corpus.scripts();
    assertThat(queries).hasSizeGreaterThan(1500);
    assertThat(problems(queries)).isEmpty();
  }

  /**
   * {@code corpus.golden.tsv} lists what doesn't parse, and why that is right: type errors of their
   * authors, and what is left out with dots.
   */
  @Test
  void rulesDashboardsAndDocumentsParseSaveForKnownMistakes() throws IOException {
    List<Corpus.Query> queries = new ArrayList<>(Corpus.rules());
    queries.addAll(Corpus.dashboards());
    queries.addAll(SeedQueries.read());
    assertThat(queries).hasSizeGreaterThan(700);
    assertThat(new TreeSet<>(problems(queries))).containsExactlyElementsOf(golden());
  }

  @Test
  void enoughIsFoundInEachSource() throws IOException {
    assertThat(Corpus.rules()).hasSizeGreaterThan(150);
    assertThat(Corpus.dashboards()).hasSizeGreaterThan(500);
    assertThat(SeedQueries.read()).hasSizeGreaterThan(45);
  }

  @Test
  void whatIsPrintedParsesToTheSameTree() throws Exception {
    int same = 0;
    for (Corpus.Query query : Corpus.all()) {
      Expr tree;
      try {
        tree = Parser.parse(query.text());
      } catch (ParseException e) {
        continue;
      }
      assertSame(tree, Printer.print(tree));
      assertSame(tree, Printer.pretty(tree));
      same++;
    }
    assertThat(same).isGreaterThan(2200);
  }

  private static void assertSame(Expr tree, String text) throws ParseException {
    assertThat(Trees.bare(Parser.parse(text))).as(text).isEqualTo(Trees.bare(tree));
  }

  private static List<String> problems(List<Corpus.Query> queries) {
    List<String> problems = new ArrayList<>();
    for (Corpus.Query query : queries) {
      try {
        Parser.parse(query.text());
      } catch (ParseException e) {
        problems.add(query.source() + "\t" + e.getMessage());
      }
    }
    return problems;
  }

  private static List<String> golden() throws IOException {
    try (InputStream table = CorpusTest.class.getResourceAsStream("corpus.golden.tsv")) {
      return new String(Objects.requireNonNull(table).readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .sorted()
          .toList();
    }
  }
}
