package org.inferometer.benchmarks.simulator;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Comparator;
import org.inferometer.benchmarks.peers.Machine;

/**
 * How much faster than real time is one simulated engine, as many requests running as said, steps
 * of 25 ms? CPU time of the one thread it takes, since others may use the machine as well.
 *
 * <p>Arguments: file to write results to, simulated seconds of each run (600 if not given).
 */
public final class EngineSpeed {
  private static final int RUNS = 3;
  private static final int WARM_UPS = 1;
  private static final int[] RUNNING = {20, 200, 800};

  private EngineSpeed() {}

  /** One run. */
  private record Speed(double cpuSeconds, double allocatedBytes, LoadedEngine engine) {}

  public static void main(String[] args) throws IOException {
    long seconds = args.length > 1 ? Long.parseLong(args[1]) : 600;
    ObjectMapper json = new ObjectMapper();
    ObjectNode results = json.createObjectNode();
    Machine.describe(results);
    results.put("simulatedSeconds", seconds);
    results.put("runs", RUNS);
    // Others that use the machine cost cache and clock, which CPU time doesn't show.
    results.put("loadAverage", ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    ArrayNode rows = results.putArray("engine");
    for (boolean asynchronous : new boolean[] {false, true}) {
      for (int running : RUNNING) {
        row(rows.addObject(), running, asynchronous, seconds);
      }
    }
    json.writerWithDefaultPrettyPrinter().writeValue(new File(args[0]), results);
  }

  private static void row(ObjectNode row, int running, boolean asynchronous, long seconds) {
    Speed[] runs = new Speed[RUNS];
    for (int i = -WARM_UPS; i < RUNS; i++) {
      Speed run = run(running, asynchronous, seconds);
      if (i >= 0) {
        runs[i] = run;
      }
    }
    Arrays.sort(runs, Comparator.comparingDouble(Speed::cpuSeconds));
    Speed median = runs[RUNS / 2];
    double steps = median.engine.steps();
    row.put("running", running);
    row.put("asynchronous", asynchronous);
    row.put("factor", seconds / median.cpuSeconds);
    row.put("factorBest", seconds / runs[0].cpuSeconds);
    row.put("stepsPerCpuSecond", steps / median.cpuSeconds);
    row.put("tokensPerCpuSecond", median.engine.tokens() / median.cpuSeconds);
    row.put("allocatedBytesPerStep", median.allocatedBytes / steps);
    PrintStream out = System.out;
    out.println(row);
  }

  private static Speed run(int running, boolean asynchronous, long seconds) {
    LoadedEngine engine = new LoadedEngine(running, asynchronous);
    long cpu = cpuNs();
    long allocated = allocatedBytes();
    engine.run(seconds);
    return new Speed((cpuNs() - cpu) * 1e-9, allocatedBytes() - allocated, engine);
  }

  private static long cpuNs() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static long allocatedBytes() {
    return ManagementFactory.getThreadMXBean() instanceof com.sun.management.ThreadMXBean threads
        ? threads.getCurrentThreadAllocatedBytes()
        : 0;
  }
}
