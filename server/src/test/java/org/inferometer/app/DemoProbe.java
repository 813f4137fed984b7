package org.inferometer.app;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ForkJoinPool;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.inferometer.diagnosis.Diagnoser;
import org.inferometer.diagnosis.Diagnosis;
import org.inferometer.diagnosis.Report;
import org.inferometer.diagnosis.RuledOut;
import org.inferometer.diagnosis.Verdict;
import org.inferometer.diagnosis.threshold.ThresholdSource;
import org.inferometer.diagnosis.watch.FindingLog;
import org.inferometer.diagnosis.watch.HeldFinding;
import org.inferometer.diagnosis.watch.HoldRule;
import org.inferometer.diagnosis.watch.ServiceStatus;
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
 * The demo in fast motion, for developers: each fault is put into its fleet, what is told from look
 * to look is printed, and at the end a line for each fault. {@code REGEX [WINDOW_S [INTERVAL_S
 * [FAULT_S [AFTER_S [SEED]]]]]}; the fault {@code none} leaves it well. {@code -Dscrape=MS} scrapes
 * less often, {@code -Ddebug=true} prints at each look why the cause that is looked for isn't told.
 */
final class DemoProbe {
  private static final long START_MS = 1_790_000_000_000L;
  private static final long SCRAPE_MS = Long.getLong("scrape", DemoConfig.INTERVAL_MS);
  private static final boolean IS_DEBUG = Boolean.getBoolean("debug");
  private static final long PAST_MS = Long.getLong("past", 25 * 60_000);
  private static final long PAST_SCRAPE_MS = 10_000;

  /** As long as somebody looks at it before pressing a button. */
  private static final long BEFORE_S = Long.getLong("before", 30);

  private static final Map<String, Double> GOALS = Map.of("success", 0.99);
  private static final String NONE = "none";

  /** How long it goes, and how often is looked. */
  private record Course(long windowMs, long intervalMs, long faultS, long afterS, long seed) {}

  private final RecordedSeries series = new RecordedSeries(START_MS);
  private final FindingLog log = new FindingLog(HoldRule.DEFAULT);
  private final Course course;
  private final DemoPlan plan;
  private final Fleet fleet;
  private final DemoFleet demo;
  private long nowMs = START_MS;
  private String told = "";

  private DemoProbe(Course course) {
    this.course = course;
    plan = plan(course.seed());
    fleet = Fleet.of(plan.scenario(), course.seed(), START_MS);
    LiveFleet.Settings ports =
        new LiveFleet.Settings(InetAddress.getLoopbackAddress(), 0, List.of(), 1);
    demo =
        new DemoFleet(fleet, new LiveFleet(fleet, ports, Ticker.system(), _ -> {}), plan.faults());
  }

  private static DemoPlan plan(long seed) {
    return DemoPlan.of(new DemoArguments(null, null, "127.0.0.1:0", null, seed, null, false));
  }

  // ---------------------------------------------------------------------------------- the course

  private DemoTally run(String id, String cause) throws QueryException {
    DemoTally tally = new DemoTally(id, cause, course.intervalMs() / 1000);
    System.out.println("== " + id + " -> " + cause);
    go(PAST_MS, PAST_SCRAPE_MS);
    looks(DemoTally.Phase.BEFORE, BEFORE_S, tally);
    if (!id.equals(NONE)) {
      demo.inject(id);
    }
    looks(DemoTally.Phase.FAULT, course.faultS(), tally);
    if (!id.equals(NONE)) {
      demo.undo(id);
    }
    looks(DemoTally.Phase.AFTER, course.afterS(), tally);
    return tally;
  }

  private void looks(DemoTally.Phase phase, long seconds, DemoTally tally) throws QueryException {
    for (long s = course.intervalMs() / 1000; s <= seconds; s += course.intervalMs() / 1000) {
      go(course.intervalMs(), SCRAPE_MS);
      Report report =
          new Diagnoser(signals(), ThresholdSource.BUILT_IN)
              .diagnose(Diagnoser.Request.of(nowMs, course.windowMs()));
      log.take(nowMs, report);
      tally.take(phase, s, log.statuses());
      if (IS_DEBUG && phase == DemoTally.Phase.FAULT) {
        sayWhyNot(report, tally.cause());
      }
      sayNews(phase + " +" + s, report);
    }
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
    return new Signals(queries, () -> at, Ticker.system(), (_, _) -> GOALS, Facts.NONE);
  }

  // ------------------------------------------------------------------------------ what is printed

  private static void sayWhyNot(Report report, String wanted) {
    for (Diagnosis one : report.services()) {
      if (one.verdicts().stream().noneMatch(verdict -> verdict.cause().equals(wanted))) {
        for (RuledOut ruledOut : one.ruledOut()) {
          if (ruledOut.cause().equals(wanted)) {
            String how = ruledOut.isUnknown() ? " unknown: " : " not: ";
            System.out.println("      ! " + one.service() + how + ruledOut.because());
          }
        }
      }
    }
  }

  private void sayNews(String when, Report report) {
    StringBuilder now = new StringBuilder();
    log.statuses().forEach(status -> now.append(words(status)).append("; "));
    if (now.toString().equals(told)) {
      return;
    }
    told = now.toString();
    System.out.println("  " + when + " " + told + "[look:" + looked(report) + "]");
    log.statuses().stream()
        .filter(status -> status.state() != Diagnosis.State.HEALTHY)
        .forEach(status -> System.out.println("        " + status.sentence()));
  }

  private static String words(ServiceStatus status) {
    List<String> held = new ArrayList<>();
    for (HeldFinding one : status.findings()) {
      String where = one.scope().instance() == null ? "" : "@" + one.scope().instance();
      held.add(one.cause() + (one.isRoot() ? "" : "<" + one.follows()) + where);
    }
    return DemoTally.initial(status.service()) + " " + status.state().id() + held;
  }

  private static String looked(Report report) {
    StringBuilder all = new StringBuilder();
    for (Diagnosis one : report.services()) {
      for (Verdict verdict : one.verdicts()) {
        String root = verdict.follows() == null ? "" : "<";
        all.append(" %s%s %.2f".formatted(verdict.cause(), root, verdict.finding().confidence()));
      }
    }
    return all.toString();
  }

  private static long number(String[] args, int i, long usual) {
    return args.length > i ? Long.parseLong(args[i]) : usual;
  }

  public static void main(String[] args) throws QueryException {
    Logger.getLogger("").setLevel(Level.OFF);
    Course course =
        new Course(
            number(args, 1, 120) * 1000,
            number(args, 2, 5) * 1000,
            number(args, 3, 90),
            number(args, 4, 120),
            number(args, 5, 1));
    List<DemoTally> tallies = new ArrayList<>();
    if (NONE.matches(args[0])) {
      tallies.add(new DemoProbe(course).run(NONE, "healthy"));
    }
    for (Fault fault : plan(course.seed()).faults()) {
      if (fault.id().matches(args[0])) {
        tallies.add(new DemoProbe(course).run(fault.id(), fault.cause()));
      }
    }
    System.out.println();
    tallies.forEach(System.out::println);
  }
}
