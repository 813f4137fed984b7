package org.inferometer.diagnosis.world;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.inferometer.io.Bundled;
import org.inferometer.query.QueryException;
import org.inferometer.signals.Service;
import org.inferometer.signals.ServiceKind;
import org.inferometer.signals.Signal;
import org.inferometer.signals.SignalBatch;
import org.inferometer.signals.SignalResult;
import org.inferometer.signals.Signals;

/** Asks for the signals of all services in as few batches as their limits allow. */
final class SignalReader {
  /** The label by which a service's signals are split into its replicas. */
  static final String INSTANCE = "instance";

  /** Points in the last two windows; more say nothing new. */
  private static final int FINE_POINTS = 48;

  /** Points in a window of what is longer ago. */
  private static final int COARSE_POINTS = 5;

  private static final long FINE_STEP_MS_MIN = 5_000;

  /**
   * Rates of late are taken over four scrapes, as one may be missed, and not over less than this.
   */
  private static final long FINE_RATE_MS_MIN = 30_000;

  private static final int FINE_RATE_SCRAPES = 4;
  private static final long COARSE_STEP_MS_MIN = 60_000;

  /** The quantiles of which timelines are kept: what users feel. Others are known over windows. */
  private static final Set<String> FELT_QUANTILES = Set.of("ttft", "tpot", "ntpot", "itl", "e2e");

  /** The signals that something in the diagnosis reads: most of what costs time is to ask. */
  private static final Set<String> NAMES =
      Set.copyOf(Bundled.text("diagnosis/signals.txt").lines().toList());

  /** Signals of engines in a batch; few enough that several are answered at the same time. */
  private static final int ENGINE_SIGNALS_MAX = 200;

  /** Of what is many alike, which is asked about together, so that a batch is few queries. */
  private static final int OTHER_SIGNALS_MAX = 1_500;

  private final Signals signals;
  private final Map<String, Signal> vocabulary;

  SignalReader(Signals signals, Map<String, Signal> vocabulary) {
    this.signals = signals;
    this.vocabulary = vocabulary;
  }

  /**
   * Signals along the history.
   *
   * @param intervalMs between scrapes
   */
  Timelines timelines(List<Service> services, WorldBuilder.Scope scope, long intervalMs)
      throws QueryException {
    Period window = scope.window();
    long fine = 2 * window.lengthMs();
    long step = Math.max(FINE_STEP_MS_MIN, Math.max(intervalMs, fine / FINE_POINTS));
    int fineCount = (int) Math.max(1, fine / step) + 1;
    long coarseStep = Math.max(COARSE_STEP_MS_MIN, window.lengthMs() / COARSE_POINTS);
    long fineStart = window.endMs() - (fineCount - 1) * step;
    int coarseCount =
        (int) Math.max(0, (fineStart - window.endMs() + scope.historyMs()) / coarseStep);
    long[] times = times(fineStart, step, fineCount, coarseStep, coarseCount);
    Timelines timelines = new Timelines(times);
    List<Asking.Question> questions = new ArrayList<>();
    List<Integer> indices = new ArrayList<>();
    long rate =
        Math.max(FINE_RATE_MS_MIN, Math.max(FINE_RATE_SCRAPES * intervalMs, step + intervalMs));
    for (List<SignalBatch.Request> some : inBatches(wanted(services, true))) {
      if (coarseCount > 0) {
        long last = times[coarseCount - 1];
        SignalBatch coarse =
            new SignalBatch(times[0], Math.max(last, times[0] + 1), coarseStep, some);
        questions.add(new Asking.Question(coarse, null));
        indices.add(0);
      }
      SignalBatch recent = new SignalBatch(fineStart, window.endMs(), step, some);
      questions.add(new Asking.Question(recent, rate));
      indices.add(coarseCount);
    }
    List<Asking.Answer> answers = new Asking(signals).all(questions);
    for (int i = 0; i < answers.size(); i++) {
      int index = indices.get(i);
      answers.get(i).forEach((result, isSplit) -> timelines.add(result, isSplit, index));
    }
    return timelines;
  }

  private static long[] times(
      long fineStart, long step, int fineCount, long coarseStep, int coarseCount) {
    long[] times = new long[coarseCount + fineCount];
    for (int i = 0; i < coarseCount; i++) {
      times[i] = fineStart - (coarseCount - i) * coarseStep;
    }
    for (int i = 0; i < fineCount; i++) {
      times[coarseCount + i] = fineStart + i * step;
    }
    return times;
  }

