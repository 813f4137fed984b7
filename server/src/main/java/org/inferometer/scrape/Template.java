package org.inferometer.scrape;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.List;

/**
 * A text with references to groups of a regex: {@code $1}, {@code $name}, <code>${name}</code>. The
 * longest run of letters, digits and underscores is the name; {@code $$} is a dollar; a dollar with
 * no name stays; a group that isn't there or took no part is empty. Source: Go, {@code
 * regexp.Expand}.
 */
final class Template {
  private static final int NO_GROUP = -1;

  /** Either fixed text or a group. */
  private record Part(String text, int group) {}

  private final List<Part> parts;

  private Template(List<Part> parts) {
    this.parts = parts;
  }

  static Template of(String text, Pattern pattern) {
    List<Part> parts = new ArrayList<>();
    StringBuilder fixed = new StringBuilder();
    int i = 0;
    while (i < text.length()) {
      char c = text.charAt(i);
      if (c == '$' && i + 1 < text.length() && text.charAt(i + 1) == '$') {
        fixed.append('$');
        i += 2;
        continue;
      }
      int end = c == '$' ? referenceEnd(text, i) : i;
      if (end == i) {
        fixed.append(c);
        i++;
        continue;
      }
      parts.add(new Part(fixed.toString(), NO_GROUP));
      fixed.setLength(0);
      parts.add(new Part("", group(name(text, i, end), pattern)));
      i = end;
    }
    parts.add(new Part(fixed.toString(), NO_GROUP));
    return new Template(parts);
  }

  /** Behind the reference that starts with the dollar, or the dollar's own index if it's none. */
  private static int referenceEnd(String text, int dollar) {
    boolean braces = dollar + 1 < text.length() && text.charAt(dollar + 1) == '{';
    int start = dollar + (braces ? 2 : 1);
    int end = start;
    while (end < text.length()
        && (Character.isLetterOrDigit(text.charAt(end)) || text.charAt(end) == '_')) {
      end++;
    }
    if (end == start || (braces && (end == text.length() || text.charAt(end) != '}'))) {
      return dollar;
    }
    return braces ? end + 1 : end;
  }

  private static String name(String text, int dollar, int end) {
    return text.charAt(dollar + 1) == '{'
        ? text.substring(dollar + 2, end - 1)
        : text.substring(dollar + 1, end);
  }

  private static int group(String name, Pattern pattern) {
    if (name.matches("0|[1-9][0-9]{0,7}")) {
      int number = Integer.parseInt(name);
      return number <= pattern.groupCount() ? number : NO_GROUP;
    }
    return pattern.namedGroups().getOrDefault(name, NO_GROUP);
  }

  String expand(Matcher matcher) {
    StringBuilder text = new StringBuilder();
    for (Part part : parts) {
      String group = part.group == NO_GROUP ? null : matcher.group(part.group);
      text.append(part.text).append(group == null ? "" : group);
    }
    return text.toString();
  }
}
