package org.inferometer.signals;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.query.QueryException;
import org.junit.jupiter.api.Test;

/** Every signal of every page that was ever kept, against a reviewed table for each page. */
class EveryDumpTest {
  private static final MathContext DIGITS = new MathContext(12);

  /** The host's counters are those of hours; this makes its CPUs about 9 % busy. */
  private static final double HOST_RISE = 0.005;

  private final Map<String, Dump> dumps = new LinkedHashMap<>();
  private final Signals signals;

  EveryDumpTest() {
    TestWorld world = new TestWorld();
    for (Dump dump : Dump.all()) {
      String instance = "host" + dumps.size() + ":1";
      dumps.put(instance, dump);
      world.add(dump, "dumps", instance, dump.name().startsWith("node") ? HOST_RISE : 1);
    }
    signals = Backend.signals(world, Goals.NONE);
  }

  @Test
  void resolves() throws QueryException {
    for (Map.Entry<String, Dump> entry : dumps.entrySet()) {
      StringBuilder table = new StringBuilder();
      for (Service service : signals.services().services()) {
        if (service.replicas().getFirst().instance().equals(entry.getKey())) {
          table.append("== ").append(service.engine().title()).append(", ").append(service.name());
          table
              .append('\n')
              .append(service.state())
              .append(": ")
              .append(service.sentence())
              .append('\n');
          rows(service, table);
        }
      }
      Golden.check(
          Path.of("src/test/resources/signals/dumps", entry.getValue().name() + ".tsv"),
          table.toString());
    }
  }

  private void rows(Service service, StringBuilder table) throws QueryException {
    for (SignalResult result : ask(SignalBatch.at(TestWorld.NOW_MS, requests(service)))) {
      if (result.series().isEmpty()) {
        table.append(result.signal()).append("\t-\t").append(word(result)).append('\n');
      }
      for (SignalSeries series : result.series()) {
        table
            .append(result.signal())
            .append('\t')
            .append(series.labels().without(List.of("modelName")))
            .append('\t')
            .append(number(series.values()[0]))
            .append(bounds(series))
            .append('\t')
            .append(word(result))
            .append('\n');
      }
    }
  }

  @Test
  void overTimeIsWhatItIsAtTheMoment() throws QueryException {
    for (Service service : signals.services().services()) {
      List<SignalResult> moment = ask(SignalBatch.at(TestWorld.NOW_MS, requests(service)));
      long start = TestWorld.NOW_MS - 4 * TestWorld.INTERVAL_MS;
      List<SignalResult> stretch =
          ask(new SignalBatch(start, TestWorld.NOW_MS, TestWorld.INTERVAL_MS, requests(service)));
      for (int i = 0; i < moment.size(); i++) {
        assertThat(last(stretch.get(i)))
            .as(moment.get(i).toString())
            .isEqualTo(last(moment.get(i)));
      }
    }
  }

  /** What a result says of the last time, without series that have nothing there. */
  private static List<String> last(SignalResult result) {
    List<String> last = new ArrayList<>();
    for (SignalSeries series : result.series()) {
      double value = series.values()[series.values().length - 1];
      if (!Double.isNaN(value)) {
        last.add(series.labels() + " " + number(value));
      }
    }
    return last;
  }

  private List<SignalResult> ask(SignalBatch batch) throws QueryException {
    return signals.query(batch).results();
  }

  private List<SignalBatch.Request> requests(Service service) {
    List<String> names =
        signals.vocabulary().stream()
            .filter(signal -> service.kind().layers().contains(signal.layer()))
            .map(Signal::name)
            .toList();
    return List.of(new SignalBatch.Request(service.id(), names, List.of()));
  }

  private static String word(SignalResult result) {
    String quality = result.quality().name().toLowerCase(java.util.Locale.ROOT);
    return result.reason() == null ? quality : quality + ": " + result.reason();
  }

  private static String bounds(SignalSeries series) {
    return series.low() == null || series.high() == null
        ? ""
        : "\t" + number(series.low()[0]) + ".." + number(series.high()[0]);
  }

  private static String number(double value) {
    return Double.isFinite(value)
        ? new BigDecimal(value).round(DIGITS).stripTrailingZeros().toPlainString()
        : String.valueOf(value);
  }
}
