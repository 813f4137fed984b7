package org.inferometer.benchmarks;

import java.util.Locale;

/** A page while it is put together. Not thread-safe. */
final class Markdown {
  private final StringBuilder page = new StringBuilder();

  void line(String format, Object... arguments) {
    page.append(arguments.length == 0 ? format : String.format(Locale.ROOT, format, arguments));
    page.append('\n');
  }

  @Override
  public String toString() {
    return page.toString();
  }
}
