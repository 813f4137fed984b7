package org.inferometer.signals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.inferometer.Shared;
import org.inferometer.model.Labels;
import org.inferometer.model.Version;
import org.inferometer.query.QueryException;
import org.inferometer.simulator.edge.ApiFrontEnd;
import org.inferometer.simulator.edge.FrontEndCosts;
import org.inferometer.simulator.edge.SimulatedGateway;
import org.inferometer.simulator.edge.Stage;
import org.inferometer.simulator.measure.ClientQuantity;
import org.inferometer.simulator.measure.GatewayQuantity;
import org.inferometer.simulator.measure.Measures;
import org.inferometer.simulator.page.Page;
import org.inferometer.simulator.page.PageFile;
import org.inferometer.simulator.page.PageForm;
import org.inferometer.simulator.page.Subject;
import org.inferometer.simulator.scenario.Scenario;
import org.inferometer.simulator.scenario.Scenario.Arrivals;
import org.inferometer.simulator.scenario.Scenario.Length;
import org.inferometer.simulator.scenario.Scenario.Role;
import org.inferometer.simulator.scenario.Scenario.Routing;
import org.inferometer.simulator.workload.Clients;
import org.junit.jupiter.api.Test;

/** What the product reads from the pages of a simulated gateway and its clients is the truth. */
class SimulatedEdgePagesTest {
  private static final Version RELEASE = Version.parse("1.95.0");
  private static final PageForm GATEWAY =
      PageFile.builtIn("litellm").form(RELEASE, Map.of("model_name", "m"));
  private static final PageForm CLIENT =
      PageFile.builtIn("gen-ai-client").form(RELEASE, Map.of("model_name", "m"));

  private final Stage stage = new Stage(21);
  private final Measures gatewayMeasures = new Measures(GatewayQuantity.class, GATEWAY.edges(), 0);
  private final Clients clients = run();

  /** Some answers are cut by the gateway. */
  private Clients run() {
    ApiFrontEnd server = stage.frontEnd("qwen-0", FrontEndCosts.python(), 1, 20 * Stage.MILLI);
    SimulatedGateway gateway =
        new SimulatedGateway(
            new Scenario.Gateway(
                "gateway", 3 * Stage.SECOND, false, 8, Stage.MILLI, Routing.ROUND_ROBIN),
            stage.agenda,
            stage.dice,
            gatewayMeasures,
            stage.gatewayKnobs,
            stage.log());
    gateway.addUpstream(server, Role.BOTH, "qwen-0.sim:8000");
    Clients all =
        new Clients(
            new Stage.WorkloadMaker(new Arrivals.Poisson(4))
                .lengths(new Length.Fixed(300), new Length.Uniform(20, 180))
                .streaming(0.7)
                .make(),
            gateway,
            stage.agenda,
            stage.dice,
            new Measures(ClientQuantity.class, CLIENT.edges(), 0),
            stage.workloadKnobs,
            stage.clientKnobs,
            stage.ids);
    stage.run(all, 300 * Stage.SECOND);
    return all;
  }

  private static Dump dump(PageForm form, String kind, Measures measures) {
    Page page =
        form.writer(1_790_000_000_000L)
            .write(List.of(new Subject(kind, Map.of(), Map.of("workload", "chat"), measures)), 0);
    return Dump.of(kind, new String(page.body(), 0, page.length(), StandardCharsets.UTF_8));
  }

  private Dump gatewayPage() {
    return dump(GATEWAY, "gateway", gatewayMeasures);
  }

  private Dump clientPage() {
    return dump(CLIENT, "client", clients.measures());
  }

  private static void check(Signals of, String service, Map<String, Double> expected)
      throws QueryException {
    SimulatedPage.values(of, service, expected.keySet())
        .forEach(
            (signal, value) -> {
              double wanted = expected.getOrDefault(signal, Double.NaN);
              assertThat(value).as(signal).isCloseTo(wanted, within(1e-9 * Math.max(1, wanted)));
            });
  }

