package org.inferometer.config;

import java.util.stream.Collectors;

/** What the YAML and JSON parsers say of a document that they can't read, for people. */
public final class ParserWords {
  private ParserWords() {}

  /** A parser's words without its excerpts and places, which are indented. */
  public static String of(String message) {
    return message
        .lines()
        .filter(line -> !line.isBlank() && !line.startsWith(" "))
        .limit(2)
        .collect(Collectors.joining(", "));
  }
}
