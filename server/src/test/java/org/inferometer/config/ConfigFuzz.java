package org.inferometer.config;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import java.nio.file.Path;

/** Any bytes load or are refused with reasons. */
public final class ConfigFuzz {
  private ConfigFuzz() {}

  public static void fuzzerTestOneInput(FuzzedDataProvider data) {
    try {
      ConfigFile.parse("f.yml", data.consumeRemainingAsBytes(), Path.of(""));
    } catch (ConfigException e) {
      if (e.problems().isEmpty()) {
        throw new AssertionError("refused without a reason");
      }
    }
  }
}
