package org.inferometer.io;

/** Stands where code will be. */
public final class NotThereYet {
  private NotThereYet() {}

  @SuppressWarnings({"TypeParameterUnusedInFormals", "DoNotCallSuggester"})
  public static <T> T now() {
    throw new UnsupportedOperationException("not there yet");
  }
}
