package org.inferometer.check;

import java.util.Locale;

/** How much a finding matters, the most important first. */
public enum Weight {
  /** Numbers mislead if they are used. */
  WRONG,
  /** Something can't be seen. */
  BLIND,
  /** It takes more than it gives. */
  COST,
  /** Worth knowing; nothing needs doing. */
  NOTE;

  /** As JSON has it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
