package org.inferometer.simulator.workload;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import org.inferometer.simulator.event.Agenda;
import org.inferometer.simulator.event.Dice;
import org.inferometer.simulator.event.Event;
import org.inferometer.simulator.knob.Knob;
import org.inferometer.simulator.knob.Knobs;
import org.inferometer.simulator.measure.ClientQuantity;
import org.inferometer.simulator.measure.Measures;
import org.inferometer.simulator.request.Outcome;
import org.inferometer.simulator.request.Request;
import org.inferometer.simulator.request.RequestIds;
import org.inferometer.simulator.request.Server;
import org.inferometer.simulator.scenario.Scenario;
import org.inferometer.simulator.scenario.Scenario.Arrivals;
import org.jspecify.annotations.Nullable;

/**
 * The users of one workload, and the client program they share: its connections, its CPU and its
 * clock. What it measures counts from the moment a request was due, so that waiting in the client
 * isn't left out. Not thread-safe.
 */
public final class Clients {
  /**
   * Before a user who failed asks again. Who doesn't think and is refused at once would else ask
   * again and again in the same moment, and that moment would never end. Source: the first pause of
   * OpenAI's own client, half a second.
   */
  private static final long RETRY_NS_MIN = 500_000_000;

  private final Scenario.Workload spec;
  private final Demand demand;
  private final Server target;
  private final Agenda agenda;
  private final Measures measures;
  private final Knobs knobs;
  private final RequestIds ids;
  private final Dice dice;
  private final Gaps gaps;
  private final @Nullable Closed closed;
  private final Dice pauses;

  /** Due, and without a connection. */
  private final Deque<Call> waiting = new ArrayDeque<>();

  private final BitSet usersBusy = new BitSet();
  private int open;
  private long sessions;
  private boolean stopped;

  /** Whether those waiting are being sent: one that ends at once frees its connection there. */
  private boolean sending;

  /** When the client's CPU has done what has arrived. */
  private long cpuFreeNs;

  /**
   * Of the gap to the next arrival, at the scenario's own rate; and since when it runs how fast.
   */
  private double gapNs;

  private long gapSinceNs;
  private double factor;
  private long gapTurn;

  private record Closed(int users, Scenario.Length thinkSeconds) {}

  /**
   * @param dice of this workload alone
   */
  public Clients(
      Scenario.Workload spec,
      Server target,
      Agenda agenda,
      Dice dice,
      Measures measures,
      Knobs workloadKnobs,
      Knobs clientKnobs,
      RequestIds ids) {
    this.spec = spec;
    this.target = target;
    this.agenda = agenda;
    this.dice = dice;
    this.measures = measures;
    this.knobs = clientKnobs;
    this.ids = ids;
    demand = new Demand(spec, workloadKnobs, dice);
    gaps = Gaps.of(spec.arrivals(), dice.stream("arrivals"));
    pauses = dice.stream("pauses");
    closed =
        spec.arrivals() instanceof Arrivals.Closed(int users, Scenario.Length think)
            ? new Closed(users, think)
            : null;
    workloadKnobs.onTurn(this::rateTurned);
    clientKnobs.onTurn(this::sendWaiting);
    factor = -1;
  }

  public String name() {
    return spec.name();
  }

  public Measures measures() {
    return measures;
  }

  /** Requests that are due and haven't ended, those without a connection included. */
  public int inFlight() {
    return open + waiting.size();
  }

  public int waitingForConnection() {
    return waiting.size();
  }

  /** Users come from now on. */
  public void start() {
    factor = demand.rateFactor();
    if (closed != null) {
      startUsers();
    } else {
      gapNs = gaps.next();
      awaitArrival();
    }
  }

  /** No one comes any more, and no conversation goes on; what is asked is answered. */
  public void stop() {
    stopped = true;
    gapTurn++;
  }

  private void rateTurned() {
    double turned = demand.rateFactor();
    if (stopped || factor < 0 || turned == factor) {
      return;
    }
    gapNs = Math.max(0, gapNs - (agenda.now() - gapSinceNs) * factor);
    factor = turned;
    if (closed != null) {
      startUsers();
    } else {
      awaitArrival();
    }
  }

  private void awaitArrival() {
    gapTurn++;
    gapSinceNs = agenda.now();
    double wait = gapNs / factor;
    // Beyond a century is never; so is 0 / 0, a gap of nothing at no rate.
    if (wait < 3e18) {
      long turn = gapTurn;
      agenda.in(Math.round(wait), () -> arrival(turn));
    }
  }

  private void arrival(long turn) {
    if (turn != gapTurn) {
      return;
    }
    boolean comes = gaps.isArrival(agenda.now());
    gapNs = gaps.next();
    awaitArrival();
    if (comes) {
      due(newSession(), -1);
    }
  }

  private Session newSession() {
    return new Session(demand, dice.stream("session").stream(Long.toString(sessions++)));
  }

  private int users() {
    return closed == null ? 0 : (int) Math.min(1_000_000, Math.round(closed.users * factor));
  }

