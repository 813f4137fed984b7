package org.inferometer.promql;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;

/** Entry for Jazzer: any text either parses, and then prints to the same tree, or is refused. */
public final class PromqlFuzz {
  private PromqlFuzz() {}

  public static void fuzzerTestOneInput(FuzzedDataProvider data) {
    ParserOptions options =
        new ParserOptions(
            data.consumeBoolean(),
            data.consumeBoolean(),
            data.consumeBoolean(),
            data.consumeBoolean());
    check(data.consumeRemainingAsString(), options);
  }

  /** Whether the text parses. */
  static boolean check(String text, ParserOptions options) {
    Expr tree;
    try {
      tree = Parser.parse(text, options);
    } catch (ParseException refused) {
      if (!String.valueOf(refused.getMessage()).contains("parse error: ")) {
        throw new AssertionError("no parse error: " + refused.getMessage(), refused);
      }
      return false;
    }
    String printed = Printer.print(tree);
    if (printed.length() > Parser.MAX_LENGTH) {
      return true;
    }
    try {
      if (!Trees.bare(Parser.parse(printed, options)).equals(Trees.bare(tree))) {
        throw new AssertionError("another tree: " + printed + " from " + text);
      }
    } catch (ParseException e) {
      throw new AssertionError("printed as " + printed + " from " + text, e);
    }
    return true;
  }
}
