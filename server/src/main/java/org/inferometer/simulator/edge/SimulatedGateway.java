package org.inferometer.simulator.edge;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.simulator.event.Agenda;
import org.inferometer.simulator.event.Dice;
import org.inferometer.simulator.knob.Knob;
import org.inferometer.simulator.knob.Knobs;
import org.inferometer.simulator.measure.GatewayQuantity;
import org.inferometer.simulator.measure.Measures;
import org.inferometer.simulator.request.Outcome;
import org.inferometer.simulator.request.Receiver;
import org.inferometer.simulator.request.Request;
import org.inferometer.simulator.request.Request.Handover;
import org.inferometer.simulator.request.Server;
import org.inferometer.simulator.scenario.Scenario;
import org.inferometer.simulator.scenario.Scenario.Role;
import org.inferometer.simulator.scenario.Scenario.Routing;
import org.jspecify.annotations.Nullable;

/**
 * A reverse proxy before the replicas: routes, waits, times out, buffers, and tells about it. Its
 * rules are nginx's, where nginx has one. Not thread-safe.
 */
public final class SimulatedGateway implements Server {
  /** How long an upstream that failed is left out. Source: nginx's fail_timeout. */
  private static final long LEFT_OUT_NS = 10_000_000_000L;

  private static final int STATE_UP = 0;
  private static final int STATE_DOWN = 2;

  private final Scenario.Gateway spec;
  private final Agenda agenda;
  private final Measures measures;
  private final Knobs knobs;
  private final AccessLog log;
  private final Dice skews;
  private final Router router;
  private final List<Upstream> upstreams = new ArrayList<>();
  private final Map<Long, Passage> passages = new HashMap<>();
  private int waiting;

  /** When its CPU has done what has arrived. */
  private long cpuFreeNs;

  public SimulatedGateway(
      Scenario.Gateway spec,
      Agenda agenda,
      Dice dice,
      Measures measures,
      Knobs knobs,
      AccessLog log) {
    this.spec = spec;
    this.agenda = agenda;
    this.measures = measures;
    this.knobs = knobs;
    this.log = log;
    skews = dice.stream("skew");
    router = new Router(spec.routing(), dice);
    knobs.onTurn(this::askAllWaiting);
  }

  @Override
  public String name() {
    return spec.name();
  }

  public Measures measures() {
    return measures;
  }

  public Knobs knobs() {
    return knobs;
  }

  @Override
  public int inFlight() {
    return passages.size();
  }

  /** From now on it routes by this rule. */
  public void route(Routing routing) {
    router.follow(routing);
  }

  /** Adds an upstream; one of the same name is replaced, as after a restart, and is up again. */
  public void addUpstream(Server server, Role role, String address) {
    Upstream known = find(server.name());
    if (known == null) {
      known = new Upstream(server, role, address);
      upstreams.add(known);
    } else {
      known.server = server;
      known.downUntilNs = -1;
      router.forget(known.name);
    }
    measures.set(GatewayQuantity.UPSTREAM_STATE, known.label, STATE_UP);
  }

  /** Nothing more is sent there; what it has goes on, and what waits for it goes elsewhere. */
  public void removeUpstream(String name) {
    Upstream gone = find(name);
    if (gone == null) {
      return;
    }
    upstreams.remove(gone);
    measures.labelled(GatewayQuantity.UPSTREAM_STATE).remove(gone.label);
    while (!gone.waiting.isEmpty()) {
      Passage passage = gone.waiting.remove();
      waiting--;
      send(passage);
    }
    note();
  }

  private @Nullable Upstream find(String name) {
    for (Upstream upstream : upstreams) {
      if (upstream.name.equals(name)) {
        return upstream;
      }
    }
    return null;
  }

  @Override
  public void submit(Request request, Receiver client) {
    Passage passage = new Passage(this, request, client, agenda.now(), isBuffering());
    passages.put(request.id, passage);
    note();
    passage.prefilling = isSplit();
    long now = agenda.now();
    cpuFreeNs = Math.max(now, cpuFreeNs) + spec.overheadNs();
    if (cpuFreeNs == now) {
      send(passage);
    } else {
      agenda.at(cpuFreeNs, () -> send(passage));
    }
  }

