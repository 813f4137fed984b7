package org.inferometer.lint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The page of the reference has every rule, in order, in the words of the program. */
class LintReferenceTest {
  @Test
  void rules_areListed() throws IOException {
    List<String> rows =
        Files.readAllLines(Path.of("../docs/reference/lint.md")).stream()
            .filter(line -> line.matches("\\| `[a-z-]+` \\| (error|warning|hint).*"))
            .toList();
    List<LintRule> rules = Arrays.asList(LintRule.values());
    assertThat(rows).hasSameSizeAs(rules);
    for (int i = 0; i < rows.size(); i++) {
      LintRule rule = rules.get(i);
      assertThat(rows.get(i).replace("`", ""))
          .startsWith("| " + rule.id() + " |")
          .contains(rule.says().substring(0, rule.says().length() - 1));
    }
  }
}
