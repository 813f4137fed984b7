package org.inferometer.yaml;

import java.util.List;

/** Files that can't be used; the message lists every problem as {@code file:line:column}. */
public final class YamlException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public YamlException(List<String> problems) {
    super(String.join("\n", problems));
  }

  public static YamlException of(Place place, String problem) {
    return new YamlException(List.of(place + ": " + problem));
  }
}
