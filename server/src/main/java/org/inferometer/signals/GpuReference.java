package org.inferometer.signals;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.promql.ParseException;
import org.inferometer.promql.Parser;
import org.inferometer.yaml.Fields;
import org.inferometer.yaml.Problems;
import org.inferometer.yaml.YamlException;
import org.inferometer.yaml.YamlNode;

/**
 * What is known of GPUs beside their signals.
 *
 * @param xids by code
 * @param names by dialect
 */
record GpuReference(
    DecisionMatrix matrix,
    Map<Integer, Xid> xids,
    List<ClockEventReason> reasons,
    Map<String, GpuNames> names) {
  private static final int CODE_MAX = 100_000;
  private static final int BIT_MAX = 62;

  GpuReference {
    xids = Map.copyOf(xids);
    reasons = List.copyOf(reasons);
    names = Map.copyOf(names);
  }

  /** The text of the files. */
  record Files(String matrix, String xids, String reasons, String gpus) {}

  /** What comes with the program. */
  static GpuReference builtIn(Vocabulary vocabulary) {
    return load(builtInFiles(), vocabulary);
  }

  static Files builtInFiles() {
    return new Files(
        Catalogue.resource("matrix.yaml"),
        Catalogue.resource("xid.yaml"),
        Catalogue.resource("clock-event-reasons.yaml"),
        Catalogue.resource("gpus.yaml"));
  }

  /**
   * Reads the files.
   *
   * @throws YamlException if anything is wrong, with all that is
   */
  static GpuReference load(Files files, Vocabulary vocabulary) {
    Problems problems = new Problems();
    GpuReference reference =
        new GpuReference(
            new MatrixFile(vocabulary, problems)
                .read(YamlNode.parse("matrix.yaml", files.matrix())),
            xids(YamlNode.parse("xid.yaml", files.xids()), problems),
            reasons(YamlNode.parse("clock-event-reasons.yaml", files.reasons()), problems),
            names(YamlNode.parse("gpus.yaml", files.gpus()), problems));
    problems.throwIfAny();
    return reference;
  }

  /** What a code means, listed or not. */
  Xid xid(int code) {
    Xid listed = xids.get(code);
    return listed == null ? Xid.unlisted(code) : listed;
  }

  /** The reasons in a mask, lowest bit first. */
  List<ClockEventReason> reasons(long mask) {
    return reasons.stream().filter(reason -> reason.isIn(mask)).toList();
  }

  private static Map<Integer, Xid> xids(YamlNode root, Problems problems) {
    Map<Integer, Xid> xids = new LinkedHashMap<>();
    Fields file = new Fields(root, "the file", problems);
    file.text("source");
    for (YamlNode node : file.list("xids")) {
      Fields fields = new Fields(node, "an Xid", problems);
      List<Double> codes = fields.optionalNumbers("codes");
      Xid.Severity severity = fields.choice("severity", Xid.Severity.class, Xid.Severity.NOTE);
      String means = fields.text("means");
      String action = fields.text("action");
      if (codes.isEmpty()) {
        problems.add(node.place(), "\"codes\" is missing in an Xid");
      }
      for (double number : codes) {
        int code = whole(number, CODE_MAX, "a code", fields, "codes");
        if (xids.putIfAbsent(code, new Xid(code, severity, means, action)) != null) {
          fields.problem("codes", "Xid " + code + " stands twice");
        }
      }
      fields.end();
    }
    file.end();
    return xids;
  }

  private static int whole(double number, int max, String what, Fields fields, String key) {
    if (number < 0 || number > max || number != Math.rint(number)) {
      fields.problem(key, "expected " + what + " from 0 to " + max + ", not " + number);
      return 0;
    }
    return (int) number;
  }

  private static List<ClockEventReason> reasons(YamlNode root, Problems problems) {
    List<ClockEventReason> reasons = new ArrayList<>();
    Fields file = new Fields(root, "the file", problems);
    file.text("source");
    for (YamlNode node : file.list("reasons")) {
      Fields fields = new Fields(node, "a reason", problems);
      String matters = fields.text("matters");
      if (!matters.equals("true") && !matters.equals("false")) {
        fields.problem("matters", "expected true or false, not \"" + matters + "\"");
      }
      reasons.add(
          new ClockEventReason(
              whole(fields.number("bit"), BIT_MAX, "a bit", fields, "bit"),
              fields.text("name"),
              fields.text("says"),
              matters.equals("true")));
      fields.end();
    }
    file.end();
    return reasons;
  }

  private static Map<String, GpuNames> names(YamlNode root, Problems problems) {
    Map<String, GpuNames> names = new LinkedHashMap<>();
    Fields file = new Fields(root, "the file", problems);
    for (YamlNode node : file.list("gpus")) {
      Fields fields = new Fields(node, "a dialect", problems);
      String dialect = fields.text("dialect");
      if (names.putIfAbsent(dialect, names(fields)) != null) {
        fields.problem("dialect", "dialect \"" + dialect + "\" stands twice");
      }
      fields.end();
    }
    file.end();
    return names;
  }

  private static GpuNames names(Fields fields) {
    GpuNames names =
        new GpuNames(
            fields.optionalTexts("index"),
            fields.optionalTexts("uuid"),
            fields.optionalTexts("model"),
            fields.optionalTexts("instance"),
            fields.optionalTexts("profile"),
            fields.optionalTexts("host"),
            fields.optionalTexts("pod"),
            fields.optionalTexts("rows").stream().map(Template::new).toList());
    if (names.rows().isEmpty()) {
      fields.problem("rows", "a dialect needs a query in \"rows\"");
    }
    for (Template row : names.rows()) {
      try {
        Parser.parse(row.render(Template.SAMPLE));
      } catch (ParseException e) {
        fields.problem("rows", "not PromQL: " + e.getMessage() + ", in " + row.text());
      }
    }
    return names;
  }
}
