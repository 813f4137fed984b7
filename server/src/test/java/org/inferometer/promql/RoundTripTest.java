package org.inferometer.promql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import org.junit.jupiter.api.Test;

/** Trees made at random print to text that parses to the same tree. */
class RoundTripTest {
  private static final int TREES = 2000;

  @Test
  void printedTreesParseToThemselves() {
    for (long seed = 0; seed < TREES; seed++) {
      Expr tree = new RandomExprs(seed).any(4);
      String text = Printer.print(tree);
      assertSame(seed, tree, text);
      assertSame(seed, tree, Printer.pretty(tree));
    }
  }

  private static void assertSame(long seed, Expr tree, String text) {
    try {
      assertThat(Trees.bare(Parser.parse(text)))
          .as("seed %d: %s", seed, text)
          .isEqualTo(Trees.bare(tree));
    } catch (ParseException e) {
      fail("seed " + seed + ": " + text + ": " + e.getMessage());
    }
  }
}
