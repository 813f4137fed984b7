package org.inferometer.exposition;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;

/** A target for Jazzer: any bytes as a body in both formats and all modes. */
public final class ExpositionFuzz {
  private ExpositionFuzz() {}

  public static void fuzzerTestOneInput(FuzzedDataProvider data) {
    ExpositionProperties.check(data.consumeRemainingAsBytes());
  }
}
