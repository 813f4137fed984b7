package org.inferometer.query;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.model.Labels;
import org.inferometer.model.Regex;
import org.inferometer.query.Value.Rows;

/** Functions that rewrite labels and leave values as they are. */
final class LabelFunctions {
  /** The longest label value that a function makes, in characters. */
  static final int VALUE_LENGTH_MAX = 65_536;

  /** So many characters of labels count as one sample of the query's budget. */
  static final int CHARACTERS_PER_SAMPLE = 8;

  private final EngineNames names;
  private final Evaluation evaluation;

  LabelFunctions(EngineNames names, Evaluation evaluation) {
    this.names = names;
    this.evaluation = evaluation;
  }

  /** Whether a name may be given to a label: any text that UTF-8 can express. */
  static boolean isLabelName(String name) {
    if (name.isEmpty() || name.indexOf('\uFFFD') >= 0) {
      return false;
    }
    try {
      StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(name));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  /** {@code label_replace(v, target, replacement, source, regex)}. */
  Rows replace(Rows rows, String target, String replacement, String source, String regex) {
    Pattern pattern;
    try {
      pattern = Regex.compile(regex);
    } catch (PatternSyntaxException e) {
      throw Abort.execution("invalid regular expression in label_replace(): " + regex);
    }
    requireLabelName(target, "destination", "label_replace");
    Template template = Template.parse(replacement);
    List<Row> replaced = new ArrayList<>(rows.rows().size());
    for (Row row : rows.rows()) {
      evaluation.check();
      Matcher matcher = pattern.matcher(row.labels().get(source));
      replaced.add(
          matcher.matches() ? relabeled(row, target, template.expand(matcher, pattern)) : row);
    }
    return names.merged(new Rows(replaced, rows.ordered()));
  }

  /** {@code label_join(v, target, separator, source...)}. */
  Rows join(Rows rows, String target, String separator, List<String> sources) {
    sources.forEach(source -> requireLabelName(source, "source", "label_join"));
    requireLabelName(target, "destination", "label_join");
    List<Row> joined = new ArrayList<>(rows.rows().size());
    for (Row row : rows.rows()) {
      evaluation.check();
      List<String> values = sources.stream().map(row.labels()::get).toList();
      long length = (long) separator.length() * values.size();
      requireLength(length + values.stream().mapToLong(String::length).sum());
      joined.add(relabeled(row, target, String.join(separator, values)));
    }
    return names.merged(new Rows(joined, rows.ordered()));
  }

  /** A metric name that is written anew counts again. */
  private Row relabeled(Row row, String label, String value) {
    evaluation.budget().acquire(value.length() / CHARACTERS_PER_SAMPLE);
    return row.as(row.labels().with(label, value), row.nameDropped() && !label.equals(Labels.NAME));
  }

  /** Before such a text is made, since nested calls can multiply it without bound. */
  static void requireLength(long length) {
    if (length > VALUE_LENGTH_MAX) {
      throw Abort.execution(
          "a label value would be longer than " + VALUE_LENGTH_MAX + " characters");
    }
  }

  private static void requireLabelName(String name, String role, String function) {
    if (!isLabelName(name)) {
      throw Abort.execution("invalid " + role + " label name in " + function + "(): " + name);
    }
  }
}
