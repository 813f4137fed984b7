package org.inferometer.lint;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.inferometer.Shared;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real files with damage, from a seed. */
class LintDamageTest {
  private static final List<String> PIECES =
      List.of(
          "\"", "{", "}", "[", "]", ":", ",", "\n", "  ", "'", "|", ">", "&a ", "*a", "$x", "\\");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dashboards/vllm_mlops-assignment_serving.json",
        "dashboards/perses_vllm_upstream-query_statistics.yaml",
        "rules/vllm_serving-handbook_v0-names.yml",
        "rules/semantic-router_helm-prometheusrule.tpl.yaml",
        "rules/semantic-router_k8s-configmap-rules.yaml",
        "scrape-configs/prom-adapter_production-stack.yaml"
      })
  void damage_isJudgedOrRefused(String file) throws IOException {
    Path path = Shared.path("fixtures/" + file);
    String text = new String(Files.readAllBytes(path), StandardCharsets.UTF_8);
    for (int seed = 0; seed < 40; seed++) {
      String damaged = damaged(text, new Random(seed));
      try {
        LintProperties.check(
            path.getFileName().toString(), damaged.getBytes(StandardCharsets.UTF_8));
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError(file + " with seed " + seed, e);
      }
    }
  }

  private static String damaged(String text, Random random) {
    StringBuilder out = new StringBuilder(text);
    for (int i = 0; i <= random.nextInt(4); i++) {
      int at = random.nextInt(out.length());
      switch (random.nextInt(3)) {
        case 0 -> out.insert(at, PIECES.get(random.nextInt(PIECES.size())));
        case 1 -> out.delete(at, Math.min(out.length(), at + 1 + random.nextInt(8)));
        default -> out.setCharAt(at, (char) (32 + random.nextInt(96)));
      }
    }
    return out.toString();
  }
}
