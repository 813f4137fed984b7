package org.inferometer.diagnosis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.inferometer.diagnosis.threshold.ThresholdSource;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.Period;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.inferometer.diagnosis.world.World;
import org.inferometer.diagnosis.world.WorldBuilder;
import org.inferometer.query.QueryException;
import org.inferometer.signals.Signals;
import org.jspecify.annotations.Nullable;

/** Tells why services are slow, from what signals say. The same series give the same answer. */
public final class Diagnoser {
  /** How much of the past is looked at, in windows. */
  private static final int HISTORY_WINDOWS = 12;

  private final Signals signals;
  private final ThresholdSource thresholds;

  /**
   * @param signals whose clock stands at the end of the windows that are asked for
   */
  public Diagnoser(Signals signals, ThresholdSource thresholds) {
    this.signals = signals;
    this.thresholds = thresholds;
  }

  /**
   * What is asked for.
   *
   * @param service the id of one service, null for all
   * @param baseline null for one that is found
   */
  public record Request(@Nullable String service, Period window, @Nullable Period baseline) {
    /** A window of all services. */
    public static Request of(long endMs, long windowMs) {
      return new Request(null, new Period(endMs - windowMs, endMs), null);
    }
  }

  /**
   * The diagnoses of the services, worst first, and all as one; one for each engine that is
   * watched.
   *
   * @throws QueryException if the source of the series can't answer
   */
  public Report diagnose(Request request) throws QueryException {
    long history = HISTORY_WINDOWS * request.window().lengthMs();
    World world =
        new WorldBuilder(signals, thresholds)
            .build(new WorldBuilder.Scope(request.window(), request.baseline(), history));
    List<Diagnosis> all = new ArrayList<>();
    for (ServiceWorld service : world.services()) {
      if (request.service() == null || request.service().equals(service.service().id())) {
        all.add(diagnose(service));
      }
    }
    all.sort(
        Comparator.comparing(Diagnosis::state)
            .thenComparingDouble(Diagnoser::confidence)
            .reversed());
    return new Report(whole(world, request, all), all);
  }

  private static double confidence(Diagnosis one) {
    return one.verdicts().isEmpty() ? 0 : one.verdicts().getFirst().finding().confidence();
  }

  private static Diagnosis whole(World world, Request request, List<Diagnosis> all) {
    if (all.size() == 1) {
      return all.getFirst();
    }
    boolean isNone = all.isEmpty();
    Diagnosis worst =
        isNone
            ? new Diagnosis(
                null,
                request.window(),
                null,
                Diagnosis.State.CANNOT_TELL,
                "No inference engine is watched.",
                List.of(),
                List.of(),
                List.of(),
                world.telemetry(),
                List.of(),
                List.of(),
                List.of(),
                List.of())
            : all.getFirst();
    List<Verdict> verdicts = new ArrayList<>();
    for (Diagnosis one : all) {
      if (one.state() == worst.state() || one.state() != Diagnosis.State.HEALTHY) {
        verdicts.addAll(one.verdicts());
      }
    }
    return new Diagnosis(
        null,
        worst.window(),
        worst.baseline(),
        worst.state(),
        worst.summary(),
        verdicts,
        worst.path(),
        worst.ruledOut(),
        worst.telemetry(),
        worst.layers(),
        worst.changes(),
        worst.happenings(),
        worst.timeline());
  }

  /** The diagnosis of one service: a pure function of its world. */
  Diagnosis diagnose(ServiceWorld service) {
    Thresholds own = thresholds.of(service.service().id(), service.service().model());
    return new ServiceDiagnosis(service, own).by(Checks.ALL);
  }
}