  private boolean isBuffering() {
    double turned = knobs.get(Knob.GATEWAY_BUFFERING);
    return turned < 0 ? spec.buffering() : turned > 0.5;
  }

  /** Whether prompts are computed by some instances and answers by others. */
  private boolean isSplit() {
    boolean prefill = false;
    boolean decode = false;
    for (Upstream upstream : upstreams) {
      prefill |= upstream.role == Role.PREFILL;
      decode |= upstream.role != Role.PREFILL;
    }
    return prefill && decode;
  }

  private void send(Passage passage) {
    if (passage.done) {
      return;
    }
    List<Upstream> candidates = candidates(passage);
    if (candidates.isEmpty()) {
      logError(passage, "no live upstreams while connecting to upstream");
      fail(passage, 502, "down");
      return;
    }
    Upstream chosen =
        skews.chance(knobs.get(Knob.GATEWAY_SKEW))
            ? candidates.getFirst()
            : router.choose(candidates, passage.request);
    passage.upstream = chosen;
    passage.waitingNs = agenda.now();
    int limit = connections();
    if (limit > 0 && chosen.open >= limit) {
      chosen.waiting.add(passage);
      waiting++;
      note();
      awaitConnection(passage);
    } else {
      ask(passage, chosen);
    }
  }

  /** Those that are up and haven't refused it; if none is up, all get another chance. */
  private List<Upstream> candidates(Passage passage) {
    Role role = passage.prefilling ? Role.PREFILL : Role.DECODE;
    List<Upstream> all = new ArrayList<>();
    List<Upstream> up = new ArrayList<>();
    for (Upstream upstream : upstreams) {
      if (upstream.does(role) && !passage.wasRefusedBy(upstream)) {
        all.add(upstream);
        if (upstream.isUp(agenda.now())) {
          up.add(upstream);
        }
      }
    }
    return up.isEmpty() ? all : up;
  }

  private int connections() {
    int turned = (int) knobs.get(Knob.GATEWAY_CONNECTIONS);
    return turned > 0 ? turned : spec.connections();
  }

  private long timeoutNs() {
    long turned = knobs.nanos(Knob.GATEWAY_TIMEOUT);
    return turned > 0 ? turned : spec.timeoutNs();
  }

  /** Waiting for a connection has the same limit as waiting for an answer. */
  private void awaitConnection(Passage passage) {
    int asking = passage.asking;
    long timeout = timeoutNs();
    if (timeout > 0) {
      agenda.in(
          timeout,
          () -> {
            if (!passage.done && passage.asking == asking) {
              logError(passage, "upstream timed out (110: Operation timed out) in upstream queue");
              fail(passage, 504, "timeout");
            }
          });
    }
  }

  private void ask(Passage passage, Upstream upstream) {
    Request request = passage.request;
    upstream.open++;
    passage.asked = true;
    passage.askedNs = agenda.now();
    passage.asking++;
    request.handover =
        passage.prefilling
            ? Handover.TO_SEND
            : upstream.role == Role.DECODE && isSplit() ? Handover.TO_FETCH : Handover.NONE;
    measures
        .distribution(GatewayQuantity.CONNECTION_WAIT_SECONDS)
        .observe(seconds(passage.waitingNs));
    measures.add(GatewayQuantity.ROUTED, upstream.label, 1);
    long timeout = timeoutNs();
    if (timeout > 0) {
      awaitRead(passage, passage.asking, timeout, timeout);
    }
    upstream.server.submit(request, passage);
  }

  /** Looks again when the upstream could have been silent for so long. */
  private void awaitRead(Passage passage, int asking, long timeoutNs, long waitNs) {
    agenda.in(
        waitNs,
        () -> {
          if (passage.done || passage.asking != asking) {
            return;
          }
          long left = passage.lastReadNs() + timeoutNs - agenda.now();
          if (left > 0) {
            awaitRead(passage, asking, timeoutNs, left);
          } else {
            timeOut(passage);
          }
        });
  }

  private void timeOut(Passage passage) {
    logError(passage, "upstream timed out (110: Operation timed out) while " + doing(passage));
    fail(passage, 504, "timeout");
  }

