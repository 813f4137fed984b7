package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.inferometer.check.Checker;
import org.inferometer.check.EndpointReport;
import org.inferometer.check.Part;
import org.inferometer.check.Weight;
import org.inferometer.config.Urls;
import org.inferometer.exposition.ExpositionParser;
import org.inferometer.exposition.Format;
import org.inferometer.model.Labels;
import org.inferometer.model.Version;
import org.inferometer.scrape.FailureReason;
import org.inferometer.scrape.TargetProbe;
import org.inferometer.signals.Catalogue;
import org.inferometer.signals.Facts;
import org.inferometer.signals.Goals;
import org.inferometer.signals.VersionRange;
import org.inferometer.simulator.fleet.Endpoint;
import org.inferometer.simulator.fleet.Fleet;
import org.inferometer.simulator.fleet.Replica;
import org.inferometer.simulator.page.Page;
import org.inferometer.simulator.scenario.Scenario;
import org.inferometer.simulator.scenario.Scenario.Happening;
import org.inferometer.simulator.scenario.Scenario.Replicas;
import org.inferometer.simulator.scenario.Scenarios;
import org.inferometer.time.VirtualTime;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every scenario that comes with the program, shrunk to a minute: it runs, its file is one, and its
 * pages are those of the engines and releases that it claims.
 */
class EveryScenarioTest {
  private static final long START_MS = 1_790_000_000_000L;
  private static final long SHRUNK_MS = 60_000;
  private static final long NANOS_PER_MS = 1_000_000;
  private static final Scenarios SCENARIOS = Scenarios.builtIn();
  private static final Catalogue CATALOGUE = Catalogue.builtIn();

  /** Of what is wrong with telemetry on purpose no page tells what it should. */
  private static final String TELEMETRY = "telemetry";

  /** What is wrong with the pages of the real ones as well. */
  private static final Set<String> TRAPS =
      Set.of("prefix-hits-inflated", "gen-throughput-frozen", "gpu-violations-in-nanoseconds");

  /** A scrape of an endpoint that doesn't answer now and then is asked again. */
  private static final int TRIES = 10;

  static List<String> names() {
    return SCENARIOS.names();
  }

  @ParameterizedTest
  @MethodSource("names")
  void runs_andItsFileAndPagesAreWhatTheyClaim(String name) throws Exception {
    Scenario scenario = shrunk(SCENARIOS.get(name));
    Fleet fleet = Fleet.of(scenario, 1, START_MS);
    Set<String> metrics = metrics(file(scenario, fleet));
    assertThat(metrics).contains("up", "scrape_duration_seconds");
    if (!scenario.truth().layer().equals(TELEMETRY)) {
      for (Replicas group : scenario.fleet().replicas()) {
        check(fleet, group);
      }
    }
  }

  /** The whole of it within a minute, so that its events happen. */
  private static Scenario shrunk(Scenario scenario) {
    double factor = Math.min(1, SHRUNK_MS * 1.0 * NANOS_PER_MS / scenario.durationNs());
    List<Happening> events = new ArrayList<>();
    for (Happening one : scenario.events()) {
      long forNs = one.forNs() == 0 ? 0 : Math.max(1, Math.round(one.forNs() * factor));
      events.add(new Happening(Math.round(one.atNs() * factor), forNs, one.on(), one.action()));
    }
    return new Scenario(
        scenario.name(),
        scenario.title(),
        Math.round(scenario.durationNs() * factor),
        scenario.fleet(),
        scenario.workloads(),
        events,
        scenario.truth());
  }

  private static byte[] file(Scenario scenario, Fleet fleet) throws IOException {
    RecordedSeries series = new RecordedSeries(START_MS);
    SimulatedHistory.of(15_000, 1).fill(fleet, series, START_MS + SHRUNK_MS, _ -> {});
    assertThat(series.isWhole()).isTrue();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    SimulationFile.write(
        SimulationFile.truth(scenario, 1, START_MS, START_MS + SHRUNK_MS), series, out);
    return out.toByteArray();
  }

  private static Set<String> metrics(byte[] file) throws IOException {
    Set<String> metrics = new HashSet<>();
    SeriesFile.Sink sink =
        new SeriesFile.Sink() {
          @Override
          public int series(Labels labels) {
            metrics.add(labels.metricName());
            return 0;
          }

          @Override
          public void sample(int series, long timestampMs, double value) {
            assertThat(timestampMs).isBetween(START_MS, START_MS + SHRUNK_MS);
          }
        };
    new SeriesFile("made").read(new ByteArrayInputStream(file), sink, _ -> {});
    return metrics;
  }

  // ------------------------------------------------------------------------------------- check

  private static void check(Fleet fleet, Replicas group) throws InterruptedException {
    Replica replica = up(fleet, group);
    if (replica == null) {
      return;
    }
    EndpointReport report = report(fleet, endpoint(fleet, "engine", replica.name()));
    String engine = group.engine().name().toLowerCase(Locale.ROOT);
    Part part =
        report.parts().stream()
            .filter(one -> one.engine().id().equals(engine))
            .findFirst()
            .orElseThrow(
                () -> new AssertionError(replica.name() + " was taken for " + report.verdict()));
    Version release = replica.made().release();
    assertThat(holds(part.version(), release))
        .as("%s of %s holds %s", part.version(), replica.name(), release)
        .isTrue();
    checkFindings(report, replica.name());
  }