  /** Signals over stretches of time as one value each, but for what their timelines tell. */
  List<Moments> moments(Collection<Service> services, List<Period> periods, Timelines timelines)
      throws QueryException {
    List<Moments> all = new ArrayList<>();
    List<Asking.Question> questions = new ArrayList<>();
    List<Moments> of = new ArrayList<>();
    for (Period period : periods) {
      Moments moments = new Moments();
      all.add(moments);
      List<Wanted> left = new ArrayList<>();
      for (Wanted wanted : wanted(services, false)) {
        left.add(new Wanted(wanted.kind(), untold(wanted.request(), period, timelines, moments)));
      }
      for (List<SignalBatch.Request> some : inBatches(left)) {
        SignalBatch batch = SignalBatch.at(period.endMs(), some);
        questions.add(new Asking.Question(batch, period.lengthMs()));
        of.add(moments);
      }
    }
    List<Asking.Answer> answers = new Asking(signals).all(questions);
    for (int i = 0; i < answers.size(); i++) {
      answers.get(i).forEach(of.get(i)::add);
    }
    return all;
  }

  /** What is left to ask of a request. */
  private static SignalBatch.Request untold(
      SignalBatch.Request request, Period period, Timelines timelines, Moments moments) {
    boolean isSplit = isSplit(request);
    List<String> left = new ArrayList<>();
    for (String signal : request.signals()) {
      Timelines.Key key = new Timelines.Key(request.service(), signal, isSplit);
      Timelines.Told told = timelines.find(key);
      if (told != null && timelines.tells(key, period)) {
        moments.addWithoutValues(told.result(), isSplit);
      } else {
        left.add(signal);
      }
    }
    return new SignalBatch.Request(request.service(), left, request.by());
  }

  /** The rate of requests of a service over a stretch of time, NaN if it isn't known. */
  double traffic(Service service, Period period) throws QueryException {
    SignalBatch.Request request =
        new SignalBatch.Request(service.id(), List.of("request_rate"), List.of());
    List<SignalResult> results =
        signals
            .query(SignalBatch.at(period.endMs(), List.of(request)), period.lengthMs())
            .results();
    return results.getFirst().series().isEmpty()
        ? Double.NaN
        : results.getFirst().series().getFirst().values()[0];
  }

  static boolean isSplit(SignalBatch.Request request) {
    return !request.by().isEmpty();
  }

  /** What is asked of a service. */
  private record Wanted(ServiceKind kind, SignalBatch.Request request) {}

  /**
   * By kind, and each engine as a whole and split next to each other: within a batch, what both are
   * made of is read once.
   */
  private List<Wanted> wanted(Collection<Service> services, boolean isTimeline) {
    List<Wanted> all = new ArrayList<>();
    for (ServiceKind kind : ServiceKind.values()) {
      for (Service service : services) {
        if (service.kind() == kind) {
          all.add(new Wanted(kind, request(service, false, isTimeline)));
          if (kind == ServiceKind.ENGINE) {
            all.add(new Wanted(kind, request(service, true, isTimeline)));
          }
        }
      }
    }
    return all;
  }

  private SignalBatch.Request request(Service service, boolean isSplit, boolean isTimeline) {
    List<String> asked =
        service.signals().stream().filter(s -> isAsked(s, isSplit, isTimeline)).toList();
    return new SignalBatch.Request(service.id(), asked, isSplit ? List.of(INSTANCE) : List.of());
  }

  private boolean isAsked(String name, boolean isSplit, boolean isTimeline) {
    Signal signal = vocabulary.get(name);
    if (signal == null || !NAMES.contains(name)) {
      return false;
    }
    boolean isQuantile = signal.quantile() != null;
    return !isTimeline || !isQuantile || (!isSplit && FELT_QUANTILES.contains(signal.base()));
  }

  private static List<List<SignalBatch.Request>> inBatches(List<Wanted> all) {
    List<List<SignalBatch.Request>> batches = new ArrayList<>();
    ServiceKind kind = null;
    int room = 0;
    for (Wanted wanted : all) {
      int signals = wanted.request().signals().size();
      if (signals > 0) {
        if (wanted.kind() != kind || signals > room) {
          batches.add(new ArrayList<>());
          kind = wanted.kind();
          room = kind == ServiceKind.ENGINE ? ENGINE_SIGNALS_MAX : OTHER_SIGNALS_MAX;
        }
        batches.getLast().add(wanted.request());
        room -= signals;
      }
    }
    return batches;
  }
}
