package org.inferometer.config;

import com.google.re2j.PatternSyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.inferometer.config.RelabelRule.Action;
import org.inferometer.model.Regex;

/** Reads and checks {@code relabel_configs} as Prometheus does. */
final class RelabelReader {
  /** Regexes compile to a size that grows with their repeats; nobody needs a longer text. */
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "regex", RelabelRule.DEFAULT_REGEX,
          "separator", RelabelRule.DEFAULT_SEPARATOR,
          "replacement", RelabelRule.DEFAULT_REPLACEMENT);

  private RelabelReader() {}

  static List<RelabelRule> read(List<Section> sections) {
    List<RelabelRule> rules = new ArrayList<>();
    for (Section section : sections) {
      rules.add(rule(section));
    }
    return rules;
  }

  private static RelabelRule rule(Section section) {
    RelabelRule rule =
        new RelabelRule(
            section.strings("source_labels"),
            section.text("separator", RelabelRule.DEFAULT_SEPARATOR),
            regex(section),
            section.unsigned("modulus").orElse(0L),
            section.text("target_label", ""),
            section.text("replacement", RelabelRule.DEFAULT_REPLACEMENT),
            action(section));
    check(section, rule);
    section.finish();
    return rule;
  }

  private static Action action(Section section) {
    String word = section.text("action", "replace").toUpperCase(Locale.ROOT);
    for (Action action : Action.values()) {
      if (action.name().equals(word)) {
        return action;
      }
    }
    List<String> words = new ArrayList<>();
    for (Action action : Action.values()) {
      words.add(action.name().toLowerCase(Locale.ROOT));
    }
    Optional<String> near = NearMiss.of(word.toLowerCase(Locale.ROOT), words);
    section.expected(
        "action",
        "one of "
            + String.join(", ", words)
            + " for action"
            + near.map(n -> "; did you mean " + n + "?").orElse(""));
    return Action.REPLACE;
  }

  private static String regex(Section section) {
    String regex = section.text("regex", RelabelRule.DEFAULT_REGEX);
    try {
      Regex.compile(regex);
      return regex;
    } catch (PatternSyntaxException e) {
      section.expected(
          "regex", "a regular expression of RE2 for regex (" + e.getDescription() + ")");
      return RelabelRule.DEFAULT_REGEX;
    }
  }

  private static void check(Section section, RelabelRule rule) {
    String action = rule.action().name().toLowerCase(Locale.ROOT);
    if (section.strings("source_labels").contains("")) {
      section.problem("source_labels", "found an empty label name, expected a name");
    }
    switch (rule.action()) {
      case REPLACE -> needsTarget(section, rule, action);
      case HASHMOD -> {
        needsTarget(section, rule, action);
        if (rule.modulus() == 0) {
          section.problem("modulus", "found no modulus for hashmod, expected one above 0");
        }
      }
      case LOWERCASE, UPPERCASE -> {
        needsTarget(section, rule, action);
        notAllowed(section, action, List.of("replacement"));
      }
      case KEEPEQUAL, DROPEQUAL -> {
        needsTarget(section, rule, action);
        notAllowed(section, action, List.of("regex", "modulus", "separator", "replacement"));
      }
      case LABELDROP, LABELKEEP ->
          notAllowed(
              section,
              action,
              List.of("source_labels", "target_label", "modulus", "separator", "replacement"));
      case LABELMAP -> {
        if (rule.replacement().isEmpty()) {
          section.problem("replacement", "found an empty replacement for labelmap");
        }
      }
      case KEEP, DROP -> {}
    }
  }

  private static void needsTarget(Section section, RelabelRule rule, String action) {
    if (rule.targetLabel().isEmpty()) {
      section.problem("target_label", "found no target_label for " + action + ", expected one");
    }
  }

  /** Refuses keys that an action doesn't read, unless they say what is the default anyway. */
  private static void notAllowed(Section section, String action, List<String> keys) {
    for (String key : keys) {
      boolean isDefault =
          DEFAULTS.containsKey(key) && section.text(key, "").equals(DEFAULTS.get(key));
      if (section.has(key) && !isDefault) {
        section.problem(key, "found " + key + " for " + action + ", which doesn't read it");
      }
    }
  }
}
