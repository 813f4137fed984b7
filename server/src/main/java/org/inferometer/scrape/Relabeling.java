package org.inferometer.scrape;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.config.RelabelRule;
import org.inferometer.model.Labels;
import org.inferometer.model.Regex;
import org.jspecify.annotations.Nullable;

/**
 * A row of relabeling rules, ready to use. Thread-safe. Source: prometheus/prometheus, {@code
 * model/relabel/relabel.go}.
 */
final class Relabeling {
  private record Step(RelabelRule rule, Pattern pattern, Template target, Template replacement) {}

  private final List<Step> steps;

  /**
   * @throws com.google.re2j.PatternSyntaxException if a regex isn't RE2
   */
  Relabeling(List<RelabelRule> rules) {
    List<Step> compiled = new ArrayList<>();
    for (RelabelRule rule : rules) {
      Pattern pattern = Regex.compile(rule.regex());
      compiled.add(
          new Step(
              rule,
              pattern,
              Template.of(rule.targetLabel(), pattern),
              Template.of(rule.replacement(), pattern)));
    }
    steps = List.copyOf(compiled);
  }

  boolean isEmpty() {
    return steps.isEmpty();
  }

  /** The labels after all rules, or null if a rule dropped them. */
  @Nullable Labels apply(Labels labels) {
    if (steps.isEmpty()) {
      return labels;
    }
    Labels.Builder builder = labels.toBuilder();
    for (Step step : steps) {
      if (!apply(step, builder)) {
        return null;
      }
    }
    return builder.build();
  }

  private static boolean apply(Step step, Labels.Builder labels) {
    RelabelRule rule = step.rule;
    return switch (rule.action()) {
      case KEEP -> step.pattern.matches(source(rule, labels));
      case DROP -> !step.pattern.matches(source(rule, labels));
      case KEEPEQUAL -> labels.get(rule.targetLabel()).equals(source(rule, labels));
      case DROPEQUAL -> !labels.get(rule.targetLabel()).equals(source(rule, labels));
      case REPLACE -> replace(step, labels);
      case HASHMOD -> set(labels, rule, hashMod(source(rule, labels), rule.modulus()));
      case LOWERCASE -> set(labels, rule, mapped(source(rule, labels), false));
      case UPPERCASE -> set(labels, rule, mapped(source(rule, labels), true));
      case LABELMAP -> labelMap(step, labels);
      case LABELDROP -> removeNames(step, labels, true);
      case LABELKEEP -> removeNames(step, labels, false);
    };
  }

  private static String source(RelabelRule rule, Labels.Builder labels) {
    List<String> names = rule.sourceLabels();
    if (names.size() == 1) {
      return labels.get(names.getFirst());
    }
    StringBuilder joined = new StringBuilder();
    for (int i = 0; i < names.size(); i++) {
      joined.append(i == 0 ? "" : rule.separator()).append(labels.get(names.get(i)));
    }
    return joined.toString();
  }

  private static boolean set(Labels.Builder labels, RelabelRule rule, String value) {
    labels.set(rule.targetLabel(), value);
    return true;
  }

  private static boolean replace(Step step, Labels.Builder labels) {
    Matcher matcher = step.pattern.matcher(source(step.rule, labels));
    if (matcher.matches()) {
      String target = step.target.expand(matcher);
      if (!target.isEmpty()) {
        labels.set(target, step.replacement.expand(matcher));
      }
    }
    return true;
  }

  private static boolean labelMap(Step step, Labels.Builder labels) {
    for (String name : labels.names()) {
      Matcher matcher = step.pattern.matcher(name);
      if (matcher.matches()) {
        String target = step.replacement.expand(matcher);
        if (!target.isEmpty()) {
          labels.set(target, labels.get(name));
        }
      }
    }
    return true;
  }

  private static boolean removeNames(Step step, Labels.Builder labels, boolean matching) {
    for (String name : labels.names()) {
      if (step.pattern.matches(name) == matching) {
        labels.remove(name);
      }
    }
    return true;
  }

  /** The last 8 bytes of the MD5 as an unsigned number, modulo. */
  private static String hashMod(String text, long modulus) {
    byte[] hash = md5().digest(text.getBytes(StandardCharsets.UTF_8));
    long number = 0;
    for (int i = 8; i < 16; i++) {
      number = (number << 8) | (hash[i] & 0xff);
    }
    return Long.toUnsignedString(Long.remainderUnsigned(number, modulus));
  }

  private static MessageDigest md5() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has MD5", e);
    }
  }

  /** Each code point by itself, as Go does it, without rules of a language. */
  private static String mapped(String text, boolean upper) {
    StringBuilder mapped = new StringBuilder(text.length());
    text.codePoints()
        .map(c -> upper ? Character.toUpperCase(c) : Character.toLowerCase(c))
        .forEach(mapped::appendCodePoint);
    return mapped.toString();
  }
}
