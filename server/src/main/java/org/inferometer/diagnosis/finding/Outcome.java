package org.inferometer.diagnosis.finding;

import java.util.List;

/** What a check comes to. */
public sealed interface Outcome {
  String cause();

  /** It may be the matter, as surely as the finding says. */
  record Found(Finding finding) implements Outcome {
    @Override
    public String cause() {
      return finding.cause();
    }
  }

  /**
   * It isn't the matter.
   *
   * @param because a sentence with the value that rules it out
   */
  record RuledOut(String cause, String because, List<Evidence> evidence) implements Outcome {
    public RuledOut {
      evidence = List.copyOf(evidence);
    }
  }

  /**
   * It can't be told.
   *
   * @param because a sentence
   * @param missing the signals that would tell
   */
  record Unknown(String cause, String because, List<String> missing) implements Outcome {
    public Unknown {
      missing = List.copyOf(missing);
    }
  }
}
