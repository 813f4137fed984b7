package org.inferometer.promql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whatever stands in a query, it parses or is refused in words; nothing else happens. */
class ParserFuzzTest {
  private static final int ROUNDS = 6_000;

  private static boolean check(long seed, String text) {
    try {
      return PromqlFuzz.check(text, ParserOptions.ALL);
    } catch (RuntimeException | StackOverflowError e) {
      throw new AssertionError("seed " + seed + ": " + text, e);
    }
  }

  @Test
  void piecesInAnyOrder() {
    int parsed = 0;
    for (long seed = 0; seed < ROUNDS; seed++) {
      parsed += check(seed, new QueryFuzz(seed).pieces()) ? 1 : 0;
    }
    assertThat(parsed).isGreaterThan(15);
  }

  @Test
  void damagedQueries() throws IOException {
    List<Corpus.Query> queries = Corpus.all();
    int parsed = 0;
    for (int seed = 0; seed < ROUNDS; seed++) {
      String query = queries.get(seed % queries.size()).text();
      parsed += check(seed, new QueryFuzz(seed).damaged(query)) ? 1 : 0;
    }
    assertThat(parsed).isBetween(ROUNDS / 20, ROUNDS);
  }

  /** Each would take minutes if some step were quadratic. */
  @Test
  void longTextsTakeLinearTime() {
    int n = 300_000;
    parseAndPrint("a{b=\"" + "x".repeat(n - 10) + "\"}");
    parseAndPrint("abs(a" + ",a".repeat(n / 2 - 10) + ")");
    parseAndPrint("sum by (" + "a,".repeat(n / 2 - 10) + ")(b)");
    parseAndPrint("a{" + "b=\"\",".repeat(n / 5 - 10) + "}");
    parseAndPrint("#".repeat(n));
    parseAndPrint("é".repeat(n));
    parseAndPrint("sum(".repeat(n / 4 - 4));
    parseAndPrint("1" + "+1".repeat(n / 2 - 4));
    parseAndPrint(
        "label_join(a,\"b\",\"c\"" + (",\"" + "\\xff".repeat(20) + "\"").repeat(n / 100) + ")");
    parseAndPrint("1" + "0".repeat(n - 10));
  }

  private static void parseAndPrint(String text) {
    try {
      assertThat(Printer.print(Parser.parse(text))).isNotEmpty();
    } catch (ParseException refused) {
      assertThat(refused.span().start()).isLessThanOrEqualTo(2 * text.length());
    }
  }
}
