package org.inferometer.diagnosis.retold;

import java.util.Map;

/** A host as node_exporter tells of it. */
final class RetoldHost {
  final String name;
  final int cores;

  /** Share of the time in which each core works. */
  double busy = 0.1;

  /** The same for the first core alone; NaN for the share of all. */
  double firstCore = Double.NaN;

  double steal;
  private final double[] user;
  private final double[] idle;
  private final double[] stolen;

  RetoldHost(String name, int cores) {
    this.name = name;
    this.cores = cores;
    user = new double[cores];
    idle = new double[cores];
    stolen = new double[cores];
  }

  void pass(double seconds) {
    for (int i = 0; i < cores; i++) {
      double share = i == 0 && !Double.isNaN(firstCore) ? firstCore : busy;
      user[i] += share * seconds;
      stolen[i] += steal * seconds;
      idle[i] += Math.max(0, 1 - share - steal) * seconds;
    }
  }

  void write(RetoldSeries.Page page) {
    for (int i = 0; i < cores; i++) {
      String cpu = Integer.toString(i);
      page.put("node_cpu_seconds_total", Map.of("cpu", cpu, "mode", "user"), user[i]);
      page.put("node_cpu_seconds_total", Map.of("cpu", cpu, "mode", "idle"), idle[i]);
      page.put("node_cpu_seconds_total", Map.of("cpu", cpu, "mode", "steal"), stolen[i]);
    }
    page.put("node_memory_MemTotal_bytes", Map.of(), 1e12);
    page.put("node_memory_MemAvailable_bytes", Map.of(), 8e11);
    page.put("node_load1", Map.of(), busy * cores);
    page.put("node_uname_info", Map.of("nodename", name), 1);
  }
}
