package org.inferometer.app;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ForkJoinPool;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.inferometer.diagnosis.Diagnoser;
import org.inferometer.diagnosis.Diagnosis;
import org.inferometer.diagnosis.watch.FindingLog;
import org.inferometer.diagnosis.watch.HeldFinding;
import org.inferometer.diagnosis.watch.HoldRule;
import org.inferometer.diagnosis.watch.ServiceStatus;
import org.inferometer.diagnosis.threshold.ThresholdSource;
import org.inferometer.query.EngineOptions;
import org.inferometer.query.LocalQueryService;
import org.inferometer.query.QueryException;
import org.inferometer.signals.Facts;
import org.inferometer.signals.Signals;
import org.inferometer.simulator.fleet.Fleet;
import org.inferometer.simulator.live.LiveFleet;
import org.inferometer.simulator.scenario.Fault;
import org.inferometer.store.MetadataSource;
import org.inferometer.time.Ticker;

/**
 * The demo in fast motion, for developers: each fault is put into its fleet, and what is told from
 * look to look is printed. {@code REGEX [WINDOW_S [INTERVAL_S [FAULT_S [AFTER_S [SEED]]]]]}.
 */
final class DemoProbe {
  private static final long START_MS = 1_790_000_000_000L;
  private static final long SCRAPE_MS = Long.getLong("scrape", 5_000);
  private static final long PAST_MS = 300_000;

  private final RecordedSeries series = new RecordedSeries(START_MS);
  private final FindingLog log = new FindingLog(HoldRule.DEFAULT);
  private final long windowMs;
  private final long intervalMs;
  private final Fleet fleet;
  private final LiveFleet live;
  private final DemoFleet demo;
  private final Map<String, Map<String, Double>> goals =
      Map.of("", Map.of("success", 0.99));
  private long nowMs = START_MS;
  private String told = "";
  private String wanted = "";
  private long goNs;
  private long lookNs;

  private DemoProbe(long windowMs, long intervalMs, long seed) {
    this.windowMs = windowMs;
    this.intervalMs = intervalMs;
    DemoPlan plan =
        DemoPlan.of(new DemoArguments(null, null, "127.0.0.1:0", null, seed, null, false));
    fleet = Fleet.of(plan.scenario(), seed, START_MS);
    LiveFleet.Settings ports =
        new LiveFleet.Settings(InetAddress.getLoopbackAddress(), 0, List.of(), 1);
    live = new LiveFleet(fleet, ports, Ticker.system(), _ -> {});
    demo = new DemoFleet(fleet, live, plan.faults());
  }

  private void go(long ms, long scrapeMs) {
    nowMs += ms;
    new SimulatedHistory(demo::instance, _ -> {}, scrapeMs, 1).fill(fleet, series, nowMs, _ -> {});
  }

  private Signals signals() {
    long at = nowMs;
    LocalQueryService queries =
        new LocalQueryService(
            series,
            MetadataSource.none(),
            EngineOptions.DEFAULT,
            Ticker.system(),
            Runnable::run,
            ForkJoinPool.commonPool(),
            2);
    return new Signals(
        queries,
        () -> at,
        Ticker.system(),
        (_, _) -> Objects.requireNonNull(goals.get("")),
        Facts.NONE);
  }

  /** Prints what is new. */
  private void look(String when) throws QueryException {
    long t0 = System.nanoTime();
    go(intervalMs, SCRAPE_MS);
    long t1 = System.nanoTime();
    var report =
        new Diagnoser(signals(), ThresholdSource.BUILT_IN)
            .diagnose(Diagnoser.Request.of(nowMs, windowMs));
    log.take(nowMs, report);
    long t2 = System.nanoTime();
    goNs += t1 - t0;
    lookNs += t2 - t1;
    boolean isDebug = Boolean.getBoolean("debug");
    if (when.startsWith("+") && (isDebug || when.equals("+60")) && report.services().stream().allMatch(d -> d.verdicts().stream().noneMatch(v -> v.cause().equals(wanted)))) {
      report.services().forEach(d -> d.ruledOut().stream().filter(r -> r.cause().equals(wanted)).forEach(r -> System.out.println("      ! " + when + " " + d.service() + " " + (r.isUnknown() ? "unknown " : "not ") + r.because())));
    }
    StringBuilder now = new StringBuilder();
    for (ServiceStatus status : log.statuses()) {
      now.append(status.service().startsWith("vllm") ? "V " : "S ").append(status.state().id());
      List<String> held = new ArrayList<>();
      for (HeldFinding one : status.findings()) {
        held.add(
            one.cause()
                + (one.follows() == null ? "" : "<" + one.follows())
                + (one.scope().instance() == null ? "" : "@" + one.scope().instance()));
      }
      now.append(held).append("; ");
    }
    StringBuilder raw = new StringBuilder();
    for (Diagnosis one : report.services()) {
      one.verdicts()
          .forEach(
              v ->
                  raw.append(
                      " %s%s %.2f"
                          .formatted(
                              v.cause(), v.follows() == null ? "" : "<", v.finding().confidence())));
    }
    if (!now.toString().equals(told)) {
      told = now.toString();
      System.out.println("  " + when + " " + told + "   [look:" + raw + "]");
      log.statuses().stream()
          .filter(s -> s.state() != Diagnosis.State.HEALTHY)
          .forEach(s -> System.out.println("        " + s.sentence()));
    }
  }

  private void run(Fault fault, long faultS, long afterS) throws QueryException {
    wanted = fault.cause();
    System.out.println("== " + fault.id() + " -> " + fault.cause());
    go(PAST_MS, 10_000);
    for (int i = 0; i < 10_000 / intervalMs; i++) {
      look("before");
    }
    demo.inject(fault.id());
    for (long s = intervalMs / 1000; s <= faultS; s += intervalMs / 1000) {
      look("+" + s);
    }
    demo.undo(fault.id());
    for (long s = intervalMs / 1000; s <= afterS; s += intervalMs / 1000) {
      look("undone +" + s);
    }
    System.out.printf("  took %d s, looks %d s%n", goNs / 1_000_000_000, lookNs / 1_000_000_000);
  }

  private static long number(String[] args, int i, long usual) {
    return args.length > i ? Long.parseLong(args[i]) : usual;
  }

  public static void main(String[] args) throws QueryException {
    Logger.getLogger("").setLevel(Level.OFF);
    long seed = number(args, 5, 1);
    Map<String, Fault> faults = new TreeMap<>(new LinkedHashMap<>());
    DemoPlan.of(new DemoArguments(null, null, "127.0.0.1:0", null, seed, null, false))
        .faults()
        .forEach(f -> faults.put(f.id(), f));
    for (Fault fault : faults.values()) {
      if (fault.id().matches(args[0])) {
        new DemoProbe(number(args, 1, 300) * 1000, number(args, 2, 10) * 1000, seed)
            .run(fault, number(args, 3, 120), number(args, 4, 120));
      }
    }
  }
}
