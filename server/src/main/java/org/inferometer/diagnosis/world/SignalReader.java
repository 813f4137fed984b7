package org.inferometer.diagnosis.world;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.query.QueryException;
import org.inferometer.signals.Service;
import org.inferometer.signals.ServiceKind;
import org.inferometer.signals.SignalAnswer;
import org.inferometer.signals.SignalBatch;
import org.inferometer.signals.SignalResult;
import org.inferometer.signals.Signals;

/** Asks for the signals of all services in as few batches as their limit allows. */
final class SignalReader {
  /** Points of the timeline in a window. */
  private static final int POINTS = 20;

  /** Scrapes are seldom closer, and a point between two of them says nothing new. */
  private static final long STEP_MS_MIN = 15_000;

  private final Signals signals;

  SignalReader(Signals signals) {
    this.signals = signals;
  }

  Measured read(List<Service> services, WorldBuilder.Scope scope, Period baseline)
      throws QueryException {
    Period window = scope.window();
    long step = Math.max(STEP_MS_MIN, window.lengthMs() / POINTS);
    long count = Math.max(1, scope.historyMs() / step);
    long start = window.endMs() - count * step;
    long[] times = new long[(int) count + 1];
    for (int i = 0; i < times.length; i++) {
      times[i] = start + i * step;
    }
    Measured measured = new Measured(window, times, Measured.byName(signals.vocabulary()));
    measured.baseline(baseline);
    for (boolean isSplit : List.of(false, true)) {
      List<SignalBatch.Request> requests = requests(services, isSplit);
      for (List<SignalBatch.Request> some : inBatches(requests)) {
        SignalBatch timeline = new SignalBatch(start, window.endMs(), step, some);
        add(measured, signals.query(timeline), isSplit, Measured.Shape.TIMELINE);
        add(
            measured,
            signals.query(SignalBatch.at(window.endMs(), some), window.lengthMs()),
            isSplit,
            Measured.Shape.WINDOW);
        add(
            measured,
            signals.query(SignalBatch.at(baseline.endMs(), some), baseline.lengthMs()),
            isSplit,
            Measured.Shape.BASELINE);
      }
    }
    return measured;
  }

  private static List<SignalBatch.Request> requests(List<Service> services, boolean isSplit) {
    List<SignalBatch.Request> requests = new ArrayList<>();
    for (Service service : services) {
      boolean isWanted = !isSplit || service.kind() == ServiceKind.ENGINE;
      if (isWanted && !service.signals().isEmpty()) {
        requests.add(
            new SignalBatch.Request(
                service.id(), service.signals(), isSplit ? List.of(Measured.INSTANCE) : List.of()));
      }
    }
    return requests;
  }

  private static List<List<SignalBatch.Request>> inBatches(List<SignalBatch.Request> requests) {
    List<List<SignalBatch.Request>> batches = new ArrayList<>();
    List<SignalBatch.Request> batch = new ArrayList<>();
    int signals = 0;
    for (SignalBatch.Request request : requests) {
      if (signals + request.signals().size() > SignalBatch.SIGNALS_MAX) {
        batches.add(batch);
        batch = new ArrayList<>();
        signals = 0;
      }
      batch.add(request);
      signals += request.signals().size();
    }
    if (!batch.isEmpty()) {
      batches.add(batch);
    }
    return batches;
  }

  private static void add(
      Measured measured, SignalAnswer answer, boolean isSplit, Measured.Shape shape) {
    for (SignalResult result : answer.results()) {
      measured.add(result, isSplit, shape);
    }
  }
}