  /** What was going on when a connection failed, in nginx's words. */
  private static String doing(Passage passage) {
    return "reading " + (passage.hasHeader() ? "upstream" : "response header from upstream");
  }

  /** Tokens for the client. */
  void passOn(Passage passage, int count) {
    noteFirst(passage);
    passage.client.tokens(passage.request, count);
  }

  private void noteFirst(Passage passage) {
    if (!passage.firstSent) {
      passage.firstSent = true;
      if (passage.request.ask.streams()) {
        measures
            .distribution(GatewayQuantity.FIRST_BYTE_SECONDS)
            .observe(seconds(passage.arrivalNs));
      }
    }
  }

  void upstreamEnded(Passage passage, Outcome outcome) {
    Upstream upstream = passage.upstream;
    if (upstream == null) {
      throw new IllegalStateException(passage.request + " ended nowhere");
    }
    passage.asked = false;
    passage.asking++;
    upstream.open--;
    noteUpstream(upstream, outcome);
    if (outcome.status() == 0) {
      broken(passage, upstream, outcome);
    } else if (outcome.isOk() && passage.prefilling) {
      passage.prefilling = false;
      passage.request.clearServed();
      send(passage);
    } else if (outcome.isOk()) {
      succeed(passage, outcome);
    } else {
      finish(passage, outcome, outcome.status(), outcome.status());
    }
    askWaiting(upstream);
  }

  private void noteUpstream(Upstream upstream, Outcome outcome) {
    if (outcome.status() == 0) {
      noteFailure(upstream, 502, "down");
    } else if (outcome.status() >= 500) {
      noteFailure(upstream, outcome.status(), outcome.reason());
    } else {
      measures.add(GatewayQuantity.ROUTED_OK, upstream.label, 1);
    }
    if (outcome.isOk()) {
      measures.set(GatewayQuantity.UPSTREAM_STATE, upstream.label, STATE_UP);
    }
  }

  private void noteFailure(Upstream upstream, int status, String reason) {
    measures.add(GatewayQuantity.ROUTED_FAILED, upstream.label + "\n" + status + "\n" + reason, 1);
  }

  /**
   * The upstream refused the connection, or it broke. Only what hasn't been sent can go to another:
   * a POST may have had its effect.
   */
  private void broken(Passage passage, Upstream upstream, Outcome outcome) {
    upstream.downUntilNs = agenda.now() + LEFT_OUT_NS;
    measures.set(GatewayQuantity.UPSTREAM_STATE, upstream.label, STATE_DOWN);
    if (outcome.reason().equals("refused")) {
      logError(passage, "connect() failed (111: Connection refused) while connecting to upstream");
      passage.refusedBy(upstream);
      send(passage);
    } else {
      logError(passage, "upstream prematurely closed connection while " + doing(passage));
      boolean header = passage.hasHeader();
      finish(
          passage, new Outcome(502, null, "down"), sent(passage, header, 502), header ? 200 : 502);
    }
  }

  private void succeed(Passage passage, Outcome outcome) {
    Request request = passage.request;
    if (passage.buffered && request.generated > 0) {
      noteFirst(passage);
      passage.client.tokens(request, request.generated);
    }
    if (passage.done) {
      // The client left, hearing that.
      return;
    }
    double all = seconds(passage.arrivalNs);
    double upstream = seconds(passage.askedNs);
    measures.distribution(GatewayQuantity.SECONDS).observe(all);
    measures.distribution(GatewayQuantity.UPSTREAM_SECONDS).observe(upstream);
    measures.distribution(GatewayQuantity.OVERHEAD_SECONDS).observe(all - upstream);
    if (request.generated > 0) {
      measures
          .distribution(GatewayQuantity.SECONDS_PER_TOKEN)
          .observe(upstream / request.generated);
    }
    measures.add(GatewayQuantity.PROMPT_TOKENS, request.promptTokens());
    measures.add(GatewayQuantity.GENERATION_TOKENS, request.generated);
    finish(passage, outcome, 200, 200);
  }

  /** It ends because of the gateway; the upstream, if it has it, is told to drop it. */
  private void fail(Passage passage, int status, String reason) {
    boolean header = passage.asked && passage.hasHeader();
    int sent = sent(passage, header, status);
    leaveUpstream(passage, status, reason);
    finish(passage, new Outcome(status, null, reason), sent, header ? 200 : status);
  }

