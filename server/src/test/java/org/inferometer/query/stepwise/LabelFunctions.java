package org.inferometer.query.stepwise;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.List;
import java.util.stream.Collectors;
import org.inferometer.model.Labels;

/** Functions that change labels of one element. */
final class LabelFunctions {
  /** {@code $$}, {@code $name} or <code>${name}</code>. */
  private static final Pattern REFERENCE = Pattern.compile("\\$(\\$|\\w+|\\{\\w+\\})");

  private LabelFunctions() {}

  /** {@code label_replace(v, target, template, source, regex)}. */
  static Element replace(
      Element element, String target, String template, String source, String regex) {
    Matcher matcher = compile(regex).matcher(element.labels().get(source));
    if (!matcher.matches()) {
      return element;
    }
    return set(element, target, expand(template, matcher));
  }

  static Pattern compile(String regex) {
    try {
      return Pattern.compile(regex, Pattern.DOTALL);
    } catch (PatternSyntaxException e) {
      throw new EvaluationError("invalid regular expression in label_replace()");
    }
  }

  static void requireLabelName(String name, String function) {
    if (name.isEmpty()) {
      throw new EvaluationError("invalid label name in " + function + "()");
    }
  }

  static Element join(Element element, String target, String separator, List<String> sources) {
    String joined =
        sources.stream().map(element.labels()::get).collect(Collectors.joining(separator));
    return set(element, target, joined);
  }

  private static Element set(Element element, String target, String value) {
    boolean drops = element.dropsName() && !target.equals(Labels.NAME);
    return new Element(element.labels().with(target, value), element.value(), drops);
  }

  private static String expand(String template, Matcher groups) {
    StringBuilder text = new StringBuilder();
    Matcher reference = REFERENCE.matcher(template);
    int from = 0;
    while (reference.find(from)) {
      text.append(template, from, reference.start());
      String name = reference.group(1);
      text.append(name.equals("$") ? "$" : group(groups, name.replaceAll("[{}]", "")));
      from = reference.end();
    }
    return text.append(template.substring(from)).toString();
  }

  private static String group(Matcher groups, String name) {
    if (!name.chars().allMatch(c -> c >= '0' && c <= '9')) {
      try {
        String value = groups.group(name);
        return value == null ? "" : value;
      } catch (IllegalArgumentException unknown) {
        return "";
      }
    }
    int number = name.length() > 3 ? Integer.MAX_VALUE : Integer.parseInt(name);
    String value = number > groups.groupCount() ? null : groups.group(number);
    return value == null ? "" : value;
  }
}
