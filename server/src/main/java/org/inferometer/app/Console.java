package org.inferometer.app;

import java.io.InputStream;
import java.io.PrintStream;
import java.util.stream.Collectors;

/**
 * Where commands read and write: results to {@code out}, what is said about them to {@code err}.
 *
 * @param coloured whether {@code out} is a terminal that shows colour
 */
record Console(InputStream in, PrintStream out, PrintStream err, boolean coloured) {
  private static final String BOLD = "\u001b[1m";
  private static final String DIM = "\u001b[2m";
  private static final String RESET = "\u001b[0m";

  /** One without input. */
  Console(PrintStream out, PrintStream err, boolean coloured) {
    this(InputStream.nullInputStream(), out, err, coloured);
  }

  /** The same without colour, for what goes into a file. */
  Console plain() {
    return new Console(in, out, err, false);
  }

  String bold(String text) {
    return coloured && !text.isEmpty() ? BOLD + text + RESET : text;
  }

  String dim(String text) {
    return coloured && !text.isEmpty() ? DIM + text + RESET : text;
  }

  /** One line about what went wrong, or several if the message has them. */
  void problem(String message) {
    err.println(
        "inferometer: " + message.lines().map(Printable::of).collect(Collectors.joining("\n")));
    err.flush();
  }

  /** One line, or several. Names in it come from files and from the network. */
  void say(String line) {
    err.println(line.lines().map(Printable::of).collect(Collectors.joining("\n")));
    err.flush();
  }
}
