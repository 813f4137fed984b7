package org.inferometer.benchmarks.accuracy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.simulator.event.Agenda;
import org.inferometer.simulator.request.Outcome;
import org.inferometer.simulator.request.Receiver;
import org.inferometer.simulator.request.Request;
import org.inferometer.simulator.request.Server;

/**
 * Stands before a server and writes down what each request went through, as a load tester does:
 * from the moment it was sent. Not thread-safe.
 */
final class Recorder implements Server {
  private final Server server;
  private final Agenda agenda;
  private final List<Answer> answers = new ArrayList<>();
  private final Map<Request, Tap> open = new HashMap<>();
  private long fromNs;
  private long untilNs = Long.MAX_VALUE;

  /** One that was answered whole. */
  private record Answer(long sentNs, long firstNs, long endNs, int tokens) {
    double ttft() {
      return (firstNs - sentNs) / 1e9;
    }

    double e2e() {
      return (endNs - sentNs) / 1e9;
    }

    double tpot() {
      return (endNs - firstNs) / 1e9 / Math.max(1, tokens - 1);
    }
  }

  Recorder(Server server, Agenda agenda) {
    this.server = server;
    this.agenda = agenda;
  }

  /** What was sent before doesn't count. */
  void begin() {
    answers.clear();
    fromNs = agenda.now();
  }

  /** What is sent from now on doesn't count. */
  void end() {
    untilNs = agenda.now();
  }

  @Override
  public String name() {
    return server.name();
  }

  @Override
  public void submit(Request request, Receiver receiver) {
    Tap tap = new Tap(receiver, agenda.now());
    open.put(request, tap);
    server.submit(request, tap);
  }

  @Override
  public void abandon(Request request) {
    open.remove(request);
    server.abandon(request);
  }

  @Override
  public int inFlight() {
    return server.inFlight();
  }

  boolean isEmpty() {
    return open.isEmpty();
  }

  private final class Tap implements Receiver {
    private final Receiver receiver;
    private final long sentNs;
    private long firstNs = -1;

    private Tap(Receiver receiver, long sentNs) {
      this.receiver = receiver;
      this.sentNs = sentNs;
    }

    @Override
    public boolean wantsEveryToken() {
      return receiver.wantsEveryToken();
    }

    @Override
    public void tokens(Request request, int count) {
      if (firstNs < 0) {
        firstNs = agenda.now();
      }
      receiver.tokens(request, count);
    }

    @Override
    public void ended(Request request, Outcome outcome) {
      open.remove(request);
      if (outcome.isOk() && sentNs >= fromNs && sentNs < untilNs) {
        answers.add(new Answer(sentNs, firstNs, agenda.now(), request.generated));
      }
      receiver.ended(request, outcome);
    }
  }

  /** What came of them. */
  Map<Figure, Double> figures(boolean drained) {
    Map<Figure, Double> figures = new HashMap<>();
    if (answers.isEmpty()) {
      return figures;
    }
    double[] ttft = answers.stream().mapToDouble(Answer::ttft).sorted().toArray();
    double[] e2e = answers.stream().mapToDouble(Answer::e2e).sorted().toArray();
    figures.put(Figure.TTFT_MEAN, mean(ttft));
    figures.put(Figure.TTFT_P90, quantile(ttft, 0.9));
    figures.put(Figure.TTFT_P99, quantile(ttft, 0.99));
    figures.put(Figure.E2E_MEAN, mean(e2e));
    figures.put(Figure.E2E_P99, quantile(e2e, 0.99));
    answers.stream()
        .filter(answer -> answer.tokens() > 1)
        .mapToDouble(Answer::tpot)
        .average()
        .ifPresent(value -> figures.put(Figure.TPOT_MEAN, value));
    long last = answers.stream().mapToLong(Answer::endNs).max().orElse(fromNs + 1);
    double seconds = ((drained ? last : Math.min(untilNs, agenda.now())) - fromNs) / 1e9;
    figures.put(Figure.REQUESTS_RATE, answers.size() / seconds);
    figures.put(Figure.OUTPUT_RATE, answers.stream().mapToInt(Answer::tokens).sum() / seconds);
    return figures;
  }

  private static double mean(double[] sorted) {
    return Arrays.stream(sorted).average().orElse(Double.NaN);
  }

  /** With linear interpolation, as load testers have it. */
  private static double quantile(double[] sorted, double q) {
    double at = q * (sorted.length - 1);
    int below = (int) at;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
  }
}
