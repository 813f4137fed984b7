package org.inferometer.app;

import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.inferometer.diagnosis.Diagnosis;
import org.inferometer.diagnosis.RuledOut;
import org.inferometer.diagnosis.SeriesDiagnosis;
import org.inferometer.diagnosis.Verdict;
import org.inferometer.diagnosis.finding.Evidence;
import org.inferometer.diagnosis.threshold.ThresholdSource;
import org.inferometer.diagnosis.world.Period;
import org.inferometer.diagnosis.world.Reading;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.inferometer.diagnosis.world.WorldBuilder;
import org.inferometer.model.Labels;
import org.inferometer.query.QueryException;
import org.inferometer.signals.Signals;
import org.inferometer.store.MemorySeries;
import org.inferometer.store.Queryable;

/**
 * Diagnoses series files from the command line of a developer: {@code FILE [SECONDS [WINDOW]]},
 * where seconds count from the file's first sample; {@code --world} prints what was measured. Or a
 * case of the score: {@code --case SCENARIO VARIANT MINUTE}.
 */
final class DiagnosisProbe {
  private DiagnosisProbe() {}

  /** A file's series and what it says of itself. */
  static final class Recorded implements SeriesFile.Sink {
    private final MemorySeries series = new MemorySeries();
    private final List<Labels> labels = new ArrayList<>();
    final Map<String, String> truth = new HashMap<>();
    long minMs = Long.MAX_VALUE;
    long maxMs = Long.MIN_VALUE;

    static Recorded of(Path file) throws IOException {
      Recorded recorded = new Recorded();
      try (BufferedReader lines = Files.newBufferedReader(file)) {
        for (String line = lines.readLine();
            line != null && line.startsWith("#");
            line = lines.readLine()) {
          if (line.startsWith("# HELP truth:")) {
            String[] parts = line.substring("# HELP truth:".length()).split(" ", 2);
            recorded.truth.put(parts[0], parts.length > 1 ? parts[1] : "");
          }
        }
      }
      try (InputStream in = new FileInputStream(file.toFile())) {
        new SeriesFile(file.toString()).read(in, recorded, _ -> {});
      }
      return recorded;
    }

    @Override
    public int series(Labels newLabels) {
      labels.add(newLabels);
      return labels.size() - 1;
    }

    @Override
    public void sample(int id, long timestampMs, double value) {
      series.add(labels.get(id), timestampMs, value);
      minMs = Math.min(minMs, timestampMs);
      maxMs = Math.max(maxMs, timestampMs);
    }

    Signals signalsAt(long atMs) {
      return SeriesDiagnosis.signals(series, atMs);
    }

    List<Diagnosis> diagnose(long atMs, long windowMs) throws QueryException {
      return SeriesDiagnosis.of(series, atMs, windowMs).services();
    }
  }

  public static void main(String[] args) throws IOException, QueryException {
    List<String> rest = new ArrayList<>(List.of(args));
    boolean isWorld = rest.remove("--world");
    if (rest.remove("--case")) {
      Logger.getLogger("").setLevel(Level.OFF); // Scrapes that fail on purpose aren't news.
      ScoredRun run = new ScoredRun(ScoredSet.named(rest.get(0), rest.get(1)));
      tell(run.series(), run.atMs(Double.parseDouble(rest.get(2))), 300_000, isWorld);
      return;
    }
    Recorded recorded = Recorded.of(Path.of(rest.get(0)));
    System.out.println("truth " + recorded.truth);
    long at = rest.size() > 1 ? recorded.minMs + seconds(rest.get(1)) : recorded.maxMs;
    tell(recorded.series, at, rest.size() > 2 ? seconds(rest.get(2)) : 300_000, isWorld);
  }

  private static long seconds(String text) {
    return Long.parseLong(text) * 1000;
  }

  private static void tell(Queryable series, long at, long window, boolean isWorld)
      throws QueryException {
    if (isWorld) {
      printWorld(series, at, window);
    }
    long begin = System.nanoTime();
    List<Diagnosis> all = SeriesDiagnosis.of(series, at, window).services();
    System.out.printf("%.0f ms%n", (System.nanoTime() - begin) / 1e6);
    all.forEach(DiagnosisProbe::print);
  }

  private static void printWorld(Queryable series, long at, long window) throws QueryException {
    Period period = new Period(at - window, at);
    var scope = new WorldBuilder.Scope(period, null, 12 * window);
    for (ServiceWorld service :
        new WorldBuilder(SeriesDiagnosis.signals(series, at), ThresholdSource.BUILT_IN)
            .build(scope)
            .services()) {
      System.out.println("== " + service.service().id());
      service.readings().all().forEach(r -> print("", r));
      service
          .replicas()
          .forEach(
              replica -> {
                System.out.println("-- " + replica.instance() + " up " + replica.upShare());
                replica.readings().all().forEach(r -> print("  ", r));
              });
      service
          .gpus()
          .forEach(
              gpu -> {
                System.out.println("-- " + gpu.name() + " of " + gpu.gpu().engineInstance());
                gpu.readings().all().forEach(r -> print("  ", r));
              });
      service
          .hosts()
          .forEach(
              host -> {
                System.out.println("-- host " + host.name());
                host.readings().all().forEach(r -> print("  ", r));
              });
      service
          .edges()
          .forEach(
              edge -> {
                System.out.println("-- " + edge.vantage() + " " + edge.id());
                edge.readings().all().forEach(r -> print("  ", r));
              });
      System.out.println("basis " + service.basis());
      System.out.println("happenings " + service.happenings());
      System.out.println("changes " + service.changes());
      System.out.println("telemetry " + service.telemetry());
      System.out.println("symptoms " + service.symptoms());
    }
  }

  private static void print(String indent, Reading reading) {
    if (!reading.isKnown() && Double.isNaN(reading.baseline())) {
      return;
    }
    System.out.printf(
        "%s%-34s %12.5g  before %12.5g  min %10.4g max %10.4g %s%n",
        indent,
        reading.signal(),
        reading.value(),
        reading.baseline(),
        reading.min(),
        reading.max(),
        reading.quality());
  }

  private static void print(Diagnosis diagnosis) {
    System.out.println("== " + diagnosis.service() + ": " + diagnosis.state().id());
    System.out.println(diagnosis.summary());
    for (Verdict verdict : diagnosis.verdicts()) {
      System.out.printf(
          "%n%s %.2f follows %s, %s%n  %s%n",
          verdict.cause(),
          verdict.finding().confidence(),
          verdict.follows(),
          verdict.finding().scope(),
          verdict.finding().says());
      verdict.finding().evidence().forEach(e -> print("+", e));
      verdict.finding().against().forEach(e -> print("-", e));
      System.out.println("  effect " + verdict.finding().effect());
      verdict.next().forEach(a -> System.out.println("  next " + a));
    }
    diagnosis.path().forEach(step -> System.out.println("? " + step));
    for (RuledOut out : diagnosis.ruledOut()) {
      System.out.println(
          (out.isUnknown() ? "unknown " : "not ") + out.cause() + ": " + out.because());
    }
    diagnosis.layers().forEach(line -> System.out.println("| " + line));
    diagnosis.telemetry().forEach(line -> System.out.println("! " + line));
    diagnosis.changes().forEach(line -> System.out.println("~ " + line));
  }

  private static void print(String sign, Evidence evidence) {
    System.out.println(
        "  "
            + sign
            + " ["
            + evidence.layer()
            + "] "
            + evidence.says()
            + (evidence.of() == null ? "" : " @" + evidence.of()));
  }
}
