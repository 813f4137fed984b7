package org.inferometer.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.inferometer.simulator.scenario.Scenario;
import org.inferometer.simulator.scenario.Scenarios;
import org.jspecify.annotations.Nullable;

/**
 * What the diagnosis is scored on: every scenario that comes with the program, and those that were
 * made for the score alone, with other seeds, loads, hardware and scrape intervals.
 */
final class ScoredSet {
  /** Scenarios that nothing but the score knows. */
  private static final Path OWN = Path.of("src/test/resources/score");

  private static final long SEED = 11;

  private ScoredSet() {}

  /** All scenarios. */
  static List<Scenario> scenarios() {
    Scenarios builtIn = Scenarios.builtIn();
    List<Scenario> all = new ArrayList<>();
    builtIn.names().forEach(name -> all.add(builtIn.get(name)));
    all.addAll(own(builtIn));
    return all;
  }

  private static List<Scenario> own(Scenarios builtIn) {
    try (Stream<Path> files = Files.list(OWN)) {
      List<Scenario> own = new ArrayList<>();
      for (Path file : files.filter(f -> f.toString().endsWith(".yaml")).sorted().toList()) {
        own.add(builtIn.read(file));
      }
      return own;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One run of each scenario, as it stands. */
  static List<ScoredCase> small() {
    return scenarios().stream().map(s -> ScoredCase.of(s, SEED, 15_000)).toList();
  }

  /**
   * Each scenario as it stands, and in two of the ways in which it may differ: seeds, loads,
   * hardware and intervals. The ways take turns, so that every one meets every kind of scenario.
   */
  static List<ScoredCase> whole() {
    List<ScoredCase> all = new ArrayList<>(small());
    int turn = 0;
    for (Scenario one : scenarios()) {
      addTwo(ways(one), turn++, all);
    }
    return all;
  }

  private static List<ScoredCase> ways(Scenario one) {
    List<ScoredCase> ways = new ArrayList<>();
    ways.add(ScoredCase.of(one, SEED + 1, 10_000).called("seed, 10 s"));
    ways.add(ScoredCase.of(one, SEED + 2, 5_000).loaded(0.9).called("load -10 %, 5 s"));
    ways.add(ScoredCase.of(one, SEED + 3, 30_000).loaded(1.1).called("load +10 %, 30 s"));
    String gpu = otherGpu(one);
    if (gpu != null) {
      ways.add(ScoredCase.of(one, SEED + 4, 15_000).on(gpu).called(gpu));
    }
    return ways;
  }

  private static void addTwo(List<ScoredCase> ways, int turn, List<ScoredCase> to) {
    to.add(ways.get(turn % ways.size()));
    to.add(ways.get((turn + 1) % ways.size()));
  }

  /** GPUs that do the same with a little more room, so that what is healthy stays so. */
  private static @Nullable String otherGpu(Scenario one) {
    return one.fleet().replicas().stream().allMatch(r -> r.gpu().equals("H100-SXM"))
        ? "H200"
        : null;
  }

  /** Each scenario in two of the ways in which less is seen, which take turns. */
  static List<ScoredCase> degraded() {
    List<ScoredCase> all = new ArrayList<>();
    int turn = 0;
    for (Scenario one : scenarios()) {
      addTwo(lesserWays(one), 2 * turn++, all);
    }
    return all;
  }

  private static List<ScoredCase> lesserWays(Scenario one) {
    ScoredCase base = ScoredCase.of(one, SEED + 5, 15_000);
    return List.of(
        base.without(Set.of("gpu")).called("no GPUs"),
        ScoredCase.of(one, SEED + 6, 60_000).called("60 s scrapes"),
        base.without(Set.of("host")).called("no hosts"),
        ScoredCase.of(one, SEED + 7, 15_000).missing(0.2).called("every fifth missed"),
        base.without(Set.of("gpu", "host")).called("no GPUs, no hosts"),
        base.released("0.8.5").called("vLLM 0.8.5"),
        base.without(Set.of("client")).called("no clients"),
        base.without(Set.of("gpu", "host", "gateway", "client")).called("engines only"));
  }

  /**
   * One case, whether or not it is the scenario's turn to differ in this way.
   *
   * @throws java.util.NoSuchElementException if there is none
   */
  static ScoredCase named(String scenario, String variant) {
    return scenarios().stream()
        .filter(one -> one.name().equals(scenario))
        .flatMap(one -> cases(one).stream())
        .filter(one -> one.variant().equals(variant))
        .findFirst()
        .orElseThrow();
  }

  private static List<ScoredCase> cases(Scenario one) {
    List<ScoredCase> all = new ArrayList<>();
    all.add(ScoredCase.of(one, SEED, 15_000));
    all.addAll(ways(one));
    all.addAll(lesserWays(one));
    return all;
  }
}
