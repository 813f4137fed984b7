package org.inferometer.simulator.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import org.inferometer.io.Bundled;
import org.inferometer.simulator.knob.Knob;
import org.inferometer.simulator.scenario.Scenario.Arrivals;
import org.inferometer.simulator.scenario.Scenario.Flags;
import org.inferometer.simulator.scenario.Scenario.Happening;
import org.inferometer.simulator.scenario.Scenario.Length;
import org.inferometer.yaml.YamlException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScenarioFileTest {
  private static final Scenarios BUILT_IN = Scenarios.builtIn();

  private static final String FLEET =
      """
      title: t
      fleet:
        gateway: {}
        replicas:
          - {name: a, count: 2, release: 0.15.0, model: qwen3-8b, gpu: L40S, tensor_parallel: 2}
      """;
  private static final String TRUTH = "truth: {cause: healthy, layer: none, says: fine}\n";
  private static final String WORKLOAD =
      "workloads: [{name: w, arrivals: {law: poisson, rate: 1}, prompt: 10, output: 10}]\n";

  private static Scenario read(String text) {
    return BUILT_IN.read("test", text);
  }

  private static void refused(String text, String... problems) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(YamlException.class)
        .satisfies(
            e -> {
              for (String problem : problems) {
                assertThat(e).hasMessageContaining(problem);
              }
            });
  }

  @Test
  void shortestScenario_hasDefaults() {
    Scenario scenario = read(FLEET + TRUTH + WORKLOAD);
    Scenario.Replicas replicas = scenario.fleet().replicas().getFirst();
    assertThat(scenario.durationNs()).isEqualTo(1800 * Bounds.SECOND);
    assertThat(replicas.names()).containsExactly("a-0", "a-1");
    assertThat(replicas.servedName()).isEqualTo("Qwen/Qwen3-8B");
    assertThat(replicas.flags()).isEqualTo(Flags.NONE);
    assertThat(scenario.fleet().gateway())
        .isNotNull()
        .satisfies(gateway -> assertThat(gateway.timeoutNs()).isEqualTo(60 * Bounds.SECOND));
    assertThat(scenario.workloads().getFirst().timeoutNs()).isEqualTo(600 * Bounds.SECOND);
    assertThat(scenario.workloads().getFirst().streamingShare()).isEqualTo(1);
  }

  @Test
  void lawsOfArrivals_areRead() {
    String text =
        FLEET
            + TRUTH
            + """
            workloads:
              - {name: a, arrivals: {law: constant, rate: 0.5}, prompt: 1, output: 1}
              - {name: b, arrivals: {law: bursty, rate: 2, variation: 3}, prompt: 1, output: 1}
              - {name: c, arrivals: {law: diurnal, rate: 2, amplitude: 0.5, period: 1h, peak: 30m}, prompt: 1, output: 1}
              - {name: d, arrivals: {law: trace, times: [0s, 1.5s, 2s], period: 3s}, prompt: 1, output: 1}
              - {name: e, arrivals: {law: closed, users: 5, think: 2s}, prompt: 1, output: 1}
            """;
    assertThat(read(text).workloads())
        .extracting(Scenario.Workload::arrivals)
        .containsExactly(
            new Arrivals.Constant(0.5),
            new Arrivals.Bursty(2, 3),
            new Arrivals.Diurnal(2, 0.5, Bounds.HOUR, 30 * Bounds.MINUTE),
            new Arrivals.Trace(List.of(0L, 1_500_000_000L, 2_000_000_000L), 3 * Bounds.SECOND),
            new Arrivals.Closed(5, new Length.Fixed(2)));
  }

  @Test
  void lawsOfLengths_areRead() {
    String text =
        FLEET
            + TRUTH
            + """
            workloads:
              - name: a
                arrivals: {law: constant, rate: 1}
                prompt: {law: mix, of: [{weight: 3, length: 10}, {weight: 1, length: {law: uniform, min: 5, max: 9}}]}
                output: {law: lognormal, median: 100, p95: 300, max: 500}
                sessions: {turns: {law: exponential, mean: 4, max: 9}, think: {law: normal, mean: 5s, deviation: 1s}}
            """;
    Scenario.Workload workload = read(text).workloads().getFirst();
    assertThat(workload.prompt())
        .isEqualTo(
            new Length.Mix(
                List.of(new Length.Fixed(10), new Length.Uniform(5, 9)), List.of(3.0, 1.0)));
    assertThat(workload.output()).isEqualTo(new Length.LogNormal(100, 300, 1, 500));
    assertThat(workload.sessions())
        .isEqualTo(
            new Scenario.Sessions(
                new Length.Exponential(4, 1, 9), new Length.Normal(5, 1, 0, Bounds.SECONDS_MAX)));
  }

  @Test
  void everyAction_isRead() {
    String text =
        FLEET
            + TRUTH
            + WORKLOAD
            + """
            events:
              - {at: 1m, for: 30s, on: {replica: a-1, gpu: 1}, set: {gpu.clock: 0.5, gpu.ecc: 1}}
              - {at: 2m, do: restart, on: {replica: a}, flags: {max_num_seqs: 8}, release: 0.31, one_by_one: true}
              - {at: 3m, do: crash, on: {replica: a-0}, starts_again: false}
              - {at: 4m, do: xid, on: {replica: a-0, gpu: 0}, code: 79}
              - {at: 5m, for: 1m, do: route, routing: prefix}
              - {at: 6m, do: scale, on: {replica: a}, count: 3}
            """;
    List<Happening> events = read(text).events();
    assertThat(events)
        .extracting(event -> event.action().getClass().getSimpleName())
        .containsExactly("Turn", "Restart", "Crash", "Xid", "Route", "Scale");
    assertThat(events.getFirst().forNs()).isEqualTo(30 * Bounds.SECOND);
    assertThat(((Action.Turn) events.getFirst().action()).knobs())
        .containsEntry(Knob.GPU_CLOCK, 0.5)
        .containsEntry(Knob.GPU_ECC, 1.0);
    Action.Restart restart = (Action.Restart) events.get(1).action();
    assertThat(restart.flags()).isNotNull();
    assertThat(restart.flags().over(new FleetReaderFlags().eager()).maxNumSeqs()).isEqualTo(8);
    assertThat(restart.flags().over(new FleetReaderFlags().eager()).enforceEager()).isTrue();
  }

  /** Flags of a server that was started eagerly. */
  private static final class FleetReaderFlags {
    Flags eager() {
      String text = FLEET.replace("tensor_parallel: 2", "flags: {enforce_eager: true}");
      return read(text + TRUTH).fleet().replicas().getFirst().flags();
    }
  }

  @Test
  void allProblems_areToldAtOnce() {
    String text =
        """
        title: t
        duration: 8 days
        colour: red
        fleet:
          gateway: {timeout: 0s, routing: shortest}
          replicas:
            - {name: A, count: 1.5, release: 9.9, model: gpt-9, gpu: H1000, flags: {max_num_seqs: -1, quantisation: fp8}}
        workloads:
          - {name: w, arrivals: {law: poisson, rate: 1e9}, prompt: {law: cauchy}, output: {law: uniform, min: 9, max: 3}}
          - {name: w, arrivals: {law: trace, times: [2s, 1s]}, prompt: 0, output: many}
        events:
          - {at: 9m}
          - {at: 9m, set: {gpu.clock: 7, gpu.klock: 1}}
          - {at: 9m, on: {replica: nobody, gpu: 9, workload: v, host: h, endpoint: moon}, set: {gateway.timeout: 1}}
          - {at: 9m, for: 1m, do: crash}
          - {at: 9m, do: dance}
        truth: {cause: gremlins, layer: none, scope: nowhere, follows: [bad-luck]}
        """;
    refused(
        text,
        "test:2:11: expected a duration such as 90s, 8m, 1h30m or 250ms for \"duration\"",
        "test:3:1: unknown key \"colour\" in a scenario",
        "expected from 1ms to 1d for \"timeout\", not 0s",
        "expected one of round_robin, random, least_requests, prefix, sticky, not \"shortest\"",
        "expected a name of small letters, digits and hyphens, 41 at most, not \"A\"",
        "expected a whole number for \"count\"",
        "expected a release from 0.8 to 0.31, not 9.9",
        "not \"gpt-9\"",
        "not \"H1000\"",
        "expected from 1 to 100000 for \"max_num_seqs\", not -1",
        "unknown key \"quantisation\" in flags",
        "expected from 0 to 10000 for \"rate\", not 1000000000",
        "not \"cauchy\"",
        "expected \"max\" not below \"min\"",
        "\"w\" names two workloads",
        "expected a time not before the one that precedes it",
        "expected from 1 to 2000000 for \"value\", not 0",
        "expected a number, not \"many\"",
        "expected \"set\" with knobs or \"do\" with an action",
        "expected from 0.05 to 1.2 for \"gpu.clock\", not 7",
        "there is no knob \"gpu.klock\"",
        "not \"nobody\"",
        "expected an index below",
        "not \"v\"",
        "not \"h\"",
        "not \"moon\"",
        "says nothing about gateway.timeout",
        "a crash can't be undone",
        "expected one of restart, crash, xid, route, scale, not \"dance\"",
        "not \"gremlins\"",
        "not \"nowhere\"",
        "not \"bad-luck\"",
        "\"says\" is missing in the truth");
  }

  @Test
  void causeThatIsFine_hasNoLayer() {
    refused(
        FLEET + "truth: {cause: healthy, layer: gpu, says: s}\n",
        "expected the layer \"none\" for what is fine, and only for that");
    refused(
        FLEET + "truth: {cause: capacity, layer: none, says: s}\n",
        "expected the layer \"none\" for what is fine, and only for that");
  }

  @Test
  void scopeMayBeAGpuOfAReplica() {
    String truth = "truth: {cause: tp-straggler, layer: gpu, scope: SCOPE, says: s}\n";
    assertThat(read(FLEET + truth.replace("SCOPE", "a-1/gpu1")).truth().scope())
        .isEqualTo("a-1/gpu1");
    refused(FLEET + truth.replace("SCOPE", "a-1/gpu2"), "not \"a-1/gpu2\"");
  }

  @Test
  void namesThatCollide_areRefused() {
    refused(
        FLEET + "    - {name: a-1, release: 0.15.0, model: qwen3-8b, gpu: L40S}\n" + TRUTH,
        "\"a-1\" names two of \"replicas\"");
  }

  @Test
  void extension_mergesByKeyAndName_andReplacesLawsAndLists() {
    String base = FLEET + WORKLOAD + "events: [{at: 1m, set: {workload.rate: 2}}]\n" + TRUTH;
    String text =
        """
        extends: base
        title: other
        fleet:
          gateway: null
          replicas:
            - {name: a, count: 1, flags: {max_num_seqs: 4}}
            - {name: b, release: 0.8.5, model: qwen3-8b, gpu: L4}
        workloads:
          - {name: w, arrivals: {law: closed, users: 1, think: 1s}}
        events: []
        truth: {cause: no-traffic, layer: none, says: other}
        """;
    Scenario scenario =
        ScenarioFile.read(
            "other",
            "other",
            text,
            name -> name.equals("base") ? new Extends.Text("base", base) : null);
    assertThat(scenario.fleet().gateway()).isNull();
    assertThat(scenario.fleet().replicas())
        .extracting(Scenario.Replicas::name)
        .containsExactly("a", "b");
    assertThat(scenario.fleet().replicas().getFirst().tensorParallel()).isEqualTo(2);
    assertThat(scenario.fleet().replicas().getFirst().flags().maxNumSeqs()).isEqualTo(4);
    assertThat(scenario.workloads().getFirst().arrivals()).isInstanceOf(Arrivals.Closed.class);
    assertThat(scenario.workloads().getFirst().prompt()).isEqualTo(new Length.Fixed(10));
    assertThat(scenario.events()).isEmpty();
    assertThat(scenario.truth().cause()).isEqualTo("no-traffic");
  }

  @Test
  void extension_hasItsOwnTitleAndTruth() {
    refused(
        "extends: healthy\n",
        "\"title\" is missing in a scenario",
        "\"truth\" is missing in a scenario");
  }

  @Test
  void problemInWhatIsExtended_isToldWhereItStands() {
    String base = FLEET.replace("count: 2", "count: -2") + TRUTH;
    assertThatThrownBy(
            () ->
                ScenarioFile.read(
                    "n",
                    "child.yaml",
                    "extends: base\ntitle: t\n" + TRUTH,
                    name -> new Extends.Text("base.yaml", base)))
        .isInstanceOf(YamlException.class)
        .hasMessageContaining("base.yaml:5:");
  }

  @Test
  void extension_thatGoesInCirclesOrNowhere_isRefused() {
    Extends.Source circle = name -> new Extends.Text(name, "extends: " + name + "\n");
    assertThatThrownBy(() -> ScenarioFile.read("a", "a", "extends: b\n", circle))
        .isInstanceOf(YamlException.class)
        .hasMessageContaining("goes in circles: b -> b");
    Extends.Source endless = name -> new Extends.Text(name, "extends: " + name + "x\n");
    assertThatThrownBy(() -> ScenarioFile.read("a", "a", "extends: b\n", endless))
        .hasMessageContaining("more than 8 scenarios extend one another");
    refused("extends: ../../etc/passwd\n", "there is no scenario \"../../etc/passwd\"");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "90s, 90000000000",
    "1h30m, 5400000000000",
    "1.5s, 1500000000",
    "250ms, 250000000",
    "200us, 200000",
    "3ns, 3",
    "2m0.5s, 120500000000"
  })
  void durations_areRead(String text, long nanos) {
    assertThat(Amounts.nanos(text)).isEqualTo(nanos);
  }

  @ParameterizedTest
  @CsvSource({"5", "s", "1m1h", "1s1s", "-1s", "1 s", "1e3s", "''", "999999999999d"})
  void whatIsNoDuration_isRefused(String text) {
    assertThatThrownBy(() -> Amounts.nanos(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @CsvSource({"80GB, 80e9", "64GiB, 68719476736", "1.5KB, 1500", "12B, 12"})
  void sizes_areRead(String text, double bytes) {
    assertThat(Amounts.bytes(text)).isEqualTo(bytes);
  }

  @Test
  void eventOfARunningSimulation_isReadAsJsonToo() {
    Scenario demo = BUILT_IN.get("demo");
    Happening happening =
        Scenarios.readHappening(
            "{\"for\": \"5m\", \"on\": {\"replica\": \"qwen-0\"}, \"set\": {\"gpu.clock\": 0.5}}",
            demo);
    assertThat(happening.atNs()).isZero();
    assertThat(happening.on().replica()).isEqualTo("qwen-0");
    assertThatThrownBy(() -> Scenarios.readHappening("{\"set\": {\"gpu.clock\": 5}}", demo))
        .isInstanceOf(YamlException.class)
        .hasMessageContaining("event:1:");
  }

  @Test
  void damagedFiles_areReadOrRefusedWithReasons() {
    long seed = 20_260_901;
    Random random = new Random(seed);
    String[] texts =
        BUILT_IN.names().stream()
            .map(name -> Bundled.text("simulator/scenarios/" + name + ".yaml"))
            .toArray(String[]::new);
    for (int i = 0; i < 300; i++) {
      String text = damaged(texts[random.nextInt(texts.length)], random);
      try {
        read(text);
      } catch (YamlException e) {
        assertThat(e.getMessage()).as("seed " + seed + ", file " + i).isNotBlank();
      }
    }
  }

  private static String damaged(String text, Random random) {
    StringBuilder damaged = new StringBuilder(text);
    for (int i = random.nextInt(4); i >= 0; i--) {
      int at = random.nextInt(damaged.length());
      switch (random.nextInt(5)) {
        case 0 -> damaged.setCharAt(at, (char) random.nextInt(0x250));
        case 1 -> damaged.delete(at, Math.min(damaged.length(), at + random.nextInt(40)));
        case 2 -> damaged.insert(at, "[{: -\n".charAt(random.nextInt(6)));
        case 3 -> damaged.insert(at, damaged.substring(at, Math.min(damaged.length(), at + 30)));
        default -> damaged.insert(at, random.nextLong());
      }
      if (damaged.isEmpty()) {
        damaged.append(' ');
      }
    }
    return damaged.toString();
  }

  @Test
  void hugeOrDeepFiles_areRefused() {
    refused("a: " + "x".repeat(Bounds.FILE_MAX), "expected at most 1048576 characters");
    refused("[".repeat(100_000), "nested deeper than");
    refused(
        FLEET + TRUTH + "events: [" + "{set: {workload.rate: 1}},".repeat(2000) + "]\n",
        "expected at most 1000 of \"events\", not 2000");
  }

  @Test
  void lawWhoseMaxIsBelowItsMin_isRefused() {
    for (String law :
        List.of(
            "{law: normal, mean: 5, deviation: 1, min: 100, max: 10}",
            "{law: exponential, mean: 5, min: 100, max: 10}",
            "{law: lognormal, median: 5, p95: 9, min: 100, max: 10}",
            "{law: uniform, min: 100, max: 10}")) {
      refused(
          FLEET + TRUTH + WORKLOAD.replace("output: 10", "output: " + law),
          "expected \"max\" not below \"min\"");
    }
  }

  @Test
  void traceThatIsDenserThanAnyRate_isRefused() {
    refused(
        FLEET
            + TRUTH
            + WORKLOAD.replace(
                "{law: poisson, rate: 1}", "{law: trace, times: [0, 0], period: 1ns}"),
        "at most 10000 arrivals a second");
  }

  /** It stands in tables, in curl's command line, and in a label of each series. */
  @Test
  void controlsInNames_areRefused() {
    for (String name : List.of("\\e[31m", "a\\u202Eb", "a\\u2028b", "a\\x00")) {
      refused(
          FLEET.replace("tensor_parallel: 2", "served_name: \"" + name + "\"") + TRUTH + WORKLOAD,
          "expected no control characters in \"served_name\"");
    }
    refused(
        FLEET.replace("tensor_parallel: 2", "served_name: \"a\\nb\"") + TRUTH + WORKLOAD,
        "expected a line of at most 200 characters");
    refused(FLEET.replace("title: t", "title: \"\\e[2J\"") + TRUTH + WORKLOAD, "\"title\"");
  }

  @Test
  void moreGpusThanThereIsRoomFor_areRefused() {
    String wide = "count: 200, data_parallel: 64, release";
    refused(FLEET.replace("count: 2, release", wide) + TRUTH + WORKLOAD, "at most 6400 GPUs");
    refused(
        FLEET.replace("count: 2, release", "data_parallel: 64, release")
            + TRUTH
            + WORKLOAD
            + "events: [{at: 1s, do: scale, count: 200}]\n",
        "at most 6400 GPUs");
  }

  @Test
  void endlessProblems_areToldInPart() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 10_000; i++) {
      text.append("k").append(i).append(": 1\n");
    }
    assertThatThrownBy(() -> read(text.toString()))
        .satisfies(e -> assertThat(String.valueOf(e.getMessage()).lines()).hasSize(101))
        .hasMessageContaining(" more");
  }
}
