package org.inferometer.lint;

import java.util.List;

/**
 * What holds for any bytes: they are judged or refused with a reason, and corrections stay in them.
 */
final class LintProperties {
  private LintProperties() {}

  static void check(String name, byte[] bytes) {
    LintFile file;
    try {
      file = LintFile.read(name, bytes);
    } catch (LintFileException e) {
      if (e.getMessage() == null || !e.getMessage().startsWith(name)) {
        throw new AssertionError("refused without the file's name: " + e.getMessage());
      }
      return;
    }
    LintReport report = Written.LINTER.lint(List.of(file), LintOptions.offline());
    String text = file.document().file().text();
    for (Finding finding : report.files().getFirst().findings()) {
      for (Edit edit : finding.edits()) {
        if (edit.start() < 0 || edit.end() < edit.start() || edit.end() > text.length()) {
          throw new AssertionError("an edit outside of the file: " + edit);
        }
      }
      if (finding.line() < 1 || finding.column() < 1 || finding.offset() < 0) {
        throw new AssertionError("a place outside of the file: " + finding);
      }
    }
    new LintText(word -> word, word -> word, false)
        .lines(report)
        .forEach(
            line -> {
              if (line.length() > 80) {
                throw new AssertionError("a line is too long: " + line);
              }
            });
    LintJson.of(report);
    again(name, file, report);
  }

  /** A corrected file can be read, and has nothing more to correct in the same places. */
  private static void again(String name, LintFile file, LintReport report) {
    Linter.Fixed fixed = Linter.fix(file, report.files().getFirst().findings());
    if (fixed.changes() > 0) {
      try {
        LintFile.read(name, fixed.text().getBytes(java.nio.charset.StandardCharsets.UTF_8));
      } catch (LintFileException e) {
        throw new AssertionError("a correction broke the file", e);
      }
    }
  }
}
