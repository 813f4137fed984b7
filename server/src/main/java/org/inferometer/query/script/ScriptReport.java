package org.inferometer.query.script;

import java.util.List;

/**
 * What came of a script.
 *
 * @param passed evals that answered as expected
 * @param failures a line each: file:line: query: what differs
 */
public record ScriptReport(int passed, List<String> failures) {
  public ScriptReport {
    failures = List.copyOf(failures);
  }

  public int failed() {
    return failures.size();
  }
}
