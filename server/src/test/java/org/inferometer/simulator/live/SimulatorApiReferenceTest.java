package org.inferometer.simulator.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.inferometer.simulator.scenario.Faults;
import org.inferometer.simulator.scenario.Scenario;
import org.inferometer.simulator.scenario.Scenarios;
import org.inferometer.yaml.YamlNode;
import org.junit.jupiter.api.Test;

/** Examples of the reference can be used as they stand there. */
class SimulatorApiReferenceTest {
  private static final Path PAGE = Path.of("../docs/reference/simulator-api.md");
  private static final Pattern FAULT = Pattern.compile("POST localhost:8100/faults -d '([^']+)'");
  private static final Pattern REQUEST =
      Pattern.compile("8101/v1/chat/completions [^']*'[^']*' \\\\\\R\\s*-d '([^']+)'");

  private static List<String> examples(Pattern pattern) throws IOException {
    return pattern
        .matcher(Files.readString(PAGE))
        .results()
        .map((MatchResult match) -> match.group(1))
        .toList();
  }

  @Test
  void faults_areKnownAndFitTheExamplesScenario() throws IOException {
    Scenario scenario = Scenarios.builtIn().get("healthy");
    List<String> examples = examples(FAULT);
    assertThat(examples).hasSizeGreaterThan(4);
    for (String example : examples) {
      if (YamlNode.find(YamlNode.parse("body", example), "fault") instanceof YamlNode.Scalar id) {
        assertThat(Faults.builtIn().find(id.text())).as(example).isNotNull();
      } else {
        assertThatCode(() -> Scenarios.readHappening(example, scenario))
            .as(example)
            .doesNotThrowAnyException();
      }
    }
  }

  @Test
  void requests_areTaken() throws IOException {
    List<String> examples = examples(REQUEST);
    assertThat(examples)
        .isNotEmpty()
        .allMatch(
            json ->
                OpenAiFuzz.take(OpenAiRequest.Kind.CHAT, json.getBytes(StandardCharsets.UTF_8)));
  }
}
