package org.inferometer.simulator.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.inferometer.simulator.knob.Knob;
import org.inferometer.simulator.scenario.Scenario.Truth;
import org.junit.jupiter.api.Test;

/** The reference page says what is there; -Dinferometer.golden=write writes its tables anew. */
class ScenarioReferenceTest {
  private static final Path PAGE = Path.of("../docs/reference/scenarios.md");
  private static final Pattern KEYS = Pattern.compile("expected one of ([a-z_, ]+)$");

  @Test
  void everyKnob_isOnThePage() throws IOException {
    List<String> rows = new ArrayList<>();
    rows.add("| knob | from | to | by itself | |");
    rows.add("|---|---|---|---|---|");
    for (Knob knob : Knob.values()) {
      rows.add(
          "| `%s` | %s | %s | %s | %s |"
              .formatted(
                  knob.id(),
                  Inputs.plain(knob.min()),
                  Inputs.plain(knob.max()),
                  Inputs.plain(knob.byDefault()),
                  knob.says()));
    }
    check("knobs", rows);
  }

  @Test
  void everyFault_isOnThePage() throws IOException {
    List<String> rows = new ArrayList<>();
    rows.add("| fault | cause | shows first in | has it | needs | lasts | what one sees |");
    rows.add("|---|---|---|---|---|---|---|");
    for (Fault fault : Faults.builtIn().all()) {
      rows.add(
          "| `%s` | %s | %s | %s | %s | %s | %s |"
              .formatted(
                  fault.id(),
                  fault.cause(),
                  fault.layer(),
                  fault.reach().name().toLowerCase(Locale.ROOT),
                  String.join(
                      ", ", fault.needs().stream().map(ScenarioReferenceTest::word).toList()),
                  Amounts.format(fault.lastsNs()),
                  fault.says()));
    }
    check("faults", rows);
  }

  private static String word(Fault.Need need) {
    return need.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  @Test
  void everyScenario_isOnThePage() throws IOException {
    List<String> rows = new ArrayList<>();
    rows.add("| scenario | | cause | since | where | looks like | what is so |");
    rows.add("|---|---|---|---|---|---|---|");
    Scenarios scenarios = Scenarios.builtIn();
    for (String name : scenarios.names()) {
      Scenario scenario = scenarios.get(name);
      Truth truth = scenario.truth();
      rows.add(
          "| [`%s`](../../server/src/main/resources/simulator/scenarios/%s.yaml) | %s | %s | %s | %s | %s | %s |"
              .formatted(
                  name,
                  name,
                  scenario.title(),
                  truth.cause(),
                  truth.startNs() == 0 ? "" : Amounts.format(truth.startNs()),
                  truth.scope() == null ? "" : truth.scope(),
                  truth.looksLike() == null ? "" : truth.looksLike(),
                  truth.says()));
    }
    check("scenarios", rows);
  }

  private static void check(String section, List<String> rows) throws IOException {
    String begin = "<!-- " + section + " -->\n";
    String end = "<!-- /" + section + " -->";
    String page = Files.readString(PAGE);
    int from = page.indexOf(begin) + begin.length();
    int to = page.indexOf(end);
    String text = String.join("\n", rows) + "\n";
    if ("write".equals(System.getProperty("inferometer.golden"))) {
      Files.writeString(PAGE, page.substring(0, from) + text + page.substring(to));
      return;
    }
    assertThat(text)
        .as(PAGE + ", " + section + " (rerun with -Dinferometer.golden=write and review)")
        .isEqualTo(page.substring(from, to));
  }

  @Test
  void everyKey_isOnThePage() throws IOException {
    String page = Files.readString(PAGE);
    String every =
        """
        nothing: 1
        fleet:
          nothing: 1
          gateway: {nothing: 1}
          hosts: [{nothing: 1}]
          replicas: [{nothing: 1, flags: {nothing: 1, speculative: {nothing: 1}, lora: {nothing: 1}, kv_transfer: {nothing: 1}}}]
        workloads:
          - nothing: 1
            prefixes: {nothing: 1}
            sessions: {nothing: 1}
            adapters: {nothing: 1}
            cancel: {nothing: 1}
            arrivals: {law: diurnal, nothing: 1}
            prompt: {law: lognormal, nothing: 1}
            output: {law: mix, nothing: 1, of: [{nothing: 1}]}
          - {arrivals: {law: bursty, nothing: 1}, prompt: {law: normal, nothing: 1}, output: {law: uniform, nothing: 1}}
          - {arrivals: {law: closed, nothing: 1}, prompt: {law: exponential, nothing: 1}}
          - {arrivals: {law: trace, nothing: 1}, prompt: {law: fixed, nothing: 1}}
        events:
          - {nothing: 1, on: {nothing: 1}, do: restart}
          - {nothing: 1, do: crash}
          - {nothing: 1, do: xid}
          - {nothing: 1, do: route}
          - {nothing: 1, do: scale}
        truth: {nothing: 1}
        """;
    Throwable refused = catchThrowable(() -> Scenarios.builtIn().read("every", every));
    int mappings = 0;
    for (String problem : String.valueOf(refused.getMessage()).split("\n", -1)) {
      Matcher keys = KEYS.matcher(problem);
      if (problem.contains("unknown key \"nothing\"") && keys.find()) {
        mappings++;
        for (String key : keys.group(1).split(", ", -1)) {
          assertThat(page).as(problem).contains("`" + key);
        }
      }
    }
    assertThat(mappings).isEqualTo(31);
  }

  @Test
  void exampleOfThePage_isRead() throws IOException {
    String page = Files.readString(PAGE);
    int from = page.indexOf("```yaml\n") + 8;
    String example = page.substring(from, page.indexOf("```", from));
    assertThat(Scenarios.builtIn().read("example", example).truth().cause())
        .isEqualTo("slow-replica");
  }
}
