package org.inferometer.query;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A replacement text with references to capture groups as Go's {@code Regexp.Expand} reads it:
 * {@code $1}, {@code ${1}}, {@code $name}, {@code ${name}}, {@code $$}. The longest possible name
 * is taken; an unknown group is empty; a {@code $} that starts no reference stands for itself.
 */
final class Template {
  /** Text, or the name of a group. */
  private record Part(String text, boolean isGroup) {}

  private final List<Part> parts = new ArrayList<>();

  private Template() {}

  static Template parse(String source) {
    Template template = new Template();
    int at = 0;
    while (at < source.length()) {
      int dollar = source.indexOf('$', at);
      if (dollar < 0) {
        template.text(source.substring(at));
        break;
      }
      template.text(source.substring(at, dollar));
      at = template.reference(source, dollar);
    }
    return template;
  }

  private void text(String text) {
    parts.add(new Part(text, false));
  }

  /** Takes in what a dollar sign starts; tells where it ends. */
  private int reference(String source, int dollar) {
    int next = dollar + 1;
    if (next < source.length() && source.charAt(next) == '$') {
      text("$");
      return next + 1;
    }
    boolean braces = next < source.length() && source.charAt(next) == '{';
    int start = braces ? next + 1 : next;
    int end = start;
    while (end < source.length() && isNamePart(source.charAt(end))) {
      end++;
    }
    if (end == start || (braces && (end == source.length() || source.charAt(end) != '}'))) {
      text("$");
      return next;
    }
    parts.add(new Part(source.substring(start, end), true));
    return braces ? end + 1 : end;
  }

  private static boolean isNamePart(char c) {
    return c == '_' || Character.isLetterOrDigit(c);
  }

  String expand(Matcher match, Pattern pattern) {
    StringBuilder out = new StringBuilder();
    for (Part part : parts) {
      String text = part.isGroup() ? group(part.text(), match, pattern) : part.text();
      LabelFunctions.requireLength((long) out.length() + text.length());
      out.append(text);
    }
    return out.toString();
  }

  private static String group(String name, Matcher match, Pattern pattern) {
    @Nullable Integer index =
        name.chars().allMatch(c -> c >= '0' && c <= '9') && name.length() < 9
            ? Integer.valueOf(name)
            : pattern.namedGroups().get(name);
    if (index == null || index > match.groupCount()) {
      return "";
    }
    @Nullable String text = match.group(index);
    return text == null ? "" : text;
  }
}
