package org.inferometer.signals;

import java.util.List;

/** Signal files that can't be used; the message lists every problem as {@code file:line:column}. */
public final class SignalFileException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  SignalFileException(List<String> problems) {
    super(String.join("\n", problems));
  }

  static SignalFileException of(Place place, String problem) {
    return new SignalFileException(List.of(place + ": " + problem));
  }
}