  /** The status that the client got: a stream's header is passed on when it comes. */
  private static int sent(Passage passage, boolean header, int status) {
    return header && !passage.prefilling ? 200 : status;
  }

  private void leaveUpstream(Passage passage, int status, String reason) {
    Upstream upstream = passage.upstream;
    if (upstream == null) {
      return;
    }
    if (passage.asked) {
      passage.asked = false;
      passage.asking++;
      upstream.open--;
      upstream.server.abandon(passage.request);
      if (status >= 500) {
        noteFailure(upstream, status, reason);
      }
      askWaiting(upstream);
    } else if (upstream.waiting.remove(passage)) {
      waiting--;
    }
  }

  private void finish(Passage passage, Outcome outcome, int sent, int upstreamStatus) {
    passage.done = true;
    passages.remove(passage.request.id);
    measures.add(GatewayQuantity.REQUESTS, Integer.toString(outcome.status()), 1);
    if (!outcome.isOk()) {
      measures.add(GatewayQuantity.FAILURES, outcome.status() + "\n" + outcome.reason(), 1);
    }
    note();
    logEnd(passage, sent, upstreamStatus);
    passage.client.ended(passage.request, outcome);
  }

  @Override
  public void abandon(Request request) {
    Passage passage = passages.remove(request.id);
    if (passage == null) {
      return;
    }
    passage.done = true;
    boolean header = passage.asked && passage.hasHeader();
    leaveUpstream(passage, 499, "cancelled");
    measures.add(GatewayQuantity.CANCELLED, 1);
    note();
    logEnd(passage, 499, header ? 200 : 0);
  }

  private void askAllWaiting() {
    for (Upstream upstream : List.copyOf(upstreams)) {
      askWaiting(upstream);
    }
  }

  private void askWaiting(Upstream upstream) {
    if (upstream.isAsking) {
      return;
    }
    upstream.isAsking = true;
    int limit = connections();
    while (!upstream.waiting.isEmpty() && (limit <= 0 || upstream.open < limit)) {
      Passage next = upstream.waiting.remove();
      waiting--;
      note();
      ask(next, upstream);
    }
    upstream.isAsking = false;
  }

  private void note() {
    measures.set(GatewayQuantity.IN_FLIGHT, passages.size());
    measures.set(GatewayQuantity.WAITING_FOR_CONNECTION, waiting);
  }

  private double seconds(long fromNs) {
    return (agenda.now() - fromNs) / 1e9;
  }

  private void logEnd(Passage passage, int status, int upstreamStatus) {
    if (log.equals(AccessLog.NONE)) {
      return;
    }
    long now = agenda.now();
    Request request = passage.request;
    boolean asked = passage.askedNs >= 0;
    log.finished(
        new AccessLog.Entry(
            now,
            request.ask.workload(),
            "POST",
            ChatBytes.PATH,
            status,
            bytes(passage, status),
            now - passage.arrivalNs,
            passage.upstream == null || !asked ? null : passage.upstream.address,
            asked ? upstreamStatus : 0,
            asked ? headerNs(passage, upstreamStatus) : -1,
            asked ? now - passage.askedNs : -1,
            request.ask.name()));
  }

  private long headerNs(Passage passage, int upstreamStatus) {
    if (passage.hasHeader()) {
      return passage.request.readNs - passage.askedNs;
    }
    return upstreamStatus == 200 ? agenda.now() - passage.askedNs : -1;
  }

  private static long bytes(Passage passage, int status) {
    Request request = passage.request;
    if (status != 200 && status != 499) {
      return ChatBytes.answer(0, status);
    }
    if (request.ask.streams()) {
      return passage.firstSent ? ChatBytes.stream(request.generated) : 0;
    }
    return status == 200 ? ChatBytes.answer(request.generated, 200) : 0;
  }

  private void logError(Passage passage, String says) {
    if (log.equals(AccessLog.NONE)) {
      return;
    }
    String upstream = passage.upstream == null ? "inference" : passage.upstream.address;
    log.failed(
        new AccessLog.Failure(
            agenda.now(), says, passage.request.ask.workload(), "POST", ChatBytes.PATH, upstream));
  }
}