  private void startUsers() {
    int users = users();
    for (int user = usersBusy.nextClearBit(0); user < users; ) {
      usersBusy.set(user);
      think(user);
      user = usersBusy.nextClearBit(user + 1);
    }
  }

  private void think(int user) {
    think(user, 0);
  }

  private void think(int user, long atLeastNs) {
    if (closed == null) {
      return;
    }
    long nanos = Session.nanos(Law.draw(closed.thinkSeconds, pauses));
    agenda.in(Math.max(nanos, atLeastNs), () -> ask(user));
  }

  private void ask(int user) {
    if (stopped || user >= users()) {
      usersBusy.clear(user);
    } else {
      due(newSession(), user);
    }
  }

  private void due(Session session, int user) {
    if (stopped) {
      return;
    }
    Call call = new Call(this, session, session.turn(ids.next()), user);
    call.request.dueNs = agenda.now();
    waiting.add(call);
    noteInFlight();
    sendWaiting();
  }

  private void sendWaiting() {
    if (sending) {
      return;
    }
    sending = true;
    while (!waiting.isEmpty() && isConnectionFree()) {
      send(waiting.remove());
    }
    sending = false;
  }

  private boolean isConnectionFree() {
    int limit = (int) knobs.get(Knob.CLIENT_CONNECTIONS);
    return limit == 0 || open < limit;
  }

  private void send(Call call) {
    open++;
    Request request = call.request;
    request.sentNs = agenda.now();
    measures.add(ClientQuantity.SENT, 1);
    long cancelNs = call.session.cancelAfterNs();
    if (spec.timeoutNs() > 0) {
      agenda.in(spec.timeoutNs(), () -> call.leave("timeout"));
    }
    if (cancelNs >= 0) {
      agenda.in(cancelNs, () -> call.leave("cancelled"));
    }
    target.submit(request, call);
  }

  long now() {
    return agenda.now();
  }

  void abandon(Request request) {
    target.abandon(request);
  }

  /** What the client does when an answer begins; its CPU does one after the other. */
  void onAnswerStart(Event event) {
    onCpu(knobs.nanos(Knob.CLIENT_DELAY), event);
  }

  void onAnswerEnd(Event event) {
    onCpu(0, event);
  }

  private void onCpu(long costNs, Event event) {
    long now = agenda.now();
    cpuFreeNs = Math.max(now, cpuFreeNs) + costNs;
    if (cpuFreeNs == now) {
      event.happen();
    } else {
      agenda.at(cpuFreeNs, event);
    }
  }

  void noteFirst(Call call) {
    if (call.request.ask.streams()) {
      measures.distribution(ClientQuantity.TTFT).observe(seconds(call.request.dueNs, call.firstNs));
    }
  }

  void noteEnd(Call call, Outcome outcome) {
    open--;
    String how = name(outcome);
    measures.add(ClientQuantity.ENDED, how, 1);
    double seconds = seconds(call.request.dueNs, now());
    measures.distribution(ClientQuantity.SECONDS, outcome.isOk() ? "" : how).observe(seconds);
    if (outcome.isOk()) {
      noteAnswer(call, seconds);
    }
    noteInFlight();
    goOn(call, outcome);
    sendWaiting();
  }

  private void noteAnswer(Call call, double seconds) {
    Request request = call.request;
    measures.distribution(ClientQuantity.E2E).observe(seconds);
    measures.distribution(ClientQuantity.PROMPT_TOKENS).observe(request.promptTokens());
    measures.distribution(ClientQuantity.GENERATION_TOKENS).observe(request.generated);
    if (request.ask.streams() && request.generated > 1 && call.firstNs >= 0) {
      int gaps = request.generated - 1;
      double gap = seconds(call.firstNs, now()) / gaps;
      measures.distribution(ClientQuantity.TPOT).observe(gap);
      measures.distribution(ClientQuantity.CHUNK_SECONDS).observe(gap, gaps);
    }
  }

  /** How it ended, as clients name it: an error status tells more than its reason. */
  private static String name(Outcome outcome) {
    return outcome.status() >= 500 || (outcome.status() >= 400 && outcome.status() < 499)
        ? "http_" + outcome.status()
        : outcome.reason();
  }

  private void goOn(Call call, Outcome outcome) {
    Session session = call.session;
    int user = call.user;
    if (outcome.isOk() && !session.isOver() && !stopped) {
      session.answered(call.request);
      agenda.in(session.thinkNs(), () -> goOn(session, user));
    } else if (user >= 0) {
      think(user, outcome.isOk() ? 0 : RETRY_NS_MIN);
    }
  }

  /** Where nobody comes any more, those who are there have gone too. */
  private void goOn(Session session, int user) {
    if (user >= 0 || demand.rateFactor() > 0) {
      due(session, user);
    }
  }

  private void noteInFlight() {
    measures.set(ClientQuantity.IN_FLIGHT, inFlight());
  }

  private static double seconds(long fromNs, long toNs) {
    return (toNs - fromNs) / 1e9;
  }
}
