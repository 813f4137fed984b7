package org.inferometer.lint;

import java.util.Locale;

/** How sure it is that something is wrong, the gravest first. */
public enum Severity {
  /** It can't work as written. */
  ERROR,
  /** It misleads, or works only with some releases or settings. */
  WARNING,
  /** It may mislead. */
  HINT;

  /** As written in reports. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
