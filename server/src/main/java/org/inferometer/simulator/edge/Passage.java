package org.inferometer.simulator.edge;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.simulator.request.Outcome;
import org.inferometer.simulator.request.Receiver;
import org.inferometer.simulator.request.Request;
import org.jspecify.annotations.Nullable;

/** A request on its way through a gateway. */
final class Passage implements Receiver {
  private final SimulatedGateway gateway;
  final Request request;
  final Receiver client;
  final long arrivalNs;
  final boolean buffered;

  /** Whom it is at or waits for. */
  @Nullable Upstream upstream;

  /** Whether that one has been asked, and when. */
  boolean asked;

  long askedNs = -1;

  /** When it began to wait for a connection. */
  long waitingNs = -1;

  /** Counts askings, so that a timer of an earlier one is known. */
  int asking;

  /** Upstreams that refused it. */
  private final List<Upstream> refusedBy = new ArrayList<>(0);

  /** Whether it is at the instance that computes its prompt only. */
  boolean prefilling;

  boolean firstSent;
  boolean done;

  Passage(
      SimulatedGateway gateway,
      Request request,
      Receiver client,
      long arrivalNs,
      boolean buffered) {
    this.gateway = gateway;
    this.request = request;
    this.client = client;
    this.arrivalNs = arrivalNs;
    this.buffered = buffered;
  }

  @Override
  public boolean wantsEveryToken() {
    return !buffered && !prefilling && client.wantsEveryToken();
  }

  @Override
  public void tokens(Request from, int count) {
    if (!done && !prefilling && !buffered) {
      gateway.passOn(this, count);
    }
  }

  @Override
  public void ended(Request from, Outcome outcome) {
    if (!done) {
      gateway.upstreamEnded(this, outcome);
    }
  }

  void refusedBy(Upstream one) {
    refusedBy.add(one);
  }

  boolean wasRefusedBy(Upstream one) {
    return refusedBy.contains(one);
  }

  /** When the upstream was last heard of: the moment it was asked, if it wasn't yet. */
  long lastReadNs() {
    if (!request.ask.streams()) {
      return askedNs;
    }
    return Math.max(askedNs, Math.max(request.readNs, request.lastOutputNs));
  }

  /** Whether the upstream's header has come: it sends it when it has read the request. */
  boolean hasHeader() {
    return request.ask.streams() && request.readNs >= askedNs;
  }
}
