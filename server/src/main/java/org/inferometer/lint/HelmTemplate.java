package org.inferometer.lint;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file that Helm has to render first. What can be read without is: actions alone on a line become
 * space, those inside a line a number or part of a word, all of the same length.
 */
final class HelmTemplate {
  private static final Pattern ACTION = Pattern.compile("\\{\\{(?s:.{0,2000}?)\\}\\}");

  /** Words that Prometheus's own templates in annotations don't have. */
  private static final Pattern OF_HELM =
      Pattern.compile(
          "\\{\\{-?\\s*(?:(?:include|define|tpl|toYaml)\\b"
              + "|[^}\\n]{0,200}\\.(?:Values|Release|Chart|Files|Capabilities)\\b)");

  /** Longer lines aren't looked at as a whole. */
  private static final int LINE_MAX = 1000;

  private HelmTemplate() {}

  static boolean isTemplate(String text) {
    return text.lines()
        .anyMatch(line -> !line.stripLeading().startsWith("#") && OF_HELM.matcher(line).find());
  }

  static String masked(String text) {
    StringBuilder out = new StringBuilder(text);
    Matcher action = ACTION.matcher(text);
    while (action.find()) {
      char fill = filling(text, action.start(), action.end());
      for (int i = action.start(); i < action.end(); i++) {
        if (out.charAt(i) != '\n') {
          out.setCharAt(i, fill == '1' && i > action.start() ? ' ' : fill);
        }
      }
    }
    return out.toString();
  }

  private static char filling(String text, int start, int end) {
    if (isAlone(text, start, end)) {
      return ' ';
    }
    boolean joined =
        (start > 0 && isWord(text.charAt(start - 1)))
            || (end < text.length() && isWord(text.charAt(end)));
    return joined ? 'x' : '1';
  }

  private static boolean isWord(char c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '-' || c == ':' || c == '.';
  }

  /** Whether there is nothing else in its line but other actions. */
  private static boolean isAlone(String text, int start, int end) {
    int from = text.lastIndexOf('\n', start) + 1;
    int to = text.indexOf('\n', end);
    if ((to < 0 ? text.length() : to) - from > LINE_MAX) {
      return false;
    }
    String line = text.substring(from, to < 0 ? text.length() : to);
    return ACTION.matcher(line).replaceAll("").isBlank();
  }
}
