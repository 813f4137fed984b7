package org.inferometer.simulator.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.inferometer.simulator.scenario.Watch.Stretch;
import org.inferometer.yaml.Problems;
import org.inferometer.yaml.YamlNode;

/**
 * What is to be seen before and after something happens to a fleet.
 *
 * @param fromNs of the stretch that is looked at, counted from the start
 * @param skip quantities of what all have to show that this one needn't
 */
record Effects(long fromNs, long toNs, List<String> skip, List<Effects.Effect> effects) {
  static final long SEED = 1;

  /** So long it runs before anything happens, so long of that isn't looked at. */
  static final long LEAD = 3 * Bounds.MINUTE;

  private static final long WARM = Bounds.MINUTE;

  /** The last moment before something happens. */
  private static final long MARGIN = Bounds.SECOND;

  private static final Pattern CONDITION = Pattern.compile("(<|>|=) ?([0-9.e-]+)");

  /** What is to be seen of a quantity: before, after, and after through before. */
  record Effect(String what, String part, String before, String after, String ratio) {
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

  /** The file of effects beside the tests. */
  static YamlNode file(String name) throws IOException {
    try (InputStream in = Effects.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("there is no " + name);
      }
      return YamlNode.parse(name, new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  static Effects of(YamlNode file, String name) {
    YamlNode node = YamlNode.find(file, name);
    assertThat(node).as("effects of " + name).isNotNull();
    return read(node);
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

  /**
   * Runs a scenario to which something happens after {@link #LEAD}, and looks.
   *
   * @param also what it has to show besides
   */
  void check(Scenario scenario, List<Effect> also) {
    Stretch before = new Stretch(WARM, LEAD - MARGIN);
    Stretch after = new Stretch(LEAD - MARGIN + fromNs, LEAD + toNs);
    List<Tally> tallies = Watch.run(scenario, SEED, List.of(before, after));
    List<Effect> all = new ArrayList<>(effects);
    also.stream().filter(effect -> !skip.contains(effect.what())).forEach(all::add);
    all.forEach(effect -> effect.check(tallies.getFirst(), tallies.getLast()));
  }
}