  @Test
  void gatewaysPage_tellsTheTruth() throws QueryException {
    Measures truth = clients.measures();
    double sent = truth.value(ClientQuantity.SENT);
    double cut = truth.value(ClientQuantity.ENDED, "http_504");
    assertThat(cut / sent).isBetween(0.02, 0.2);
    Map<String, Double> expected = new TreeMap<>();
    expected.put("request_rate", sent / 60);
    expected.put("completed_rate", (sent - cut) / 60);
    expected.put("error_share", cut / sent);
    expected.put("http_5xx_share", cut / sent);
    expected.put("e2e_mean", gatewayMeasures.distribution(GatewayQuantity.SECONDS).mean());
    expected.put(
        "frontend_time_mean",
        gatewayMeasures.distribution(GatewayQuantity.OVERHEAD_SECONDS).mean());
    expected.put(
        "ttft_mean", gatewayMeasures.distribution(GatewayQuantity.FIRST_BYTE_SECONDS).mean());
    expected.put(
        "output_token_rate", truth.distribution(ClientQuantity.GENERATION_TOKENS).sum() / 60);
    expected.put("prompt_token_rate", truth.distribution(ClientQuantity.PROMPT_TOKENS).sum() / 60);
    expected.put("output_length_mean", truth.distribution(ClientQuantity.GENERATION_TOKENS).mean());
    check(SimulatedPage.signals(gatewayPage(), "gateway"), "litellm/gateway:1", expected);
  }

  @Test
  void clientsPage_tellsTheTruth() throws QueryException {
    Measures truth = clients.measures();
    double sent = truth.value(ClientQuantity.SENT);
    double cut = truth.value(ClientQuantity.ENDED, "http_504");
    Map<String, Double> expected = new TreeMap<>();
    expected.put("request_rate", sent / 60);
    expected.put("completed_rate", (sent - cut) / 60);
    expected.put("error_share", cut / sent);
    expected.put("ttft_mean", truth.distribution(ClientQuantity.TTFT).mean());
    expected.put("itl_mean", truth.distribution(ClientQuantity.CHUNK_SECONDS).mean());
    expected.put(
        "output_token_rate", truth.distribution(ClientQuantity.GENERATION_TOKENS).sum() / 60);
    expected.put("prompt_length_mean", 300.0);
    check(SimulatedPage.signals(clientPage(), "client"), "gen-ai/client:1", expected);
  }

  /** A row of the catalogue of engines' metrics. */
  private record Row(Set<String> labels) {}

  private static Map<String, Row> catalogue(String engine) throws IOException {
    Map<String, Row> rows = new TreeMap<>();
    for (String line : Files.readAllLines(Shared.path("catalog/engines.tsv"))) {
      String[] cells = line.split("\t", -1);
      if (cells[0].equals(engine)) {
        rows.put(cells[1], new Row(labels(cells[4])));
      }
    }
    return rows;
  }

  private static Set<String> labels(String cell) {
    return new TreeSet<>(Arrays.asList(cell.replace('.', '_').split(",")));
  }

  @Test
  void gatewaysPage_hasTheLabelsOfTheCatalogueOrTheDump() throws IOException {
    Map<String, Row> catalogue = catalogue("litellm");
    Map<String, Set<String>> real = labelsByName(Dump.named("litellm_v1.95"));
    Map<String, Set<String>> ours = labelsByName(gatewayPage());
    List<String> checked = new ArrayList<>();
    ours.forEach(
        (name, labels) -> {
          Set<String> expected = real.get(name);
          Row row = catalogue.get(name);
          assertThat(row).as(name).isNotNull();
          if (expected == null && row != null && row.labels.size() > 2) {
            expected = row.labels;
          }
          // Some rows of the catalogue name others' labels in words.
          if (expected != null && expected.stream().noneMatch(label -> label.contains(" "))) {
            assertThat(labels).as(name).isEqualTo(expected);
            checked.add(name);
          }
        });
    assertThat(checked).hasSizeGreaterThan(10);
  }

  @Test
  void clientsPage_hasTheLabelsOfTheConventions() throws IOException {
    Map<String, Set<String>> ours = labelsByName(clientPage());
    Map<String, Row> catalogue = catalogue("otel_genai");
    ours.forEach(
        (name, labels) -> {
          String plain = name.replaceFirst("_seconds$", "");
          TreeSet<String> expected = new TreeSet<>(List.of("service_name"));
          catalogue.forEach(
              (otel, row) -> {
                if (otel.replace('.', '_').equals(plain)) {
                  expected.addAll(row.labels);
                }
              });
          assertThat(labels).as(name).isEqualTo(expected);
        });
    assertThat(ours).hasSize(4);
  }

  /** Names of families with all labels that any of their series has. */
  private static Map<String, Set<String>> labelsByName(Dump page) {
    Map<String, Set<String>> all = new TreeMap<>();
    for (Dump.Sample sample : page.samples()) {
      Labels labels = sample.labels();
      String name = labels.metricName().replaceFirst("_(bucket|sum|count)$", "");
      Set<String> names = all.computeIfAbsent(name, key -> new TreeSet<>());
      labels.forEach((label, value) -> names.add(label));
      names.remove(Labels.NAME);
      names.remove("le");
    }
    return all;
  }
}
