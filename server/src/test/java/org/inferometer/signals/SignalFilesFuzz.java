package org.inferometer.signals;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import org.inferometer.yaml.YamlException;

/** Any text in place of the files about GPUs is read or refused with reasons. */
public final class SignalFilesFuzz {
  private static final Vocabulary VOCABULARY = Catalogue.builtIn().vocabulary();
  private static final GpuReference.Files FILES = GpuReference.builtInFiles();

  private SignalFilesFuzz() {}

  public static void fuzzerTestOneInput(FuzzedDataProvider data) {
    int which = data.consumeInt(0, 3);
    String text = data.consumeRemainingAsString();
    try {
      GpuReference.load(files(which, text), VOCABULARY);
    } catch (YamlException e) {
      if (String.valueOf(e.getMessage()).isBlank()) {
        throw new AssertionError("refused without a reason");
      }
    }
  }

  /** The files that come with the program, one of them replaced. */
  static GpuReference.Files files(int which, String text) {
    return new GpuReference.Files(
        which == 0 ? text : FILES.matrix(),
        which == 1 ? text : FILES.xids(),
        which == 2 ? text : FILES.reasons(),
        which == 3 ? text : FILES.gpus());
  }
}
