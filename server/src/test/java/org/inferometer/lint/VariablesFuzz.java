package org.inferometer.lint;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import java.util.Map;

/** Any text as a query with variables. */
public final class VariablesFuzz {
  private VariablesFuzz() {}

  public static void fuzzerTestOneInput(FuzzedDataProvider data) {
    Variables variables = new Variables(Map.of("a", data.consumeString(50)));
    MappedText text = MappedText.ofFile(data.consumeRemainingAsString());
    for (Variables.Filled reading : variables.readings(text)) {
      for (Variables.Piece piece : reading.filled()) {
        if (piece.end() > reading.text().text().length()) {
          throw new AssertionError("a piece outside of the text");
        }
      }
    }
  }
}
