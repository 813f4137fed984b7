package org.inferometer.lint;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;

/** Any bytes as a file. */
public final class LintFuzz {
  private LintFuzz() {}

  public static void fuzzerTestOneInput(FuzzedDataProvider data) {
    String name = data.consumeBoolean() ? "f.json" : "f.yml";
    LintProperties.check(name, data.consumeRemainingAsBytes());
  }
}