  private static void checkFindings(EndpointReport report, String name) {
    assertThat(report.todo())
        .as("wrong with %s", name)
        .filteredOn(one -> one.weight() == Weight.WRONG && !TRAPS.contains(one.id()))
        .isEmpty();
  }

  private static @Nullable Replica up(Fleet fleet, Replicas group) {
    return fleet.replicas().stream()
        .filter(one -> one.made().name().equals(group.name()) && one.isUp())
        .findFirst()
        .orElse(null);
  }

  private static Endpoint endpoint(Fleet fleet, String job, String name) {
    return fleet.endpoints().stream()
        .filter(one -> one.job().equals(job) && one.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static EndpointReport report(Fleet fleet, Endpoint endpoint) throws InterruptedException {
    VirtualTime time = new VirtualTime(START_MS + fleet.now() / NANOS_PER_MS);
    Checker checker =
        new Checker(CATALOGUE, Goals.NONE, Facts.NONE, time, time, time::pass, Checker.WAIT_MS);
    return checker.check(new Asked(fleet, endpoint, time));
  }

  private static boolean holds(@Nullable VersionRange range, Version release) {
    return range == null
        || ((range.low() == null || compare(range.low(), release) <= 0)
            && (range.high() == null || compare(range.high(), release) >= 0));
  }

  /** As far as both of them are told. */
  private static int compare(String one, Version release) {
    int[] a = Arrays.stream(one.split("\\.")).mapToInt(Integer::parseInt).toArray();
    int[] b = release.parts().stream().mapToInt(Integer::intValue).toArray();
    int n = Math.min(a.length, b.length);
    return Arrays.compare(a, 0, n, b, 0, n);
  }

  /** An endpoint of a fleet, which goes on while somebody waits for it. */
  private static final class Asked implements org.inferometer.check.Endpoint {
    private final Fleet fleet;
    private final Endpoint endpoint;
    private final VirtualTime time;
    private final TargetProbe probe;

    Asked(Fleet fleet, Endpoint endpoint, VirtualTime time) {
      this.fleet = fleet;
      this.endpoint = endpoint;
      this.time = time;
      this.probe = TargetProbe.silent(Urls.scrapeConfig(target()));
    }

    @Override
    public String target() {
      return "http://" + endpoint.address() + endpoint.path();
    }

    @Override
    public Labels labels() {
      return probe.labels();
    }

    @Override
    public long intervalMs() {
      return probe.intervalMs();
    }

    @Override
    public long timeoutMs() {
      return probe.timeoutMs();
    }

    @Override
    public boolean isLive() {
      return true;
    }

    @Override
    public List<String> paths() {
      return List.of(endpoint.path());
    }

    @Override
    public TargetProbe.Answer fetch(String path) {
      fleet.runUntil(Math.max(fleet.now(), (time.nowMs() - START_MS) * NANOS_PER_MS));
      String why = "";
      for (int i = 0; i < TRIES; i++) {
        try {
          Page page = endpoint.page();
          byte[] body = Arrays.copyOf(page.body(), page.length());
          return new TargetProbe.Page(target(), body, page.contentType(), null, 0.01);
        } catch (Endpoint.NoAnswer e) {
          why = String.valueOf(e.getMessage());
        }
      }
      return new TargetProbe.Failure(target(), FailureReason.CONNECT, why, "");
    }

    @Override
    public Format fallback() {
      return Format.TEXT;
    }

    @Override
    public @Nullable Labels stored(ExpositionParser parser) {
      return probe.stored(parser);
    }

    @Override
    public void close() {}
  }

  @ParameterizedTest
  @ValueSource(strings = {"dcgm gpu", "node host", "litellm gateway"})
  void exportersOfTheDemo_areRecognised(String engineAndJob) throws InterruptedException {
    String engine = engineAndJob.split(" ")[0];
    String job = engineAndJob.split(" ")[1];
    Fleet fleet = Fleet.of(SCENARIOS.get("demo"), 1, START_MS);
    fleet.runUntil(SHRUNK_MS * NANOS_PER_MS);
    Endpoint endpoint =
        fleet.endpoints().stream().filter(one -> one.job().equals(job)).findFirst().orElseThrow();
    EndpointReport report = report(fleet, endpoint);
    assertThat(report.parts()).extracting(one -> one.engine().id()).contains(engine);
    checkFindings(report, job);
  }

  @ParameterizedTest
  @ValueSource(strings = {"demo", "kv-exhaustion"})
  void sameSeed_givesTheSameBytes_andAnotherOneOthers(String name) throws IOException {
    Scenario scenario = shrunk(SCENARIOS.get(name));
    byte[] one = file(scenario, Fleet.of(scenario, 1, START_MS));
    byte[] again = file(scenario, Fleet.of(scenario, 1, START_MS));
    byte[] other = file(scenario, Fleet.of(scenario, 2, START_MS));
    assertThat(again).isEqualTo(one);
    assertThat(other).isNotEqualTo(one);
  }
}
