package org.inferometer.signals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.inferometer.model.Matcher;
import org.inferometer.query.QueryException;
import org.inferometer.query.QueryService;
import org.inferometer.query.QueryValue;

/** A page alone in a world, with what follows from it. */
final class OnePage {
  private static final List<Dump> DUMPS = Dump.all();
  private static final Catalogue CATALOGUE = Catalogue.builtIn();
  private static final List<Matcher> TARGETS = List.of(Matcher.equal("job", "job"));

  private final QueryService queries;
  private final Signals signals;
  private final String service;

  private OnePage(Dump dump, String service) {
    queries = Backend.queries(new TestWorld().add(dump, "job", "page:1"));
    signals =
        new Signals(CATALOGUE, queries, () -> TestWorld.NOW_MS, () -> 0, Goals.NONE, Facts.NONE);
    this.service = service;
  }

  /**
   * A real page.
   *
   * @param start how its name begins
   * @param service the id of the service that it makes up
   */
  static OnePage named(String start, String service) {
    return new OnePage(
        DUMPS.stream().filter(dump -> dump.name().startsWith(start)).findFirst().orElseThrow(),
        service);
  }

  static OnePage of(String text, String service) {
    return new OnePage(Dump.of("page", text), service);
  }

  void has(String signal, double expected) throws QueryException {
    SignalResult result = result(signal);
    assertThat(result.series()).as(result.toString()).hasSize(1);
    assertThat(result.series().getFirst().values()[0])
        .as(signal)
        .isCloseTo(expected, within(Math.max(1e-9, expected * 1e-9)));
  }

  void has(String signal, Map<String, Double> expected, String label) throws QueryException {
    Map<String, Double> found = new TreeMap<>();
    for (SignalSeries series : result(signal).series()) {
      found.put(series.labels().get(label), series.values()[0]);
    }
    assertThat(found.keySet()).as(signal).isEqualTo(expected.keySet());
    expected.forEach(
        (key, value) -> assertThat(found.get(key)).as(key).isCloseTo(value, within(1e-9)));
  }

  /** A quantile with its bounds. */
  void between(String signal, double expected, double low, double high) throws QueryException {
    has(signal, expected);
    SignalSeries series = result(signal).series().getFirst();
    assertThat(series.low()).as(signal).containsExactly(new double[] {low}, within(1e-12));
    assertThat(series.high()).as(signal).containsExactly(new double[] {high}, within(1e-12));
  }

  /** What is said of a signal; "null" if nothing is. */
  String reason(String signal) throws QueryException {
    return String.valueOf(result(signal).reason());
  }

  private SignalResult result(String signal) throws QueryException {
    SignalBatch.Request request = new SignalBatch.Request(service, List.of(signal), List.of());
    return signals.query(SignalBatch.at(TestWorld.NOW_MS, List.of(request))).results().getFirst();
  }

  /** What it is, and nothing else. */
  Service service() throws QueryException {
    List<Service> services = signals.services().services();
    assertThat(services).hasSize(1);
    return services.getFirst();
  }

  /** The traps of its dialect that are on it. */
  List<String> traps() {
    return profile().traps().stream().filter(trap -> holds(trap.query())).map(Trap::id).toList();
  }

  Map<String, String> facets() {
    Map<String, String> facets = new TreeMap<>();
    profile().facets().stream()
        .filter(facet -> holds(facet.query()))
        .forEach(facet -> facets.putIfAbsent(facet.name(), facet.value()));
    return facets;
  }

  private DialectProfile profile() {
    String id = service.substring(0, service.indexOf('/'));
    return CATALOGUE.dialects().stream()
        .filter(dialect -> dialect.id().equals(id))
        .findFirst()
        .orElseThrow()
        .profile();
  }

  private boolean holds(Template query) {
    long window = (long) (TestWorld.WINDOW_SECONDS * 1000);
    String text = query.render(new Template.Values(TARGETS, TARGETS, List.of(), window));
    try {
      QueryValue value =
          queries.instant(new QueryService.InstantQuery(text, TestWorld.NOW_MS)).value();
      return value instanceof QueryValue.Vector vector && !vector.elements().isEmpty();
    } catch (QueryException e) {
      throw new AssertionError(text, e);
    }
  }
}
