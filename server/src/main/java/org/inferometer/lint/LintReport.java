package org.inferometer.lint;

import java.util.List;
import java.util.Set;

/**
 * What was found in files.
 *
 * @param options what was known of the place where the queries will run
 */
public record LintReport(List<OfFile> files, LintOptions options) {
  public LintReport {
    files = List.copyOf(files);
  }

  /**
   * What was found in a file.
   *
   * @param queries how many there are in it
   * @param notes what couldn't be judged, in sentences
   */
  public record OfFile(String file, int queries, List<String> notes, List<Finding> findings) {
    public OfFile {
      notes = List.copyOf(notes);
      findings = List.copyOf(findings);
    }
  }

  /** How many findings there are of a severity. */
  public long count(Severity severity) {
    return files.stream()
        .flatMap(file -> file.findings().stream())
        .filter(finding -> finding.severity() == severity)
        .count();
  }

  /** How many findings can be corrected with certainty. */
  public long fixable() {
    return files.stream()
        .flatMap(file -> file.findings().stream())
        .filter(Finding::isFixable)
        .count();
  }

  /** Only the findings of at least a severity that aren't of some rules. */
  public LintReport only(Severity least, Set<LintRule> ignored) {
    return new LintReport(
        files.stream()
            .map(
                file ->
                    new OfFile(
                        file.file(),
                        file.queries(),
                        file.notes(),
                        file.findings().stream()
                            .filter(
                                finding ->
                                    finding.severity().compareTo(least) <= 0
                                        && !ignored.contains(finding.rule()))
                            .toList()))
            .toList(),
        options);
  }
}
