package org.inferometer.simulator.scenario;

import org.inferometer.simulator.scenario.Laws.Unit;
import org.inferometer.simulator.scenario.Scenario.AdapterMix;
import org.inferometer.simulator.scenario.Scenario.Length;
import org.inferometer.simulator.scenario.Scenario.Prefixes;
import org.inferometer.simulator.scenario.Scenario.Sessions;
import org.inferometer.simulator.scenario.Scenario.Workload;
import org.inferometer.yaml.Problems;
import org.inferometer.yaml.YamlNode;
import org.jspecify.annotations.Nullable;

/** Reads what one kind of users asks. */
final class WorkloadReader {
  /** What the usual client library waits: openai-python, {@code DEFAULT_TIMEOUT}. */
  private static final long TIMEOUT = 600 * Bounds.SECOND;

  private static final double TEMPERATURE = 0.7;

  private final Problems problems;
  private final Laws laws;

  WorkloadReader(Problems problems) {
    this.problems = problems;
    this.laws = new Laws(problems);
  }

  Workload read(YamlNode node) {
    Inputs inputs = new Inputs(node, "a workload", problems);
    Inputs cancel = cancel(inputs);
    Workload workload =
        new Workload(
            inputs.name("name"),
            laws.arrivals(inputs, "arrivals"),
            laws.length(inputs, "prompt", Unit.TOKENS),
            laws.length(inputs, "output", Unit.TOKENS),
            inputs.optionalCount("max_tokens", 1, (int) Bounds.TOKENS_MAX),
            prefixes(inputs.optional("prefixes")),
            sessions(inputs.optional("sessions")),
            adapters(inputs.optional("adapters")),
            cancel == null ? 0 : cancel.number("share", 0, 1),
            cancel == null ? null : after(cancel),
            inputs.nanos("timeout", TIMEOUT, Bounds.SECOND / 1000, Bounds.DAY),
            inputs.number("temperature", TEMPERATURE, 0, 5),
            inputs.number("penalties", 0, 0, 1),
            inputs.nanos("preprocess", 0, 0, Bounds.HOUR),
            inputs.count("priority", 0, -1000, 1000),
            inputs.number("streaming", 1, 0, 1));
    inputs.end();
    return workload;
  }

  private @Nullable Inputs cancel(Inputs inputs) {
    YamlNode node = inputs.optional("cancel");
    return node == null ? null : new Inputs(node, "cancellations", problems);
  }

  private Length after(Inputs cancel) {
    Length after = laws.length(cancel, "after", Unit.SECONDS);
    cancel.end();
    return after;
  }

  private @Nullable Prefixes prefixes(@Nullable YamlNode node) {
    if (node == null) {
      return null;
    }
    Inputs inputs = new Inputs(node, "shared prefixes", problems);
    Prefixes prefixes =
        new Prefixes(
            inputs.count("root", 0, 0, (int) Bounds.TOKENS_MAX),
            inputs.count("branches", 0, 0, Bounds.BRANCHES_MAX),
            inputs.count("branch_tokens", 0, 0, (int) Bounds.TOKENS_MAX),
            inputs.number("skew", 0, 0, 10));
    if ((prefixes.branches() == 0) != (prefixes.branchTokens() == 0)) {
      inputs.problem("branches", "expected both of \"branches\" and \"branch_tokens\", or neither");
    }
    inputs.end();
    return prefixes;
  }

  private @Nullable Sessions sessions(@Nullable YamlNode node) {
    if (node == null) {
      return null;
    }
    Inputs inputs = new Inputs(node, "sessions", problems);
    Sessions sessions =
        new Sessions(
            laws.length(inputs, "turns", Unit.TURNS), laws.length(inputs, "think", Unit.SECONDS));
    inputs.end();
    return sessions;
  }

  private @Nullable AdapterMix adapters(@Nullable YamlNode node) {
    if (node == null) {
      return null;
    }
    Inputs inputs = new Inputs(node, "adapters", problems);
    AdapterMix adapters =
        new AdapterMix(
            inputs.count("count", 1, Bounds.ADAPTERS_MAX),
            inputs.number("skew", 0, 0, 10),
            inputs.number("share", 1, 0, 1));
    inputs.end();
    return adapters;
  }
}
