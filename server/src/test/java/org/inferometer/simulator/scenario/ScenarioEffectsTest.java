package org.inferometer.simulator.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.inferometer.simulator.scenario.Scenario.Happening;
import org.inferometer.simulator.scenario.Scenario.Truth;
import org.inferometer.simulator.scenario.Watch.Stretch;
import org.inferometer.yaml.Problems;
import org.inferometer.yaml.YamlNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Every scenario does what it says: {@code effects.yaml} has what is to be seen before and after
 * its start. Scenarios run in a short form, with three healthy minutes in place of eight and the
 * rest cut after what is looked at; all of them together are some six simulated hours, which is why
 * this class may take a minute.
 */
class ScenarioEffectsTest {
  private static final long SEED = 1;
  private static final long LEAD = 3 * Bounds.MINUTE;
  private static final long WARM = Bounds.MINUTE;

  /** The last moment before something happens. */
  private static final long MARGIN = Bounds.SECOND;

  private static final String FILE = "effects.yaml";
  private static final Pattern CONDITION = Pattern.compile("(<|>|=) ?([0-9.e-]+)");
  private static final Scenarios SCENARIOS = Scenarios.builtIn();

  /** What is to be seen of a quantity: before, after, and after through before. */
  private record Effect(String what, String part, String before, String after, String ratio) {
    void check(Tally earlier, Tally later) {
      String as = what + (part.isEmpty() ? "" : " of " + part);
      check(as + " before", before, earlier.value(part, what));
      check(as + " after", after, later.value(part, what));
      check(as + " after/before", ratio, later.value(part, what) / earlier.value(part, what));
    }

    private static void check(String as, String condition, double value) {
      if (condition.isEmpty()) {
        return;
      }
      Matcher parts = CONDITION.matcher(condition);
      assertThat(parts.matches()).as("a condition: " + condition).isTrue();
      double limit = Double.parseDouble(parts.group(2));
      boolean holds =
          switch (parts.group(1)) {
            case "<" -> value < limit;
            case ">" -> value > limit;
            default -> value == limit;
          };
      assertThat(holds)
          .as("seed " + SEED + ": expected " + as + " " + condition + ", was " + value)
          .isTrue();
    }
  }

  /**
   * @param fromNs of the stretch that is looked at, counted from the start
   * @param skip quantities of every healthy scenario that this one needn't have
   */
  private record Effects(long fromNs, long toNs, List<String> skip, List<Effect> effects) {}

  private static YamlNode file() throws IOException {
    try (InputStream in = ScenarioEffectsTest.class.getResourceAsStream(FILE)) {
      if (in == null) {
        throw new IOException("there is no " + FILE);
      }
      return YamlNode.parse(FILE, new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  private static Effects read(YamlNode node) {
    Problems problems = new Problems();
    Inputs inputs = new Inputs(node, "effects", problems);
    long fromNs = inputs.nanos("from", Bounds.MINUTE, 0, Bounds.HOUR);
    long toNs = inputs.nanos("to", 4 * Bounds.MINUTE, 0, Bounds.HOUR);
    List<Effect> effects = new ArrayList<>();
    for (YamlNode item : inputs.list("see", 50)) {
      Inputs effect = new Inputs(item, "an effect", problems);
      effects.add(
          new Effect(
              effect.text("what"),
              orEmpty(effect, "of"),
              orEmpty(effect, "before"),
              orEmpty(effect, "after"),
              orEmpty(effect, "ratio")));
      effect.end();
    }
    List<String> skip = inputs.texts("skip");
    inputs.end();
    problems.throwIfAny();
    return new Effects(fromNs, toNs, skip, effects);
  }

  private static String orEmpty(Inputs inputs, String key) {
    String text = inputs.optionalText(key);
    return text == null ? "" : text;
  }

  /** When what a scenario is about begins; a twin's is when something is done to it. */
  private static long pivot(Scenario scenario) {
    long start = scenario.truth().startNs();
    return start > 0
        ? start
        : scenario.events().stream()
            .mapToLong(Happening::atNs)
            .filter(at -> at > 0)
            .min()
            .orElse(LEAD);
  }

  /** The same with a shorter time before anything happens. */
  private static Scenario shortened(Scenario scenario) {
    long pivot = pivot(scenario);
    long cut = pivot - LEAD;
    List<Happening> events = new ArrayList<>();
    for (Happening event : scenario.events()) {
      boolean isBefore = event.atNs() < pivot;
      boolean endsThen = event.atNs() + event.forNs() == pivot;
      events.add(
          new Happening(
              isBefore ? event.atNs() : event.atNs() - cut,
              isBefore && endsThen ? event.forNs() - cut : event.forNs(),
              event.on(),
              event.action()));
    }
    Truth truth = scenario.truth();
    return new Scenario(
        scenario.name(),
        scenario.title(),
        scenario.durationNs() - cut,
        scenario.fleet(),
        scenario.workloads(),
        events,
        truth);
  }

  private static void check(Scenario scenario, Effects effects, List<Effect> also) {
    Stretch before = new Stretch(WARM, LEAD - MARGIN);
    Stretch after = new Stretch(LEAD - MARGIN + effects.fromNs(), LEAD + effects.toNs());
    Map<Stretch, Tally> tallies = Watch.run(shortened(scenario), SEED, List.of(before, after));
    Stream.concat(
            effects.effects().stream(),
            also.stream().filter(effect -> !effects.skip().contains(effect.what())))
        .forEach(effect -> effect.check(tallies.get(before), tallies.get(after)));
  }

  @TestFactory
  Stream<DynamicTest> everyScenario_doesWhatItSays() throws IOException {
    YamlNode file = file();
    List<Effect> fine = read(required(file, "every-healthy-one")).effects();
    return SCENARIOS.names().stream()
        .map(
            name ->
                DynamicTest.dynamicTest(
                    name,
                    () -> {
                      Scenario scenario = SCENARIOS.get(name);
                      boolean isHealthy = scenario.truth().cause().equals(Causes.HEALTHY);
                      check(scenario, read(required(file, name)), isHealthy ? fine : List.of());
                    }));
  }

  private static YamlNode required(YamlNode file, String name) {
    YamlNode node = YamlNode.find(file, name);
    assertThat(node).as(FILE + " has effects of " + name).isNotNull();
    return node;
  }

  @Test
  void effects_areOfScenariosThatAreThere() throws IOException {
    List<String> names = new ArrayList<>(SCENARIOS.names());
    names.add("every-healthy-one");
    assertThat(((YamlNode.Mapping) file()).entries())
        .extracting(YamlNode.Entry::key)
        .containsExactlyInAnyOrderElementsOf(names);
  }

  @Test
  void everyFault_hasAnEffectInItsScenario() throws IOException {
    YamlNode file = file();
    for (Scenarios.Entry entry : SCENARIOS.entries()) {
      if (!entry.cause().equals(Causes.HEALTHY)) {
        assertThat(read(required(file, entry.name())).effects())
            .as(entry.name())
            .anyMatch(effect -> !effect.before().isEmpty() || !effect.ratio().isEmpty());
      }
    }
  }
}
