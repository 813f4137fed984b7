package org.inferometer.benchmarks.diagnosis;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import org.inferometer.benchmarks.peers.Machine;
import org.inferometer.diagnosis.Diagnoser;
import org.inferometer.query.QueryException;

/**
 * How long a diagnosis takes, the first one of a process and later ones, and how much CPU time.
 *
 * <p>Arguments: file to write results to, later diagnoses of each fleet (100 if not given).
 */
public final class DiagnosisSpeed {
  /** Those before are not counted: the code is compiled meanwhile. */
  private static final double WARM_FROM = 0.5;

  /** After the first diagnosis of the process none is cold. */
  private static boolean hasDiagnosed;

  private DiagnosisSpeed() {}

  /** What one took; CPU time is that of all threads, collecting garbage and compiling included. */
  private record Took(double ms, double cpuMs) {}

  public static void main(String[] args) throws IOException, QueryException {
    int count = args.length > 1 ? Integer.parseInt(args[1]) : 100;
    ObjectMapper json = new ObjectMapper();
    ObjectNode results = json.createObjectNode();
    Machine.describe(results);
    results.put("loadAverage", ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    ArrayNode rows = results.putArray("fleets");
    try (LoadedFleet thirty = LoadedFleet.thirty()) {
      row(rows.addObject(), "thirty replicas, scraped every 15 s", thirty, 300_000, count);
    }
    try (LoadedFleet demo = LoadedFleet.demo()) {
      row(rows.addObject(), "the demo's four, scraped every second", demo, 60_000, count);
    }
    json.writerWithDefaultPrettyPrinter().writeValue(new File(args[0]), results);
  }

  private static void row(ObjectNode row, String name, LoadedFleet fleet, long windowMs, int count)
      throws QueryException {
    boolean isCold = !hasDiagnosed;
    hasDiagnosed = true;
    Diagnoser.Request request = Diagnoser.Request.of(fleet.endMs(), windowMs);
    Took first = took(fleet, request);
    Took[] later = new Took[count];
    for (int i = 0; i < count; i++) {
      later[i] = took(fleet, request);
    }
    Took[] warm = Arrays.copyOfRange(later, (int) (count * WARM_FROM), count);
    row.put("fleet", name);
    row.put("windowSeconds", windowMs / 1000);
    if (isCold) {
      row.put("coldMs", first.ms());
      row.put("coldCpuMs", first.cpuMs());
    }
    row.put("warm", warm.length);
    row.put("bestMs", Arrays.stream(warm).mapToDouble(Took::ms).min().orElse(0));
    row.put("medianMs", median(Arrays.stream(warm).mapToDouble(Took::ms).toArray()));
    row.put("bestCpuMs", Arrays.stream(warm).mapToDouble(Took::cpuMs).min().orElse(0));
    row.put("medianCpuMs", median(Arrays.stream(warm).mapToDouble(Took::cpuMs).toArray()));
    PrintStream out = System.out;
    out.println(row);
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }

  /** By one that knows nothing yet: a server has forgotten most from look to look. */
  private static Took took(LoadedFleet fleet, Diagnoser.Request request) throws QueryException {
    Diagnoser diagnoser = fleet.diagnoser();
    long begin = System.nanoTime();
    long cpu = cpuNanos();
    diagnoser.diagnose(request);
    return new Took((System.nanoTime() - begin) / 1e6, (cpuNanos() - cpu) / 1e6);
  }

  private static long cpuNanos() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean system
        ? system.getProcessCpuTime()
        : 0;
  }
}
