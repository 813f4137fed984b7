package org.inferometer.promql;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.Shared;
import org.junit.jupiter.api.Test;

class ParserTest {
  @Test
  void tmp() throws Exception {
    List<String> bad = new ArrayList<>();
    int n = 0;
    try (var files = Files.list(Shared.path("promql/testdata"))) {
      for (var f : files.filter(x -> x.toString().endsWith(".test")).toList()) {
        for (String line : Files.readAllLines(f)) {
          var m =
              java.util.regex.Pattern.compile(
                      "^eval(?:_\\w+)? (?:instant\\s+at\\s+\\S+|range\\s+from\\s+\\S+\\s+to\\s+\\S+\\s+step\\s+\\S+)\\s+(.*)")
                  .matcher(line.trim());
          if (m.find()) {
            n++;
            try {
              Expr e = Parser.parse(m.group(1), ParserOptions.ALL);
              String p = Printer.print(e);
              String p2 = Printer.print(Parser.parse(p, ParserOptions.ALL));
              if (!p.equals(p2)) bad.add(p + " <> " + p2);
            } catch (ParseException x) {
              bad.add(m.group(1) + " :: " + x.getMessage());
            }
          }
        }
      }
    }
    assertThat(bad).as(n + "").isEmpty();
  }
}
